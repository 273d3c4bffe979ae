import $ from 'jquery';
import Awesomplete from 'awesomplete';
import 'awesomplete/awesomplete.css';
import Choices from 'choices.js';
import 'choices.js/public/assets/styles/choices.css';
import SlimSelect from 'slim-select';
import 'slim-select/styles';
import '@selectize/selectize/dist/css/selectize.default.css';
import { html, set, opts, CITIES } from './common.js';

window.$ = window.jQuery = $;
html(`<p><label for=choices>Choices</label> <select id=choices><option value="">Pick one</option>${opts}</select>
<p><label for=slim>Slim</label> <select id=slim><option data-placeholder=true></option>${opts}</select>
<p><label for=selectize>Selectize</label> <select id=selectize><option></option>${opts}</select>
<p><label for=awesome>Awesomplete</label> <input id=awesome>`);


new Choices('#choices', { shouldSort: false });
document.getElementById('choices').addEventListener('change', e => set('choices', e.target.value));
new SlimSelect({ select: '#slim', settings: { openPosition: 'down' }, events: { afterChange: v => set('slim', v[0].value) } });
// Free text becomes an option when it is asked to.
import('@selectize/selectize').then(() => $('#selectize').selectize({ create: true, onChange: v => set('selectize', v) }));
const awesome = document.getElementById('awesome');
new Awesomplete(awesome, { list: CITIES, minChars: 1 });
awesome.addEventListener('awesomplete-selectcomplete', e => set('awesome', e.text.value));
