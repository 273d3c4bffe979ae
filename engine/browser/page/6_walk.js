// The walk: one pass over the flat tree (through slots and shadow roots) that collects the visible text and the
// elements to report. It reads, and never writes.
const nativeControls = setOf('button input select textarea summary');
const widgetRoles = setOf('button link checkbox radio switch textbox searchbox combobox listbox option menuitem menuitemcheckbox menuitemradio tab treeitem slider spinbutton gridcell');
// An element with one of these roles is one thing: a clickable part of it is not a second entry.
const wholeRoles = setOf('button link checkbox radio switch option menuitem menuitemcheckbox menuitemradio tab textbox searchbox spinbutton slider');
const blockTags = setOf('address article aside blockquote body caption dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html legend li main nav ol p pre section table tbody td tfoot th thead tr ul');
const listTags = setOf('ul ol menu');
const genericKinds = setOf('both pointer listener part drag drop');
const cardTags = setOf('li article tr fieldset dialog form section td');
const cardRoles = setOf('listitem article row group radiogroup dialog alertdialog region form tabpanel figure menu listbox navigation');
// Past this many elements, only those that show by tag, attribute or listener that they can be acted on have their
// style looked at, so that a page of any size is read in bounded time.
const leanAfter = 12000, maxNodes = 400000, maxReported = 4000, maxDepth = 1500;

let reactKey = '';
const ownKeys = Object.keys;
const reactHandler = (el, names = clickProps) => {
  if (!reactKey) {
    const keys = ownKeys(el);
    for (let i = 0; i < keys.length; i++) if (indexOf(keys[i], '__reactProps$') === 0) reactKey = keys[i];
    if (!reactKey) return false;
  }
  const props = el[reactKey];
  for (let i = 0; props && i < names.length; i++) if (typeof props[names[i]] === 'function') return true;
  return false;
};
const clickProps = ['onClick', 'onMouseDown', 'onPointerDown'], dropProps = ['onDrop'];
const listensForClicks = el => weakHas(clickable, el) || hasAttr(el, 'onclick') || hasAttr(el, 'onmousedown') || typeof el.onclick === 'function' || reactHandler(el);

const takesDrops = el => weakHas(dropZones, el) || typeof el.ondrop === 'function' || reactHandler(el, dropProps);

// collect walks the document and returns the raw material of a snapshot.
const collect = probes => {
  const wantRoles = { __proto__: null };
  for (let i = 0; probes.roles && i < probes.roles.length; i++) wantRoles[probes.roles[i]] = true;
  const out = { chunks: [], items: [], roots: [doc], frames: [], headings: [], dialogs: [], busy: false, css: null, truncated: false };
  let nodes = 0;
  forget();
  const text = s => { out.chunks[out.chunks.length] = s; };
  const gap = () => { if (out.chunks.length && out.chunks[out.chunks.length - 1] !== ' ') text(' '); };

  const css = new NewMap();
  const matchRoot = root => {
    if (wantRoles.group) loose(root);
    for (let i = 0; probes.css && i < probes.css.length; i++) {
      let found;
      try { found = find(root, probes.css[i]); } catch { continue; }
      for (let k = 0; k < found.length; k++) {
        const list = mapGet(css, found[k]);
        if (list) list[list.length] = i; else mapSet(css, found[k], [i]);
      }
    }
  };
  matchRoot(doc);
  out.css = css;

  const visit = (n, p) => {
    const t = nodeType(n);
    if (t === 3) {
      if (p.seen && !p.skipped && !p.mute) {
        const v = nodeValue(n);
        if (trim(v)) text(v.length > 70000 ? slice(v, 0, 70000) : v); else gap();
      }
      return;
    }
    if (t !== 1 || ++nodes > maxNodes || p.depth > maxDepth) return;
    try { element(n, localName(n), p); } catch { /* an element of a kind that we do not know */ }
  };

  const element = (el, tag, p) => {
    if (tag === 'iframe' || tag === 'frame' || tag === 'object' || tag === 'embed') return frame(el, p);
    const probed = mapHas(css, el);
    if (silent[tag] && !nativeControls[tag] && tag !== 'canvas' && tag !== 'video' && tag !== 'audio' && !probed) return;
    if (tag === 'br') { gap(); return; }
    const role = wantRoles.group && weakGet(captions, el) ? 'group' : roleOf(el, tag);
    const native = nativeControls[tag] || role === 'link' && (tag === 'a' || tag === 'area');
    const lean = nodes > leanAfter && !native && !probed && !widgetRoles[role] && !wantRoles[role] && role !== 'heading' && role !== 'dialog' &&
      !weakHas(clickable, el) && (!hasAttrs(el) || !hasAttr(el, 'style') && !hasAttr(el, 'hidden') && !hasAttr(el, 'tabindex') && !hasAttr(el, 'onclick'));
    const c = { el, up: p, item: p.item, seen: p.seen, pointer: p.pointer, inside: p.inside, clear: p.clear, off: p.off, clip: p.clip, skipped: p.skipped, mute: p.mute, lazy: p.lazy, scrolls: false, list: null, depth: p.depth + 1, heading: null, over: null, from: out.chunks.length, to: 0, tag, role };
    let block = blockTags[tag] === true, pointer = false, style = null;
    if (!lean) {
      const s = style = styleOf(el), display = s.display;
      if (display === 'none') return;
      block = blockDisplay(display);
      c.seen = s.visibility === 'visible' && !p.skipped;
      if (s.opacity === '0') c.clear = true;
      if (c.clear) c.seen = false;
      pointer = !p.inside && s.cursor === 'pointer';
      c.pointer = pointer;
      c.mute = p.mute || unseen(el, s, native || role === 'heading');
    }
    if (!c.off && hasAttrs(el) && (aria(el, 'aria-disabled') === 'true' || hasAttr(el, 'inert'))) c.off = true;
    let item = consider(el, tag, role, native, pointer, probed, c, p);
    if (style && tag !== 'input' && (item || firstElement(el) || shadowOf(el))) clip(el, style, c);
    if (!item && c.scrolls) item = report(el, tag, role, '', c, p, true);
    if (item) {
      c.item = item;
      item.scrolls = c.scrolls;
      c.list = item.generic && listTags[tag] ? item : null;
      if (item.whole) c.inside = true;
    }
    if (role === 'heading' && c.seen && !c.mute) heading(el, c);
    if ((role === 'dialog' || role === 'alertdialog') && c.seen) out.dialogs[out.dialogs.length] = el;
    if (!out.busy && c.seen && (hasAttrs(el) || tag === 'progress')) out.busy = busy(el, tag, role);
    if (tag === 'img' && hasAttr(el, 'usemap')) areas(el, c);
    if (block) gap();
    if (tag === 'details' && !hasAttr(el, 'open')) {
      const s = childTag(el, 'summary');
      if (s) visit(s, c);
    } else if (!silent[tag]) {
      const root = shadowOf(el);
      if (root) { out.roots[out.roots.length] = root; matchRoot(root); }
      children(el, n => visit(n, c));
    }
    if (block) gap();
    c.to = out.chunks.length;
    if (item) item.to = c.to;
  };

  // areas reports the links of an image map where its picture stands.
  const areas = (img, c) => {
    const all = find(rootOf(img), 'map > area[href], map area[href]');
    for (let i = 0; i < all.length; i++) if (imageOf(all[i]) === img) report(all[i], 'area', roleOf(all[i], 'area'), 'native', { ...c, el: all[i], up: c, over: null }, c, false);
  };

  // clip notes in c what of el's content can be seen.
  const clip = (el, s, c) => {
    const pos = s.position;
    if (pos === 'fixed') c.clip = null; else if (pos === 'absolute') while (c.clip && !c.clip.placed) c.clip = c.clip.next;
    const ox = s.overflowX, oy = ox === 'visible' ? 'visible' : s.overflowY; // one of them is never visible alone, but beside clip
    if (ox !== 'visible' && el !== docElement(doc) && el !== docBody(doc)) {
      if (!c.mute && (clientWidth(el) <= 1 || clientHeight(el) <= 1) && s.display !== 'inline') c.mute = true;
      c.scrolls = c.seen && (oy === 'auto' || oy === 'scroll') && scrollHeight(el) > clientHeight(el) + 1;
      c.clip = { el, rect: null, placed: pos !== 'static', hard: ox === 'hidden' || ox === 'clip' || oy === 'hidden' || oy === 'clip', next: c.clip };
    }
    if (s.contentVisibility === 'hidden') c.skipped = true;
    if (s.contentVisibility === 'auto') c.lazy = el; // its content has no boxes while it is far from the screen
  };

  const heading = (el, c) => {
    const h = { el, text: null };
    out.headings[out.headings.length] = h;
    // It heads what follows it in its parent, and further up when that parent only wraps it.
    let inner = el, owner = c.up;
    for (let i = 0; owner; i++) {
      owner.heading = h;
      if (i === 2 || !(owner.tag === 'header' || owner.tag === 'hgroup' || onlyChild(inner, owner.el))) return;
      inner = owner.el;
      owner = owner.up;
    }
  };

  const frame = (el, p) => {
    const s = styleOf(el);
    if (s.display === 'none') return;
    gap();
    out.frames[out.frames.length] = { el, at: out.items.length, item: p.item, up: p, clip: p.clip, seen: p.seen && s.visibility === 'visible' && !p.clear && s.opacity !== '0' };
    if (mapHas(css, el) || wantRoles[roleOf(el, localName(el))]) consider(el, localName(el), roleOf(el, localName(el)), false, false, true, p, p);
  };

  // partOf tells whether something to tick is what an element of the same role is made of.
  const partOf = (role, p) => ticked[role] === true && !!p.item && p.item.whole && p.item.role === role;

  // consider decides whether an element is reported. Its kind says why it can be acted on: a native control, a widget
  // by its role, a label or box that stands in for a control, a thing with a hand for a pointer, with a click listener or
  // both, an entry of a list that listens for its entries, something to drag, a place to drop things on; '' is for what was only asked for.
  const consider = (el, tag, role, native, pointer, probed, c, p) => {
    let kind = '';
    if (native) kind = tag === 'input' && (inputType(el) === 'hidden' || partOf(role, p)) ? '' : tag === 'summary' && !isToggle(el) ? '' : 'native';
    else if (widgetRoles[role]) {
      kind = role === 'gridcell' && !pointer && !hasAttr(el, 'tabindex') && !listensForClicks(el) ? '' : 'widget';
      if (role === 'textbox' && p.inside && tag !== 'input' && attr(el, 'role') === null && editableFlag(parentNode(el))) kind = '';
      const inner = role === 'combobox' && tag !== 'input' && listIn(el);
      if (inner) kind = boxOfList(el) ? 'label' : offersItself(inner) ? '' : kind; // drawn around another
      if (role === 'textbox' && attr(el, 'aria-readonly') === 'true' && tag === 'span' && closest(el, '[role=combobox]')) kind = ''; // shows what is chosen
    } else if (tag === 'label' && standInFor(el, tag)) kind = partOf(roleOf(labelControl(el), 'input'), p) ? '' : 'label';
    else if (!p.inside && tag !== 'html' && tag !== 'body' && tag !== 'option' && tag !== 'optgroup') {
      const own = pointer && !p.pointer;
      const listens = (own || nodes <= leanAfter || weakHas(clickable, el)) && listensForClicks(el);
      if ((own || listens) && !(tag === 'label' && labelControl(el))) kind = boxOfList(el) || boxOfTick(el) ? 'label' : own ? (listens ? 'both' : 'pointer') : 'listener';
      else if (p.list || attr(el, 'draggable') === 'true') kind = p.list ? 'part' : 'drag';
      else if (nodes <= leanAfter && takesDrops(el)) kind = 'drop';
      if (kind && nodes <= leanAfter && shownRole(el, tag) === 'radio') { role = 'radio'; kind = 'widget'; }
    }
    const wanted = probed || wantRoles[role] === true || probes.text === true && !p.inside && hasText(el);
    return kind || wanted ? report(el, tag, role, kind, c, p, wanted) : null;
  };

  const report = (el, tag, role, kind, c, p, wanted) => {
    if (out.items.length >= maxReported) { out.truncated = true; return null; }
    const generic = genericKinds[kind] === true;
    const item = { el, tag, role, kind, generic, whole: kind === 'label' || !generic && !!kind && wholeRoles[role] === true, c, parent: p.item, from: out.chunks.length, to: 0, subs: 0, sub: null, rect: null, drop: false, probed: wanted, scrolls: false, parts: null };
    if (kind === 'part') {
      if (!p.list.parts) p.list.parts = [];
      p.list.parts[p.list.parts.length] = item;
    }
    out.items[out.items.length] = item;
    return item;
  };

  const top = docElement(doc);
  if (top) visit(top, { el: null, up: null, item: null, seen: true, pointer: false, inside: false, clear: false, off: false, clip: null, skipped: false, mute: false, lazy: null, scrolls: false, list: null, depth: 0, heading: null, tag: '', role: '', from: 0, to: 0 });
  return out;
};

// unseen tells whether an element keeps its text from the eye: clipped away, shrunk to nothing, or moved off the page.
// What is not placed by itself, and has no elements in it, is not looked at: each property costs a microsecond.
const unseen = (el, s, word) => {
  const p = s.position;
  if (p !== 'absolute' && p !== 'fixed') return word && parseFloat(s.textIndent) < -900;
  if (clippedAway(s) || parseFloat(s.left) < -900 || parseFloat(s.top) < -900) return true;
  return s.overflowX !== 'visible' && (clientWidth(el) <= 1 || clientHeight(el) <= 1);
};
// hasText tells whether el itself, and not only an element in it, holds text.
const hasText = el => {
  for (let n = firstChild(el); n; n = nextSibling(n)) if (nodeType(n) === 3 && trim(nodeValue(n))) return true;
  return false;
};
const isToggle = el => {
  const p = parentNode(el);
  return !!p && isElement(p) && localName(p) === 'details' && childTag(p, 'summary') === el;
};
const onlyChild = (el, parent) => {
  if (!parent) return false;
  for (let n = firstChild(parent); n; n = nextSibling(n)) if (n !== el && (isElement(n) || nodeType(n) === 3 && trim(nodeValue(n)))) return false;
  return true;
};
const busy = (el, tag, role) => {
  if (attr(el, 'aria-busy') === 'true') return true;
  if (role === 'progressbar') return tag === 'progress' ? !hasAttr(el, 'value') : attr(el, 'aria-valuenow') === null;
  if (role !== 'status') return false;
  return !!regExec(/spin|load/i, (attr(el, 'class') || '') + ' ' + (attr(el, 'aria-label') || '')) || !!regExec(/^(loading|please wait|searching)/i, fold(textContent(el) || ''));
};
