// The calendar of the search: a month at a time, of which the first day that is clicked is the arrival and the next one
// the departure. It opens on the month of the stay, or where the season begins.
const form = document.forms[0], field = document.getElementById('stay'), box = document.getElementById('calendar');
const key = d => d.toISOString().slice(0, 10), day = text => new Date(text + 'T00:00:00Z');
const shown = text => day(text).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
let from = form.from.value, to = form.to.value, month;

const show = () => { field.value = from && to ? `${shown(from)} – ${shown(to)}` : from ? `${shown(from)} – …` : ''; };
const close = () => { box.hidden = true; field.setAttribute('aria-expanded', 'false'); };
const take = d => {
  if (!from || to || d <= from) [from, to] = [d, ''];
  else to = d;
  [form.from.value, form.to.value] = [from, to];
  show();
  if (to) close();
  else draw();
};
const draw = () => {
  const first = day(month + '-01'), title = first.toLocaleDateString('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
  box.innerHTML = `<div class="head"><button type="button" data-by="-1" aria-label="Previous month">‹</button> <strong>${title}</strong> <button type="button" data-by="1" aria-label="Next month">›</button></div>
<table><thead><tr><th>${['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'].join('<th>')}</tr></thead><tbody></tbody></table>`;
  const rows = box.querySelector('tbody');
  let row;
  for (let d = new Date(first); d.getUTCMonth() === first.getUTCMonth(); d.setUTCDate(d.getUTCDate() + 1)) {
    const weekday = (d.getUTCDay() + 6) % 7, k = key(d);
    if (!row || weekday === 0) row = rows.insertRow();
    while (row.cells.length < weekday) row.insertCell();
    const b = row.insertCell().appendChild(document.createElement('button'));
    [b.type, b.textContent, b.disabled] = ['button', d.getUTCDate(), k < box.dataset.opens];
    b.className = from && k >= from && k <= (to || from) ? 'in' : '';
    b.onclick = () => take(k);
  }
  for (const b of box.querySelectorAll('[data-by]')) b.onclick = () => {
    first.setUTCMonth(first.getUTCMonth() + Number(b.dataset.by));
    month = key(first).slice(0, 7);
    draw();
  };
};
field.onclick = () => {
  month = (from || box.dataset.opens).slice(0, 7);
  draw();
  box.hidden = false;
  field.setAttribute('aria-expanded', 'true');
};
document.addEventListener('keydown', e => { if (e.key === 'Escape') close(); });
document.addEventListener('pointerdown', e => { if (!e.composedPath().includes(box) && e.target !== field) close(); });
show();
