// What tells an element from its likes: the text beside it, and the card, row or section that it is in.
const fieldRoles = setOf('textbox searchbox combobox listbox spinbutton slider checkbox radio switch');
const controlsInside = 'button, input, select, textarea, [contenteditable], [role=combobox], [role=textbox]';

// labelText is the text of an element's own label, or the short text that stands before, above or (for boxes to
// tick) after it.
const labelText = (el, tag, role, rendered) => besideText(el, tag, role, rendered) || (rendered ? '' : describedText(el));
// describedText is what aria-describedby and aria-errormessage refer to.
const describedText = el => {
  const told = referred(el, (attr(el, 'aria-errormessage') || '') + ' ' + (attr(el, 'aria-describedby') || '')), parts = [];
  for (let i = 0; i < told.length; i++) {
    const t = isRendered(told[i]) ? visibleText(told[i], 200) : '';
    if (t) parts[parts.length] = t;
  }
  return cut(join(parts, ' '), 200);
};
const besideText = (el, tag, role, rendered) => {
  const labels = labelsOf(el, tag);
  if (labels && labels.length) {
    const t = visibleText(labels[0], 200);
    if (t) return t;
  }
  const all = controlTags[tag] ? [] : find(rootOf(el), 'label[for]'); // a label may name what no browser takes for a field, or the box around it
  for (let e = el, depth = 0; all.length && e && depth < 3 && !(depth && othersBeside(e, el)); e = up(e), depth++) {
    const id = attr(e, 'id');
    for (let i = 0; id && i < all.length; i++) if (attr(all[i], 'for') === id) return visibleText(all[i], 200);
  }
  if (rendered) return '';
  const box = ticked[role] === true;
  const cell = closest(el, 'td, [role=cell], [role=gridcell]');
  if (cell) {
    const t = cellHeader(cell);
    if (t) return t;
  }
  const spare = matches(el, controlsInside) ? 0 : 1; // what is drawn may have a field of the browser's beside it
  let e = el, behind = '';
  for (let depth = 0; e && depth < 7; depth++) {
    const t = depth > 3 ? labelBefore(e) : box ? beside(e, nextSibling) || beside(e, previousSibling) : depth && labelBehind(e) || beside(e, previousSibling);
    if (t) return t;
    const p = up(e);
    const others = p ? othersBeside(p, el) : 0;
    if (others === 1 && localName(el) === 'input' && oneOf(p, controlsInside) === el && !labelBefore(e) && !closest(el, '[role=group]')) { // the first of the two of a range
      const t = pairLabel(p);
      if (t) return t;
    }
    if (!p || localName(p) === 'body' || others > spare) {
      return behind || (depth > 0 || !p || box ? '' : beside(e, nextSibling));
    }
    if (!box && !behind && depth < 4) behind = beside(e, nextSibling);
    if (localName(p) === 'fieldset') return fold(nameOf(p, { seen: new NewSet(), ref: false, label: false, hidden: false, depth: 0 }));
    e = p;
  }
  return behind;
};
// labelBefore is the text of a label before el that belongs to no control, as far as the browser knows.
const labelBefore = el => {
  const p = previousElement(el), label = p && (localName(p) === 'label' ? p : oneOf(p, 'label'));
  return label ? freeText(label, p) : '';
};
// labelBehind is the text of such a label right behind el, where none stands before it.
const labelBehind = el => {
  const n = nextElement(el);
  return n && localName(n) === 'label' && !labelBefore(el) ? freeText(n, n) : '';
};
// freeText is the text of a label that belongs to no control, in a box that holds none.
const freeText = (label, box) => !labelControl(label) && !find(box, controlsInside).length ? visibleText(label, 100) : '';
// pairLabel is the label before a box of two text fields, which are of no name but what they show while they are empty.
const pairLabel = box => {
  const all = find(box, controlsInside);
  for (let i = 0; i < all.length; i++) if (localName(all[i]) !== 'input' || !textTypes[inputType(all[i])] || labelsOf(all[i], 'input').length) return '';
  for (let e = box, depth = 0; e && depth < 7; e = up(e), depth++) {
    const t = labelBefore(e) || beside(e, previousSibling), p = up(e);
    if (t) return t;
    if (!p || localName(p) === 'body' || othersBeside(p, e)) return '';
  }
  return '';
};
// orphanLabel is the label that stands before a thing that can be clicked and is no field by its role; text may be one too.
const orphanLabel = (el, text) => {
  for (let e = el, depth = 0; e && depth < 7; e = up(e), depth++) {
    const t = labelBefore(e) || text && depth < 3 && beside(e, previousSibling), p = up(e);
    if (t) return t;
    if (!p || localName(p) === 'body' || othersBeside(p, el)) return '';
  }
  return '';
};
// othersBeside counts the controls in p besides el, what el is made of and what it is a part of: 0, 1, or 2 for more. A
// button with a picture and a list that cannot be seen belong to another control.
const othersBeside = (p, el) => {
  const all = find(p, controlsInside);
  let n = 0;
  for (let i = 0; i < all.length && n < 2; i++) if (!within(all[i], el) && !within(el, all[i]) && !(localName(all[i]) === 'button' && drawn(all[i])) && !(localName(all[i]) === 'select' && !onScreen(all[i]))) n++;
  return n;
};
// drawn tells whether a button has no more than a picture or a sign on it, as those that turn a number up and down.
const drawn = button => !hasAttr(button, 'aria-label') && visibleText(button, 10).length < 2;
const beside = (el, step) => {
  let out = '';
  for (let n = step(el); n; n = step(n)) {
    const t = nodeType(n);
    if (t === 3) out = fold(nodeValue(n)) || out;
    else if (t === 1) {
      const tag = localName(n);
      if (tag === 'select' && !onScreen(n)) continue; // what stands in its place goes by its label
      if (silent[tag] || tag === 'br' || tag === 'img' || tag === 'svg') { if (silent[tag] && nativeControls[tag]) return ''; continue; }
      if (nativeControls[tag] || tag === 'legend' || find(n, controlsInside).length || tag !== 'label' && clicks(n)) return '';
      out = visibleText(n, 100);
    }
    if (out) return out.length <= 80 ? out : '';
  }
  return '';
};
// clicks tells whether n, or something in it, can be clicked: its text names that, and nothing beside it.
const clicks = n => {
  if (listensForClicks(n)) return true;
  const all = find(n, '*');
  for (let i = 0; i < all.length && i < 50; i++) if (listensForClicks(all[i])) return true;
  return false;
};
// cellHeads are the texts of the row's header and of the column's.
const cellHeads = cell => {
  const row = closest(cell, 'tr'), table = row && closest(row, 'table');
  if (!table) return { side: '', head: '', col: 0 };
  let col = 0;
  for (let n = previousSibling(cell); n; n = previousSibling(n)) if (isElement(n)) col++;
  let first = mapGet(firstRows, table), head = '';
  if (first === undefined) mapSet(firstRows, table, first = oneOf(table, 'tr'));
  if (first && first !== row) {
    let i = 0;
    for (let n = firstChild(first); n; n = nextSibling(n)) {
      if (!isElement(n)) continue;
      if (i++ === col) { if (localName(n) === 'th') head = visibleText(n, 80); break; }
    }
  }
  const th = childTag(row, 'th');
  return { side: th && th !== cell ? visibleText(th, 80) : '', head, col };
};
const cellHeader = cell => {
  const { side, head, col } = cellHeads(cell);
  if (head || side) return head && side ? side + ', ' + head : head || side;
  const before = col > 0 && previousElement(cell);
  return before && wordsOf(before) || overOrUnder(cell, col);
};
const wordsOf = cell => find(cell, controlsInside).length ? '' : visibleText(cell, 80);
// overOrUnder is the text of the cell above or below, as in forms that were drawn for paper. Where both have text, the
// column begins with a label in a table whose labels stand above.
const overOrUnder = (cell, col) => {
  const row = closest(cell, 'tr'), nth = r => {
    let n = r && firstElement(r);
    for (let i = 0; n && i < col; i++) n = nextElement(n);
    return n;
  };
  const over = nth(row && previousElement(row)), under = nth(row && nextElement(row));
  const overText = over ? wordsOf(over) : '', underText = under ? wordsOf(under) : '';
  if (!overText || !underText) return overText || underText;
  let top = row;
  for (let r = row; r; r = previousElement(r)) if (nth(r)) top = r;
  return wordsOf(nth(top)) ? overText : underText;
};
const previousElement = el => {
  let n = previousSibling(el);
  while (n && !isElement(n)) n = previousSibling(n);
  return n;
};

const excerpt = (chunks, from, to, limit) => {
  let out = '';
  for (let i = from; i < to && out.length < limit * 2; i++) out += chunks[i].length > limit * 2 ? slice(chunks[i], 0, limit * 2) : chunks[i];
  return cut(fold(out), limit);
};
const headingText = h => h.text === null ? h.text = accName(h.el, true) || visibleText(h.el, 120) : h.text;

// contextOf climbs from an item to the first card, row, group, dialog or heading that says more than the item itself.
const contextOf = (item, own, chunks) => {
  for (let c = item.c.up, below = item.c; c && c.el; below = c, c = c.up) {
    if (c.heading && c.heading.el !== item.el && !within(c.heading.el, item.el)) {
      const t = headingText(c.heading);
      if (t && t !== own) return t;
    }
    if (!cardTags[c.tag] && !cardRoles[c.role]) continue;
    if (c.title === undefined) c.title = cardTitle(c, chunks);
    if (c.title && c.title !== own) return c.title;
  }
  return '';
};
const cardTitle = (c, chunks) => {
  if (c.role === 'row' || c.tag === 'tr') {
    const th = find(c.el, 'th, [role=rowheader]');
    return (th.length === 1 && visibleText(th[0], 80)) || excerpt(chunks, c.from, c.to, 80);
  }
  if (c.tag === 'td') {
    const { side, head } = cellHeads(c.el);
    return side && head ? side + ', ' + head : '';
  }
  if (c.role === 'cell') return '';
  const n = fold(nameOf(c.el, { seen: new NewSet(), ref: false, label: false, hidden: false, depth: 0 }));
  if (n) return cut(n, 120);
  if (c.heading) return headingText(c.heading);
  if (c.tag === 'li' || c.tag === 'article' || c.role === 'listitem' || c.role === 'article') return excerpt(chunks, c.from, c.to, 80);
  return '';
};

// distinguish gives items with equal role, name and context the text of the largest part of the page that holds only
// one of them.
const distinguish = (records, chunks) => {
  const groups = new NewMap();
  for (let i = 0; i < records.length; i++) {
    const r = records[i];
    if (!r.item.kind) continue;
    const key = r.role + '\n' + r.name + '\n' + r.label + '\n' + r.context;
    const g = mapGet(groups, key);
    if (g) g[g.length] = r; else mapSet(groups, key, [r]);
  }
  mapEach(groups, g => {
    if (g.length < 2 || g.length > 400) return;
    const marks = new NewMap();
    for (let i = 0; i < g.length; i++) for (let c = g[i].item.c; c && c.el; c = c.up) mapSet(marks, c, (mapGet(marks, c) || 0) + 1);
    for (let i = 0; i < g.length; i++) {
      let c = g[i].item.c;
      while (c.up && c.up.el && mapGet(marks, c.up) === 1) c = c.up;
      if (c === g[i].item.c) continue;
      const t = excerpt(chunks, c.from, c.to, 80);
      if (t && t !== g[i].name) g[i].context = t;
    }
  });
};
