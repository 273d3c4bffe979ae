import $ from 'jquery'; window.$ = window.jQuery = $;
import { CITIES, FULL, set, html, ymd, DEF } from './common.js';
import 'fomantic-ui-css/semantic.css';
const items = CITIES.map(c => `<div class=item data-value="${c}">${c}</div>`).join('');
html(`<div class="ui form" style="padding:20px;width:400px"><div class=field><label>City</label><div class="ui search selection dropdown" id=city><input type=hidden name=city><i class="dropdown icon"></i><div class="default text">Select City</div><div class=menu>${items}</div></div></div>
<div class=field><label>State</label><select id=state class="ui dropdown"><option value="">State</option>${CITIES.map(c => `<option>${c}</option>`).join('')}</select></div>
<div class=field><label>Travel date</label><div class="ui calendar" id=date><div class="ui input left icon"><i class="calendar icon"></i><input type=text placeholder="Date"></div></div></div>
<div class=field><div class="ui checkbox" id=terms><input type=checkbox class=hidden tabindex=0><label>Terms</label></div></div><div class=field><div class="ui toggle checkbox" id=alarm><input type=checkbox class=hidden><label>Alarm</label></div></div>
<div class=field><label>Stars</label><div class="ui star rating" id=stars data-max-rating=5></div></div>
<div class=field><label>Extras</label><select id=extras multiple class="ui fluid dropdown"><option value="">Extras</option><option>Wifi</option><option>Pool</option><option>Spa</option></select></div></div>`);
import('fomantic-ui-css/semantic.js').then(() => {
  $('#city').dropdown({ onChange: v => set('city', v) }); $('#state').dropdown({ onChange: v => set('state', v) }); $('#extras').dropdown({ onChange: v => set('extras', v.join()) });
  $('#date').calendar({ type: 'date', initialDate: DEF, disabledDates: [new Date(2027, 2, 19)], onChange: d => set('date', d && ymd(d)) });
  $('#terms').checkbox({ onChange: () => set('terms', $('#terms').checkbox('is checked')) }); $('#alarm').checkbox({ onChange: () => set('alarm', $('#alarm').checkbox('is checked')) });
  $('#stars').rating({ onRate: v => set('stars', v) }); $('#date').calendar('clear');
});
