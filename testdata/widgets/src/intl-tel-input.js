import intlTelInput from 'intl-tel-input/intlTelInputWithUtils';
import 'intl-tel-input/styles';
import { html, set } from './common.js';

html(`<p><label for=phone>Phone</label> <input id=phone type=tel>
<p><label for=fax>Fax</label> <input id=fax type=tel>
<p><label for=pager>Pager</label> <input id=pager type=tel>`);

// One finds its country by searching, one in a long list that is only scrolled, and one in a dialog over the page.
const kinds = { phone: { separateDialCode: true }, fax: { countrySearch: false, initialCountry: 'us' }, pager: { countrySelectorMode: 'fullscreen', initialCountry: 'jp' } };
for (const [id, options] of Object.entries(kinds)) {
  const input = document.getElementById(id), tel = intlTelInput(input, { strictMode: true, ...options });
  const tell = () => { set(id, tel.getNumber()); set(id + '_country', tel.getSelectedCountry()?.iso2 ?? ''); };
  input.addEventListener('input', tell);
  input.addEventListener('change', tell);
  input.addEventListener('countrychange', tell);
}
