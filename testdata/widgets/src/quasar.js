import { createApp, h, ref } from 'vue';
import { Quasar, QSelect, QInput, QPopupProxy, QDate, QIcon, QCheckbox, QToggle, QOptionGroup, QSlider, QBtn } from 'quasar';
import 'quasar/dist/quasar.css';
import { CITIES, FULL, set, root } from './common.js';
const city = ref(null), state = ref(null), list = ref(CITIES), date = ref(''), stay = ref(null), terms = ref(false), alarm = ref(false), cls = ref(null), vol = ref(20);
const m = (k, r, f = v => v) => ({ modelValue: r.value, 'onUpdate:modelValue': v => { r.value = v; set(k, v && f(v)); } });
createApp({ render: () => h('div', { style: 'padding:20px;max-width:400px' }, [
  h(QSelect, { label: 'City', useInput: true, hideSelected: true, fillInput: true, inputDebounce: 200, options: list.value, onFilter: (v, up) => up(() => { list.value = CITIES.filter(c => c.toLowerCase().includes(v.toLowerCase())); }), ...m('city', city) }, { 'no-option': () => h('div', { class: 'q-pa-md text-grey' }, 'No results') }),
  h(QSelect, { label: 'State', options: CITIES, ...m('state', state) }),
  h(QInput, { label: 'Travel date', ...m('date', date, v => v.replaceAll('/', '-')) }, { append: () => h(QIcon, { name: 'event', class: 'cursor-pointer' }, () => h(QPopupProxy, {}, () => h(QDate, { defaultYearMonth: '2027/03', options: d => d.replaceAll('/', '-') !== FULL, ...m('date', date, v => v.replaceAll('/', '-')) }))) }),
  h(QCheckbox, { label: 'Terms', ...m('terms', terms) }), h(QToggle, { label: 'Alarm', ...m('alarm', alarm) }),
  h('div', { 'aria-label': 'Class', role: 'group' }, h(QOptionGroup, { options: ['Economy', 'Business'].map(v => ({ label: v, value: v })), ...m('cls', cls) })),
  h(QSlider, { 'aria-label': 'Volume', min: 0, max: 100, ...m('volume', vol) }),
]) }).use(Quasar, {}).mount(root);
