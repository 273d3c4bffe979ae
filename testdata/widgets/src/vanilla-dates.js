import { TempusDominus } from '@eonasdan/tempus-dominus';
import '@eonasdan/tempus-dominus/dist/css/tempus-dominus.css';
import { Litepicker } from 'litepicker';
import 'litepicker/dist/css/litepicker.css';
import Datepicker from 'vanillajs-datepicker/Datepicker';
import de from 'vanillajs-datepicker/locales/de';
import 'vanillajs-datepicker/css/datepicker.css';
import { html, set, ymd, DEF, FULL } from './common.js';

html(`<p><label for=vanilla>Abreise</label> <input id=vanilla lang=de>
<p><label for=lite>Lite</label> <input id=lite readonly>
<p><label for=between>Between</label> <input id=between>
<p><label for=tempus>Tempus</label> <span id=tempus-box data-td-target-input=nearest data-td-target-toggle=nearest><input id=tempus data-td-target=#tempus-box> <button type=button data-td-target=#tempus-box data-td-toggle=datetimepicker aria-label=Calendar>▦</button></span>`);
const full = new Date(2027, 2, 19);

Object.assign(Datepicker.locales, de);
const vanilla = document.getElementById('vanilla');
new Datepicker(vanilla, { language: 'de', defaultViewDate: DEF, datesDisabled: [full], autohide: true });
vanilla.addEventListener('changeDate', e => set('vanilla', ymd(e.detail.date)));

new Litepicker({
  element: document.getElementById('lite'), startDate: null, dropdowns: { minYear: 2025, maxYear: 2030, months: true, years: true }, lockDays: [FULL],
  setup: p => { p.on('selected', d => set('lite', d.format('YYYY-MM-DD'))); p.on('show', () => p.gotoDate(DEF)); },
});
new Litepicker({
  element: document.getElementById('between'), singleMode: false, numberOfMonths: 2, numberOfColumns: 2, firstDay: 0, format: 'D MMM YYYY', autoApply: false,
  setup: p => { p.on('selected', (a, b) => set('between', a.format('YYYY-MM-DD') + '/' + b.format('YYYY-MM-DD'))); p.on('show', () => p.gotoDate(DEF)); },
});
const tempus = new TempusDominus(document.getElementById('tempus-box'), {
  viewDate: DEF, restrictions: { disabledDates: [full] }, localization: { format: 'dd.MM.yyyy', startOfTheWeek: 1 },
  display: { components: { clock: false }, buttons: { close: true } },
});
tempus.subscribe('change.td', e => set('tempus', e.date ? ymd(e.date) : ''));
