// The snapshot: the walk's items, measured, named, hit-tested and written as one JSON string.
const attributeNames = ['id', 'name', 'autocomplete', 'href', 'title', 'aria-haspopup'];
const testIDs = ['data-testid', 'data-test-id', 'data-test', 'data-cy'];
const textTypes = setOf('text search email tel url password number date time month week datetime-local');
const secretTokens = /\b(cc-number|cc-csc|one-time-code|(current|new)-password)\b/i;
const hiddenValue = '••••';

const tristate = v => v === 'true' || v === 'false' || v === 'mixed' ? v : '';
const editable = (el, tag) => {
  if (tag === 'textarea') return !hasAttr(el, 'readonly');
  if (tag === 'input') return textTypes[inputType(el)] === true && !hasAttr(el, 'readonly');
  return isHTML(el) && editableFlag(el);
};
const isHTML = el => { try { editableFlag(el); return true; } catch { return false; } };
const enabled = (el, off) => {
  if (off) return false;
  if (matches(el, ':disabled')) return false;
  return true;
};
// shownValue is what a field shows, masked where it is a secret. Lists to type in say new-password only to keep the
// browser's own list away.
const shownValue = (el, tag, role) => {
  if (tag === 'input' && (inputType(el) === 'password' || role !== 'combobox' && regExec(secretTokens, attr(el, 'autocomplete') || '') || (styleOf(el).webkitTextSecurity || 'none') !== 'none')) return inputValue(el) ? hiddenValue : '';
  if (tag !== 'input' && tag !== 'textarea' && tag !== 'select' && isHTML(el) && editableFlag(el)) return fold(visibleText(el, 4000));
  return cut(currentValue(el, tag, role), 4000);
};
const focusedElement = () => {
  let e = activeDocument(doc);
  for (let r = e && shadowOf(e); r; r = e && shadowOf(e)) {
    const inner = activeShadow(r);
    if (!inner || inner === e) break;
    e = inner;
  }
  return e;
};

// leftward tells whether the page goes on to the left, as those written from right to left do.
const leftward = () => { const top = docElement(doc); return !!top && styleOf(top).direction === 'rtl'; };

// innerBox is the box that an element shows its content in: without borders and scroll bars, unless it is scaled.
const innerBox = el => {
  const r = rectOf(el), left = r.left + clientLeft(el), top = r.top + clientTop(el);
  return clientWidth(el) && r.width >= clientWidth(el) && r.width < clientWidth(el) + 40 ? { left, top, right: left + clientWidth(el), bottom: top + clientHeight(el) } : r;
};
// drawnUnder tells whether pages hide such a control by making it clear, and draw their own under it.
const drawnUnder = item => item.tag === 'select' || item.tag === 'input' && (inputType(item.el) === 'range' || pickedTypes[inputType(item.el)] === true);
// measure finds whether and where an item can be seen; part is what of its box lies in the viewport.
const measure = (item, screen, sx, sy) => {
  const el = item.el, subject = subjectOf(el, item.tag);
  let r = boxOf(el);
  if (!r.width && !r.height && item.c.up.lazy) r = rectOf(item.c.up.lazy);
  item.subject = subject;
  item.rect = r;
  item.part = null;
  item.visible = false;
  if (r.width < 1 || r.height < 1 || r.width * r.height <= 1) return;
  if (r.right + sx <= 0 && !leftward() || r.bottom + sy <= 0) return;
  let clear = item.c.clear;
  if (clear && item.tag === 'input' && standsForTypes[inputType(el)]) { // an invisible control over a drawn one
    const labels = inputLabels(el);
    clear = !!(labels && labels.length && rectOf(labels[0]).width > 1) || !!item.c.up.clear;
  }
  if (clear && drawnUnder(item) && !item.c.up.clear && !closest(el, '[aria-hidden=true]')) { // one that is seen through, over what is drawn for it
    const h = intersect(r, screen) && hitAt((r.left + r.right) / 2, (r.top + r.bottom) / 2);
    clear = h ? !within(h, el) : item.tag === 'select' || inputType(el) !== 'range';
  }
  const s = styleOf(el);
  if (clear || s.visibility !== 'visible' || item.c.up.skipped || clippedAway(s)) return;
  let part = r;
  for (let k = item.c.clip; k && part; k = k.next) {
    if (k.el === el) continue;
    if (!k.rect) k.rect = innerBox(k.el);
    if (part.right > part.left) part = intersect(part, k.rect);
    if (!part && k.hard) return;
  }
  item.visible = true;
  weakSet(lastRects, el, r);
  item.part = part && intersect(part, screen);
  item.inert = s.pointerEvents === 'none' && !item.generic;
  if (item.inert && weakHas(boxed, el)) item.visible = false;
};

// setAside takes an item out, or leaves it for the probe that asked for it.
const setAside = it => {
  it.drop = !it.probed || !it.visible;
  it.kind = '';
  it.generic = false;
};
// collapse decides which of a clickable thing and the clickable things inside it stay.
const collapse = items => {
  const count = it => { for (let p = it.parent; p; p = p.parent) { p.subs++; p.sub = it; } };
  for (let i = items.length - 1; i >= 0; i--) {
    const it = items[i];
    if (it.kind === 'part') continue; // its list decides
    let parts = 0;
    for (let k = 0; it.parts && k < it.parts.length; k++) parts += it.parts[k].visible;
    const isList = parts > 1 && !it.subs;
    for (let k = 0; it.parts && k < it.parts.length; k++) if (isList && it.parts[k].visible) count(it.parts[k]); else setAside(it.parts[k]);
    if (isList || !it.visible) setAside(it);
    else if (it.generic && it.kind !== 'drag' && (!it.probed || it.subs)) {
      const long = it.to - it.from > 60;
      if (it.kind === 'listener' || it.kind === 'drop' ? it.subs > 0 || long
        : it.subs === 1 && (it.sub.generic || area(it.sub) > 0.5 * area(it)) || it.subs > 8 && it.kind === 'pointer') setAside(it);
    }
    if (it.kind) count(it);
  }
};
const area = it => it.rect.width * it.rect.height;

const readOne = (el, read) => {
  let e = el;
  if (read.css) {
    let found = null;
    try { found = find(el, read.css); } catch { return undefined; }
    const root = !found.length && nodeType(el) === 1 && shadowOf(el);
    if (root) found = find(root, read.css);
    if (!found.length) return undefined;
    e = found[0];
  }
  if (read.attr) {
    const v = attr(e, read.attr);
    return v === null ? undefined : v;
  }
  const tag = localName(e);
  if (tag === 'input' && (inputType(e) === 'checkbox' || inputType(e) === 'radio')) return inputChecked(e) ? 'true' : 'false';
  if (tag === 'input' || tag === 'textarea' || tag === 'select') return fold(shownValue(e, tag, ''));
  return visibleText(e, 10000) || cut(fold(textContent(e) || ''), 10000);
};
const pageRead = (roots, read) => {
  if (!read.css) return read.attr || !docElement(doc) ? undefined : visibleText(docElement(doc), 60000);
  for (let i = 0; i < roots.length; i++) {
    let found;
    try { found = find(roots[i], read.css); } catch { return undefined; }
    if (found.length) return readOne(found[0], { attr: read.attr });
  }
  return undefined;
};
const countAll = (roots, css) => {
  let n = 0;
  for (let i = 0; i < roots.length; i++) {
    try { n += find(roots[i], css).length; } catch { return -1; }
  }
  return n;
};

const jsonList = (list, f) => {
  let out = '[';
  for (let i = 0; i < list.length; i++) out += (i ? ',' : '') + f(list[i]);
  return out + ']';
};
const jsonMap = pairs => {
  let out = '{';
  for (let i = 0; i < pairs.length; i++) out += (i ? ',' : '') + quote(pairs[i][0]) + ':' + (typeof pairs[i][1] === 'string' ? quote(pairs[i][1]) : pairs[i][1]);
  return out + '}';
};
const jsonBox = r => '{"x":' + round(r.left) + ',"y":' + round(r.top) + ',"w":' + round(r.right - r.left) + ',"h":' + round(r.bottom - r.top) + '}';

// optionsOf is what a list offers: all that exists of it and can be chosen, at most 100, and whether there is more.
const maxOptions = 100;
const optionsOf = (el, tag, role) => {
  if (tag === 'select') {
    const list = options(el), labels = [], seen = new NewMap();
    let more = false;
    for (let i = 0; i < list.length && !more; i++) {
      if (matches(list[i], ':disabled')) continue;
      const t = optionText(list[i]);
      mapSet(seen, t, (mapGet(seen, t) || 0) + 1);
      more = labels.length === maxOptions;
      if (!more) labels[labels.length] = list[i];
    }
    for (let i = 0; i < labels.length; i++) {
      const t = optionText(labels[i]);
      labels[i] = mapGet(seen, t) > 1 && grouped(labels[i]) || t; // two that read the same are told apart by their groups
    }
    return { labels, more };
  }
  if (role !== 'combobox' && role !== 'listbox') return null;
  const box = listboxOf(el, role);
  if (!box) return null;
  const list = find(box, '[role=option]'), labels = [];
  let size = list.length;
  for (let i = 0; i < list.length; i++) {
    if (labels.length < maxOptions) labels[labels.length] = accName(list[i], true);
    size = max(size, +attr(list[i], 'aria-setsize') || 0);
  }
  return { labels, more: size > labels.length };
};
// listboxOf is the list that a combobox opens, where it says so; a listbox is its own.
const listboxOf = (el, role) => {
  if (role === 'listbox') return el;
  const box = referred(el, (attr(el, 'aria-controls') || '') + ' ' + (attr(el, 'aria-owns') || '') + ' ' + (attr(el, 'list') || ''))[0];
  if (!box) return null;
  return roleOf(box, localName(box)) === 'listbox' ? box : find(box, '[role=listbox]')[0] || null;
};
// errorText is what the page says is wrong with a field: what the field refers to, what stands beside it, or else
// what the browser would say.
const errorText = (el, tag) => {
  const own = describedText(el);
  if (own) return own;
  for (let e = up(el), depth = 0; e && depth < 3 && controlsShown(e) < 2; e = up(e), depth++) {
    const near = find(e, '[role=alert], [class*=error i], [class*=invalid i]');
    for (let i = 0; i < near.length; i++) {
      const t = !within(el, near[i]) && localName(near[i]) !== 'label' && isRendered(near[i]) ? visibleText(near[i], 200) : '';
      if (t) return t;
    }
  }
  return tag === 'input' || tag === 'select' || tag === 'textarea' ? validity(el) : '';
};
// controlsShown counts the controls in an element that a person can see.
const controlsShown = e => {
  const all = find(e, controlsInside);
  let n = 0;
  for (let i = 0; i < all.length; i++) if (isRendered(all[i])) n++;
  return n;
};
const validity = el => { try { return cut(el.validationMessage || '', 200); } catch { return ''; } };

// popupAround is what a box around a button says that the button, the only control in it, opens.
const popupAround = el => {
  for (let e = up(el), depth = 0; e && depth < 2; e = up(e), depth++) {
    const v = attr(e, 'aria-haspopup');
    if (v) return othersBeside(e, el) ? '' : v;
  }
  return '';
};

// listBeside tells whether a list, and no menu, stands beside a button: it says only that it opens something.
const listBeside = el => {
  const p = parentNode(el);
  return !!p && find(p, '[role=listbox]').length > 0 && !find(p, '[role=menu]').length;
};

// drawnPlaceholder is what an empty editor shows through ::before, of itself or of its only line.
const drawnPlaceholder = el => {
  if (!isHTML(el) || !editableFlag(el) || fold(textContent(el) || '')) return '';
  const line = firstElement(el);
  return fold(pseudo(el, '::before') || (line ? pseudo(line, '::before') : ''));
};

// modalOver is the dialog that says, by aria-modal, that el has to wait for it.
const modalOver = (el, got) => {
  for (let i = got.dialogs.length - 1; i >= 0; i--) {
    const d = got.dialogs[i];
    if (attr(d, 'aria-modal') === 'true' && isRendered(d)) return within(el, d) ? null : d;
  }
  return null;
};

// describeItem gives the record of an item: everything but its JSON.
const describeItem = (item, got, lid, screen) => {
  const el = item.el, subject = item.subject, standIn = subject !== el;
  const tag = standIn ? localName(subject) : item.tag, role = standIn ? roleOf(subject, tag) : item.role;
  const kind = item.kind, field = fieldRoles[role] === true && !!kind;
  if (item.generic) weakAdd(byContent, subject); else weakDelete(byContent, subject);
  const own = attributesOf(subject);
  const name = item.role === 'group' && weakGet(captions, el) || shownName(subject, role, item.generic);
  const placeholder = own.placeholder || own['aria-placeholder'] || (field && drawnPlaceholder(subject)) || '';
  let label = '';
  if (field) {
    const weak = !name || name === fold(placeholder) || name === fold(own.title || '') || role === 'combobox' && tag !== 'input' && name === visibleText(subject, 200);
    label = role === 'radio' && name && name === placeOf(subject) ? rowLabel(up(subject), subject) : fold(labelText(subject, tag, role, !weak));
  } else if (item.generic ? hasAttr(el, 'tabindex') : !name && (role === 'radiogroup' || role === 'group')) {
    label = orphanLabel(el, false);
  } else if (kind && role === 'button' && (own['aria-haspopup'] !== undefined || own['aria-expanded'] !== undefined)) {
    label = orphanLabel(subject, true);
  }
  if (label === name && !item.generic) label = ''; // by their names generic ones are not found
  const text = excerpt(got.chunks, item.from, item.to, 400);
  let cover = '';
  if (item.part) {
    const h = hitTest(el, subject, intersect(mainRect(el, item.rect), item.part) || item.part);
    const lidded = under(lid, el);
    if ((h.none || !h.free) && lidded) cover = titled(modalOver(el, got) || lid.subject);
    else if (!h.free && !avoidable(h.by, el, item.rect)) {
      const lies = coverOf(h.by, el);
      cover = titled(modalOver(el, got) || lies);
      setAdd(got.covers, lies);
    }
    if (cover && lidded) got.lidUsed = true;
  } else if (under(lid, el)) {
    cover = titled(modalOver(el, got) || lid.subject);
    got.lidUsed = true;
  }
  return { item, el, subject, own, tag, role, name, placeholder, label, text, cover, context: contextOf(item, name || label || text, got.chunks) };
};

// liesOver tells whether el itself is over the rest of the page: a dialog, a cover, a pinned box. coversOthers tells it of
// what the walk met as c, or anything that it is in.
const liesOver = (el, got) => setHas(got.covers, el) || pinned(position(el)) && area({ rect: rectOf(el) }) < 0.8 * viewWidth() * viewHeight();
const coversOthers = (c, got) => {
  if (!c || !c.el) return false;
  if (c.over === null) c.over = liesOver(c.el, got) || coversOthers(c.up, got);
  return c.over;
};
const writeItem = (r, got, probes, focused) => {
  const item = r.item, el = r.el, s = r.subject, own = r.own, tag = r.tag, role = r.role;
  const told = weakGet(internals, s) ? name => aria(s, name) : name => own[name];
  let p = item.parent;
  while (p && p.drop) p = p.parent;
  let out = '{"n":' + numberOf(el) + ',"parent":' + (p ? numberOf(p.el) : 0) + ',"tag":' + quote(item.tag);
  const str = (k, v) => { if (v) out += ',"' + k + '":' + quote(v); };
  const flag = (k, v) => { if (v) out += ',"' + k + '":true'; };
  str('type', tag === 'input' ? inputType(s) : tag === 'button' ? own.type : '');
  str('role', role);
  str('name', r.name);
  str('label', cut(r.label, 200));
  str('placeholder', cut(fold(r.placeholder), 200));
  for (let i = 0; i < testIDs.length; i++) {
    const id = own[testIDs[i]] || s !== el && attr(el, testIDs[i]);
    if (id) { str('test_id', cut(id, 200)); break; }
  }
  str('text', r.text);
  str('context', cut(r.context, 200));
  if (item.kind) str('value', shownValue(s, tag, role)); else if (role === 'group') str('value', groupValue(s));
  const list = item.kind ? optionsOf(s, tag, role) : null;
  if (list && list.labels.length) {
    out += ',"options":' + jsonList(list.labels, quote);
    flag('more_options', list.more);
  }
  const attrs = [];
  for (let i = 0; i < attributeNames.length; i++) {
    let v = own[attributeNames[i]];
    if (attributeNames[i] === 'aria-haspopup' && role === 'button') v = v === 'true' && listBeside(s) ? 'listbox' : v || popupAround(s);
    if (v) attrs[attrs.length] = [attributeNames[i], cut(v, 300)];
  }
  if (attrs.length) out += ',"attrs":' + jsonMap(attrs);
  const off = !enabled(s, item.c.off || item.inert);
  out += ',"box":' + jsonBox(item.rect);
  flag('off', off);
  flag('editable', !off && editable(s, tag));
  let checked = tristate(told('aria-checked')) || tristate(told('aria-pressed'));
  if (tag === 'input' && (inputType(s) === 'checkbox' || inputType(s) === 'radio')) checked = inputMixed(s) ? 'mixed' : '' + inputChecked(s);
  const mark = role === 'radio' && !checked ? markOf(s) : null;
  str('checked', mark ? mark.checked : checked);
  str('selected', tristate(told('aria-selected')));
  str('expanded', tag === 'summary' && isToggle(s) ? '' + hasAttr(parentNode(s), 'open') : tristate(told('aria-expanded')));
  const sort = own['aria-sort'];
  if (sort && sort !== 'none') str('sort', sort);
  const native = tag === 'input' || tag === 'select' || tag === 'textarea';
  flag('required', native && own.required !== undefined || told('aria-required') === 'true');
  const invalid = told('aria-invalid');
  const wrong = invalid && invalid !== 'false' || native && matches(s, ':user-invalid');
  flag('invalid', wrong);
  if (wrong) str('error', errorText(s, tag));
  flag('readonly', native && own.readonly !== undefined || own['aria-readonly'] === 'true');
  if (own['aria-busy'] === 'true') flag('busy', true);
  if (item.scrolls) out += ',"above":' + max(0, round(scrollTop(el))) + ',"below":' + max(0, round(scrollHeight(el) - clientHeight(el) - scrollTop(el)));
  flag('focused', focused === s || focused === el);
  flag('in_viewport', !!item.part);
  flag('interactive', !!item.kind);
  str('cover', r.cover);
  flag('covering', !!item.kind && coversOthers(item.c, got));
  const css = mapGet(got.css, el);
  if (css) out += ',"css":' + jsonList(css, n => '' + n);
  const reads = [];
  for (let i = 0; probes.reads && i < probes.reads.length; i++) {
    const read = probes.reads[i];
    if (read.page || read.role && read.role !== role) continue;
    if (read.of) { try { if (!matches(el, read.of)) continue; } catch { continue; } }
    const v = readOne(el, read);
    if (v !== undefined) reads[reads.length] = [read.key, fold(v)];
  }
  if (reads.length) out += ',"reads":' + jsonMap(reads);
  return out + '}';
};

// writeFrame describes where a child frame stands, and what covers it on a grid of points.
const grid = 4;
const writeFrame = (f, screen, lid, got) => {
  const el = f.el, r = rectOf(el), s = styleOf(el);
  const x = r.left + clientLeft(el) + parseFloat(s.paddingLeft), y = r.top + clientTop(el) + parseFloat(s.paddingTop);
  const inner = { left: x, top: y, right: x + parseFloat(s.width), bottom: y + parseFloat(s.height) };
  let part = r;
  for (let k = f.clip; k && part; k = k.next) part = intersect(part, rectOf(k.el));
  part = part && intersect(part, screen);
  const covers = [];
  if (part && f.seen) {
    for (let i = 0; i < grid * grid; i++) {
      const h = hitAt(part.left + (part.right - part.left) * (i % grid + 0.5) / grid, part.top + (part.bottom - part.top) * ((i - i % grid) / grid + 0.5) / grid);
      covers[i] = !h || within(h, el) || avoidable(h, el, r) ? '' : nameCover(h, el);
    }
  }
  let p = f.item;
  while (p && p.drop) p = p.parent;
  let at = 0;
  for (let i = 0; i < f.at; i++) at = f.items[i].drop ? at : at + 1;
  return '{"n":' + numberOf(el) + ',"at":' + at + ',"parent":' + (p ? numberOf(p.el) : 0) + ',"x":' + round(x) + ',"y":' + round(y) +
    ',"filled":' + (!!attr(el, 'srcdoc') || !!regExec(/^(?!about:|javascript:|data:,$)./i, trim(attr(el, 'src') || ''))) + ',"covering":' + (liesOver(el, got) || coversOthers(f.up, got)) + ',"view":' + jsonBox(part || { left: 0, top: 0, right: 0, bottom: 0 }) + ',"visible":' + (f.seen && inner.right - inner.left >= 1 && inner.bottom - inner.top >= 1) +
    ',"under":' + quote(lid && under(lid, el) ? titled(lid.subject) : '') + ',"covers":' + jsonList(covers, quote) + '}';
};

const modalName = (dialogs, lid, lidUsed) => {
  let found = null;
  for (let i = 0; i < dialogs.length; i++) {
    const d = dialogs[i];
    if (!(localName(d) === 'dialog' && matches(d, ':modal')) && attr(d, 'aria-modal') !== 'true' && !(lidUsed && (d === lid.subject || lid.bare && within(d, lid.subject)))) continue;
    const r = rectOf(d);
    if (r.width > 0 && r.height > 0 && isRendered(d)) found = d;
  }
  return found ? dialogTitle(found) || 'dialog' : '';
};

// held is what the driver has of the last look: its number, its text, and each element's line by the element's number.
// An answer repeats none of that, because most of a look's time would go into carrying it.
const nothing = { look: 0, text: '', lines: new NewMap() };
let held = nothing;

// take looks at the page. The answer has a line for its number, one for the page in JSON, one for the page's text, or
// nothing where that has not changed, and one for each element: JSON, or its number where it has not changed.
// have is the last look that the driver has, "document.number".
const take = (probes, have) => {
  arm();
  settle();
  try {
    frozen = true;
    return answerTo(probes, have);
  } finally {
    frozen = false;
    forget(); // holds on to elements
  }
};
const answerTo = (probes, have) => {
  const got = collect(probes), items = got.items;
  const sx = scrollX0(), sy = scrollY0();
  const screen = { left: 0, top: 0, right: viewWidth(), bottom: viewHeight() };
  for (let i = 0; i < items.length; i++) {
    try { measure(items[i], screen, sx, sy); } catch { items[i].visible = false; } // an element of a kind that we do not know
  }
  collapse(items);
  const lid = overlay(), records = [];
  got.lidUsed = false;
  got.covers = new NewSet();
  for (let i = 0; i < got.dialogs.length; i++) setAdd(got.covers, got.dialogs[i]);
  if (lid) setAdd(got.covers, lid.subject);
  for (let i = 0; i < items.length; i++) {
    if (items[i].drop) continue;
    records[records.length] = describeItem(items[i], got, lid, screen);
  }
  distinguish(records, got.chunks);
  const focused = focusedElement(), root = docScroller(doc) || docElement(doc); // null while the document is being rewritten
  const top = root ? scrollTop(root) : 0, high = root ? scrollHeight(root) : 0;
  const headings = [];
  for (let i = 0; i < got.headings.length && headings.length < 200; i++) {
    const t = headingText(got.headings[i]);
    if (t) headings[headings.length] = t;
  }
  const counts = [], reads = [];
  for (let i = 0; probes.count && i < probes.count.length; i++) counts[i] = [probes.count[i], countAll(got.roots, probes.count[i])];
  for (let i = 0; probes.reads && i < probes.reads.length; i++) {
    if (!probes.reads[i].page) continue;
    const v = pageRead(got.roots, probes.reads[i]);
    if (v !== undefined) reads[reads.length] = [probes.reads[i].key, fold(v)];
  }
  for (let i = 0; i < got.frames.length; i++) got.frames[i].items = items;
  settle();
  const page = '{"document":"' + documentID + '","version":' + version + ',"url":' + quote('' + location.href) + ',"title":' + quote(fold(docTitle(doc))) +
    ',"headings":' + jsonList(headings, quote) +
    ',"modal":' + quote(modalName(got.dialogs, lid, got.lidUsed)) + ',"busy":' + got.busy + ',"loading":' + (readyState(doc) === 'loading') + ',"truncated":' + got.truncated +
    ',"above":' + max(0, round(top)) + ',"below":' + max(0, round(high - viewHeight() - top)) +
    ',"count":' + jsonMap(counts) + ',"reads":' + jsonMap(reads) +
    (probes.blocks ? ',"blocks":' + blocksOf() : '') +
    ',"frames":' + jsonList(got.frames, f => writeFrame(f, screen, lid, got)) + '}';
  const last = have === documentID + '.' + held.look ? held : nothing;
  const text = quote(excerpt(got.chunks, 0, got.chunks.length, 65536));
  const now = { look: held.look + 1, text, lines: new NewMap() };
  let answer = now.look + '\n' + page + '\n' + (text === last.text ? '' : text);
  for (let i = 0; i < records.length; i++) {
    const line = writeItem(records[i], got, probes, focused), n = numberOf(records[i].el);
    mapSet(now.lines, n, line);
    answer += '\n' + (mapGet(last.lines, n) === line ? n : line);
  }
  held = now;
  lastVersion = version;
  lastFrame = frameTime();
  return answer;
};
