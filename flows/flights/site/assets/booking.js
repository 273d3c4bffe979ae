// Passenger details, review and confirmation.
import { $, api, duration, EMAIL, esc, euro, go, human, info, newTrip, nextDay, plural, redirect, render, resultsPath, steps, stopsText, trip } from './core.js';

const INSURANCE = 12; // euros for one passenger

const FIELDS = [ // the server checks the same rules, see booking.go
  { key: 'name', label: 'Full name', type: 'text', hint: 'As in the passport', form: /^\S+ .*\S$/, max: 100, error: 'Enter first and last name' },
  { key: 'email', label: 'E-mail', type: 'email', hint: 'For the ticket', form: EMAIL, max: 254, error: 'Enter a valid e-mail address' },
  { key: 'phone', label: 'Phone', type: 'tel', hint: 'For changes at short notice', form: /^\+?[\d ]{8,}$/, max: 30, error: 'Enter a valid phone number' },
];

const route = (f) => `<div class="route"><b>${f.airline} ${f.id}</b><span>${f.dep} ${f.from} – ${f.arr} ${f.to}${nextDay(f) ? ' (+1)' : ''}</span><span>${human(f.date)} · ${duration(f.minutes)} · ${stopsText(f.stops)}</span></div>`;

export function passengerView() {
  if (trip.booking) return redirect('/confirmed');
  if (!trip.flight) return redirect('/');
  render('passenger details', `${steps(2)}<h1 tabindex="-1">Passenger details</h1><div class="checkout">
    <form class="card stack" id="passenger" novalidate aria-label="Lead passenger">
      ${FIELDS.map((f) => `<div class="field"><label for="${f.key}">${f.label}</label><input id="${f.key}" type="${f.type}" maxlength="${f.max}" autocomplete="off" aria-describedby="hint-${f.key} err-${f.key}" value="${esc(trip.person[f.key])}">
        <small id="hint-${f.key}">${f.hint}</small><span class="error" role="alert" id="err-${f.key}"></span></div>`).join('')}
      <div class="field"><label for="notes">Notes for the airline (optional)</label><textarea id="notes" rows="2" maxlength="500">${esc(trip.person.notes)}</textarea></div>
      <label><input type="checkbox"> Send me offers by text message</label>
      <div class="row"><button type="submit" class="primary big">Continue to review</button><button type="button" id="back">Back to results</button></div>
    </form>
    <aside class="card" aria-label="Your flight"><h2>Your flight</h2>${route(trip.flight)}<p>${plural(trip.passengers, 'passenger')}, ${esc(trip.cabin)}</p><p class="total">${euro(trip.flight.price * trip.passengers)}</p></aside></div>`);
  $('#back').onclick = () => go(resultsPath());
  $('#passenger').onsubmit = (e) => {
    e.preventDefault();
    trip.person.notes = $('#notes').value.trim();
    let wrong = null;
    for (const f of FIELDS) {
      const input = $(`#${f.key}`);
      const ok = f.form.test(trip.person[f.key] = input.value.trim());
      $(`#err-${f.key}`).textContent = ok ? '' : f.error;
      input.ariaInvalid = String(!ok);
      if (!ok) wrong ??= input;
    }
    if (wrong) wrong.focus();
    else go('/review');
  };
}

export function reviewView(signal) {
  if (trip.booking) return redirect('/confirmed');
  if (!trip.flight || !trip.person.email) return redirect('/');
  const { flight: f, person: p, passengers: n } = trip;
  render('review', `${steps(3)}<h1 tabindex="-1">Review your booking</h1><div class="checkout"><div class="card stack">
    ${route(f)}
    <dl><dt>Passengers</dt><dd>${n}, ${esc(trip.cabin)}</dd><dt>Lead passenger</dt><dd>${esc(p.name)}</dd><dt>Contact</dt><dd>${esc(p.email)}, ${esc(p.phone)}</dd></dl>
    <label><input type="checkbox" id="insurance" ${trip.insurance ? 'checked' : ''}> Add travel insurance (${euro(INSURANCE * n)})</label>
    <p class="total">Total <span class="price"></span></p>
    <p class="small">By confirming you accept the ${info('Conditions of carriage')}. You pay at check-in.</p>
    <div class="row"><button type="button" class="primary big" id="confirm">Confirm booking</button><button type="button" id="edit">Edit details</button><span role="status" id="progress"></span><span class="error" role="alert"></span></div>
    </div>
    <aside class="card" aria-label="Good to know"><h2>Good to know</h2><p>Cancel free of charge within 24 hours.</p><p>Check-in opens 48 hours before departure.</p><p>One small bag for each passenger is included.</p></aside></div>`);
  const total = () => { $('.total .price').textContent = euro((f.price + (trip.insurance ? INSURANCE : 0)) * n); };
  total();
  $('#insurance').onchange = (e) => { trip.insurance = e.target.checked; total(); };
  $('#edit').onclick = () => go('/passenger');
  $('#confirm').onclick = async () => { // not protected against a second click: that is a second booking
    $('#progress').textContent = 'Booking…';
    $('#main .error').textContent = '';
    const body = JSON.stringify({ flight: f.id, price: f.price, from: f.from, to: f.to, date: f.date, passengers: n, cabin: trip.cabin, insurance: trip.insurance, ...p });
    try {
      const booking = await api('/api/bookings', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
      if (signal.aborted) return;
      trip.booking = booking;
      go('/confirmed');
    } catch (e) {
      if (signal.aborted) return;
      $('#progress').textContent = '';
      $('#main .error').textContent = e.message;
    }
  };
}

export function confirmedView() {
  const b = trip.booking;
  if (!b) return redirect('/');
  render('confirmed', `<div class="narrow confirmed"><div class="tick" aria-hidden="true">✓</div><h1 tabindex="-1">Booking confirmed</h1><div class="card stack">
    <p>Your booking reference is <b data-booking-reference="${esc(b.reference)}">${esc(b.reference)}</b>.</p>
    ${route(trip.flight)}
    <p>${plural(b.passengers, 'passenger')}, ${euro(b.total)} in all. A confirmation was sent to ${esc(b.email)}.</p>
    <div class="row"><button type="button" id="print">Print</button><button type="button" id="another">Book another flight</button></div></div></div>`);
  $('#print').onclick = () => print();
  $('#another').onclick = () => { newTrip(); go('/'); };
}
