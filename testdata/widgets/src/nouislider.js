import noUiSlider from 'nouislider';
import 'nouislider/dist/nouislider.css';
import { html, set } from './common.js';

html(`<style>.noUi-target { width: 400px; margin: 60px 20px }</style>
<h2 id=volume-name>Volume</h2> <div id=volume></div>
<h2>Price</h2> <div id=price></div>
<h2>Weight</h2> <div id=weight></div>`);

const volume = noUiSlider.create(document.getElementById('volume'), {
  start: 40, connect: 'lower', step: 1, range: { min: 0, max: 100 }, handleAttributes: [{ 'aria-labelledby': 'volume-name' }],
});
volume.on('set', v => set('volume', String(Number(v[0]))));

// A handle steps aside for no other: the two keep their order. Money is what they say, and each says so of itself.
const money = { to: v => '€' + Math.round(v).toLocaleString('en'), from: t => Number(t.replace(/[€,]/g, '')) };
const price = noUiSlider.create(document.getElementById('price'), {
  start: [200, 1500], connect: true, step: 50, range: { min: 0, max: 2000 }, tooltips: true, format: money,
  handleAttributes: [{ 'aria-label': 'Lowest price' }, { 'aria-label': 'Highest price' }],
});
price.on('set', v => set('price', v.map(money.from).join('/')));

// Nothing names this one but the heading before it, and its steps are not whole.
const weight = noUiSlider.create(document.getElementById('weight'), { start: 1, step: 0.1, range: { min: 0, max: 5 } });
weight.on('set', v => set('weight', String(Number(v[0]))));
