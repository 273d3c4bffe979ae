// Hit tests: what would receive a click.
const innerWidthOf = getter(globalThis, 'innerWidth'), innerHeightOf = getter(globalThis, 'innerHeight');
const viewWidth = () => innerWidthOf(globalThis), viewHeight = () => innerHeightOf(globalThis);

const hitAt = (x, y) => {
  let e = pointDocument(doc, x, y);
  while (e) {
    const root = shadowOf(e);
    const inner = root && pointShadow(root, x, y);
    if (!inner || inner === e || rootOf(inner) !== root) return e;
    e = inner;
  }
  return null;
};

const standsForTypes = setOf('checkbox radio file');
const ticked = setOf('checkbox radio switch'); // the roles of what is ticked
// boxes are the elements that were found to stand in for a list or a box to tick, and what they stand for; boxed are the latter.
const boxes = new NewWeakMap(), boxed = new NewWeakSet();
// standInFor gives the checkbox, radio button, file input or list that a label, or the box around it, stands in for,
// because it cannot itself be seen or clicked; null otherwise.
const standInFor = (el, tag) => {
  if (tag !== 'label') {
    const c = weakGet(boxes, el);
    return c && connected(c) && !offersItself(c) ? c : null;
  }
  const c = labelControl(el);
  return c && (localName(c) === 'input' ? standsForTypes[inputType(c)] : ticked[roleOf(c, localName(c))]) && connected(c) && !onScreen(c) ? c : null;
};
const listControls = 'input[role=combobox], input[aria-haspopup=listbox], [role=combobox], button[aria-haspopup=listbox], button[aria-haspopup=dialog]';
// listIn is the list that an element is drawn around, in its shadow root too.
const listIn = el => oneOf(el, listControls) || shadowOf(el) && find(shadowOf(el), listControls)[0] || null;
// boxOfList tells whether an element stands in for a list: the only field in it, which is out of sight or takes no clicks,
// while a text beside it shows what is chosen.
const boxOfList = el => {
  const c = listIn(el);
  if (!c || rectOf(el).height > 100 || offersItself(c) || matches(c, ':disabled')) return false;
  const all = find(el, 'input:not([type=hidden]), textarea');
  for (let i = 0; i < all.length; i++) if (all[i] !== c && onScreen(all[i])) return false;
  weakSet(boxes, el, c);
  weakAdd(boxed, c);
  return true;
};
// boxOfTick tells whether an element stands in for a box to tick: the only control in it, which has no size and no label.
const boxOfTick = el => {
  const c = oneOf(el, 'input[type=checkbox], input[type=radio]'), r = c && rectOf(c);
  if (!c || r.width > 1 && r.height > 1 && !clippedAway(styleOf(c)) || labelsOf(c, 'input').length || find(el, controlsInside).length > 1 || rectOf(el).height > 100) return false;
  weakSet(boxes, el, c);
  weakAdd(boxed, c);
  return true;
};
// offersItself tells whether a control can be seen and takes clicks.
const offersItself = c => onScreen(c) && styleOf(c).pointerEvents !== 'none';
// onScreen tells whether a control has a box that a person can see.
const onScreen = c => {
  const r = rectOf(c);
  return r.width > 1 && r.height > 1 && r.right > -scrollX0() && isRendered(c, { opacityProperty: true, visibilityProperty: true }) && !clippedAway(styleOf(c));
};
const scrollX0 = getter(globalThis, 'scrollX').bind(null, globalThis), scrollY0 = getter(globalThis, 'scrollY').bind(null, globalThis);
const clippedAway = s => {
  return s.clipPath === 'inset(50%)' || s.clipPath === 'inset(100%)' || (s.position === 'absolute' && regExec(/^rect\((0|1)px, ?(0|1)px, ?(0|1)px, ?(0|1)px\)$/, s.clip));
};
// subjectOf is the control whose role, name and state an element shows.
const subjectOf = (el, tag) => standInFor(el, tag) || el;

const innerControls = 'a[href], button, input, select, textarea, summary';
// takes tells whether a hit at h acts on el.
const takes = (h, el, subject) => {
  if (within(h, el)) {
    if (subject === el || h === subject) return true;
    for (let e = h; e && e !== el; e = up(e)) if (matches(e, innerControls)) return false; // a link in the label
    return true;
  }
  if (within(h, subject)) return true;
  const tick = localName(subject) === 'input' && standsForTypes[inputType(subject)];
  if (tick && drawnAround(h, subject)) return true;
  const label = closest(h, 'label');
  if (!label) return false;
  const c = labelControl(label);
  // What draws a box to tick may hear of clicks on the text beside it, without being told whose label that is.
  return c ? c === subject : tick && (previousElement(label) === subject || nextElement(label) === subject);
};

// drawnAround tells whether a hit at h is on the clickable box that is drawn around a box to tick, the only control in it.
const drawnAround = (h, subject) => {
  for (let e = up(subject), depth = 0; e && depth < 3 && find(e, controlsInside).length === 1; e = up(e), depth++) {
    if (within(h, e) && listensForClicks(e) && styleOf(e).cursor === 'pointer') return !closest(h, 'a[href]');
  }
  return false;
};

const intersect = (a, b) => {
  const left = max(a.left, b.left), top = max(a.top, b.top), right = min(a.right, b.right), bottom = min(a.bottom, b.bottom);
  return right > left && bottom > top ? { left, top, right, bottom } : null;
};
const spots = [[0.5, 0.5], [0.2, 0.25], [0.8, 0.25], [0.2, 0.75], [0.8, 0.75]];
// A label may be mostly links: its edges are looked at too.
const labelSpots = [...spots, [0.02, 0.5], [0.98, 0.5], [0.5, 0.05], [0.5, 0.95]];
// A drawn shape may be a ring or an L: after the usual spots a grid is looked at.
const shapeSpots = [...spots];
for (let i = 0; i < 100; i++) shapeSpots[shapeSpots.length] = [(i % 10 + 0.5) / 10, ((i - i % 10) / 10 + 0.5) / 10];
const isShape = el => rawName(el) === 'area' || namespaceOf(el) === 'http://www.w3.org/2000/svg';
// imageOf is the picture that an area of an image map lies on.
const imageOf = area => {
  const map = closest(area, 'map'), name = map && attr(map, 'name');
  const all = name ? find(rootOf(area), 'img[usemap]') : [];
  for (let i = 0; i < all.length; i++) if (lower(attr(all[i], 'usemap')) === '#' + lower(name)) return all[i];
  return null;
};
// areaBox is the box around an area: where its coordinates lie on the picture.
const noBox = { left: 0, top: 0, right: 0, bottom: 0, width: 0, height: 0 };
const areaBox = area => {
  const img = imageOf(area);
  if (!img) return noBox;
  const r = rectOf(img), s = styleOf(img), x = r.left + clientLeft(img) + parseFloat(s.paddingLeft), y = r.top + clientTop(img) + parseFloat(s.paddingTop);
  const shape = lower(attr(area, 'shape') || 'rect'), at = split(attr(area, 'coords') || '', ',');
  if (shape === 'default') return r;
  const xs = [], ys = [];
  for (let i = 0; i + 1 < at.length; i += 2) { xs[xs.length] = +at[i]; ys[ys.length] = +at[i + 1]; }
  if (slice(shape, 0, 4) === 'circ') {
    const d = +at[2];
    xs[0] -= d; ys[0] -= d; xs[1] = xs[0] + 2 * d; ys[1] = ys[0] + 2 * d;
  }
  const left = x + apply(min, null, xs), top = y + apply(min, null, ys), right = x + apply(max, null, xs), bottom = y + apply(max, null, ys);
  return right > left && bottom > top ? { left, top, right, bottom, width: right - left, height: bottom - top } : noBox;
};
// boxOf is the box of an element, or of its content when it has none of its own.
const boxOf = el => {
  const r = rectOf(el);
  if (r.width || r.height) return r;
  if (localName(el) === 'area') return areaBox(el);
  if (styleOf(el).display !== 'contents') return r;
  const range = createRange(doc);
  selectContents(range, el);
  return rangeRect(range);
};
// byContent are the elements that are named by what is in them, whatever their role, because they can be clicked.
const byContent = new NewWeakSet();
// mainRect is the box that Playwright would click: the first line of an inline element that wraps.
const mainRect = (el, whole) => {
  const all = rectsOf(el);
  if (!all.length) { // display: contents
    for (let n = firstElement(el); n; n = nextElement(n)) {
      const r = rectOf(n);
      if (r.width > 1 && r.height > 1) return r;
    }
  }
  for (let i = 0; all.length > 1 && i < all.length; i++) if (all[i].width > 1 && all[i].height > 1) return all[i];
  return whole;
};
// hitTest gives {free: true, x, y, centre} or {free: false, by}; part is the visible part of el's box. What el lies in
// covers it only when it takes every hit, as with an ::after that lies over all its content. Where nothing takes a hit
// el is not covered: none is true then.
const hitTest = (el, subject, part) => {
  let by = null, around = null;
  const at = subject !== el ? labelSpots : isShape(el) ? shapeSpots : spots;
  for (let i = 0; i < at.length; i++) {
    const x = part.left + (part.right - part.left) * at[i][0], y = part.top + (part.bottom - part.top) * at[i][1];
    const h = hitAt(x, y);
    if (h && takes(h, el, subject)) return { free: true, none: false, x, y, centre: i === 0 };
    if (!by && h && !within(el, h)) by = h;
    if (!h) around = undefined; else if (around !== undefined) around = h;
  }
  if (!by && around && styleOf(el).pointerEvents !== 'none' && !closest(el, '[inert]')) by = around;
  return { free: !by, none: !by, centre: true, by };
};

const position = el => styleOf(el).position;
const pinned = p => p === 'fixed' || p === 'sticky';
const scrolls = el => {
  const o = styleOf(el).overflowY;
  return (o === 'auto' || o === 'scroll' || o === 'overlay') && scrollHeight(el) > clientHeight(el) + 1;
};
// avoidable tells whether scrolling can bring el out from under the pinned bar that holds h.
const avoidable = (h, el, rect) => {
  let bar = h;
  while (bar && !pinned(position(bar))) bar = up(bar);
  if (!bar || within(el, bar)) return false;
  const b = rectOf(bar);
  const free = (view, upward, downward) => {
    const cy = (rect.top + rect.bottom) / 2, half = (rect.bottom - rect.top) / 2;
    const segment = (from, to) => {
      if (to - from < 16) return false;
      const m = min(half, (to - from) / 2 - 1);
      return max(from + m - cy, -downward) <= min(to - m - cy, upward);
    };
    return segment(view.top, min(b.top, view.bottom)) || segment(max(b.bottom, view.top), view.bottom);
  };
  const screen = { left: 0, top: 0, right: viewWidth(), bottom: viewHeight() };
  const root = docScroller(doc) || docElement(doc), body = docBody(doc);
  for (let e = up(el), held = position(el) === 'fixed'; e; e = up(e)) {
    if (e === root || e === body || e === docElement(doc)) {
      if (held) return false;
      const locked = styleOf(docElement(doc)).overflowY === 'hidden' || (body && styleOf(body).overflowY === 'hidden');
      return !locked && free(screen, scrollTop(root), scrollHeight(root) - viewHeight() - scrollTop(root));
    }
    if (scrolls(e) && !within(bar, e)) {
      const view = intersect(rectOf(e), screen);
      if (view && free(view, scrollTop(e), scrollHeight(e) - clientHeight(e) - scrollTop(e))) return true;
    } else if (scrolls(e) && free(intersect(rectOf(e), screen) || screen, scrollTop(e), scrollHeight(e) - clientHeight(e) - scrollTop(e))) return true;
    if (position(e) === 'fixed') held = true;
  }
  return false;
};

const modalAround = h => {
  for (let e = h; e; e = up(e)) if (localName(e) === 'dialog' && matches(e, ':modal')) return e;
  return null;
};
// fixedAround is the nearest fixed ancestor of h that is at least so large a part of the viewport.
const fixedAround = (h, share) => {
  for (let e = h; e; e = up(e)) {
    if (position(e) !== 'fixed') continue;
    const r = rectOf(e);
    if (r.width * r.height >= share * viewWidth() * viewHeight()) return e;
  }
  return null;
};
const dialogAround = h => {
  for (let e = h; e; e = up(e)) {
    const role = roleOf(e, localName(e));
    if (role === 'dialog' || role === 'alertdialog') return e;
  }
  return null;
};
// overlay finds what lies over the whole viewport: {roots, subject, bare}; bare when the middle shows the sheet itself. Everything outside roots is under it. It is a
// modal dialog, or a fixed sheet that shows in the corners with itself, another fixed box or a dialog in the middle.
const overlay = () => {
  const w = viewWidth(), h = viewHeight(), at = (x, y) => hitAt(w * x, h * y);
  const centre = at(0.5, 0.5), corners = [at(0.06, 0.06), at(0.94, 0.06), at(0.06, 0.94), at(0.94, 0.94)];
  if (!centre) return null;
  const modal = modalAround(centre) || (corners[0] && modalAround(corners[0]));
  if (modal) return { roots: [modal], subject: modal, bare: false };
  let sheet = null, n = 0;
  for (let i = 0; i < 4; i++) {
    const f = corners[i] && fixedAround(corners[i], 0.8);
    if (f && (!sheet || f === sheet)) { sheet = f; n++; }
  }
  if (n < 3) return null;
  const middle = dialogAround(centre) || fixedAround(centre, 0);
  return middle ? { roots: [sheet, middle], subject: middle, bare: centre === sheet } : null;
};
const under = (lid, el) => {
  if (!lid) return false;
  for (let i = 0; i < lid.roots.length; i++) if (within(el, lid.roots[i]) || within(lid.roots[i], el)) return false;
  return !(lid.bare && onTop(el));
};
// onTop tells whether the box that el is scrolled or pinned in lies over all else, as a list does that a sheet keeps open.
const onTop = el => {
  for (let e = up(el); e && e !== docBody(doc) && e !== docElement(doc); e = up(e)) {
    if (!scrolls(e) && !pinned(position(e))) continue;
    const r = intersect(rectOf(e), { left: 0, top: 0, right: viewWidth(), bottom: viewHeight() });
    const h = r && hitAt((r.left + r.right) / 2, (r.top + r.bottom) / 2);
    return !!h && within(h, e);
  }
  return false;
};

// visibleText is the text of el as a person reads it, at most about limit long.
const visibleText = (el, limit) => {
  let out = '';
  const visit = n => {
    if (out.length > limit) return;
    const t = nodeType(n);
    if (t === 3) { out += nodeValue(n); return; }
    if (t !== 1) return;
    const tag = localName(n);
    if (silent[tag]) return;
    if (tag === 'br') { out += ' '; return; }
    const s = styleOf(n), d = s.display;
    if (d === 'none' || s.visibility !== 'visible' && n !== el) return;
    const block = blockDisplay(d);
    if (block) out += ' ';
    children(n, visit);
    if (block) out += ' ';
  };
  visit(el);
  return cut(fold(out), limit);
};
const silent = setOf('script style noscript template head title meta link base source track param textarea select datalist iframe frame object embed audio video canvas');

// coverOf is what covers el where h is hit: the dialog around h, or the outermost positioned box.
const coverOf = (h, el) => {
  const above = new NewSet();
  for (let e = el; e; e = up(e)) setAdd(above, e);
  let best = h;
  for (let e = h; e && !setHas(above, e); e = up(e)) {
    const role = roleOf(e, localName(e));
    if (role === 'dialog' || role === 'alertdialog') { best = e; break; }
    if (position(e) !== 'static') best = e;
  }
  return best;
};
// nameCover describes it: dialog 'Cookies', div 'We use…'.
const nameCover = (h, el) => titled(coverOf(h, el));
const dialogTitle = el => {
  const n = accName(el, false);
  if (n) return n;
  const heads = find(el, 'h1, h2, h3, h4, h5, h6, [role=heading]');
  return heads.length ? visibleText(heads[0], 80) : '';
};
const titled = el => {
  const tag = localName(el), role = roleOf(el, tag);
  const name = cut(dialogTitle(el) || visibleText(el, 40), 60);
  return (role || tag) + (name ? " '" + name + "'" : '');
};
