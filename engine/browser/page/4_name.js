// Accessible names: Accessible Name and Description Computation 1.2, steps 2A to 2I.
const nameFromContent = setOf('button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option radio row rowheader switch tab tooltip treeitem');
const valueRoles = setOf('textbox searchbox combobox listbox slider spinbutton');

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
// currentValue is the value that a person sees in a control, '' when it has none.
const currentValue = (el, tag, role) => {
  if (tag === 'select') {
    const chosen = [], list = options(el);
    for (let i = 0; i < list.length; i++) if (optionChosen(list[i])) chosen[chosen.length] = optionText(list[i]);
    return join(chosen, ', ');
  }
  if (tag === 'textarea') return areaValue(el);
  if (tag === 'input') {
    const type = inputType(el);
    return type === 'checkbox' || type === 'radio' || inputRoles[type] === 'button' && type !== 'file' ? '' : inputValue(el);
  }
  if (role === 'slider' || role === 'spinbutton' || role === 'progressbar' || role === 'meter') {
    return attr(el, 'aria-valuetext') || attr(el, 'aria-valuenow') || attr(el, 'value') || '';
  }
  if (role === 'textbox' || role === 'searchbox') return textContent(el) || '';
  if (role === 'combobox') return fold(textContent(el) || '');
  return '';
};

const pseudo = (el, which) => {
  const c = computed(el, which).content;
  if (!c || c === 'none' || c === 'normal' || codeAt(c, 0) !== 34) return '';
  const m = regExec(/^"((?:[^"\\]|\\.)*)"(?: \/ "((?:[^"\\]|\\.)*)")?$/, c);
  if (!m) return '';
  const t = m[2] === undefined ? m[1] : m[2];
  return regExec(/[\uE000-\uF8FF\\]/, t) ? '' : t; // icon fonts say nothing
};
const blockDisplay = d => slice(d, 0, 6) !== 'inline' && d !== 'contents';

const contentName = (el, c) => {
  let out = pseudo(el, '::before');
  children(el, n => {
    const t = nodeType(n);
    if (t === 3) out += nodeValue(n);
    else if (t === 1) {
      const tag = localName(n);
      if (tag === 'br') { out += ' '; return; }
      if (tag === 'script' || tag === 'style' || tag === 'template' || tag === 'noscript') return;
      const s = styleOf(n), d = s.display;
      if (!c.hidden && (d === 'none' || s.visibility !== 'visible' || attr(n, 'aria-hidden') === 'true')) return; // 2A
      const part = nameOf(n, { seen: c.seen, ref: c.ref, label: c.label, hidden: c.hidden, shown: true, depth: c.depth + 1 });
      if (part) out += blockDisplay(d) || d === 'inline-block' ? ' ' + part + ' ' : part;
    }
  });
  const aft = pseudo(el, '::after');
  return aft ? out + aft : out;
};

const nativeName = (el, tag, role, c) => {
  switch (tag) {
    case 'input': case 'textarea': case 'select': case 'button': {
      const labels = labelsOf(el, tag);
      if (labels && labels.length && !c.label) {
        const parts = [];
        for (let i = 0; i < labels.length; i++) {
          const t = fold(nameOf(labels[i], { seen: c.seen, ref: false, label: true, hidden: c.hidden, depth: 1 }));
          if (t) parts[parts.length] = t;
        }
        if (parts.length) return join(parts, ' ');
      }
      if (tag !== 'input') return '';
      const type = inputType(el);
      if (type === 'button' || type === 'submit' || type === 'reset') {
        return fold(inputValue(el)) || attr(el, 'title') || (type === 'submit' ? 'Submit' : type === 'reset' ? 'Reset' : '');
      }
      return type === 'image' ? attr(el, 'alt') || attr(el, 'title') || 'Submit' : '';
    }
    case 'img': case 'area': return attr(el, 'alt') || '';
    case 'fieldset': return childName(el, 'legend', c);
    case 'table': return childName(el, 'caption', c);
    case 'figure': return childName(el, 'figcaption', c);
    case 'svg': { const t = childTag(el, 'title'); return t ? textContent(t) : ''; }
    case 'optgroup': case 'option': return attr(el, 'label') || '';
  }
  return '';
};
const childName = (el, tag, c) => {
  const n = childTag(el, tag);
  return n ? nameOf(n, { seen: c.seen, ref: true, label: true, hidden: c.hidden, depth: 1 }) : '';
};

const nameOf = (el, c) => {
  if (setHas(c.seen, el)) return '';
  if (c.depth > 40) return '';
  if (c.depth > 0 && !c.hidden && !c.shown && isHidden(el)) return ''; // 2A
  setAdd(c.seen, el);
  const tag = localName(el), role = roleOf(el, tag);
  if (!c.ref) { // 2B
    const ids = attr(el, 'aria-labelledby');
    if (ids) {
      const w = words(ids), parts = [];
      for (let i = 0; i < w.length; i++) {
        const target = w[i] && byId(el, w[i]);
        if (!target) continue;
        const seen = new NewSet();
        const t = fold(nameOf(target, { seen, ref: true, label: false, hidden: isHidden(target), depth: 1 }));
        if (t) parts[parts.length] = t;
      }
      if (parts.length) { setDelete(c.seen, el); return join(parts, ' '); }
    }
  }
  const out = ownName(el, tag, role, c);
  if (c.depth > 0 || !c.label) setDelete(c.seen, el);
  return out;
};
const ownName = (el, tag, role, c) => {
  const label = trim(attr(el, 'aria-label') || '');
  if (c.depth > 0 && valueRoles[role] && !(c.ref && c.depth === 1)) { // 2C: a control embedded in a name
    if (label && !(c.label || c.ref || c.depth > 1)) return label;
    return currentValue(el, tag, role);
  }
  if (label) return label; // 2D
  const native = nativeName(el, tag, role, c); // 2E
  if (trim(native)) return native;
  if (tag === 'img' || tag === 'area') return attr(el, 'title') || '';
  if (nameFromContent[role] || c.depth > 0 || c.content) { // 2F
    if (tag !== 'input' && tag !== 'select' && tag !== 'textarea') {
      const t = contentName(el, c);
      if (trim(t)) return t;
    }
  }
  const title = attr(el, 'title'); // 2I
  if (title) return title;
  return (c.depth === 0 && attr(el, 'placeholder')) || (c.depth === 0 && attr(el, 'aria-placeholder')) || '';
};

// accName is the accessible name. A clickable thing without a role is named by its content too: it has to be told
// apart somehow.
const accName = (el, clickable) => cut(fold(nameOf(el, { seen: new NewSet(), ref: false, label: false, hidden: false, depth: 0, content: clickable })), 200);
