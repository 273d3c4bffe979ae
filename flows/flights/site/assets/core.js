// What all pages share: formatting, what the visitor has chosen, and the routing between the views.

// ---------- formatting and fetching ----------
export const $ = (selector, root = document) => root.querySelector(selector);
export const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
export const esc = (text) => String(text).replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);
export const slug = (text) => text.toLowerCase().replace(/[^a-z0-9]+/g, '-');
export const info = (text, attributes = '') => `<a href="/info/${slug(text)}" ${attributes}>${text}</a>`;
export const euro = (n) => `€${n.toLocaleString('en-GB')}`;
export const plural = (n, noun) => `${n} ${noun}${n === 1 ? '' : 's'}`;
export const cityName = (city) => (city ? `${city.name} (${city.code})` : '');

export const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];
export const iso = (year, month, day) => `${year}-${String(month + 1).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
export const human = (date) => { const [y, m, d] = date.split('-').map(Number); return `${d} ${MONTHS[m - 1]} ${y}`; };
export const duration = (minutes) => `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
export const stopsText = (n) => (n === 0 ? 'Nonstop' : plural(n, 'stop'));

/** Fetches JSON; a refusal of the server becomes an Error with the server's words. */
export async function api(path, options) {
  const res = await fetch(path, options);
  const body = await res.json();
  if (!res.ok) throw new Error(body.error ?? `The server answered ${res.status}.`);
  return body;
}

export const nextDay = (f) => { const [h, m] = f.dep.split(':').map(Number); return h * 60 + m + f.minutes >= 24 * 60; };
export const steps = (now) => `<p class="steps" aria-label="Step ${now} of 3">${['Flight', 'Passenger', 'Review'].map((s, i) => `<span class="${i + 1 === now ? 'now' : ''}">${i + 1}. ${s}</span>`).join('')}</p>`;

export const EMAIL = /^[^@\s]+@[^@\s]+\.[a-z]{2,}$/i;

// ---------- what the visitor has chosen ----------
// Kept in sessionStorage, that is, for one browser page; the server knows only finished bookings.
const freshTrip = () => ({
  from: null, to: null, date: null, passengers: 1, cabin: 'Economy', flight: null, insurance: false,
  person: { name: '', email: '', phone: '', notes: '' }, booking: null,
});
export let trip = JSON.parse(sessionStorage.getItem('trip')) ?? freshTrip();
export function newTrip() { trip = freshTrip(); }
export const save = () => sessionStorage.setItem('trip', JSON.stringify(trip));
export const resultsPath = () => `/results?${new URLSearchParams({ from: trip.from.code, to: trip.to.code, date: trip.date, passengers: trip.passengers })}`;

// ---------- routing ----------
let views = {}; // path → function that shows it, given the signal that is aborted when it is left
let current = ''; // path and query of the view that is shown
let leaving = new AbortController(); // aborted when the view is left; its signal removes listeners and drops late answers

function show() {
  leaving.abort();
  leaving = new AbortController();
  current = location.pathname + location.search;
  (views[location.pathname] ?? views.other)(leaving.signal);
}

export function go(path) {
  save();
  history.pushState(null, '', path);
  scrollTo(0, 0);
  show();
  $('#main h1')?.focus({ preventScroll: true });
}

export function redirect(path) {
  history.replaceState(null, '', path);
  show();
}

/** Shows the view of the address, and from now on the one of every address that is gone to. */
export function start(all) {
  views = all;
  show();
}

addEventListener('popstate', () => { if (current !== location.pathname + location.search) show(); });

export function render(title, html) {
  document.title = `Skylane – ${title}`;
  $('#main').innerHTML = html;
}
