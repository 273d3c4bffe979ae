import { createApp, h } from 'vue';
import 'vuetify/styles';
import { createVuetify } from 'vuetify';
import * as V from 'vuetify/components';
import { CITIES, FULL, set, root, ymd, DEF } from './common.js';
const up = (k, f = v => v) => ({ 'onUpdate:modelValue': v => set(k, v && f(v)) });
const range = r => r.length > 1 ? ymd(r[0]) + '/' + ymd(r.at(-1)) : null;
createApp({ render: () => h(V.VApp, () => h(V.VContainer, () => [
  h(V.VAutocomplete, { label: 'City', items: CITIES, ...up('city') }),
  h(V.VSelect, { label: 'State', items: CITIES, ...up('state') }),
  h(V.VCombobox, { label: 'Town', items: CITIES, ...up('town') }),
  V.VDateInput ? h(V.VDateInput, { label: 'Travel date', month: 2, year: 2027, allowedDates: d => ymd(new Date(d)) !== FULL, ...up('date', ymd) }) : null,
  V.VDateInput ? h(V.VDateInput, { label: 'Stay', multiple: 'range', ...up('stay', range) }) : null,
  h(V.VCheckbox, { label: 'Terms', ...up('terms') }),
  h(V.VSwitch, { label: 'Alarm', ...up('alarm') }),
  h(V.VRadioGroup, { label: 'Class', ...up('cls') }, () => ['Economy', 'Business'].map(c => h(V.VRadio, { label: c, value: c }))),
  h(V.VSlider, { label: 'Volume', min: 0, max: 100, step: 1, ...up('volume') }),
  h(V.VNumberInput, { label: 'Guests', min: 0, max: 9, modelValue: undefined, ...up('guests') }),
])) }).use(createVuetify({ components: V })).mount(root);
