import { createApp, h, ref } from 'vue';
import PrimeVue from 'primevue/config'; import Aura from '@primeuix/themes/aura';
import Select from 'primevue/select'; import AutoComplete from 'primevue/autocomplete'; import DatePicker from 'primevue/datepicker'; import InputNumber from 'primevue/inputnumber'; import Rating from 'primevue/rating'; import ToggleSwitch from 'primevue/toggleswitch'; import Checkbox from 'primevue/checkbox'; import MultiSelect from 'primevue/multiselect'; import Slider from 'primevue/slider'; import SelectButton from 'primevue/selectbutton';
import { CITIES, FULL, set, root, ymd, DEF } from './common.js';
const F = (label, of, key, props = {}, f = v => v) => { const v = ref(props.init ?? null); const id = 'f_' + key; return { render: () => h('div', { style: 'margin:8px' }, [h('label', { for: id, id: id + '_l' }, label), h(of, { ...props, inputId: id, labelId: id, 'aria-labelledby': id + '_l', modelValue: v.value, 'onUpdate:modelValue': x => { v.value = x; set(key, x == null ? x : f(x)); } })]) }; };
const found = ref(CITIES);
const Auto = { setup: () => { const v = ref(null); return () => h('div', [h('label', { for: 'auto' }, 'Town'), h(AutoComplete, { inputId: 'auto', dropdown: true, forceSelection: true, suggestions: found.value, onComplete: e => { setTimeout(() => found.value = CITIES.filter(c => c.toLowerCase().includes(e.query.toLowerCase())), 150); }, modelValue: v.value, 'onUpdate:modelValue': x => { v.value = x; set('town', CITIES.includes(x) ? x : null); } })]); } };
createApp({ render: () => h('div', [
  h(F('City', Select, 'city', { options: CITIES, filter: true, placeholder: 'Pick' })), h(F('State', Select, 'state', { options: CITIES, virtualScrollerOptions: { itemSize: 38 } })), h(Auto),
  h(F('Travel date', DatePicker, 'date', { disabledDates: [new Date(2027, 2, 19)], viewDate: DEF, dateFormat: 'dd/mm/yy' }, ymd)),
  h(F('Stay', DatePicker, 'stay', { selectionMode: 'range', numberOfMonths: 2, manualInput: false, showIcon: true }, r => r[1] && ymd(r[0]) + '/' + ymd(r[1]))),
  h(F('Guests', InputNumber, 'guests', { showButtons: true, buttonLayout: 'horizontal', min: 0, max: 9, init: 1 })), h(F('Price', InputNumber, 'price', { mode: 'currency', currency: 'EUR', locale: 'de-DE' })),
  h(F('Stars', Rating, 'stars')), h(F('Alarm', ToggleSwitch, 'alarm', { init: false })), h(F('Terms', Checkbox, 'terms', { binary: true, init: false })), h(F('Extras', MultiSelect, 'extras', { options: ['Wifi', 'Pool', 'Spa'] }, v => v.join())),
  h(F('Class', SelectButton, 'cls', { options: ['Economy', 'Business'] })),
]) }).use(PrimeVue, { theme: { preset: Aura } }).mount(root);
