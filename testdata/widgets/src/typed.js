import { html, set } from './common.js';

// Fields that take a date in their own format only, of which they do not tell, and say so when they are left.
const fields = { day: ['Day first', /^(?<d>\d\d?)\/(?<m>\d\d?)\/(?<y>\d{4})$/], month: ['Month first', /^(?<m>\d\d?)\/(?<d>\d\d?)\/(?<y>\d{4})$/], odd: ['Odd', /^(?<y>\d{4})x(?<m>\d\d?)x(?<d>\d\d?)$/] };
html(Object.entries(fields).map(([id, [label]]) => `<p><label for=${id}>${label}</label> <input id=${id} autocomplete=off> <span role=alert></span>`).join(''));
for (const [id, [, format]] of Object.entries(fields)) {
  const input = document.getElementById(id);
  input.addEventListener('change', () => {
    const p = format.exec(input.value)?.groups, good = p && p.m <= 12 && p.d <= 31;
    input.setAttribute('aria-invalid', !good && input.value !== '');
    input.nextElementSibling.textContent = good || !input.value ? '' : 'Not a date';
    set(id, good ? `${p.y}-${p.m.padStart(2, '0')}-${p.d.padStart(2, '0')}` : '');
  });
}
