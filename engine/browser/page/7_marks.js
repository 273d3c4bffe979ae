// Rows of marks: stars and the like, which are clicked to rate something. Where nothing says what they are, they are known by
// what they look like: three to ten pictures of one size side by side, wordless and each to be clicked, drawn in one way, or in
// two of which one leads. Each goes as a radio button by its place in the row, and the last of those that lead is checked.
const markRows = new NewWeakMap(); // the rows that were found, and how a mark is drawn in them that is not lit
const minMark = 10, maxMark = 72, maxMarks = 10;
const wordless = /^[^\p{L}\p{N}]?$/u;

// marksIn gives the marks that an element is made of; null when it is no such row.
const marksIn = row => {
  const list = [];
  let last = null;
  for (let e = firstElement(row); e; e = nextElement(e)) {
    const r = rectOf(e);
    if (list.length === maxMarks || !isMark(e) || last && (!near(r.width, last.width, 2) || !near(r.top, last.top, 2) || !near(r.left, last.right, r.width))) return null;
    last = r;
    list[list.length] = e;
  }
  if (list.length < 3 || rawName(list[0]) !== rawName(list[1])) return null;
  if (weakGet(markRows, row) === undefined) {
    const all = drawings(list);
    if (leading(all) < 0) return null;
    weakSet(markRows, row, all[0] === all[all.length - 1] && colourful(list[0]) ? '' : all[all.length - 1]);
  }
  return list;
};
const isMark = e => {
  const r = rectOf(e);
  if (r.width < minMark || r.width > maxMark || r.height < minMark || r.height > maxMark) return false;
  if (hasAttr(e, 'role') || hasAttr(e, 'aria-label') || hasAttr(e, 'title') || oneOf(e, '[role], [aria-label], [title], ' + controlsInside) || localName(e) === 'a') return false;
  if (!regExec(wordless, fold(textContent(e) || '')) || !pictured(e)) return false;
  return styleOf(e).cursor === 'pointer' || clicks(e);
};

const pictured = e => {
  if (firstElement(e) || fold(textContent(e) || '') || computed(e).backgroundImage !== 'none') return true;
  const before = computed(e, '::before').content;
  return before !== 'none' && before !== 'normal';
};

// drawings are how marks look: what each is made of, its classes, colours and shapes. Numbers in classes may count the marks.
const drawings = list => {
  const out = [];
  for (let i = 0; i < list.length; i++) {
    let said = '';
    const visit = (n, depth) => {
      if (nodeType(n) === 3) { said += trim(nodeValue(n)); return; }
      if (nodeType(n) !== 1 || depth > 5) return;
      const s = computed(n);
      said += '<' + rawName(n) + ' ' + replaceRegex(attr(n, 'class') || '', /\d+/g, '') + ' ' + s.color + s.fill + s.stroke + s.opacity + s.visibility + s.display + s.backgroundColor + s.backgroundImage + s.backgroundPosition + (depth ? s.width : '') + (attr(n, 'd') || '');
      children(n, c => visit(c, depth + 1));
    };
    visit(list[i], 0);
    out[i] = said;
  }
  return out;
};
// leading counts the drawings that are like the first when the others are all like the last; -1 when they are mixed.
const leading = all => {
  let n = 0;
  while (n < all.length && all[n] === all[0]) n++;
  for (let i = n; i < all.length; i++) if (all[i] !== all[all.length - 1]) return -1;
  return n;
};
// colourful tells whether anything in an element that can be seen has a colour.
const colourful = e => {
  const all = find(e, '*');
  for (let i = 0; i < all.length; i++) {
    const s = computed(all[i]);
    if ((hued(s.fill) || hued(s.color)) && s.opacity !== '0' && clipPart(all[i], rectOf(all[i]))) return true;
  }
  return false;
};
const hued = css => {
  const c = regExec(/^rgba?\((\d+), (\d+), (\d+)/, css);
  return !!c && max(+c[1], +c[2], +c[3]) - min(+c[1], +c[2], +c[3]) > 60;
};

// shownRole and shownName are the role and name that an element goes by: those of the standard, and of marks and of radio
// buttons without a name their place.
const shownRole = (el, tag) => {
  const role = roleOf(el, tag);
  return (!role || role === 'listitem') && markOf(el) ? 'radio' : role;
};
const shownName = (el, role, byItsContent) => accName(el, byItsContent) || (role === 'radio' ? placeOf(el) : '');
const placeOf = el => {
  const mark = markOf(el);
  return mark ? '' + mark.at : attr(el, 'aria-posinset') || '';
};

// markOf is the place of a mark in its row, from 1 on, and whether it is the last that is lit: '' where that cannot be told, as
// of the last one when all were alike, and in colour, from the beginning; null for everything else.
const markOf = el => {
  const row = up(el), list = row && isMark(el) ? marksIn(row) : null;
  if (!list) return null;
  let at = 1;
  while (list[at - 1] !== el) at++;
  const all = drawings(list), n = leading(all), unlit = weakGet(markRows, row);
  if (n > 0 && n < all.length) weakSet(markRows, row, all[n]);
  const lit = n < all.length ? n : all[0] === unlit ? 0 : n;
  return { at, checked: lit === all.length && unlit === '' && at === lit ? '' : '' + (at === lit) };
};

// looseRows gives rows of marks, and of radio buttons that nobody has called a group, the text beside them for a name.
const looseRows = root => {
  const ends = find(root, ':last-child:nth-child(n+3):nth-child(-n+' + maxMarks + ')'), buttons = find(root, '[role=radio]');
  for (let i = 0, found = 0; i < ends.length && found < maxLoose; i++) {
    const row = isMark(ends[i]) && up(ends[i]);
    if (row && marksIn(row)) { captionRow(row, ends[i]); found++; }
  }
  for (let i = 0; i < buttons.length && i < maxLoose; i++) {
    const row = up(buttons[i]);
    if (row && firstElement(row) === buttons[i] && !closest(row, '[role=radiogroup], [role=group], fieldset')) captionRow(row, buttons[i]);
  }
};
const rowLabel = (row, mark) => captionText(row, mark, true) || orphanLabel(row, false);
const captionRow = (row, mark) => {
  const text = rowLabel(row, mark), role = roleOf(row, localName(row));
  if (text && (!role || role === 'list' || looseRoles[role])) weakSet(captions, row, text);
};
