// The list of flights, with filters and an order.
import { $, $$, api, cityName, duration, esc, euro, go, human, info, newTrip, nextDay, plural, redirect, render, save, steps, stopsText, trip } from './core.js';

const AIRLINES = ['Norvik Air', 'Tagus Airways', 'Bohemia Jet', 'EuroLark', 'Skyferry'];

/** Takes route, day and passengers from the address, so that a copied link works; false if it has none. */
async function tripFromAddress() {
  const q = new URLSearchParams(location.search);
  const city = async (code) => (await api(`/api/cities?q=${encodeURIComponent(code ?? '')}`)).find((c) => c.code === code) ?? null;
  const known = (key) => trip[key]?.code === q.get(key);
  if (!known('from')) trip.from = await city(q.get('from'));
  if (!known('to')) trip.to = await city(q.get('to'));
  trip.date = /^\d{4}-\d\d-\d\d$/.test(q.get('date')) ? q.get('date') : null;
  trip.passengers = Math.min(9, Math.max(1, Number.parseInt(q.get('passengers'), 10) || 1));
  return Boolean(trip.from && trip.to && trip.date);
}

export async function resultsView(signal) {
  render('results', `${steps(1)}<h1 tabindex="-1">Searching…</h1><div class="spinner" role="status">Searching 240 airlines…</div>`);
  let flights;
  try {
    if (trip.booking) newTrip();
    const known = await tripFromAddress();
    if (signal.aborted) return;
    if (!known) return redirect('/');
    save();
    const title = `${cityName(trip.from)} → ${cityName(trip.to)}, ${human(trip.date)}`;
    $('#main h1').textContent = title;
    document.title = `Skylane – ${title}`;
    flights = await api(`/api/flights?${new URLSearchParams({ from: trip.from.code, to: trip.to.code, date: trip.date })}`, { signal });
  } catch (e) {
    if (signal.aborted) return;
    $('.spinner').outerHTML = `<div class="card"><p class="error" role="alert">${esc(e.message)}</p><button type="button" id="change">Change search</button></div>`;
    $('#change').onclick = () => go('/');
    return;
  }
  $('.spinner').outerHTML = `
    <div class="row summary"><span>${plural(trip.passengers, 'passenger')} · ${esc(trip.cabin)}</span><button type="button" id="change" class="quiet">Change search</button></div>
    <div class="results">
      <form class="card filters" aria-label="Filters"><h2>Filters</h2>
        <fieldset><legend>Stops</legend><label><input type="checkbox" id="nonstop"> Nonstop only</label></fieldset>
        <fieldset><legend>Times</legend><label><input type="checkbox" id="morning"> Departs before noon</label><label><input type="checkbox" id="sameday"> Arrives the same day</label></fieldset>
        <fieldset><legend>Airlines</legend>${AIRLINES.map((a) => `<label><input type="checkbox" data-airline="${a}"> ${a}</label>`).join('')}</fieldset>
        <button type="reset">Clear filters</button></form>
      <section>
        <div class="card row toolbar"><span id="count" role="status"></span>
          <div class="inline"><label for="sort">Sort by</label><select id="sort"><option value="best">Recommended</option><option value="price">Price: low to high</option><option value="time">Duration: shortest first</option></select></div></div>
        <aside class="ad"><small>Sponsored</small> Hotels in ${esc(trip.to.name)} with free cancellation ${info('View hotels')}</aside>
        <ul id="flights" role="list" aria-label="Flights" data-results></ul>
      </section></div>`;
  $('#change').onclick = () => go('/');
  $('#sort').onchange = () => drawFlights(flights);
  $('.filters').onchange = () => drawFlights(flights);
  $('.filters').onsubmit = (e) => e.preventDefault();
  $('.filters').onreset = () => setTimeout(() => drawFlights(flights)); // the boxes are cleared after this event
  drawFlights(flights);
}

function drawFlights(flights) {
  const airlines = $$('[data-airline]:checked').map((b) => b.dataset.airline);
  let list = flights.filter((f) => (!$('#nonstop').checked || f.stops === 0) && (!$('#morning').checked || f.dep < '12:00')
    && (!$('#sameday').checked || !nextDay(f)) && (!airlines.length || airlines.includes(f.airline)));
  if ($('#sort').value === 'price') list = list.toSorted((a, b) => a.price - b.price);
  if ($('#sort').value === 'time') list = list.toSorted((a, b) => a.minutes - b.minutes);
  $('#count').textContent = list.length ? plural(list.length, 'flight') : 'No flights match your filters';
  $('#flights').innerHTML = list.map((f) => `<li class="card flight" aria-label="${f.airline} ${f.id}">
      <div class="who"><span class="badge ${f.id.slice(0, 2)}" aria-hidden="true">${f.id.slice(0, 2)}</span><div><span class="carrier">${f.airline}</span><span class="number">${f.id}</span></div></div>
      <div class="end"><time class="depart">${f.dep}</time><span>${f.from}</span></div>
      <div class="path"><span class="duration">${duration(f.minutes)}</span><i></i><span class="stops">${stopsText(f.stops)}</span></div>
      <div class="end"><div><time class="arrive">${f.arr}</time>${nextDay(f) ? '<sup title="Arrives the next day">+1</sup>' : ''}</div><span>${f.to}</span></div>
      <a href="/info/fare-rules">Fare rules</a>
      <div class="cost"><span class="price">${euro(f.price)}</span><small>per passenger</small></div>
      <button type="button" class="primary" aria-label="Select flight ${f.id}">Select</button></li>`).join('');
  $$('#flights .primary').forEach((button, i) => {
    button.onclick = () => { trip.flight = list[i]; go('/passenger'); };
  });
}
