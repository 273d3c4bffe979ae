import { createApp, h, ref } from 'vue';
import { ElConfigProvider, ElDatePicker, ElForm, ElFormItem, ElSelect, ElOption, ElSelectV2 } from 'element-plus';
import zh from 'element-plus/es/locale/lang/zh-cn';
import 'element-plus/dist/index.css';
import { CITIES, FULL, set, root, ymd, DEF } from './common.js';

const bound = (key, of, props, slots, turn = v => v) => {
  const value = ref(props.multiple ? [] : '');
  return () => h(of, { ...props, id: key, modelValue: value.value, 'onUpdate:modelValue': v => { value.value = v; set(key, v && turn(v)); } }, slots);
};
const fields = [
  ['City', bound('city', ElSelect, { filterable: true, style: 'width: 240px' }, () => CITIES.map(c => h(ElOption, { key: c, label: c, value: c, disabled: c === 'Boise' })))],
  ['Town', bound('town', ElSelectV2, { options: CITIES.map(c => ({ label: c, value: c })), style: 'width: 240px' })],
  ['日期', bound('date', ElDatePicker, { type: 'date', defaultValue: DEF, disabledDate: d => ymd(d) === FULL }, undefined, ymd)],
  ['入住', bound('stay', ElDatePicker, { type: 'daterange', defaultValue: [DEF, new Date(2027, 3, 1)] }, undefined, r => ymd(r[0]) + '/' + ymd(r[1]))],
];
createApp({ render: () => h(ElConfigProvider, { locale: zh }, () => h(ElForm, { labelWidth: 80 }, () => fields.map(([label, field]) => h(ElFormItem, { label, key: label }, field)))) }).mount(root);
