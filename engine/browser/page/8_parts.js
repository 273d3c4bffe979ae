// Controls that are made of several: a number between two buttons, and a code with a box for each character.
const minusName = /^[-−–‒－]$|\b(decrease|decrement|minus|subtract|remove|fewer|less|weniger|verringern|reduzieren|entfernen|moins|diminuer|retirer|menos|quitar|meno|diminuisci|ubrat|snížit|minder|mniej)\b|減らす|减少/iu;
const plusName = /^[+＋]$|\b(increase|increment|plus|add|more|mehr|erhöhen|hinzufügen|augmenter|ajouter|más|añadir|mais|più|aumenta|aggiungi|přidat|zvýšit|meer|więcej)\b|増やす|增加/iu;
const minusClass = /minus|decr|subtract/i, plusClass = /plus|incr|\badd\b/i;
const maxInside = 60;

// signOf tells whether an element is the button that takes one away (-1) or adds one (1).
const signOf = b => {
  const name = fold(accName(b, true)), hint = name ? '' : attr(b, 'class') || '';
  const minus = regExec(minusName, name) || regExec(minusClass, hint), plus = regExec(plusName, name) || regExec(plusClass, hint);
  return minus && plus ? 0 : minus ? -1 : plus ? 1 : 0;
};
const pressable = e => roleOf(e, localName(e)) === 'button' || listensForClicks(e);
// stepperOf is the number in e between its only two buttons, of which one adds to it: {minus, plus, value}; or null.
const stepperOf = e => {
  const all = find(e, '*'), found = { minus: null, plus: null, value: '' };
  if (all.length > maxInside) return null;
  for (let i = 0; i < all.length; i++) {
    if (!pressable(all[i]) || inPress(all[i], e)) continue;
    const sign = signOf(all[i]), key = sign < 0 ? 'minus' : 'plus';
    if (!sign || found[key]) return null;
    found[key] = all[i];
  }
  if (!found.minus || !found.plus) return null;
  const fields = find(e, 'input:not([type=hidden]), [role=spinbutton]');
  if (fields.length > 1) return null;
  found.value = fields.length ? fold(localName(fields[0]) === 'input' ? inputValue(fields[0]) : attr(fields[0], 'aria-valuenow') || '') : numberIn(e);
  return regExec(/^-?\d{1,6}$/, found.value) ? found : null;
};
// inPress tells whether something to press lies around b, inside of e.
const inPress = (b, e) => {
  for (let p = up(b); p && p !== e; p = up(p)) if (pressable(p) && !find(p, 'input, [role=spinbutton]').length) return roleOf(p, localName(p)) === 'button';
  return false;
};
// textsBeside are the texts of e outside of its buttons.
const textsBeside = e => {
  const out = [];
  children(e, function visit(n) {
    if (nodeType(n) === 3) { const t = fold(nodeValue(n)); if (t) out[out.length] = t; }
    if (nodeType(n) !== 1 || roleOf(n, localName(n)) === 'button' || signOf(n) && listensForClicks(n) || !isRendered(n)) return;
    children(n, visit);
  });
  return out;
};
const numberIn = e => {
  const list = textsBeside(e);
  let found = '';
  for (let i = 0; i < list.length; i++) if (regExec(/^\d{1,6}$/, list[i])) { if (found) return ''; found = list[i]; }
  return found;
};
const wordsIn = e => {
  const list = textsBeside(e);
  for (let i = 0; i < list.length; i++) if (regExec(/\p{L}/u, list[i])) return cut(list[i], 80);
  return '';
};

// boxesOf are the fields of e when all of them take one character: a code that is entered in boxes.
const boxesOf = e => {
  const all = find(e, 'input:not([type=hidden]), select, textarea'), out = [];
  for (let i = 0; i < all.length; i++) {
    if (localName(all[i]) !== 'input' || !textTypes[inputType(all[i])] || attr(all[i], 'maxlength') !== '1' && !numberedBox(all[i], all.length)) return [];
    out[i] = all[i];
  }
  return out.length >= 3 && out.length <= 12 ? out : [];
};
// numberedBox tells whether a field says that it is one of so many, as boxes of a code do that watch their length themselves.
const numberedBox = (el, n) => n >= 4 && !!regExec(/\d\D+\d/, attr(el, 'aria-label') || '') && indexOf(attr(el, 'aria-label'), '' + n) >= 0 && inputValue(el).length < 2;
const boxesText = list => {
  let out = '';
  for (let i = 0; i < list.length; i++) out += inputValue(list[i]);
  return out;
};
// groupValue is what a group holds that is one control to a person.
const groupValue = e => {
  const boxes = boxesOf(e);
  if (boxes.length) {
    for (let i = 0; i < boxes.length; i++) if (shownValue(boxes[i], 'input', 'textbox') === hiddenValue) return hiddenValue;
    return boxesText(boxes);
  }
  const s = stepperOf(e);
  return s ? s.value : '';
};
// looseParts notes the captions of such controls where they are no group yet.
const looseParts = root => {
  const codes = find(root, 'input[maxlength="1"]');
  for (let i = 0; i < codes.length && i < maxLoose; i++) {
    let e = up(codes[i]);
    for (let depth = 0; e && depth < 4 && !boxesOf(e).length; depth++) e = up(e);
    if (!e || boxesOf(e)[0] !== codes[i] && i > 0 && within(codes[i - 1], e)) continue;
    if (boxesOf(e).length) caption(e, find(e, controlsInside), true);
  }
  const buttons = find(root, 'button, [role=button], [onclick]');
  for (let i = 0; i < buttons.length && i < 2 * maxLoose; i++) {
    if (signOf(buttons[i]) >= 0) continue;
    let e = up(buttons[i]);
    for (let depth = 0; e && depth < 4 && !stepperOf(e); depth++) e = up(e);
    if (!e || localName(e) === 'body' || find(e, 'input:not([type=hidden]), [role=spinbutton]').length) continue;
    const s = stepperOf(e);
    if (!s) continue;
    const words = wordsIn(e);
    if (words) { if (!roleOf(e, localName(e)) || looseRoles[roleOf(e, localName(e))]) weakSet(captions, e, words); } else caption(e, find(e, controlsInside), false);
  }
};
// parts tells how text gets into an element that is made of several: "stepper VALUE MINUS PLUS" with 0 for a button that
// is disabled, "code N N N", or "none". Where a.was is given it waits until the number is another one, for a.ms at most.
const parts = text => {
  const a = parseJSON(text), el = a.document === documentID ? elementOf(a.n) : null;
  if (!el) return problem('gone', '');
  const field = localName(el) === 'input' || roleOf(el, localName(el)) === 'spinbutton';
  const around = f => {
    for (let e = el, depth = 0; e && depth < (field ? 5 : 1); e = up(e), depth++) { const got = f(e); if (got) return got; }
    return null;
  };
  const live = b => enabled(b, aria(b, 'aria-disabled') === 'true') ? numberOf(b) : 0;
  const answer = () => {
    forget();
    const boxes = around(e => { const list = boxesOf(e); return list.length ? list : null; });
    if (boxes) { let out = ''; for (let i = 0; i < boxes.length; i++) out += (i ? ' ' : '') + numberOf(boxes[i]); return 'code\n' + out + '\n' + boxesText(boxes); }
    const s = around(stepperOf);
    return s ? 'stepper\n' + s.value + ' ' + live(s.minus) + ' ' + live(s.plus) : 'none\n';
  };
  if (a.was === undefined) return answer();
  return soon(() => { const s = around(stepperOf); return !s || s.value !== a.was; }, a.ms, answer);
};
// slide tells what a slider that is no input says: "at NOW MIN MAX TEXT", with tabs between and nothing for what it does
// not say; or "native". Where a.was is given it waits until the slider says another number, or, where a.want is given,
// that one, for a.ms at most.
const slide = text => {
  const a = parseJSON(text), el = a.document === documentID ? elementOf(a.n) : null;
  if (!el) return problem('gone', '');
  if (localName(el) === 'input') return 'native\n';
  const now = () => aria(el, 'aria-valuenow') || '';
  const answer = () => 'at\n' + now() + '\t' + (aria(el, 'aria-valuemin') || '') + '\t' + (aria(el, 'aria-valuemax') || '') + '\t' + fold(aria(el, 'aria-valuetext') || '');
  if (a.was === undefined) return answer();
  return soon(() => !connected(el) || (a.want === undefined ? now() !== a.was : +now() === a.want), a.ms, answer);
};
