// The search page, with much around the form that does not lead to a flight.
import { $, $$, api, cityName, EMAIL, esc, euro, go, human, info, iso, MONTHS, render, resultsPath, slug, trip } from './core.js';

// The calendar, as in flight.go.
const TODAY = '2027-01-20';
const LAST_DAY = '2027-12-31';
const DEBOUNCE_MS = 120; // with the server's 30 ms: suggestions appear about 150 ms after the last key

const TABS = ['Flights', 'Hotels', 'Cars', 'Packages', 'Cruises'];
const CABINS = ['Economy', 'Premium economy', 'Business', 'First'];
const DEALS = ['Rome', 'Athens', 'Paris', 'Madrid', 'Oslo', 'Dublin', 'Vienna', 'Berlin', 'Milan', 'Zurich', 'Warsaw', 'Helsinki', 'Munich', 'Budapest', 'Amsterdam', 'Barcelona'];
const FAQ = {
  'When should I book?': 'Fares are usually lowest six to eight weeks before departure.',
  'Can I change my flight?': 'Most fares can be changed for a fee until two hours before departure.',
  'What is included in the price?': 'Taxes, airport charges and one small bag under the seat.',
  'How do refunds work?': 'Refunds go back to the card you paid with within seven days.',
  'How much baggage can I take?': 'One small bag is free; a suitcase can be added after booking.',
  'Do children pay the full fare?': 'Children under two travel on your lap for ten per cent of the fare.',
};

export function searchView(signal) {
  render('flights, hotels and cars', `
    <section class="hero">
      <h1 tabindex="-1">Where to next?</h1>
      <p>Compare 240 airlines in one search. No booking fees.</p>
      <div class="tabs" role="tablist" aria-label="Product">${TABS.map((t, i) => `<button type="button" role="tab" aria-selected="${i === 0}" aria-controls="panel">${t}</button>`).join('')}</div>
      <div id="panel" role="tabpanel">
      <form class="card" id="search" novalidate aria-label="Flight search">
        <div class="row options">
          <label><input type="radio" name="kind" value="one" checked> One way</label>
          <label><input type="radio" name="kind" value="round"> Round trip</label>
          <label><input type="radio" name="kind" value="multi" disabled> Multi-city</label>
          <label><input type="checkbox"> Flexible dates</label>
          <label><input type="checkbox"> Add a hotel</label>
          <select id="cabin" aria-label="Cabin">${CABINS.map((c) => `<option ${c === trip.cabin ? 'selected' : ''}>${c}</option>`).join('')}</select>
        </div>
        <div class="row places">
          <div class="field grow"><label for="from">From</label><input id="from" placeholder="City or airport"></div>
          <button type="button" id="swap" aria-label="Swap cities">⇄</button>
          <div class="field grow"><label for="to">To</label><input id="to" placeholder="City or airport"></div>
          <div class="field"><label for="date">Departure date</label><button type="button" id="date" class="input" aria-haspopup="dialog" aria-expanded="false">Choose a date</button></div>
          <div class="field"><label for="return">Return date</label><button type="button" id="return" class="input" disabled>One way</button></div>
        </div>
        <p class="note" id="roundtrip" hidden>Round trips are sold as two one-way tickets. Choose your outbound flight first.</p>
        <div class="row">
          <div class="field"><span class="label" id="paxlabel">Passengers</span><div class="stepper" role="group" aria-labelledby="paxlabel">
            <button type="button" id="minus" aria-label="Remove passenger">−</button><span id="pax" aria-live="polite"></span><button type="button" id="plus" aria-label="Add passenger">+</button></div></div>
          <button type="button" id="more" class="quiet" aria-expanded="false" aria-controls="moreoptions">More options</button>
          <button type="button" id="hotels">Search hotels</button>
          <button type="submit" class="primary big">Search flights</button>
        </div>
        <span class="error" role="alert" id="searcherror"></span>
        <div class="row" id="moreoptions" hidden>
          <div class="field"><label for="alliance">Alliance</label><select id="alliance"><option>Any</option><option>Blue Wing</option><option>Meridian</option></select></div>
          <div class="field"><label for="promo">Promotion code</label><input id="promo" type="text" autocomplete="off"></div>
          <label><input type="checkbox"> Refundable fares</label>
          <label><input type="checkbox"> Nearby airports</label>
          <button type="button" disabled>Apply code</button>
        </div>
      </form></div>
    </section>
    <section><h2>Deals of the week</h2>
    <div class="deals">${DEALS.map((c, i) => `<div class="deal"><div class="photo hue${i % 8}" aria-hidden="true">${c.slice(0, 2).toUpperCase()}</div><div class="body"><b>${c}</b><span>from ${euro(39 + i * 4)} one way</span>
      <div class="row"><a href="/info/deal-${slug(c)}">View deal</a><button type="button" class="heart" aria-label="Save ${c}" aria-pressed="false">♡</button></div></div></div>`).join('')}</div></section>
    <section><h2>Popular routes</h2>
    <ul class="routes">${[...DEALS.slice(0, 14).map((c) => `Prague – ${c}`), ...DEALS.slice(2, 14).map((c) => `Lisbon – ${c}`)].map((r) => `<li>${info(r)}</li>`).join('')}</ul></section>
    <div class="pair">
      <section class="card faq"><h2>Questions</h2>${Object.entries(FAQ).map(([q, a]) => `<div><button type="button" aria-expanded="false">${q}</button><p hidden>${a} ${info('Read more')}</p></div>`).join('')}</section>
      <form class="card" id="newsletter" novalidate><h2>Fares by e-mail</h2><p>The best fares of the week, every Thursday. Unsubscribe whenever you like.</p>
        <div class="row"><input class="grow" type="email" aria-label="Newsletter e-mail" placeholder="you@example.com" autocomplete="off"><button type="submit" disabled>Subscribe</button></div>
        <div class="row"><label><input type="checkbox"> Weekend trips</label><label><input type="checkbox"> Long haul</label></div>
        <p class="note" role="status"></p></form>
    </div>`);
  autocomplete($('#from'), 'from', signal);
  autocomplete($('#to'), 'to', signal);
  datePicker($('#date'), signal);
  searchForm();
  asides();
}

function searchForm() {
  const passengers = (change) => {
    trip.passengers = Math.min(9, Math.max(1, trip.passengers + change));
    $('#pax').textContent = trip.passengers;
  };
  passengers(0);
  $('#plus').onclick = () => passengers(1);
  $('#minus').onclick = () => passengers(-1);
  $('#cabin').onchange = (e) => { trip.cabin = e.target.value; };
  $('#swap').onclick = () => {
    [trip.from, trip.to] = [trip.to, trip.from];
    [$('#from').value, $('#to').value] = [$('#to').value, $('#from').value];
  };
  for (const radio of $$('[name=kind]')) {
    radio.onchange = () => {
      $('#roundtrip').hidden = radio.value !== 'round';
      $('#return').textContent = radio.value === 'round' ? 'Booked next' : 'One way';
    };
  }
  $('#more').onclick = () => {
    $('#moreoptions').hidden = !$('#moreoptions').hidden;
    $('#more').ariaExpanded = String(!$('#moreoptions').hidden);
  };
  $('#hotels').onclick = () => $$('[role=tab]')[1].click();
  $('#search').onsubmit = (e) => {
    e.preventDefault();
    const missing = [!trip.from && 'departure city', !trip.to && 'arrival city', !trip.date && 'departure date'].filter(Boolean);
    let error = missing.length ? `Please choose: ${missing.join(', ')}.` : '';
    if (!error && trip.from.code === trip.to.code) error = 'Departure and arrival are the same city.';
    $('#searcherror').textContent = error;
    if (error) return;
    go(resultsPath());
  };
}

/** Everything on the search page that does not lead to a flight. */
function asides() {
  const panel = $('#panel');
  const form = $('#search');
  for (const tab of $$('[role=tab]')) {
    tab.onclick = () => {
      for (const t of $$('[role=tab]')) t.ariaSelected = String(t === tab);
      const other = document.createElement('div');
      other.className = 'card';
      other.innerHTML = `<h2>${tab.textContent}</h2><p>Our new ${tab.textContent.toLowerCase()} search opens in spring 2027. ${info('Tell me when it does')}.</p>`;
      panel.replaceChildren(tab.textContent === 'Flights' ? form : other);
    };
  }
  for (const b of $$('.heart')) {
    b.onclick = () => { b.ariaPressed = String(b.ariaPressed !== 'true'); b.textContent = b.ariaPressed === 'true' ? '♥' : '♡'; };
  }
  for (const b of $$('.faq button')) {
    b.onclick = () => { b.nextElementSibling.hidden = !b.nextElementSibling.hidden; b.ariaExpanded = String(!b.nextElementSibling.hidden); };
  }
  const letter = $('#newsletter');
  const address = $('[type=email]', letter);
  address.oninput = () => { $('[type=submit]', letter).disabled = !EMAIL.test(address.value.trim()); };
  letter.onsubmit = (e) => { e.preventDefault(); $('[role=status]', letter).textContent = 'Thank you. Please confirm the link that we have sent you.'; };
}

/** A combobox of cities. What is typed counts only once one of the options has been chosen. */
function autocomplete(input, key, signal) {
  let timer, list = null, active = -1;
  const set = (attributes) => { for (const [k, v] of Object.entries(attributes)) input.setAttribute(k, v); };
  set({ role: 'combobox', 'aria-autocomplete': 'list', 'aria-expanded': 'false', 'aria-controls': `${key}list`, autocomplete: 'off', spellcheck: 'false' });
  input.value = cityName(trip[key]);

  const close = () => {
    list?.remove();
    list = null;
    active = -1;
    input.removeAttribute('aria-activedescendant');
    set({ 'aria-expanded': 'false' });
  };
  const choose = (city) => {
    clearTimeout(timer);
    trip[key] = city;
    $('#searcherror').textContent = '';
    input.value = cityName(city);
    close();
  };
  const open = (cities) => {
    close();
    list = document.createElement('ul');
    list.id = `${key}list`;
    list.className = 'listbox';
    list.setAttribute('role', 'listbox');
    list.setAttribute('aria-label', 'Cities');
    for (const [i, city] of cities.entries()) {
      const item = document.createElement('li');
      item.id = `${key}option${i}`;
      item.setAttribute('role', 'option');
      item.setAttribute('aria-selected', 'false');
      item.textContent = `${cityName(city)}, ${city.country}`;
      item.onclick = () => choose(city);
      list.append(item);
    }
    if (!cities.length) list.innerHTML = '<li class="none" role="presentation">No city found</li>';
    input.parentElement.append(list);
    set({ 'aria-expanded': 'true' });
  };
  const suggest = async () => {
    const q = input.value.trim();
    close();
    if (q.length < 2) return;
    const cities = await api(`/api/cities?q=${encodeURIComponent(q)}`).catch(() => []);
    if (input.value.trim() === q && !signal.aborted) open(cities);
  };
  input.addEventListener('input', () => {
    trip[key] = null;
    clearTimeout(timer);
    timer = setTimeout(suggest, DEBOUNCE_MS);
  });
  input.addEventListener('keydown', (e) => {
    const options = list ? $$('[role=option]', list) : [];
    if (e.key === 'Escape') close();
    if (e.key === 'Enter' && active >= 0) { e.preventDefault(); options[active].click(); }
    if (!options.length || !['ArrowDown', 'ArrowUp'].includes(e.key)) return;
    e.preventDefault();
    active = (active + (e.key === 'ArrowDown' ? 1 : options.length - (active < 0 ? 0 : 1))) % options.length;
    options.forEach((o, i) => { o.ariaSelected = String(i === active); });
    set({ 'aria-activedescendant': options[active].id });
  });
  document.addEventListener('pointerdown', (e) => { if (!input.parentElement.contains(e.target)) close(); }, { signal });
}

/** A button that opens a calendar. Every change of month builds the calendar anew. */
function datePicker(button, signal) {
  let [year, month] = (trip.date ?? TODAY).split('-').map(Number);
  month -= 1;
  let pop = null;
  const label = () => { button.textContent = trip.date ? human(trip.date) : 'Choose a date'; };
  const close = () => { pop?.remove(); pop = null; button.ariaExpanded = 'false'; };
  const turn = (by) => {
    month += by;
    year += Math.floor(month / 12);
    month = (month + 12) % 12;
    draw();
    $(`.head [data-turn="${by}"]`, pop).focus();
  };
  const day = (d) => {
    const date = iso(year, month, d);
    const off = date < TODAY || date > LAST_DAY;
    return `<button type="button" aria-label="${human(date)}" data-date="${date}" ${off ? 'disabled' : ''} aria-pressed="${date === trip.date}">${d}</button>`;
  };
  const draw = () => {
    const days = new Date(year, month + 1, 0).getDate();
    const lead = (new Date(year, month, 1).getDay() + 6) % 7; // weeks start on Monday
    pop.innerHTML = `<div class="head">
        <button type="button" data-turn="-1" aria-label="Previous month" ${iso(year, month, 1) <= TODAY ? 'disabled' : ''}>‹</button>
        <b aria-live="polite">${MONTHS[month]} ${year}</b>
        <button type="button" data-turn="1" aria-label="Next month" ${iso(year, month, days) >= LAST_DAY ? 'disabled' : ''}>›</button></div>
      <div class="grid">${['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'].map((d) => `<span aria-hidden="true">${d}</span>`).join('')}${'<span></span>'.repeat(lead)}${Array.from({ length: days }, (_, i) => day(i + 1)).join('')}</div>`;
    for (const b of $$('[data-turn]', pop)) b.onclick = () => turn(Number(b.dataset.turn));
    for (const b of $$('[data-date]', pop)) b.onclick = () => { trip.date = b.dataset.date; $('#searcherror').textContent = ''; label(); close(); button.focus(); };
  };
  label();
  button.onclick = () => {
    if (pop) return close();
    pop = document.createElement('div');
    pop.className = 'calendar';
    pop.setAttribute('role', 'dialog');
    pop.setAttribute('aria-label', 'Choose departure date');
    button.parentElement.append(pop);
    button.ariaExpanded = 'true';
    draw();
    pop.scrollIntoView({ block: 'nearest' });
  };
  document.addEventListener('pointerdown', (e) => { if (!button.parentElement.contains(e.target)) close(); }, { signal });
  document.addEventListener('keydown', (e) => { if (e.key === 'Escape') close(); }, { signal });
}
