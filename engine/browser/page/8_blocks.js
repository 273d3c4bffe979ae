// The blocks: the page's text as a reader meets it, paragraph by paragraph, each with the headings above it, and
// tables row by row. Only stages that read or search text ask for them.
const maxBlocks = 5000, maxBlockText = 2000, maxBlocksText = 400000;
const columnRoles = setOf('cell gridcell columnheader rowheader');

const headingLevel = (el, tag) => {
  const own = +attr(el, 'aria-level');
  return own > 0 ? own : regExec(/^h[1-6]$/, tag) ? +slice(tag, 1, 2) : 2;
};

// cellText is what a cell shows: its text, else the value of the one field in it.
const cellText = el => {
  const t = visibleText(el, maxBlockText);
  if (t) return t;
  const fields = find(el, 'input, select, textarea');
  if (fields.length !== 1) return '';
  const f = fields[0], tag = localName(f);
  if (tag === 'input' && (inputType(f) === 'checkbox' || inputType(f) === 'radio')) return '' + inputChecked(f);
  return shownValue(f, tag, roleOf(f, tag));
};

const blocksOf = () => {
  const out = [], heads = [];
  let text = '', size = 0, groups = 0;
  // at: the group that the text belongs to, null outside of lists and tables
  const emit = (kind, s, cells, head, at) => {
    s = cut(fold(s), maxBlockText);
    if (!s || out.length >= maxBlocks || size > maxBlocksText) return;
    size += s.length;
    const path = [];
    for (let i = 0; i < heads.length; i++) path[i] = heads[i].text;
    let json = '{"kind":' + quote(kind) + ',"text":' + quote(s);
    if (cells) json += ',"cells":' + jsonList(cells, quote);
    if (head) json += ',"head":true';
    if (cells && at && at.foot) json += ',"foot":true';
    if (at) json += ',"group":' + at.no + (at.name ? ',"name":' + quote(at.name) : '');
    out[out.length] = json + (path.length ? ',"path":' + jsonList(path, quote) : '') + '}';
  };
  const flush = at => {
    const s = text;
    text = '';
    emit(at && at.list ? 'item' : 'text', s, null, false, at && at.list ? at : null);
  };
  const shown = el => {
    const s = styleOf(el);
    return s.display !== 'none' && s.opacity !== '0' && !clippedAway(s);
  };

  const row = (el, at) => {
    const cells = [];
    let titles = 0;
    const cell = n => {
      const tag = localName(n), role = roleOf(n, tag);
      if (!columnRoles[role] && tag !== 'td' && tag !== 'th') {
        children(n, c => { if (isElement(c) && shown(c)) cell(c); });
        return;
      }
      for (let r = at.below[cells.length]; r && r.left > 0; r = at.below[cells.length]) { r.left--; cells[cells.length] = r.text; }
      const t = styleOf(n).visibility === 'visible' ? cellText(n) : '';
      const wide = min(+attr(n, 'colspan') || 1, 50), high = min(+attr(n, 'rowspan') || 1, 5000);
      if (role === 'columnheader' || tag === 'th' && attr(n, 'scope') !== 'row') titles++; else if (t) titles = -1000;
      for (let i = 0; i < wide; i++) {
        if (high > 1) at.below[cells.length] = { text: t, left: high - 1 };
        cells[cells.length] = t;
      }
    };
    children(el, c => { if (isElement(c) && shown(c)) cell(c); });
    for (let r = at.below[cells.length]; r && r.left > 0; r = at.below[cells.length]) { r.left--; cells[cells.length] = r.text; }
    const filled = [];
    for (let i = 0; i < cells.length; i++) if (cells[i]) filled[filled.length] = cells[i];
    emit('row', join(filled, ' | '), cells, titles > 0, at);
  };

  // pairs are the names and values of a description list.
  const pairs = (el, at) => {
    let name = '';
    children(el, function visitPair(c) {
      if (!isElement(c) || !shown(c)) return;
      const tag = localName(c);
      if (tag === 'dt') name = visibleText(c, 200);
      else if (tag === 'dd') {
        const v = cellText(c);
        if (v) emit('pair', name ? name + ': ' + v : v, [name, v], false, at);
      } else children(c, visitPair);
    });
  };

  const visit = (n, at, seen) => {
    const t = nodeType(n);
    if (t === 3) { if (seen) text += nodeValue(n); return; }
    if (t !== 1 || out.length >= maxBlocks) return;
    const el = n, tag = localName(el);
    if (silent[tag]) return;
    if (tag === 'br') { text += ' '; return; }
    if (!shown(el)) return;
    const s = styleOf(el), role = roleOf(el, tag), visible = s.visibility === 'visible';
    const block = blockDisplay(s.display) && s.display !== 'none';
    if (role === 'heading') {
      flush(at);
      const h = { level: headingLevel(el, tag), text: cut(visibleText(el, 200), 200) };
      while (heads.length && heads[heads.length - 1].level >= h.level) heads.length--;
      if (h.text && visible) { emit('heading', h.text, null, false, null); heads[heads.length] = h; }
      return;
    }
    if (role === 'row' || tag === 'tr') {
      if (!find(el, 'tr, [role=row]').length) {
        flush(at);
        return row(el, at && !at.list ? at : { no: ++groups, name: '', list: false, below: {} });
      }
    } else if (tableRoles[role] || tag === 'table') {
      flush(at);
      const caption = childTag(el, 'caption');
      at = { no: ++groups, name: (caption && visibleText(caption, 200)) || accName(el, false), list: false, below: {}, foot: false };
    } else if (tag === 'tfoot' && at && !at.list) {
      flush(at);
      at = { no: at.no, name: at.name, list: false, below: {}, foot: true };
    } else if (tag === 'dl') {
      flush(at);
      return pairs(el, { no: ++groups, name: accName(el, false), list: false, below: {} });
    } else if (role === 'list' || role === 'listbox') {
      flush(at);
      at = { no: ++groups, name: accName(el, false), list: true, below: {} };
    } else if ((role === 'listitem' || role === 'option') && at && at.list && !find(el, 'ul, ol, dl, table, [role=list], [role=table], [role=grid]').length) {
      flush(at);
      text = visible ? visibleText(el, maxBlockText) : '';
      flush(at);
      return;
    }
    if (block) flush(at);
    if (tag === 'details' && !hasAttr(el, 'open')) {
      const summary = childTag(el, 'summary');
      if (summary) visit(summary, at, visible);
    } else if (tag !== 'caption') children(el, c => visit(c, at, visible));
    if (block) flush(at);
  };
  const top = docBody(doc);
  if (top) visit(top, null, true);
  flush(null);
  return '[' + join(out, ',') + ']';
};

