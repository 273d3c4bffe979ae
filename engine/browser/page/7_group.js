// Groups that nobody has marked up: radio buttons of one name, or the parts of one date, beside a text that is their
// label. They are looked for only where a flow asks for groups.
const captions = new NewWeakMap(); // what such a group is called
const looseRoles = setOf('cell gridcell definition paragraph listitem');
const maxLoose = 200;

// loose finds the groups of a document or shadow root, and notes their captions.
const loose = root => {
  const sets = new NewMap(), radios = find(root, 'input[type=radio]');
  for (let i = 0; i < radios.length && i < maxLoose; i++) {
    const key = attr(radios[i], 'name') || othersAround(radios[i]), list = mapGet(sets, key);
    if (list) list[list.length] = radios[i]; else if (key) mapSet(sets, key, [radios[i]]);
  }
  mapEach(sets, list => {
    if (list.length < 2) return;
    let e = up(list[0]);
    while (e && !holdsAll(e, list)) e = up(e);
    if (e) caption(e, list);
  });
  const parts = find(root, 'select, input[maxlength], input[size], input[type=number][name*=year i], input[type=number][aria-label*=year i]');
  for (let i = 0; i < parts.length && i < maxLoose; i++) {
    if (segmentKind(parts[i]) !== 'year') continue;
    for (let e = up(parts[i]), depth = 0; e && depth < 4; e = up(e), depth++) {
      if (!segmentsOf(e).length) continue;
      caption(e, find(e, controlsInside));
      break;
    }
  }
  looseParts(root);
  looseRows(root);
};
// othersAround is the nearest box around a radio button without a name that holds another one.
const othersAround = radio => {
  for (let e = up(radio), depth = 0; e && depth < 5; e = up(e), depth++) if (find(e, 'input[type=radio]').length > 1) return e;
  return null;
};
const holdsAll = (e, list) => {
  for (let i = 0; i < list.length; i++) if (!within(list[i], e)) return false;
  return true;
};
// caption names what holds the controls and nothing but them, unless it, or what is around it, is a group already. bare
// tells that a text before the first of them is not its own label.
const caption = (e, list, bare) => {
  const tag = localName(e), role = roleOf(e, tag);
  if (tag === 'body' || tag === 'form' || role && !looseRoles[role] || find(e, controlsInside).length !== list.length) return;
  const around = closest(e, 'fieldset, [role=group], [role=radiogroup]');
  if (around && find(around, controlsInside).length === list.length && fold(nameOf(around, { seen: new NewSet(), ref: false, label: false, hidden: false, depth: 0 }))) return;
  const text = captionText(e, list[0], bare);
  if (text) weakSet(captions, e, text);
};
const captionText = (group, first, bare) => {
  const cell = closest(group, 'td, [role=cell], [role=gridcell]');
  const head = cell && cellHeader(cell);
  if (head) return head;
  const labels = labelsOf(first, localName(first));
  if (bare || labels && labels.length || localName(first) === 'select') {
    let e = first;
    while (up(e) !== group) e = up(e);
    const t = beside(e, previousSibling);
    if (t) return t;
  }
  for (let e = group, depth = 0; e && depth < 4; depth++) {
    const t = beside(e, previousSibling);
    if (t) return t;
    const p = up(e);
    if (!p || localName(p) === 'body' || othersBeside(p, group)) return '';
    e = p;
  }
  return '';
};
