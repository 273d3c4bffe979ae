// Lists that are not native: a listbox, or what a combobox or button opens (a list, menu or tree, which may stand
// anywhere in the document).
const optionRoles = '[role=option], [role=menuitemradio], [role=menuitemcheckbox], [role=menuitem], [role=treeitem]';
const listRoles = '[role=listbox], [role=menu], [role=tree]';
const shown = el => { const r = rectOf(el); return r.width > 0 && r.height > 0 && isRendered(el, { visibilityProperty: true }); };

// isList tells whether an element is a list, or opens one.
const listLike = setOf('combobox listbox tree menu menubar');
const isList = el => listLike[roleOf(el, localName(el))] || !!attr(el, 'aria-haspopup') || !!attr(el, 'aria-controls') || hasAttr(el, 'list');

// listFor is the open list of el, null when there is none.
const listFor = el => {
  const role = roleOf(el, localName(el));
  if (role === 'listbox' || role === 'tree' || role === 'menu') return el;
  const own = listboxOf(el, role);
  if (own && shown(own)) return own;
  const inner = find(shadowOf(el) || el, listRoles);
  for (let i = 0; i < inner.length; i++) if (shown(inner[i])) return inner[i];
  const all = find(doc, listRoles);
  for (let i = all.length - 1; i >= 0; i--) if (shown(all[i]) && !within(el, all[i]) && find(all[i], optionRoles).length) return all[i]; // the latest is on top
  return null;
};
const optionsIn = list => {
  const all = find(list, optionRoles), out = [];
  for (let i = 0; i < all.length; i++) if (shown(all[i])) out[out.length] = all[i];
  return out;
};
const nameOfOption = o => accName(o, true);

// matchOption finds the option that value names: the same text, the same but for case, or the only one that begins
// with it, or that holds it. It never takes one of several.
const matchOption = (list, value) => {
  const want = lower(fold(value));
  const tests = [n => n === fold(value), n => lower(n) === want, n => indexOf(lower(n), want) === 0, n => indexOf(lower(n), want) >= 0];
  for (let t = 0; t < tests.length; t++) {
    const hits = [];
    for (let i = 0; i < list.length; i++) if (tests[t](nameOfOption(list[i]))) hits[hits.length] = list[i];
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

// listed looks for the option a.value in the open list of an element, for a.ms at most: "option n role name", "closed",
// "scrolled" when it has moved on in a list that goes on, or what is wrong.
const listed = text => {
  const a = parseJSON(text), el = a.document === documentID ? elementOf(a.n) : null;
  if (!el) return problem('gone', 'it has left the page');
  const answer = () => {
    forget();
    const list = listFor(el);
    if (!list) return 'closed\n';
    const all = optionsIn(list), hit = matchOption(all, a.value);
    if (hit && hit.length) return problem('bad_value', "several options match '" + a.value + "': " + namesOf(hit));
    if (hit) return problem('option', numberOf(hit) + ' ' + roleOf(hit, localName(hit)) + ' ' + nameOfOption(hit));
    return problem('none', all.length ? 'no such option; there are: ' + namesOf(all) : 'the list is empty');
  };
  return soon(() => slice(answer(), 0, 6) === 'option', a.ms, () => {
    const t = answer();
    if (!a.scroll || slice(t, 0, 4) !== 'none') return t;
    for (let e = listFor(el), inner = find(e, '*'), i = -1; i < inner.length; i++) {
      const s = i < 0 ? e : inner[i];
      if (!scrolls(s) || scrollTop(s) + clientHeight(s) >= scrollHeight(s) - 1) continue;
      scrollBy(s, { top: 0.8 * clientHeight(s), behavior: 'instant' });
      return 'scrolled\n';
    }
    return t;
  });
};
// listState waits until an element shows the option that was clicked: "kept", or "lost" with what it shows.
const listState = text => {
  const a = parseJSON(text), el = a.document === documentID ? elementOf(a.n) : null;
  if (!el || !connected(el)) return 'kept\n'; // replaced by what it is now
  const value = () => {
    forget();
    const e = editableIn(el), t = e && localName(e);
    return (e && (t === 'input' ? inputValue(e) : t === 'textarea' ? areaValue(e) : '')) || visibleText(el, 1000);
  };
  const option = elementOf(a.option);
  const kept = () => indexOf(lower(value()), lower(fold(a.name))) >= 0 || value() !== a.before ||
    !!option && connected(option) && (attr(option, 'aria-selected') === 'true' || attr(option, 'aria-checked') === 'true');
  return a.ms ? soon(kept, a.ms, () => (kept() ? 'kept\n' : 'lost\n') + value()) : 'value\n' + value();
};
