// Calendars, found by what they look like: the numbers 1 to 28, 29, 30 or 31 in seven columns. Which month such a grid
// shows is for the driver to say, from the texts above it and those that its days carry; what moves it is found by
// trying.
const dayText = /^[^\p{L}\p{N}]{0,2}(\p{Nd}{1,2})\s?[日일.]?$/u;
const maxTexts = 60000;

// texts calls f with each text of the flat tree under root, in document order.
const texts = (root, f) => {
  let left = maxTexts;
  const visit = n => {
    const t = nodeType(n);
    if (t === 3) { if (trim(nodeValue(n))) f(n); return; }
    if (t !== 1 || --left < 0) return;
    const tag = localName(n);
    if (silent[tag] && tag !== 'input') return;
    children(n, visit);
  };
  visit(root);
};
const parentOf = n => up(n);
const middle = (r, axis) => axis === 'x' ? (r.left + r.right) / 2 : (r.top + r.bottom) / 2;
const near = (a, b, by) => a - b < by && b - a < by;
const numeral = s => {
  let n = 0;
  for (let i = 0; i < s.length; i++) {
    let c = codeAt(s, i);
    if (c > 57) for (let zero = c - 9; zero <= c; zero++) if (regExec(/^\p{Nd}$/u, s[i]) && !regExec(/^\p{Nd}$/u, String.fromCharCode(zero - 1)) && regExec(/^\p{Nd}$/u, String.fromCharCode(zero))) { c = 48 + c - zero; break; }
    n = n * 10 + c - 48;
  }
  return n;
};

// dayGrids finds the calendars of the document: {days: [{el, day, rect}], col}.
const dayGrids = root => {
  const all = [];
  texts(root, n => {
    const m = regExec(dayText, trim(nodeValue(n)));
    if (!m) return;
    const day = numeral(m[1]), el = parentOf(n);
    if (day < 1 || day > 53 || !el || !isRendered(el, { visibilityProperty: true })) return;
    const rect = rectOf(el);
    if (rect.width > 0 && rect.height > 0) all[all.length] = { el, day, rect };
  });
  const grids = [];
  for (let i = 0; i < all.length; i++) {
    if (all[i].day !== 1) continue;
    const run = runFrom(all, i);
    if (!run) continue;
    const col = columnOf(run.days);
    if (col < 0) continue;
    grids[grids.length] = { days: run.days, col };
    i = run.last;
  }
  return grids;
};
// runFrom follows the days of a month from its first; numbers that stand between, such as those of weeks or prices, are
// not in the column of the day a week before.
const runFrom = (all, from) => {
  const days = [all[from]];
  let last = from, skipped = 0;
  for (let i = from + 1; i < all.length && days.length < 31; i++) {
    const d = all[i], want = days.length + 1;
    const fits = d.day === want && (want < 8 ? d.rect.bottom > days[0].rect.top - 2 : near(middle(d.rect, 'x'), middle(days[want - 8].rect, 'x'), 4) && d.rect.top > days[want - 8].rect.top + 4);
    if (fits) { days[days.length] = d; last = i; skipped = 0; continue; }
    if (d.day === 1 && days.length >= 28 || ++skipped > 40) break;
  }
  return days.length >= 28 ? { days, last } : null;
};
// columnOf is the column of the first day, counted from where the week begins; -1 when the days do not stand in seven
// columns.
const columnOf = days => {
  const xs = [];
  for (let i = 0; i < 7; i++) xs[i] = middle(days[i].rect, 'x');
  const back = styleOf(days[0].el).direction === 'rtl' && xs[6] !== xs[0];
  let col = 0;
  for (let i = 0; i < 7; i++) {
    for (let k = 0; k < i; k++) if (near(xs[i], xs[k], 4)) return -1;
    if (i && (back ? xs[i] > xs[0] : xs[i] < xs[0])) col++;
  }
  return col;
};

// cellOf is the largest element around a day that holds no other day, and is no wider than a column: the last day of a
// week has the next one in another row, and the first may be alone in its own.
const cellOf = (d, g) => {
  const before = g.days[d.day - 2], next = g.days[d.day], column = (g.box.right - g.box.left) / 7;
  let e = d.el;
  for (let p = up(e), i = 0; p && i < 6; p = up(p), i++) {
    const width = rectOf(p).width;
    if (before && within(before.el, p) || next && within(next.el, p) || width > 1.7 * column) break;
    if (width > 0) e = p; // one without a box of its own (display: contents) cannot be clicked
  }
  return e;
};
const labelAttributes = ['aria-label', 'title', 'datetime', 'data-date', 'data-day', 'data-value', 'data-iso', 'data-full-date', 'value'];
// labelsOfDay are the texts that a day carries and that may be its whole date.
const labelsOfDay = (d, cell) => {
  const out = [];
  for (let e = d.el; e; e = up(e)) {
    for (let i = 0; i < labelAttributes.length; i++) {
      const v = attr(e, labelAttributes[i]);
      if (v && v.length > 5 && v.length < 100) out[out.length] = v;
    }
    if (e === cell) break;
  }
  return out;
};
// forbidden tells whether a day says that it cannot be chosen. Others do not say so, and only do nothing.
const forbidden = (d, cell) => {
  for (let e = d.el; e; e = up(e)) {
    if (aria(e, 'aria-disabled') === 'true' || matches(e, ':disabled')) return true;
    const s = styleOf(e);
    if (s.cursor === 'not-allowed' || s.pointerEvents === 'none' && (e !== d.el || e === cell)) return true;
    if (e === cell) break;
  }
  return false;
};
const inSight = el => {
  const r = rectOf(el), part = clipPart(el, r);
  return !!part && part.right - part.left > r.width / 2 && part.bottom - part.top > r.height / 2;
};

// calendarOf reads all calendars, and what stands around them.
const calendarOf = field => {
  const grids = dayGrids(docElement(doc)), seen = [], out = { grids: [], unseen: [], controls: [], root: null, sig: '' };
  for (let i = 0; i < grids.length; i++) if (inSight(grids[i].days[9].el)) seen[seen.length] = grids[i]; else out.unseen[out.unseen.length] = grids[i];
  for (let i = 0; i < seen.length; i++) {
    const g = seen[i];
    g.box = boxAround(g);
    g.first = cellOf(g.days[0], g);
    g.common = commonOf(g.days);
  }
  for (let i = 0; i < seen.length; i++) {
    seen[i].root = popupRoot(seen[i], field);
    seen[i].heads = headsOf(seen[i], seen);
    out.grids[i] = seen[i];
    out.sig += numberOf(seen[i].first) + ' ' + seen[i].col + ' ' + seen[i].days.length + ' ' + join(seen[i].heads, '|') + ' ' + round(seen[i].box.left) + ' ' + round(seen[i].box.top) + ';';
  }
  return out;
};
const boxAround = g => {
  const b = { left: 1e9, top: 1e9, right: -1e9, bottom: -1e9 };
  for (let i = 0; i < g.days.length; i++) {
    const r = g.days[i].rect;
    b.left = min(b.left, r.left); b.top = min(b.top, r.top); b.right = max(b.right, r.right); b.bottom = max(b.bottom, r.bottom);
  }
  return b;
};
const commonOf = days => {
  let e = days[0].el;
  while (e && !within(days[days.length - 1].el, e)) e = up(e);
  return e;
};
// popupRoot is the largest element around a calendar that does not hold the field.
const popupRoot = (g, field) => {
  let root = g.common;
  for (let e = up(root); e && e !== docBody(doc) && e !== docElement(doc) && !(field && within(field, e)); e = up(e)) root = e;
  return root;
};

// headsOf are the texts above a calendar, the nearest first: its title among them, and not the names of the weekdays,
// which stand in its columns.
const headsOf = (g, all) => {
  const found = [], width = (g.box.right - g.box.left) / 7;
  const add = (r, t) => {
    if (r.width <= 0 || r.height <= 0 || r.top > g.box.top + 4 || g.box.top - r.bottom > 200 || r.right < g.box.left || r.left > g.box.right) return;
    for (let i = 0; i < all.length; i++) if (all[i] !== g && r.top > all[i].box.top - 2 && r.bottom < all[i].box.bottom + 2) return;
    found[found.length] = { r, t: cut(t, 60) };
  };
  texts(g.root, n => {
    const el = parentOf(n);
    if (el && isRendered(el, { visibilityProperty: true, opacityProperty: true }) && localName(el) !== 'option') add(rectOf(el), trim(nodeValue(n)));
  });
  const fields = find(g.root, 'input, select');
  for (let i = 0; i < fields.length; i++) if (shown(fields[i])) add(rectOf(fields[i]), localName(fields[i]) === 'select' ? currentValue(fields[i], 'select', 'combobox') : inputValue(fields[i]));
  const rows = [];
  for (let i = 0; i < found.length; i++) {
    let row = null;
    for (let k = 0; k < rows.length; k++) if (near(middle(rows[k][0].r, 'y'), middle(found[i].r, 'y'), 6)) row = rows[k];
    if (row) row[row.length] = found[i]; else rows[rows.length] = [found[i]];
  }
  sortArray(rows, (a, b) => middle(b[0].r, 'y') - middle(a[0].r, 'y'));
  const heads = [];
  for (let k = 0; k < rows.length; k++) {
    let narrow = 0;
    for (let i = 0; i < rows[k].length; i++) if (rows[k][i].r.width <= width * 1.3 && rows[k][i].t.length <= 10) narrow++;
    if (narrow >= 6) continue;
    sortArray(rows[k], (a, b) => a.r.left - b.r.left);
    let line = '';
    for (let i = 0; i < rows[k].length; i++) line += (line ? ' ' : '') + rows[k][i].t;
    heads[heads.length] = line;
  }
  return heads;
};

// controlsOf are the things around calendars that can be pressed or set: what moves them on, and what ends the choice.
// Days are none of them: not those of months that are out of sight, nor cells that a list of months has not drawn yet.
const maxControls = 80, maxBlank = 40;
const controlsOf = (g, all, unseen) => {
  const out = [], days = new NewSet();
  for (let k = 0; k < unseen.length; k++) {
    for (let i = 0; i < unseen[k].days.length; i++) {
      const el = unseen[k].days[i].el;
      setAdd(days, el);
      setAdd(days, closest(el, '[role=gridcell], td, li, button') || el);
    }
  }
  const visit = (n, inside, hand) => {
    if (nodeType(n) !== 1 || out.length > maxControls || setHas(days, n)) return;
    const tag = localName(n), role = roleOf(n, tag);
    if (silent[tag] && !nativeControls[tag]) return;
    let has = false;
    if (!inside && (nativeControls[tag] || role === 'button' || role === 'link' || hasAttr(n, 'tabindex') || listensForClicks(n) || !hand && styleOf(n).cursor === 'pointer')) {
      for (let k = 0; k < all.length && !has; k++) has = within(all[k].days[0].el, n) || within(all[k].days[14].el, n) || inBox(rectOf(n), all[k].box);
      const blank = out.length > maxBlank && !nativeControls[tag] && role !== 'button' && !visibleText(n, 5);
      if (!has && !blank && shown(n)) {
        const r = rectOf(n);
        out[out.length] = { el: n, tag, role, r, name: accName(n, true), text: tag === 'input' ? inputValue(n) : tag === 'select' ? currentValue(n, tag, role) : visibleText(n, 60) };
        inside = nativeControls[tag] || role === 'button' || role === 'link';
      }
    }
    if (tag !== 'select') children(n, c => visit(c, inside, styleOf(n).cursor === 'pointer'));
  };
  visit(g.root, false, false);
  return out;
};
const inBox = (r, b) => middle(r, 'x') > b.left && middle(r, 'x') < b.right && middle(r, 'y') > b.top && middle(r, 'y') < b.bottom;

// goesOn tells whether a month stands in a list of months that scrolls.
const goesOn = g => {
  for (let e = g.first; e && e !== docBody(doc) && e !== docElement(doc); e = up(e)) if (scrolls(e) && scrollHeight(e) > 2 * clientHeight(e)) return true;
  return false;
};
const writeGrid = g => '{"n":' + numberOf(g.first) + ',"root":' + numberOf(g.root) + ',"col":' + g.col + ',"scrolls":' + goesOn(g) + ',"heads":' + jsonList(g.heads, quote) + ',"box":' + jsonBox(g.box) +
  ',"days":' + jsonList(g.days, d => {
    const cell = cellOf(d, g);
    return '{"n":' + numberOf(cell) + ',"inner":' + numberOf(d.el) + ',"off":' + forbidden(d, cell) + ',"labels":' + jsonList(labelsOfDay(d, cell), quote) + '}';
  }) + '}';
const writeControl = c => {
  let choices = [];
  if (c.tag === 'select') for (let i = 0, list = options(c.el); i < list.length && i < 400; i++) choices[i] = matches(list[i], ':disabled') ? '' : optionText(list[i]);
  return '{"n":' + numberOf(c.el) + ',"tag":' + quote(c.tag) + ',"role":' + quote(c.role) + ',"type":' + quote(c.tag === 'input' ? inputType(c.el) : attr(c.el, 'type') || '') +
    ',"name":' + quote(c.name) + ',"text":' + quote(c.text) + ',"off":' + (!enabled(c.el, aria(c.el, 'aria-disabled') === 'true')) +
    ',"box":' + jsonBox(c.r) + ',"choices":' + jsonList(choices, quote) + '}';
};
const valueOf = el => {
  const typed = typedParts(el);
  if (typed) return typed;
  const e = editableIn(el), t = e && localName(e), both = e ? [] : find(el, 'input:not([type=hidden])');
  if (both.length === 2 && both[0] !== el) return fold(inputValue(both[0]) + ' – ' + inputValue(both[1])); // a range in two fields
  return t === 'input' ? inputValue(e) : t === 'textarea' ? areaValue(e) : localName(el) === 'input' ? inputValue(el) : visibleText(el, 200) || accName(el, true);
};

// calendar waits, for a.ms at most, until the calendars in sight are other ones than a.was, and (a.fresh) one that is
// not in a.old, and stand still; then it describes them. Where (a.open) they
// should stay open, none in sight means that they are on their way. Where a.value is given it also waits until the field holds
// something else. A page that has not changed since a.since is waited for no longer than a.quiet ms.
const calendar = async text => {
  const a = parseJSON(text), field = a.document === documentID ? elementOf(a.n) : null, until = clock() + a.ms;
  arm();
  let last = null, still = 0, over = false;
  after(() => { over = true; wake(); }, a.ms);
  if (a.quiet) after(() => { settle(); if (mutations === a.since) { over = true; wake(); } }, a.quiet);
  for (;;) {
    forget();
    const c = calendarOf(field), value = field && connected(field) ? valueOf(field) : '';
    const now = c.sig + '\n' + value;
    let fresh = !a.fresh;
    for (let i = 0; i < c.grids.length && !fresh; i++) fresh = indexOf(' ' + a.old + ' ', ' ' + numberOf(c.grids[i].first) + ' ') < 0;
    const ready = fresh && (!a.open || c.grids.length > 0) && (a.was === undefined || a.was !== c.sig) && (a.value === undefined || a.value !== value);
    still = ready && now === last && !moving(c) ? still + 1 : 0;
    last = now;
    if (still >= (a.was === undefined && !a.fresh && a.value === undefined ? 0 : 1) && ready || over || clock() >= until) {
      let controls = [];
      if (c.grids.length) controls = controlsOf(c.grids[c.grids.length - 1], c.grids, c.unseen);
      settle();
      return 'calendar\n{"sig":' + quote(c.sig) + ',"mutations":' + mutations + ',"ready":' + ready + ',"value":' + quote(value) + ',"expanded":' + quote(field ? aria(field, 'aria-expanded') || '' : '') +
        ',"focused":' + (!!field && !!focusedElement() && within(focusedElement(), field)) + ',"fields":' + jsonList(fieldValues(), quote) +
        ',"grids":' + jsonList(c.grids, writeGrid) + ',"controls":' + jsonList(controls, writeControl) + '}';
    }
    if (ready) await frame(); else await new NewPromise(done => { waiters[waiters.length] = done; });
  }
};
const moving = c => {
  for (let i = 0; i < c.grids.length; i++) {
    const by = animationsOf(c.grids[i].common);
    for (let k = 0; k < by.length; k++) if (by[k] === 'once') return true;
  }
  return false;
};
const fieldValues = () => {
  const all = find(doc, 'input'), out = [];
  for (let i = 0; i < all.length && i < 500; i++) if (textTypes[inputType(all[i])] && inputType(all[i]) !== 'password' && shown(all[i])) out[out.length] = cut(inputValue(all[i]), 60);
  return out;
};

// cells waits until an element shows other short texts than a.was, joined by |, and stands still, and lists them: the
// blocks in it that hold one text and no other, and the buttons that hold none, which go by their names.
const cells = async text => {
  const a = parseJSON(text), root = a.document === documentID ? elementOf(a.n) : null, until = clock() + a.ms;
  const read = () => {
    forget();
    const out = [], seen = new NewSet(), add = (el, t) => {
      const r = rectOf(el);
      if (setHas(seen, el) || r.width < 2 || r.height < 2) return;
      setAdd(seen, el);
      out[out.length] = { el, t, r };
    };
    const visit = n => {
      if (nodeType(n) !== 1 || silent[localName(n)] || !shown(n) && styleOf(n).display !== 'contents') return;
      const t = visibleText(n, 40), press = roleOf(n, localName(n)) === 'button' || listensForClicks(n) || styleOf(n).cursor === 'pointer';
      if (!t && press) { add(n, accName(n, true)); return; }
      if (t && t.length <= 20 && (!firstElement(n) || press && roleOf(n, localName(n)) === 'button')) { add(n, t); return; }
      children(n, visit);
    };
    if (root && connected(root)) visit(root);
    return out;
  };
  arm();
  after(wake, a.ms);
  let last = null;
  for (;;) {
    const out = read(), texts = [];
    for (let i = 0; i < out.length; i++) texts[i] = out[i].t;
    const said = join(texts, '|');
    if (said !== a.was && (said === last || !a.was) || clock() >= until) {
      return 'cells\n' + jsonList(out, c => '{"n":' + numberOf(c.el) + ',"text":' + quote(c.t) + ',"off":' + (!enabled(c.el, !!closest(c.el, '[aria-disabled=true]'))) + ',"box":' + jsonBox(c.r) + '}');
    }
    if (said !== a.was) { last = said; await frame(); await frame(); } else await new NewPromise(done => { waiters[waiters.length] = done; });
  }
};
