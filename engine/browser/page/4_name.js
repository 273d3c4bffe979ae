// Accessible names: Accessible Name and Description Computation 1.2, steps 2A to 2I.
const nameFromContent = setOf('button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option radio row rowheader switch tab tooltip treeitem');
const valueRoles = setOf('textbox searchbox combobox listbox slider spinbutton progressbar meter scrollbar');
// What these hold is no text of the page: a value, or what shows where they don't work.
const noContent = setOf('input select textarea video audio object iframe');
const noText = setOf('script style template noscript desc metadata');
// A name is made of so many elements, so deep in one another, and no more.
const maxSteps = 3000, maxNesting = 40;

const isHidden = el => {
  if (attr(el, 'aria-hidden') === 'true') return true;
  const s = styleOf(el);
  return s.display === 'none' || s.visibility !== 'visible';
};
const labelsOf = (el, tag) => {
  switch (tag) {
    case 'input': return inputLabels(el);
    case 'textarea': return areaLabels(el);
    case 'select': return selectLabels(el);
    case 'button': return buttonLabels(el);
    case 'output': return outputLabels(el);
    case 'meter': return meterLabels(el);
    case 'progress': return progressLabels(el);
  }
  return null;
};
const childTag = (el, tag) => {
  for (let n = firstChild(el); n; n = nextSibling(n)) if (isElement(n) && localName(n) === tag) return n;
  return null;
};
const options = el => {
  const list = selectOptions(el), out = [];
  for (let i = 0; i < list.length; i++) out[i] = list[i];
  return out;
};
const optionText = o => fold(optionLabel(o));
// grouped is the text of an option with that of its group, as "Tuesday / 9:00"; '' outside of groups.
const grouped = o => {
  const g = parentNode(o);
  return g && isElement(g) && localName(g) === 'optgroup' ? fold(attr(g, 'label') || '') + ' / ' + optionText(o) : '';
};
const chosenTexts = el => {
  const list = selectOptions(el), out = [];
  for (let i = 0; i < list.length; i++) if (optionChosen(list[i])) out[out.length] = optionText(list[i]);
  return out;
};
// currentValue is the value that a person sees in a control, '' when it has none.
const currentValue = (el, tag, role) => {
  if (tag === 'select') return join(chosenTexts(el), ', ');
  if (tag === 'textarea') return areaValue(el);
  if (tag === 'input') {
    const type = inputType(el);
    return type === 'checkbox' || type === 'radio' || inputRoles[type] === 'button' && type !== 'file' ? '' : inputValue(el);
  }
  if (role === 'slider' || role === 'spinbutton' || role === 'progressbar' || role === 'meter' || role === 'scrollbar') {
    return attr(el, 'aria-valuetext') || attr(el, 'aria-valuenow') || attr(el, 'value') || '';
  }
  if (role === 'textbox' || role === 'searchbox') return textContent(el) || '';
  if (role === 'combobox') return fold(textContent(el) || '');
  return '';
};

// embeddedValue is what a control adds to the name of something else that it stands in: its value, or the options that
// are chosen in it.
const embeddedValue = (el, tag, role, c) => {
  if (tag === 'input' && inputType(el) === 'password') return inputValue(el) ? hiddenValue : '';
  if (tag === 'select') return join(chosenTexts(el), ' ');
  if (tag !== 'input' && (role === 'listbox' || role === 'combobox')) {
    const list = role === 'listbox' ? el : reach(el, '[role=listbox]')[0];
    if (!list) return visibleText(el, 200);
    const names = [], chosen = reach(list, '[role=option][aria-selected=true]');
    for (let i = 0; i < chosen.length; i++) names[i] = fold(nameOf(chosen[i], inner(c, true)));
    return join(names, ' ');
  }
  return currentValue(el, tag, role);
};
// owned gives what aria-owns adds to the children of an element.
const owned = el => {
  const ids = attr(el, 'aria-owns'), out = [], list = ids ? referred(el, ids) : [];
  for (let i = 0; i < list.length; i++) if (!within(list[i], el)) out[out.length] = list[i];
  return out;
};
// reach gives what css finds in an element and in what it owns.
const reach = (el, css) => {
  const out = [], own = owned(el);
  const add = list => { for (let i = 0; i < list.length; i++) out[out.length] = list[i]; };
  add(find(el, css));
  for (let i = 0; i < own.length; i++) {
    if (matches(own[i], css)) out[out.length] = own[i];
    add(find(own[i], css));
  }
  return out;
};

const cssStrings = /[\w-]+\((?:"(?:[^"\\]|\\.)*"|[^")])*\)|"((?:[^"\\]|\\.)*)"/g, cssAlt = / \/ ((?:"(?:[^"\\]|\\.)*" ?)+)$/, cssEscape = /\\(?:[0-9a-f]{1,6} ?|(.))/g;
// generated is the text of a CSS content property: its strings, or those after the slash, which are for a reader.
const generated = css => {
  const alt = regExec(cssAlt, css), from = alt ? alt[1] : css;
  let out = '';
  cssStrings.lastIndex = 0;
  for (let m; (m = regExec(cssStrings, from));) out += m[1] || ''; // nothing of url("…")
  if (indexOf(out, '\\') < 0) return out;
  let plainText = '', at = 0;
  cssEscape.lastIndex = 0;
  for (let m; (m = regExec(cssEscape, out)); at = m.index + m[0].length) plainText += slice(out, at, m.index) + (m[1] || ' ');
  return plainText + slice(out, at);
};
const pseudo = (el, which) => {
  const s = computed(el, which), css = s.content;
  if (!css || css === 'none' || css === 'normal' || indexOf(css, '"') < 0) return '';
  const t = generated(css), d = s.display;
  if (!t || d === 'none' || s.visibility !== 'visible' || regExec(/[\uE000-\uF8FF]/, t)) return ''; // icon fonts say nothing
  return d === 'inline' ? t : ' ' + t + ' ';
};
const blockDisplay = d => slice(d, 0, 6) !== 'inline' && d !== 'contents';

// The context of nameOf: seen, the elements on the way; root, the element to be named; ref, whether aria-labelledby
// led here, and label, a label; hidden, whether that was hidden itself, so that what it holds counts; shown, whether
// the caller knows that el is not hidden; depth; content, whether root is named by what it holds in any case.
const inner = (c, shown) => ({ seen: c.seen, root: c.root, ref: c.ref, label: c.label, hidden: c.hidden, shown, depth: c.depth + 1, content: false });
const labelled = (c, hidden) => ({ seen: c.seen, root: c.root, ref: c.ref, label: true, hidden, shown: false, depth: c.depth + 1, content: false });
let steps = 0;

// contentName is the text of what el holds and owns. In a muted element only what is made visible again is text.
const contentName = (el, tag, c, muted) => {
  let out = muted ? '' : pseudo(el, '::before');
  const closed = tag === 'details' && !hasAttr(el, 'open');
  const add = n => {
    const t = nodeType(n);
    if (t === 3) { if (!muted && !closed) out += nodeValue(n); return; }
    if (t !== 1) return;
    const inside = localName(n);
    if (inside === 'br') { out += ' '; return; }
    if (noText[inside] || closed && inside !== 'summary') return;
    const s = styleOf(n), d = s.display;
    if (!c.hidden) { // 2A
      if (d === 'none' || attr(n, 'aria-hidden') === 'true') return;
      if (s.visibility !== 'visible') {
        if (c.depth < maxNesting && firstElement(n)) out += contentName(n, inside, inner(c, true), true);
        return;
      }
    }
    const part = nameOf(n, inner(c, true));
    out += blockDisplay(d) || d === 'inline-block' ? ' ' + part + ' ' : part;
  };
  children(el, add);
  if (hasAttr(el, 'aria-owns')) {
    const own = owned(el);
    for (let i = 0; i < own.length; i++) add(own[i]);
  }
  return muted ? out : out + pseudo(el, '::after');
};

const nativeName = (el, tag, role, c) => {
  const labels = c.label ? null : labelsOf(el, tag);
  if (labels && labels.length) {
    const parts = [];
    for (let i = 0; i < labels.length; i++) {
      const t = fold(nameOf(labels[i], labelled(c, c.hidden)));
      if (t) parts[parts.length] = t;
    }
    if (parts.length) return join(parts, ' ');
  }
  switch (tag) {
    case 'input': {
      const type = inputType(el);
      if (type === 'button' || type === 'submit' || type === 'reset') {
        return fold(inputValue(el)) || attr(el, 'title') || (type === 'submit' ? 'Submit' : type === 'reset' ? 'Reset' : '');
      }
      return type === 'image' ? attr(el, 'alt') || attr(el, 'title') || 'Submit' : '';
    }
    case 'img': return role && attr(el, 'alt') || '';
    case 'area': return attr(el, 'alt') || '';
    case 'fieldset': return childName(el, 'legend', c);
    case 'table': return childName(el, 'caption', c) || attr(el, 'summary') || '';
    case 'figure': return childName(el, 'figcaption', c);
    case 'svg': { const t = childTag(el, 'title'); return t ? textContent(t) : ''; }
    case 'optgroup': case 'option': return attr(el, 'label') || '';
  }
  return '';
};
const childName = (el, tag, c) => {
  const n = childTag(el, tag);
  return n ? nameOf(n, labelled(c, c.hidden)) : '';
};

const nameOf = (el, c) => {
  if (c.depth === 0) { steps = 0; c.root = el; }
  if (++steps > maxSteps || c.depth > maxNesting || setHas(c.seen, el)) return '';
  if (c.depth > 0 && !c.hidden && !c.shown && isHidden(el)) return ''; // 2A
  setAdd(c.seen, el);
  const tag = localName(el), role = roleOf(el, tag);
  if (!c.ref) { // 2B
    const ids = attr(el, 'aria-labelledby');
    if (ids) {
      const targets = referred(el, ids), parts = [];
      for (let i = 0; i < targets.length; i++) {
        const target = targets[i], hidden = isHidden(target) || !isRendered(target);
        const t = fold(nameOf(target, { seen: new NewSet(), root: c.root, ref: true, label: false, hidden, shown: false, depth: c.depth + 1, content: false }));
        if (t) parts[parts.length] = t;
      }
      if (parts.length) { setDelete(c.seen, el); return join(parts, ' '); }
    }
  }
  const out = ownName(el, tag, role, c);
  setDelete(c.seen, el);
  return out;
};
// apart tells whether a part of root is a thing of its own: a menu, or the items below a tree item.
const apart = (role, root) => role === 'menu' || role === 'group' && roleOf(root, localName(root)) === 'treeitem';
const ownName = (el, tag, role, c) => {
  const embedded = c.depth > 0 && el !== c.root;
  const direct = c.ref && !c.shown && !c.label; // by its id
  if (embedded && !direct && apart(role, c.root)) return '';
  if (embedded && valueRoles[role]) { // 2C
    const value = embeddedValue(el, tag, role, c);
    if (trim(value)) return value;
  }
  const label = trim(aria(el, 'aria-label') || ''); // 2D
  if (label) return label;
  const native = nativeName(el, tag, role, c); // 2E
  if (trim(native)) return native;
  if (tag === 'img' || tag === 'area') return attr(el, 'title') || '';
  if ((nameFromContent[role] || c.depth > 0 || c.content) && !valueRoles[role] && !noContent[tag]) { // 2F
    const t = contentName(el, tag, c, false);
    if (trim(t)) return t;
  }
  const title = attr(el, 'title'); // 2I
  if (title) return title;
  return (!embedded || valueRoles[role]) && (attr(el, 'placeholder') || attr(el, 'aria-placeholder')) || '';
};

// accName is the accessible name. A clickable thing without a role is named by its content too: it has to be told
// apart somehow.
const accName = (el, clickable) => cut(fold(nameOf(el, { seen: new NewSet(), root: el, ref: false, label: false, hidden: false, shown: false, depth: 0, content: clickable })), 200);
