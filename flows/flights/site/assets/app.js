// The pages of Skylane: one document, client-side routing, data over fetch. This file has what surrounds the
// views; core.js what they share; search.js, results.js and booking.js are the views, in the order of a visit.
import { $, $$, esc, go, info, newTrip, render, start, trip } from './core.js';
import { searchView } from './search.js';
import { resultsView } from './results.js';
import { confirmedView, passengerView, reviewView } from './booking.js';

const MENUS = {
  Flights: ['Last minute', 'Multi-city', 'Flight status', 'Airline directory', 'Fare calendar', 'Group travel'],
  Hotels: ['City breaks', 'Beach hotels', 'Family rooms', 'Spa weekends', 'Hostels', 'Apartments'],
  Cars: ['Airport pick-up', 'One-way rental', 'Vans', 'Electric cars', 'Long-term rental', 'Insurance'],
  Explore: ['Guides', 'Weather', 'Visa check', 'Events', 'Travel blog', 'Gift cards'],
  Business: ['Sign up', 'Invoices', 'Policy tools', 'Reports', 'Integrations', 'Contact sales'],
};
const FOOTER = {
  Company: ['About us', 'Careers', 'Press', 'Investors', 'Sustainability', 'Partners', 'Affiliates', 'Newsroom', 'Accessibility'],
  Support: ['Help centre', 'Contact', 'Manage booking', 'Refunds', 'Baggage', 'Check-in', 'Lost items', 'Feedback', 'Complaints'],
  Destinations: ['Flights to Spain', 'Flights to Italy', 'Flights to Greece', 'Flights to Portugal', 'Flights to France', 'Flights to Norway', 'Flights to Ireland', 'Flights to Poland', 'Flights to Austria'],
  Legal: ['Terms', 'Privacy', 'Cookies', 'Imprint', 'Passenger rights', 'Conditions of carriage', 'Licences', 'Security', 'Data requests'],
  Apps: ['iPhone app', 'Android app', 'Facebook', 'Instagram', 'YouTube', 'LinkedIn', 'TikTok', 'Mastodon', 'RSS'],
};

function frame() {
  $('#header').innerHTML = `<div id="offer"><span>Winter sale: up to 30% off until 31 January.</span>${info('Show the offers')}<button type="button" aria-label="Close offer">✕</button></div><div class="bar">
    <a class="logo" href="/"><img src="/favicon.svg" alt="" width="30" height="30">Skylane</a>
    <button type="button" id="burger" aria-expanded="false" aria-controls="nav">Menu</button>
    <nav id="nav" aria-label="Main">
      ${Object.entries(MENUS).map(([name, items]) => `<div class="menu"><button type="button" aria-haspopup="true" aria-expanded="false">${name}</button>
        <ul>${items.map((i) => `<li>${info(i)}</li>`).join('')}</ul></div>`).join('')}
      ${info('Deals')}${info('My trips')}${info('Help')}
    </nav>
    <div class="account">
      <select aria-label="Language"><option>English</option><option>Deutsch</option><option>Čeština</option><option>Português</option></select>
      <select aria-label="Currency"><option>EUR</option><option>USD</option><option>CZK</option><option>GBP</option></select>
      <button type="button" data-account="Sign in">Sign in</button><button type="button" data-account="Register">Register</button>
    </div></div>`;
  $('#footer').innerHTML = `<div class="columns">${Object.entries(FOOTER).map(([name, items]) => `<nav aria-label="${name}"><h2>${name}</h2>${items.map((i) => info(i)).join('')}</nav>`).join('')}</div>
    <p class="small">© 2027 Skylane Travel. Fares include taxes and airport charges.</p>`;

  const toggle = (button, owner, open) => { owner.classList.toggle('open', open); button.ariaExpanded = String(open); };
  const closeMenus = (except) => $$('.menu').forEach((m) => m !== except && toggle(m.firstElementChild, m, false));
  for (const menu of $$('.menu')) menu.firstElementChild.onclick = () => toggle(menu.firstElementChild, menu, !menu.classList.contains('open'));
  document.addEventListener('pointerdown', (e) => closeMenus(e.target.closest('.menu')));
  document.addEventListener('keydown', (e) => { if (e.key === 'Escape') closeMenus(); });
  $('#offer button').onclick = () => $('#offer').remove();
  $('#burger').onclick = () => toggle($('#burger'), $('#nav'), !$('#nav').classList.contains('open'));
  $('.logo').onclick = (e) => {
    e.preventDefault();
    if (trip.booking) newTrip();
    go('/');
  };
  for (const b of $$('[data-account]')) b.onclick = () => accountDialog(b.dataset.account);
  cookies();
}

function cookies() {
  const banner = $('#cookies');
  banner.hidden = sessionStorage.getItem('consent') !== null;
  $('#cookiesettings').onclick = () => {
    $('#cookieoptions').hidden = !$('#cookieoptions').hidden;
    $('#cookiesettings').ariaExpanded = String(!$('#cookieoptions').hidden);
  };
  for (const b of $$('[data-cookie]')) {
    b.onclick = () => { sessionStorage.setItem('consent', b.dataset.cookie); banner.hidden = true; };
  }
}

function accountDialog(title) {
  const dialog = document.createElement('dialog');
  dialog.setAttribute('aria-labelledby', 'accounttitle');
  dialog.innerHTML = `<form class="stack" novalidate><h2 id="accounttitle">${title}</h2>
    <div class="field"><label for="account">E-mail</label><input id="account" type="email" autocomplete="off"></div>
    <div class="field"><label for="password">Password</label><input id="password" type="password" autocomplete="off"></div>
    <span class="error" role="alert"></span>
    <div class="row"><button type="submit" class="primary">${title}</button><button type="button" data-close>Close</button></div></form>`;
  document.body.append(dialog);
  dialog.addEventListener('close', () => dialog.remove());
  $('[data-close]', dialog).onclick = () => dialog.close();
  $('form', dialog).onsubmit = (e) => {
    e.preventDefault();
    $('.error', dialog).textContent = 'Accounts are closed for maintenance. You can book as a guest.';
  };
  dialog.showModal();
}

/** Where the links lead that are not part of a booking: a real page load away from the form. */
function infoView() {
  const topic = location.pathname.split('/').pop().replaceAll('-', ' ').trim();
  const title = topic.charAt(0).toUpperCase() + topic.slice(1);
  render(title, `<h1 tabindex="-1">${esc(title)}</h1><div class="card"><p>We are rewriting this page. Until it is back, our help centre answers by phone, every day from 8 to 20.</p><p><a href="/">Back to flight search</a></p></div>`);
}

if (location.pathname === '/') newTrip(); // a new visit of the start page is a new search
frame();
start({ '/': searchView, '/results': resultsView, '/passenger': passengerView, '/review': reviewView, '/confirmed': confirmedView, other: infoView });
