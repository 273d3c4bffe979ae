import 'cally';
import { set, html, FULL } from './common.js';
html(`<label for=b>Travel date</label> <button id=b popovertarget=pop>Pick a date</button><div popover id=pop><calendar-date id=cal focused-date="2027-03-01"><button slot=previous aria-label=Previous>&lt;</button><button slot=next aria-label=Next>&gt;</button><calendar-month></calendar-month></calendar-date></div>
<p><label for=b2>Stay</label> <button id=b2 popovertarget=pop2>Pick a stay</button><div popover id=pop2><calendar-range id=cal2 months=2 focused-date="2027-03-01"><button slot=previous aria-label=Previous>&lt;</button><button slot=next aria-label=Next>&gt;</button><calendar-month></calendar-month><calendar-month offset=1></calendar-month></calendar-range></div>`);
cal.isDateDisallowed = d => d.toISOString().slice(0, 10) === FULL;
cal.addEventListener('change', e => { set('date', e.target.value); b.textContent = new Date(e.target.value + 'T12:00').toLocaleDateString('en-US', { dateStyle: 'medium' }); pop.hidePopover(); });
cal2.addEventListener('change', e => { set('stay', e.target.value); b2.textContent = e.target.value; pop2.hidePopover(); });
