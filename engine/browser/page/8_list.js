// Lists that are not native: a listbox, or what a combobox or button opens (a list, menu or tree, which may stand
// anywhere in the document).
const optionRoles = '[role=option], [role=menuitemradio], [role=menuitemcheckbox], [role=menuitem], [role=treeitem], [role=radio]';
const listRoles = '[role=listbox], [role=menu], [role=tree], [role=radiogroup]';
const shown = el => { const r = rectOf(el); return r.width > 0 && r.height > 0 && isRendered(el, { visibilityProperty: true }); };

// isList tells whether an element is a list, or may open one: a text field and a button show it only when they do.
const listLike = setOf('combobox listbox tree menu menubar');
const isList = el => !!weakGet(boxes, el) || !!editableIn(el) || roleOf(el, localName(el)) === 'button' || listLike[roleOf(el, localName(el))] || !!attr(el, 'aria-haspopup') || !!attr(el, 'aria-controls') || hasAttr(el, 'list') || hasAttr(el, 'tabindex') && !!orphanLabel(el);

// listsBefore are the lists that were on screen before one was opened: those of other fields among them.
let listsBefore = new NewSet();
// listFor is the open list of el, null when there is none: the one it names, or else one that has come on screen since
// noteTexts. One that stood in el before offers a choice where it has several options.
const listFor = el => {
  const role = roleOf(el, localName(el));
  if (role === 'listbox' || role === 'tree' || role === 'menu') return el;
  const own = listboxOf(el, role);
  if (own && shown(own)) return own;
  const inner = find(shadowOf(el) || el, listRoles), all = find(doc, listRoles);
  for (let i = 0; i < inner.length; i++) if (shown(inner[i]) && !setHas(listsBefore, inner[i])) return inner[i];
  for (let i = all.length - 1; i >= 0; i--) if (shown(all[i]) && !setHas(listsBefore, all[i]) && !within(el, all[i]) && find(all[i], optionRoles).length) return all[i]; // the latest is on top
  for (let i = 0; i < inner.length; i++) if (shown(inner[i]) && optionsIn(inner[i]).length > 1) return inner[i];
  return null;
};
// optionsIn are the options of a list that can be seen, through slots too.
const optionsIn = list => {
  const out = [], visit = n => {
    if (nodeType(n) !== 1) return;
    if (matches(n, optionRoles) && n !== list) { if (shown(n)) out[out.length] = n; return; }
    children(n, visit);
  };
  visit(list);
  return out;
};
// shownBefore holds the texts that were on screen before a list was opened.
let shownBefore = new NewMap();
const eachShownText = f => texts(docElement(doc), n => {
  const e = parentOf(n);
  if (e && isRendered(e, { visibilityProperty: true, opacityProperty: true })) f(e, fold(nodeValue(n)));
});
const noteTexts = () => {
  const lists = find(doc, listRoles);
  listsBefore = new NewSet();
  for (let i = 0; i < lists.length; i++) if (shown(lists[i])) setAdd(listsBefore, lists[i]);
  shownBefore = new NewMap();
  eachShownText((e, t) => mapSet(shownBefore, e, t));
};
// appeared are the rows of text that have come on screen since noteTexts, other than on the field's own line: the
// options of a list that does not say that it is one. A row is a block with nothing else in it.
const appeared = el => {
  const own = rectOf(el), rows = [], taken = new NewSet();
  const bare = !roleOf(el, localName(el)); // which may hold its list
  eachShownText((e, t) => {
    if (mapGet(shownBefore, e) === t || !bare && within(e, el) || closest(e, '[aria-live], [role=status], [role=log], [role=alert], [role=tooltip], label')) return;
    let row = e;
    while (up(row) && !blockDisplay(styleOf(row).display)) row = up(row);
    const said = visibleText(row, 200);
    for (let p = up(row); p && p !== docBody(doc) && visibleText(p, 200) === said; p = up(p)) row = p;
    const r = rectOf(row);
    if (r.width < 8 || r.height < 8 || setHas(taken, row) || row === el || within(el, row) || middle(r, 'y') > own.top && middle(r, 'y') < own.bottom) return;
    setAdd(taken, row);
    rows[rows.length] = row;
  });
  return rows;
};
// offered is what a list offers now: {list, all}; null when none is open.
const offered = el => {
  const list = listFor(el);
  if (list) {
    const all = optionsIn(list);
    if (all.length) return { list, all };
  }
  const rows = appeared(el);
  if (rows.length) {
    let around = up(rows[0]);
    while (around && !within(rows[rows.length - 1], around)) around = up(around);
    return { list: around || rows[0], all: rows };
  }
  return list ? { list, all: [] } : null;
};
const nameOfOption = o => accName(o, true);

// firstText is the first of several texts in an option, which a second line may explain.
const firstText = o => {
  let first = '', all = 0;
  texts(o, n => { if (!all++) first = fold(nodeValue(n)); });
  return all > 1 ? first : '';
};
// matchOption finds the option that value names: the same text, the same but for case, or the only one that begins
// with it, or holds it, as whole words: SHV is not in Nashville. It never takes one of several.
const matchOption = (list, value) => {
  const want = lower(fold(value)), letter = c => c !== undefined && regExec(/[\p{L}\p{N}]/u, c);
  const has = (n, first) => {
    for (let at = indexOf(n, want); at >= 0; at = indexOf(n, want, at + 1)) {
      if (first && at > 0) return false;
      if (!letter(n[at - 1]) && !letter(n[at + want.length])) return true;
    }
    return false;
  };
  const tests = [n => n === fold(value), n => lower(n) === want, (n, o) => lower(firstText(o)) === want, n => has(lower(n), true), n => has(lower(n), false)];
  for (let t = 0; t < tests.length; t++) {
    const hits = [];
    for (let i = 0; i < list.length; i++) if (tests[t](nameOfOption(list[i]), list[i])) hits[hits.length] = list[i];
    if (hits.length === 1) return hits[0];
    if (hits.length > 1) return t < 2 ? hits[0] : hits;
  }
  return null;
};
const namesOf = list => {
  const names = [];
  for (let i = 0; i < list.length && i < 10; i++) names[i] = "'" + cut(nameOfOption(list[i]), 60) + "'";
  return join(names, ', ') + (list.length > 10 ? ', and ' + (list.length - 10) + ' more' : '');
};

// listedBefore is what the last look at a list saw.
let listedBefore = '', drawsRows = false; // the list that is scrolled draws its options as they come into view
const drawTime = 500; // milliseconds that it may take for that
const listedNow = now => {
  if (!now) return 'closed';
  let said = '' + now.all.length;
  for (let i = 0; i < now.all.length; i++) said += '|' + nameOfOption(now.all[i]);
  return now.all.length ? said : said + visibleText(now.list, 200);
};
// loading tells whether a list says that it is not complete: it is busy, something in it moves without end, or its only
// row is no option and ends in dots.
const loading = now => {
  if (!now) return false;
  if (aria(now.list, 'aria-busy') === 'true' || find(now.list, '[aria-busy=true], [role=progressbar]').length) return true;
  const by = animationsOf(now.list);
  for (let i = 0; i < by.length; i++) if (by[i] === 'endless') return true;
  return now.all.length < 2 && !!regExec(/(…|\.\.\.)$/, visibleText(now.list, 200));
};
// doubtful tells whether an option holds what was typed to the letter, or what the field has made of it: it may be a
// row that offers to add that text, and that the list did not have.
const doubtful = (el, name, typed) => {
  const e = editableIn(el), held = e && localName(e) === 'input' ? inputValue(e) : '';
  return indexOf(name, typed) >= 0 || !!held && indexOf(name, held) >= 0;
};

// listed looks for the option a.value in the open list of an element, for a.ms at most, or (a.brief) no longer than until
// there are options: "option n role name", "closed", "scrolled" when it has moved on in a list that goes on, or what is
// wrong. After a.typed was typed it is no longer than until the list has changed and then kept still for a.quiet ms, has not
// changed for a.still ms, or has been closed for a.closed ms; and an option that may be no more than the echo of what was typed is "doubtful".
const listed = text => {
  const a = parseJSON(text), el = a.document === documentID ? elementOf(a.n) : null;
  if (!el) return problem('gone', 'it has left the page');
  const before = listedBefore, began = clock();
  let now = null, last = null, since = 0;
  const answer = () => {
    forget();
    now = offered(el);
    if (!now) return 'closed\n';
    const hit = matchOption(now.all, a.value);
    if (hit && hit.length) return problem('bad_value', "several options match '" + a.value + "': " + namesOf(hit));
    if (hit && disabledOption(hit)) return problem('bad_value', 'the option is disabled');
    if (hit) {
      const name = nameOfOption(hit);
      return problem(a.typed && doubtful(el, name, a.typed) ? 'doubtful' : 'option', numberOf(hit) + ' ' + roleOf(hit, localName(hit)) + ' ' + name);
    }
    return problem('none', now.all.length ? 'no such option; there are: ' + namesOf(now.all) : 'no such option; the list is empty');
  };
  const settled = () => {
    const said = listedNow(now), at = clock();
    if (said !== last) {
      last = said;
      since = at;
      after(wake, a.quiet + 5);
      after(wake, a.still + 5);
    }
    if (!now && at - began >= a.closed && since <= began + 50) return true;
    return at - since >= (said !== before ? a.quiet : a.still) && !loading(now);
  };
  const scrolled = a.scroll > 1;
  const found = () => {
    const kind = slice(answer(), 0, 6);
    if (scrolled && kind !== 'option' && kind !== 'doubtf') return clock() - began >= a.ms && (!drawsRows || listedNow(now) !== before);
    return kind === 'option' || kind === 'doubtf' || a.brief && now && now.all.length > 0 && !loading(now) || a.quiet && settled();
  };
  if (a.closed) after(wake, a.closed + 5);
  if (scrolled) after(wake, a.ms + 5);
  return soon(found, scrolled && drawsRows ? max(a.ms, drawTime) : a.ms, () => {
    const t = answer(), said = listedNow(now);
    listedBefore = said;
    if (!a.scroll || slice(t, 0, 4) !== 'none') return t;
    for (let e = now.list, inner = find(shadowOf(e) || e, '*'), i = -2; i < inner.length; i++) {
      const s = i === -2 ? scrollerOf(now.all[0] || e) : i < 0 ? e : inner[i];
      if (!s || !scrolls(s) || scrollTop(s) + clientHeight(s) >= scrollHeight(s) - 1) continue;
      // A list whose options fill it has all of them there, when it shows the same after it was scrolled; and more only at its end.
      const last = now.all.length ? rectOf(now.all[now.all.length - 1]) : null;
      drawsRows = !!last && scrollHeight(s) - scrollTop(s) - (last.bottom - rectOf(s).top) > 1.5 * last.height;
      scrollBy(s, { top: said === before && a.scroll > 2 && !drawsRows ? scrollHeight(s) : 0.8 * clientHeight(s), behavior: 'instant' });
      return 'scrolled\n';
    }
    return t;
  });
};
// disabledOption tells whether an option says that it cannot be chosen, if only by a data attribute of its own.
const disabledOption = o => {
  if (aria(o, 'aria-disabled') === 'true' || matches(o, ':disabled')) return true;
  const names = attrNames(o);
  for (let i = 0; i < names.length; i++) if (regExec(/^data-(.*-)?disabled$/, names[i]) && attr(o, names[i]) !== 'false') return true;
  return false;
};
const scrollerOf = o => {
  for (let e = up(o); e && e !== docBody(doc) && e !== docElement(doc); e = up(e)) if (scrolls(e)) return e;
  return null;
};
// typing tells what takes the text that filters an open list: "own", the element itself, or "other n", a field in it or
// one that came with the list and has the focus; or "none".
const typing = text => {
  const a = parseJSON(text), el = a.document === documentID ? elementOf(a.n) : null;
  if (!el) return problem('gone', '');
  const takes = e => e && !hasAttr(e, 'readonly') && styleOf(e).pointerEvents !== 'none' && (localName(e) !== 'input' || textTypes[inputType(e)]) && shown(e);
  const own = editableIn(el);
  if (takes(own)) return own === el ? 'own\n' : 'other\n' + numberOf(own);
  const f = focusedElement(), e = f && editableIn(f);
  return e && e === f && takes(e) ? 'other\n' + numberOf(e) : 'none\n';
};
// choiceOf is what an element shows as chosen: its value, or the text of the box around it that holds no other control.
const choiceOf = el => {
  const e = editableIn(el), t = e && localName(e);
  let box = el;
  for (let p = up(el), i = 0; p && i < 5 && p !== docBody(doc); p = up(p), i++) {
    if (rectOf(p).height > 3 * rectOf(el).height + 30 || find(p, plainFields).length > 1) break;
    box = p;
  }
  return ((e && (t === 'input' ? inputValue(e) : t === 'textarea' ? areaValue(e) : '')) || '') + '\t' + visibleText(el, 1000) + '\t' + visibleText(box, 1000);
};
// ending gives the buttons, "n name", of the dialog that an option was clicked in, while it is there: one of them may
// have to be pressed before the choice counts.
const ending = text => {
  const a = parseJSON(text), el = a.document === documentID ? elementOf(a.n) : null, option = elementOf(a.option);
  const box = option && connected(option) && shown(option) ? dialogAround(option) : null;
  if (!box || el && within(el, box)) return 'none\n';
  const all = find(box, 'button, [role=button]'), out = [];
  for (let i = 0; i < all.length; i++) if (shown(all[i]) && !within(option, all[i])) out[out.length] = numberOf(all[i]) + ' ' + accName(all[i], true);
  return problem('buttons', join(out, '\n'));
};
// listState notes what an element shows before a list is opened (a.ms is 0); or waits until it shows the option that was
// clicked: "kept", or "lost" with what it shows.
const listState = text => {
  const a = parseJSON(text), el = a.document === documentID ? elementOf(a.n) : null;
  if (!el || !connected(el)) return 'kept\n'; // replaced by what it is now
  if (a.note) noteTexts();
  if (!a.ms) return 'value\n' + choiceOf(el);
  const option = elementOf(a.option);
  const kept = () => {
    forget();
    const gone = !option || !connected(option) || !shown(option), now = choiceOf(el);
    return !!option && connected(option) && (attr(option, 'aria-selected') === 'true' || attr(option, 'aria-checked') === 'true') ||
      now !== a.before && (gone || indexOf(lower(now), lower(fold(a.name))) >= 0) || gone && indexOf(lower(now), lower(fold(a.name))) >= 0;
  };
  return soon(kept, a.ms, () => (kept() ? 'kept\n' : 'lost\n') + choiceOf(el));
};
