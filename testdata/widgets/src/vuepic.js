import { createApp, h, ref } from 'vue';
import { VueDatePicker } from '@vuepic/vue-datepicker';
import '@vuepic/vue-datepicker/dist/main.css';
import { set, root, ymd, DEF } from './common.js';

const picker = (key, label, props, turn) => {
  const value = ref(null);
  return () => h('div', [h('label', { for: key }, label), h(VueDatePicker, {
    inputAttrs: { id: key }, ariaLabels: { input: label }, timeConfig: { enableTimePicker: false }, startDate: DEF, disabledDates: [new Date(2027, 2, 19)], ...props, modelValue: value.value,
    'onUpdate:modelValue': v => { value.value = v; set(key, v && turn(v)); },
  })]);
};
const date = picker('date', 'Travel date', {}, ymd), stay = picker('stay', 'Stay', { range: true, multiCalendars: true, disabledDates: [], autoApply: true }, r => r[1] && ymd(r[0]) + '/' + ymd(r[1]));
createApp({ render: () => h('div', [date(), stay()]) }).mount(root);
