// What the driver calls, each with one string and answered with one string (or an element).

// whenParsed resolves when the document has been parsed, or after ms.
const whenParsed = ms => readyState(doc) !== 'loading' ? null : new NewPromise(done => {
  listen(doc, 'DOMContentLoaded', () => done(''), { once: true });
  after(done, ms, '');
});
// A long text comes over in time that grows with the square of its length, so it is fetched in pieces: the answer is
// then only their number.
const pieceSize = 65536;
let pieces = [];
const inPieces = s => {
  if (s.length <= 2 * pieceSize) return s;
  pieces = [];
  for (let at = 0; at < s.length;) {
    const p = cut(slice(s, at, at + pieceSize + 1), pieceSize); // no character is split
    pieces[pieces.length] = p;
    at += p.length;
  }
  return 'pieces ' + pieces.length;
};
const piece = i => {
  const p = pieces[i];
  if (+i === pieces.length - 1) pieces = [];
  return p;
};
const snapshot = text => {
  const a = parseJSON(text), run = () => inPieces(take(a.probes || {}, a.have));
  const parsed = whenParsed(a.parse);
  return parsed ? (async () => { await parsed; return run(); })() : run();
};
// wait resolves when the document is no longer the one, or at the version, of the snapshot "id.version".
const wait = text => {
  arm();
  settle();
  const w = split(text, '.');
  if (w[0] !== documentID || w[1] !== '' + version) return '';
  return new NewPromise(done => { waiters[waiters.length] = done; });
};
const number = el => '' + numberOf(el);

// inset and centre answer numbers: an iframe's border and padding; an element's place, and its centre from the edge of
// its padding.
const inset = el => {
  const s = styleOf(el);
  return (clientLeft(el) + parseFloat(s.paddingLeft)) + ' ' + (clientTop(el) + parseFloat(s.paddingTop));
};
const centre = el => {
  const r = rectOf(el), m = mainRect(el, r);
  return r.left + ' ' + r.top + ' ' + ((m.left + m.right) / 2 - r.left - clientLeft(el)) + ' ' + ((m.top + m.bottom) / 2 - r.top - clientTop(el));
};

const pointerVerbs = setOf('click dblclick hover check uncheck drag');
const problem = (kind, message) => kind + '\n' + (message || '');

const editableIn = el => {
  const tag = localName(el);
  if (tag === 'input' || tag === 'textarea' || isHTML(el) && editableFlag(el)) return el;
  const inner = find(shadowOf(el) || el, 'input:not([type=hidden]), textarea, [contenteditable]');
  return inner.length === 1 ? inner[0] : null;
};
const freeName = setOf('combobox listbox textbox searchbox spinbutton slider');

// heir is the element that has taken the place of one that a page has drawn anew: of the same tag, role and name, in
// exactly the same box. It takes over the number. null when there is none.
const heir = (el, role, name) => {
  const was = weakGet(lastRects, el);
  if (!was || !role && !name) return null;
  for (let e = hitAt((was.left + was.right) / 2, (was.top + was.bottom) / 2); e; e = up(e)) {
    if (localName(e) !== localName(el) || !sameRect(boxOf(e), was) || shownRole(e, localName(e)) !== (role || '')) continue;
    if (weakHas(byContent, el)) weakAdd(byContent, e);
    if (name && shownName(e, role, weakHas(byContent, e)) !== name) continue;
    const n = numberOf(el);
    weakSet(numbers, e, n);
    mapSet(elements, n, new NewWeakRef(e));
    weakSet(lastRects, e, was);
    return e;
  }
  return null;
};

// examine finds the element that a is about and whether the verb can be done to it: a string that begins with what is
// wrong (gone, disabled, covered, unsupported), or {el, subject, target, rect, hit}. target takes the verb; hit, where
// the element is on screen, is the point of it that is free.
const examine = a => {
  forget();
  let el = a.document === documentID ? elementOf(a.n) : null;
  if (el && !connected(el)) el = heir(el, a.role, a.name);
  if (!el) return problem('gone', 'it has left the page');
  const tag = localName(el), subject = subjectOf(el, tag), stag = localName(subject), caption = a.role === 'group' && weakGet(captions, el), role = caption ? a.role : shownRole(subject, stag);
  if (a.role && a.role !== role) return problem('gone', 'its role is ' + (role || 'none') + ' now, and was ' + a.role);
  if (a.name && !freeName[role]) {
    const name = caption || shownName(subject, role, weakHas(byContent, subject));
    if (name !== a.name) return problem('gone', "its name is '" + cut(name, 60) + "' now, and was '" + cut(a.name, 60) + "'");
  }
  const found = { el, subject, target: el, rect: null, hit: null };
  if (a.verb === 'scroll') return found;
  if (a.verb === 'upload' && stag === 'input' && inputType(subject) === 'file') return matches(subject, ':disabled') ? problem('disabled') : found;
  const rect = found.rect = boxOf(el), style = styleOf(el);
  if (rect.width <= 0 || rect.height <= 0 || style.visibility !== 'visible' || !isRendered(el) && style.display !== 'contents' && tag !== 'area') return problem('gone', 'it is no longer visible');
  if (a.verb !== 'hover' && (matches(subject, ':disabled') || closest(el, '[aria-disabled=true], [inert]'))) return problem('disabled', '');
  if (a.verb === 'fill' || a.verb === 'type' || a.verb === 'clear') {
    found.target = editableIn(el) || (a.verb === 'type' ? el : null); // keys go to whatever has the focus
    if (!found.target) return problem('unsupported', 'it does not take text');
    if (hasAttr(found.target, 'readonly')) return problem('disabled', 'it is read-only');
  }
  const screen = { left: 0, top: 0, right: viewWidth(), bottom: viewHeight() };
  const test = () => {
    const r = boxOf(el);
    const part = intersect(mainRect(el, r), screen);
    return part && { r, part: clipPart(el, part), hit: null };
  };
  let at = test();
  if (!at || !at.part) {
    const lid = overlay();
    return under(lid, el) && !passing(el) ? problem('covered', titled(lid.subject)) : found;
  }
  let hit = hitTest(el, subject, at.part);
  if (!hit.free && passing(el)) return found; // Playwright waits for its end
  if (hit.none || !hit.free) {
    const lid = overlay();
    if (under(lid, el)) return problem('covered', titled(lid.subject));
  }
  if (!hit.free) {
    if (!avoidable(hit.by, el, at.r)) return problem('covered', nameCover(hit.by, el));
    bringIn(el, 'center');
    found.rect = null; // it has moved
    at = test();
    hit = at && at.part ? hitTest(el, subject, at.part) : null;
    if (hit && !hit.free) return problem('covered', nameCover(hit.by, el));
  }
  found.hit = hit;
  return found;
};

// check gives the element that a is about, ready for Playwright to act on; or what is wrong with it; or "at x y", the
// point of it that is free when its centre is not.
const check = text => {
  guard = null;
  const a = parseJSON(text), found = examine(a);
  if (typeof found === 'string') return found;
  const hit = found.hit;
  if (hit && !hit.centre && !a.at && pointerVerbs[a.verb]) {
    const r = rectOf(found.el);
    return problem('at', (hit.x - r.left - clientLeft(found.el)) + ' ' + (hit.y - r.top - clientTop(found.el)));
  }
  return found.target;
};

// The fast path: everything that Playwright would make sure of, in one turn of the script, for an element that stands
// still and can be hit where it is. Where that is not certain the answer is "slow", and Playwright does it.

// still tells whether el is where the last look saw it, has been there for a frame or more, and nothing animates it.
const still = (el, rect) => {
  const was = rect && weakGet(lastRects, el);
  if (!was || !sameRect(was, rect)) return false;
  return (version === lastVersion || frameTime() !== lastFrame) && !animationsOf(el).length;
};
// passing tells whether el takes no clicks because what it is in is on its way in.
const passing = el => {
  if (styleOf(el).pointerEvents !== 'none' || !up(el) || styleOf(up(el)).pointerEvents !== 'none') return false;
  const by = animationsOf(el);
  for (let i = 0; i < by.length; i++) if (by[i] === 'once') return true;
  return false;
};
// animationsOf are the running animations that move el: "endless" those that never stop, "once" the others.
const animationsOf = el => {
  const out = [];
  const all = docAnimations(doc);
  for (let i = 0; i < all.length; i++) {
    if (playState(all[i]) !== 'running') continue;
    const effect = animated(all[i]);
    let by = null;
    try { by = animatedElement(effect); } catch { out[out.length] = 'once'; continue; }
    if (by && within(el, by)) out[out.length] = timingOf(effect).iterations === Infinity ? 'endless' : 'once';
  }
  return out;
};
// bringIn scrolls el, or the picture that it is a part of, into view.
const bringIn = (el, block) => intoView(localName(el) === 'area' && imageOf(el) || el, { block, inline: 'nearest', behavior: 'instant' });
// frame resolves in the next animation frame; a tab in the background has none.
const frame = () => new NewPromise(done => { nextFrame(done); after(done, 100); });
const sameRect = (a, b) => a.left === b.left && a.top === b.top && a.width === b.width && a.height === b.height;
// steady brings el into view and tells whether it then stays where it is from one frame to the next. What moves
// without end is never still: there it is enough that it does not get away in a frame, and the guard does the rest.
const steady = async (el, hit) => {
  if (!hit) bringIn(el, roleOf(el, localName(el)) === 'option' ? 'nearest' : 'center'); // a list closes when the page is scrolled under it
  await frame();
  const before = boxOf(el);
  await frame();
  const now = boxOf(el), by = animationsOf(el);
  for (let i = 0; i < by.length; i++) if (by[i] === 'once') return false;
  if (!by.length) return sameRect(before, now);
  return max(before.left - now.left, now.left - before.left) < now.width / 2 && max(before.top - now.top, now.top - before.top) < now.height / 2;
};

// guard watches the events of one click. Where the first of them would not reach its element none of them reaches the
// page, so that a click can never land on something that has come up in the meantime.
let guard = null;
const guardTime = 10000; // of a click that was given up on the way; later ones are not its own
const guarded = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'dblclick', 'auxclick', 'contextmenu'];
const guardEvent = e => {
  if (!guard || !e.isTrusted || clock() > guard.until) return;
  if (guard.answer === '') {
    forget();
    const h = hitAt(eventX(e), eventY(e));
    if (!connected(guard.el)) guard.subject = guard.el = heir(guard.el, guard.role, guard.name) || guard.el;
    guard.answer = h && takes(h, guard.el, guard.subject) ? 'hit\n' : problem('blocked', h ? nameCover(h, guard.el) : '');
  }
  if (guard.answer !== 'hit\n') {
    preventDefault(e);
    stopEvent(e);
  }
};
// listens tells whether listeners run in this document at all: where its frame allows no scripts they do not, and so
// neither does the guard.
let hears;
const listens = () => {
  if (hears === undefined) {
    hears = false;
    listen(doc, documentID, () => { hears = true; }, { once: true });
    dispatch(doc, new NewEvent(documentID));
  }
  return hears;
};
// aim answers "point x y", where to click, and sets the guard; verdict tells afterwards whether it was hit.
const aim = text => {
  settle();
  guard = null;
  if (!listens()) return 'slow\n';
  const a = parseJSON(text), found = examine(a);
  if (typeof found === 'string') return found;
  if (found.hit && still(found.el, found.rect)) return pointAt(a, found);
  return (async () => {
    if (!await steady(found.el, found.hit)) return 'slow\n';
    const again = examine(a);
    return typeof again === 'string' ? again : pointAt(a, again);
  })();
};
const pointAt = (a, found) => {
  if (!found.hit || !found.hit.free || found.hit.none) return 'slow\n';
  guard = a.verb === 'hover' ? null : { el: found.el, subject: found.subject, role: a.role, name: a.name, answer: '', until: clock() + guardTime };
  return problem('point', found.hit.x + ' ' + found.hit.y);
};
// through answers where a point of a child frame, the document of iframe n, is in this document, if a click there reaches
// the frame. The guard is set here too: what has come up over the frame does not get the click either.
const through = text => {
  forget();
  guard = null;
  const a = parseJSON(text), el = elementOf(a.n);
  if (!el || !connected(el)) return 'slow\n';
  const r = rectOf(el), s = styleOf(el), left = clientLeft(el), top = clientTop(el);
  const plainSize = r.width - clientWidth(el) - 2 * left < 2 && r.width - clientWidth(el) - 2 * left > -2; // not scaled
  const x = r.left + left + parseFloat(s.paddingLeft) + a.x, y = r.top + top + parseFloat(s.paddingTop) + a.y;
  if (!plainSize || x <= r.left || x >= r.right || y <= r.top || y >= r.bottom || hitAt(x, y) !== el || animationsOf(el).length) return 'slow\n';
  guard = a.hover ? null : { el, subject: el, role: '', name: '', answer: '', until: clock() + guardTime };
  return problem('point', x + ' ' + y);
};
const verdict = () => {
  const answer = guard ? guard.answer : 'none\n';
  guard = null;
  return answer;
};
// pick chooses an option of a native select as Playwright does: it is selected, and input and change tell of it.
const pick = text => {
  const a = parseJSON(text), found = examine(a);
  if (typeof found === 'string') return found;
  const el = found.el;
  found.keep = a.keep; // the focus where it is: a popup closes when it goes
  if (localName(el) !== 'select') return isList(el) ? 'list\n' : problem('unsupported', 'it is not a list');
  const at = optionIndex(el, a.value);
  if (typeof at !== 'string') return chooseOption(found, at);
  if (!found.hit || slice(at, 0, 9) !== 'bad_value') return at;
  focusOn(el); // some lists come when they are needed
  return soon(() => typeof optionIndex(el, a.value) !== 'string', a.ms, () => {
    const late = optionIndex(el, a.value);
    return typeof late === 'string' ? late : chooseOption(found, late);
  });
};
// chooseOption selects an option as Playwright does; in a list of several choices the others stay.
const chooseOption = (found, at) => {
  const el = found.el;
  if (!found.hit) return 'slow\n' + at;
  if (!found.keep) focusOn(el);
  if (selectMultiple(el)) setChosen(selectOptions(el)[at], true); else setSelectIndex(el, at);
  dispatch(el, new NewEvent('input', { bubbles: true, composed: true }));
  dispatch(el, new NewEvent('change', { bubbles: true }));
  return !connected(el) || (selectMultiple(el) ? optionChosen(selectOptions(el)[at]) : selectIndex(el) === at) ? 'picked\n' : 'lost\n';
};
// ready focuses a plain text field and selects what it holds, so that inserted text replaces it. An input that browsers
// draw a picker for is set, as Playwright does: "set".
const plainTypes = setOf('text search email tel url password'), pickedTypes = setOf('color date datetime-local month range time week');
const ready = text => {
  const a = parseJSON(text), found = examine(a);
  if (typeof found === 'string') return found;
  const e = found.target, tag = localName(e);
  if (found.hit && a.text !== undefined && tag === 'input' && pickedTypes[inputType(e)]) {
    const was = inputValue(e), value = inputType(e) === 'color' ? lower(trim(a.text)) : trim(a.text);
    focusOn(e);
    setInputValue(e, value);
    if (inputValue(e) !== value) { setInputValue(e, was); return 'slow\n'; } // it will say why
    dispatch(e, new NewEvent('input', { bubbles: true, composed: true }));
    dispatch(e, new NewEvent('change', { bubbles: true }));
    return 'set\n';
  }
  if (!found.hit || tag !== 'textarea' && !(tag === 'input' && plainTypes[inputType(e)])) return 'slow\n';
  (tag === 'textarea' ? areaSelect : inputSelect)(e);
  focusOn(e);
  return focusedElement() === e ? 'ready\n' : 'slow\n';
};
// clipPart limits a box to what the scrollers around el show of it.
const clipPart = (el, part) => {
  for (let e = up(el); e && part; e = up(e)) {
    if (e === docElement(doc) || e === docBody(doc)) continue;
    const s = styleOf(e);
    if (s.overflowX !== 'visible' || s.overflowY !== 'visible') part = intersect(part, rectOf(e));
  }
  return part;
};

const checkedState = el => {
  const s = subjectOf(el, localName(el)), t = localName(s);
  if (t === 'input' && inputType(s) === 'radio') return 'radio\n' + inputChecked(s);
  if (t === 'input' && inputType(s) === 'checkbox') return 'native\n' + (inputMixed(s) ? 'mixed' : inputChecked(s));
  const mark = t === 'input' ? null : markOf(s);
  if (mark) return 'mark\n' + mark.checked;
  return 'aria\n' + (aria(s, 'aria-checked') || aria(s, 'aria-pressed') || aria(s, 'aria-selected') || '');
};
// soon answers as soon as the page has come to be as it should, at the latest after ms.
const soon = async (holds, ms, answer) => {
  arm();
  let over = false;
  after(() => { over = true; wake(); }, ms);
  while (!holds() && !over) await new NewPromise(done => { waiters[waiters.length] = done; });
  return answer();
};

// state answers a read-back (or places the caret): the value of a control, whether it is checked, which option is chosen.
const state = text => {
  const a = parseJSON(text), el = a.document === documentID ? elementOf(a.n) : null;
  if (!el) return problem('gone', '');
  const tag = localName(el);
  if (a.what === 'value') {
    const e = editableIn(el) || el, t = localName(e);
    return 'value\n' + (t === 'input' ? inputValue(e) : t === 'textarea' ? areaValue(e) : visibleText(e, 100000));
  }
  if (a.what === 'editable') { const e = editableIn(el); return e && !hasAttr(e, 'readonly') ? 'editable\n' : 'no\n'; }
  if (a.what === 'caret') { // to the end, unless the field has the focus and so a caret of its own
    const e = editableIn(el) || el, t = localName(e);
    if (e === focusedElement()) return 'caret\n';
    try { focusOn(e); } catch { /* not focusable: Playwright will say so */ }
    if (t === 'input' || t === 'textarea') {
      const end = (t === 'input' ? inputValue(e) : areaValue(e)).length;
      try { (t === 'input' ? inputCaret : areaCaret)(e, end, end); } catch { /* a type without a caret, such as number */ }
    }
    return 'caret\n';
  }
  if (a.what === 'dialog') return dialogAround(el) ? 'inside\n' : 'none\n';
  if (a.what === 'checked') {
    if (a.want === undefined) return checkedState(el);
    return soon(() => { const t = checkedState(el); return slice(t, indexOf(t, '\n') + 1) === a.want; }, a.ms, () => checkedState(el));
  }
  if (a.what === 'file') {
    const s = subjectOf(el, tag);
    const input = localName(s) === 'input' && inputType(s) === 'file';
    return (input ? 'input' : takesDrops(el) && !listensForClicks(el) && !nativeControls[tag] ? 'drop' : 'click') + '\n' + errorText(s, localName(s));
  }
  return 'option\n' + (tag === 'select' ? selectIndex(el) : -1);
};
// optionIndex finds an option of a native select by its label or value; a string says what is wrong.
const optionIndex = (el, value) => {
  if (localName(el) !== 'select') return problem('unsupported', 'it is not a native select');
  const list = options(el), want = fold(value), low = lower(want);
  const tests = [o => optionText(o) === want, o => optionValue(o) === value, o => lower(optionText(o)) === low, o => lower(grouped(o)) === low];
  for (let t = 0; t < tests.length; t++) {
    let found = -1, disabled = false;
    for (let i = 0; i < list.length; i++) {
      if (!tests[t](list[i])) continue;
      if (matches(list[i], ':disabled')) disabled = true;
      else if (found < 0) found = i;
      else if (grouped(list[i]) !== grouped(list[found])) return problem('ambiguous', "two options read so: '" + grouped(list[found]) + "' and '" + grouped(list[i]) + "'");
    }
    if (found >= 0) return found;
    if (disabled) return problem('bad_value', 'the option is disabled');
  }
  const names = [];
  for (let i = 0; i < list.length && i < 10; i++) names[i] = "'" + optionText(list[i]) + "'";
  return problem('bad_value', 'no such option; there are: ' + join(names, ', ') + (list.length > 10 ? ', and ' + (list.length - 10) + ' more' : ''));
};
// scroll moves the page, or the element's scroller, by most of a screen, or to an end. Its promise is kept when the page
// has been told, so that what it draws in answer has been drawn.
const scroll = async text => {
  const a = parseJSON(text);
  let el = a.n ? elementOf(a.n) : null;
  for (; el; el = up(el)) if (scrolls(el)) break;
  if (!el) el = docScroller(doc) || docElement(doc);
  if (!el) return '';
  if (!a.n && scrollHeight(el) <= viewHeight() + 1) { // an app shell: the largest scroller on screen
    let best = 0;
    const all = find(doc, '*');
    for (let i = 0; i < all.length && i < 20000; i++) {
      if (scrollHeight(all[i]) <= clientHeight(all[i]) + 1 || !scrolls(all[i])) continue;
      const size = clientWidth(all[i]) * clientHeight(all[i]);
      if (size > best) { best = size; el = all[i]; }
    }
  }
  const page = el === docScroller(doc) ? viewHeight() : clientHeight(el);
  const before = scrollTop(el);
  if (a.to === 'top' || a.to === 'bottom') scrollTo(el, { top: a.to === 'top' ? 0 : scrollHeight(el), behavior: 'instant' });
  else scrollBy(el, { top: (a.to === 'up' ? -0.8 : 0.8) * page, behavior: 'instant' });
  if (scrollTop(el) !== before) await new NewPromise(done => { nextFrame(done); after(done, 1000); });
  return '';
};

define(globalThis, KEY, { value: { __proto__: null, doc, snapshot, piece, opened, wait, number, check, aim, through, verdict, ready, parts, slide, pick, listed, listState, ending, typing, calendar, cells, dateField, state, scroll, inset, centre }, enumerable: false, configurable: true, writable: false });
