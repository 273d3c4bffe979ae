// What a date field says of itself.

// segmentKinds are what a part of a date is called, in the languages that name it, and what browsers fill in there.
const segmentNames = [
  ['year', /\b(bday-year|year|yyyy|jahr|ann[ée]e|año|ano|anno|jaar|år|rok|rik|год|рік|yıl|vuosi|év)\b|年|년|سنة|שנה/iu],
  ['month', /\b(bday-month|month|mm|monat|mois|mes|mês|mese|maand|måned|månad|miesiąc|měsíc|месяц|місяць|ay|kuukausi|hónap)\b|月|월|شهر|חודש/iu],
  ['day', /\b(bday-day|day|dd|tag|jour|d[ií]a|giorno|dag|dzień|den|день|gün|päivä|nap)\b|日|일|يوم|יום/iu],
];
// segmentKind tells which part of a date a control takes; '' for none.
const segmentKind = el => {
  const tag = localName(el), low = +(attr(el, 'aria-valuemin') || attr(el, 'min') || NaN), high = +(attr(el, 'aria-valuemax') || attr(el, 'max') || NaN);
  const hints = [attr(el, 'autocomplete'), attr(el, 'data-type'), accName(el, false), attr(el, 'placeholder'), attr(el, 'aria-valuetext'), attr(el, 'name'), attr(el, 'id')];
  for (let k = 0; k < hints.length; k++) {
    let found = '';
    for (let i = 0; hints[k] && i < segmentNames.length; i++) if (regExec(segmentNames[i][1], replaceRegex(hints[k], /[_-]/g, ' ') + ' ' + hints[k])) found = found ? 'several' : segmentNames[i][0];
    if (found && found !== 'several') return found;
  }
  if (high === 12 && low <= 1) return 'month';
  if (high >= 28 && high <= 31) return 'day';
  if (high >= 1000) return 'year';
  if (tag === 'select') {
    const n = options(el).length;
    if (n === 12 || n === 13) return 'month';
    if (n >= 28 && n <= 32) return 'day';
  }
  return '';
};
// segmentsOf are the parts of a date that el is, or is made of: spin buttons, small inputs or lists.
const segmentsOf = el => {
  const role = roleOf(el, localName(el)), tag = localName(el);
  let around = el;
  if (role === 'spinbutton' && tag !== 'input') for (let i = 0; i < 3 && find(around, '[role=spinbutton]').length < 2; i++) around = up(around) || around;
  else if (tag === 'input' || tag === 'select' || tag === 'button' || role === 'combobox') return [];
  const spins = find(shadowOf(around) || around, '[role=spinbutton]'), all = spins.length > 1 ? spins : find(shadowOf(around) || around, 'input, select'), out = [];
  for (let i = 0; i < all.length; i++) {
    if (!shown(all[i]) || localName(all[i]) === 'input' && !textTypes[inputType(all[i])]) continue;
    const kind = segmentKind(all[i]);
    for (let k = 0; k < out.length; k++) if (out[k].kind === kind) return []; // two dates, or something else
    if (kind) out[out.length] = { el: all[i], kind };
  }
  return out.length >= 2 ? out : [];
};
const segmentValue = el => {
  const tag = localName(el);
  if (tag === 'input') return inputValue(el);
  if (tag === 'select') return currentValue(el, tag, 'combobox');
  const now = attr(el, 'aria-valuenow');
  return now || visibleText(el, 40);
};
// typedParts is the date that an element of three inputs holds, YYYY-MM-DD; '' for another element, and while one is empty.
const typedParts = el => {
  const list = segmentsOf(el), by = { __proto__: null };
  for (let i = 0; i < list.length; i++) {
    const v = localName(list[i].el) === 'input' ? inputValue(list[i].el) : '';
    if (!regExec(/^\d+$/, v)) return '';
    by[list[i].kind] = slice('0' + v, v.length > 2 ? 1 : -2);
  }
  return list.length === 3 ? by.year + '-' + by.month + '-' + by.day : '';
};
const writeSegment = s => {
  const tag = localName(s.el), choices = [];
  if (tag === 'select') for (let i = 0, list = options(s.el); i < list.length && i < 400; i++) choices[i] = optionText(list[i]);
  return '{"n":' + numberOf(s.el) + ',"kind":' + quote(s.kind) + ',"tag":' + quote(tag) + ',"value":' + quote(segmentValue(s.el)) + ',"choices":' + jsonList(choices, quote) + '}';
};

// plainFields are the browser's own fields, less those that are there for scripts only.
const plainFields = 'input:not([type=hidden]):not([aria-hidden=true]), select, textarea';
const calendarWords = /cal(e|é)nda|kalend|calen|\bdat(e|um|a|o)?s?\b|fecha|날짜|日付|日期|дат|tarih|календар/iu;
// openersOf are the buttons beside a field, or in one that is made of parts, that may open its calendar.
const openersOf = el => {
  const out = [];
  for (let e = controlTags[localName(el)] ? up(el) : el, i = 0; e && i < 4; e = up(e), i++) {
    const inputs = find(e, plainFields + ', [role=spinbutton]');
    let others = 0;
    for (let k = 0; k < inputs.length; k++) if (!within(inputs[k], el) && onScreen(inputs[k])) others++;
    if (others || localName(e) === 'body') break;
    children(e, function visit(n) {
      if (nodeType(n) !== 1 || n === el) return;
      const tag = localName(n), role = roleOf(n, tag);
      const press = role === 'button' || tag !== 'label' && tag !== 'input' && !labelControlOf(n) && listensForClicks(n) && styleOf(n).cursor === 'pointer';
      if (press && shown(n) && enabled(n, aria(n, 'aria-disabled') === 'true')) {
        const name = accName(n, true), popup = hasAttr(n, 'aria-haspopup') || hasAttr(n, 'aria-expanded');
        const icon = !visibleText(n, 5) || attr(n, 'aria-hidden') === 'true' || !regExec(/\p{L}{2}/u, visibleText(n, 40));
        const gone = regExec(/clear|reset|remove|löschen|effacer|borrar/iu, name) || tag === 'button' && attr(n, 'type') === 'submit';
        if (!gone && (popup || icon || regExec(calendarWords, name))) out[out.length] = { n: numberOf(n), rank: (popup ? 2 : 0) + (regExec(calendarWords, name) ? 2 : 0) + (icon ? 1 : 0) };
        return;
      }
      children(n, visit);
    });
    if (out.length) break;
  }
  sortArray(out, (a, b) => b.rank - a.rank);
  return out;
};
// mateOf is the second of two text fields that a range is made of, in the box around el, the first; null where it is one.
const mateOf = el => {
  for (let e = up(el), depth = 0; e && depth < 4; e = up(e), depth++) {
    const all = find(e, plainFields);
    if (all.length === 2 && all[0] === el && localName(all[1]) === 'input' && editable(all[1], 'input')) return all[1];
    if (all.length > 1) return null;
  }
  return null;
};
const labelControlOf = n => localName(n) === 'label' && labelControl(n);

const langOf = el => {
  for (let e = el; e; e = up(e)) {
    const lang = attr(e, 'lang');
    if (lang) return lang;
  }
  return '';
};
// dateField describes a field: what it is, what it holds, and all that tells of the format that it wants.
const dateField = text => {
  forget();
  const a = parseJSON(text), el = a.document === documentID ? elementOf(a.n) : null;
  if (!el) return problem('gone', '');
  const e = editableIn(el) || el, tag = localName(e), samples = [], openers = openersOf(el), mate = mateOf(e);
  const hint = t => { if (t && t.length < 200) samples[samples.length] = t; };
  hint(attr(e, 'placeholder')); hint(attr(e, 'aria-placeholder')); hint(attr(e, 'data-format')); hint(attr(e, 'data-date-format')); hint(attr(e, 'title')); hint(describedText(e));
  hint(accName(e, false)); hint(labelText(e, tag, roleOf(e, tag), false));
  const input = tag === 'input';
  return 'field\n{"type":' + quote(input ? inputType(e) : '') + ',"readonly":' + (hasAttr(e, 'readonly') || attr(e, 'aria-readonly') === 'true') +
    ',"editable":' + (input ? editable(e, tag) : false) + ',"value":' + quote(valueOf(el)) + ',"lang":' + quote(langOf(e)) + ',"pattern":' + quote(attr(e, 'pattern') || '') +
    ',"min":' + quote(attr(e, 'min') || '') + ',"max":' + quote(attr(e, 'max') || '') + ',"popup":' + (hasAttr(e, 'aria-haspopup') || hasAttr(el, 'aria-expanded') || openers.length > 0) +
    ',"invalid":' + (attr(e, 'aria-invalid') === 'true' || !!find(el, '[aria-invalid=true]').length || input && matches(e, ':user-invalid')) + ',"error":' + quote(errorText(e, tag)) +
    (mate ? ',"mate":' + numberOf(mate) : '') + ',"samples":' + jsonList(samples, quote) + ',"segments":' + jsonList(segmentsOf(el), writeSegment) + ',"openers":' + jsonList(openers, o => '' + o.n) + '}';
};
