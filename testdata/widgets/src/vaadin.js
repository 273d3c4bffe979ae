import '@vaadin/combo-box';
import '@vaadin/date-picker';
import { CITIES, FULL, set, html } from './common.js';

html('<vaadin-combo-box label=City></vaadin-combo-box><vaadin-date-picker label="Travel date" initial-position=2027-03-01></vaadin-date-picker>');
const city = document.querySelector('vaadin-combo-box'), date = document.querySelector('vaadin-date-picker');
city.items = CITIES;
city.addEventListener('value-changed', e => set('city', e.detail.value));
date.isDateDisabled = d => `${d.year}-${String(d.month + 1).padStart(2, '0')}-${String(d.day).padStart(2, '0')}` === FULL;
date.addEventListener('value-changed', e => set('date', e.detail.value));
