// What a page would hide: closed shadow roots, click listeners, and when it changes; and the numbers that stand for
// elements outside.
const documentID = slice(random().toString(36) + '000000', 2, 8);
const closedRoots = new NewWeakMap();
const clickable = new NewWeakSet(), dropZones = new NewWeakSet();
const pointerEvents = setOf('click dblclick mousedown mouseup pointerdown pointerup');

const wrap = (proto, name, around) => {
  const desc = ownDesc(proto, name), original = desc.value;
  const wrapped = { [name]() { return around(this, original, arguments); } }[name];
  try {
    define(wrapped, 'length', { value: original.length, configurable: true });
    define(proto, name, { value: wrapped, writable: desc.writable, enumerable: desc.enumerable, configurable: desc.configurable });
  } catch { /* not configurable: go without */ }
};

wrap(Element.prototype, 'attachShadow', (self, original, args) => {
  const root = apply(original, self, args);
  weakSet(closedRoots, self, root);
  if (armed) watch(root);
  return root;
});
const internals = new NewWeakMap();
wrap(HTMLElement.prototype, 'attachInternals', (self, original, args) => {
  const got = apply(original, self, args);
  weakSet(internals, self, got);
  return got;
});
wrap(EventTarget.prototype, 'addEventListener', (self, original, args) => {
  try {
    if (pointerEvents[args[0]] && self && args[1]) weakAdd(clickable, self);
    if (args[0] === 'drop' && self && args[1]) weakAdd(dropZones, self);
  } catch { /* never disturb the page */ }
  return apply(original, self === undefined ? globalThis : self, args);
});

// A window that opens when a timer has run down is an advertisement: what the user did opens one at once, or when the
// server has answered. lastOpen is which of them the last one was.
const longTimer = 100; // milliseconds; shorter ones only let the page draw first
let inTimer = 0, lastOpen = '';
const timed = (self, original, args) => {
  const f = args[0];
  if (typeof f === 'function' && args[1] >= longTimer) {
    args[0] = function () {
      inTimer++;
      try { return apply(f, this, arguments); } finally { inTimer--; }
    };
  }
  return apply(original, self === undefined ? globalThis : self, args);
};
wrap(globalThis, 'setTimeout', timed);
wrap(globalThis, 'setInterval', timed);
wrap(globalThis, 'open', (self, original, args) => {
  lastOpen = inTimer ? 'stray' : 'own';
  return apply(original, self === undefined ? globalThis : self, args);
});
const opened = () => {
  const was = lastOpen;
  lastOpen = '';
  return was;
};

// aria is an ARIA attribute, or what a custom element says in its ElementInternals; null when there is neither.
const internal = name => getter(ElementInternals.prototype, name);
const internalAria = {
  __proto__: null, 'role': internal('role'), 'aria-label': internal('ariaLabel'), 'aria-checked': internal('ariaChecked'),
  'aria-pressed': internal('ariaPressed'), 'aria-selected': internal('ariaSelected'), 'aria-expanded': internal('ariaExpanded'),
  'aria-disabled': internal('ariaDisabled'), 'aria-required': internal('ariaRequired'), 'aria-invalid': internal('ariaInvalid'),
};
const aria = (el, name) => {
  const own = attr(el, name);
  if (own !== null) return own;
  const i = weakGet(internals, el);
  return i ? internalAria[name](i) : null;
};
// attributesOf holds all attributes of an element, for who asks for more of them than most elements have.
const attributesOf = el => {
  const names = attrNames(el), out = { __proto__: null };
  for (let i = 0; i < names.length; i++) out[names[i]] = attr(el, names[i]);
  return out;
};

const shadowOf = el => openRoot(el) || weakGet(closedRoots, el) || null;

// version counts the changes of this document; waiters are resolved at the next one.
let version = 1, waiters = [];
const wake = () => {
  const w = waiters;
  waiters = [];
  for (let i = 0; i < w.length; i++) w[i]('');
};
const changed = () => {
  version++;
  wake();
};
// mutations counts those that the page itself made, without focus, values and scrolling.
let mutations = 0;
const mutated = () => {
  mutations++;
  changed();
};
const observer = new NewObserver(mutated);
const everything = { subtree: true, childList: true, attributes: true, characterData: true };
const watched = new NewWeakSet();
const watch = root => {
  if (weakHas(watched, root)) return;
  weakAdd(watched, root);
  observe(observer, root, everything);
};
// What changes a page without a mutation: values, focus, scrolling, style sheets that arrive, ends of animations.
const quiet = ['input', 'change', 'focusin', 'focusout', 'scroll', 'load', 'transitionend', 'animationend', 'toggle'];
const passive = { capture: true, passive: true };
// arm starts to watch the document. It is called at each look and not before the first, because observing while a
// large page is parsed costs seconds; document.open() removes listeners, and adding one twice does nothing.
let armed = false;
const arm = () => {
  armed = true;
  for (let i = 0; i < quiet.length; i++) listen(doc, quiet[i], changed, passive);
  listen(globalThis, 'resize', changed, passive);
  for (let i = 0; i < guarded.length; i++) listen(globalThis, guarded[i], guardEvent, true);
  observe(observer, doc, everything);
};
// What the last look saw: where each element was, and when.
const lastRects = new NewWeakMap();
let lastVersion = 0, lastFrame = -1;
const frameTime = () => timelineNow(docTimeline(doc));

const settle = () => { if (takeRecords(observer).length) mutated(); };

const numbers = new NewWeakMap(), elements = new NewMap();
let lastNumber = 0;
const numberOf = el => {
  let n = weakGet(numbers, el);
  if (n === undefined) {
    n = ++lastNumber;
    weakSet(numbers, el, n);
    mapSet(elements, n, new NewWeakRef(el));
    if (n % 10000 === 0) mapEach(elements, (ref, k) => { if (!deref(ref)) mapDelete(elements, k); });
  }
  return n;
};
const elementOf = n => {
  const ref = mapGet(elements, n);
  return ref ? deref(ref) || null : null;
};

// up is the parent in the flat tree: through slots, then through shadow roots to their hosts.
const up = n => {
  const slot = isElement(n) ? slotOfElement(n) : nodeType(n) === 3 ? slotOfText(n) : null;
  if (slot) return slot;
  const p = parentNode(n);
  if (!p) return null;
  const t = nodeType(p);
  if (t === 1) return p;
  if (t === 11) { try { return hostOf(p); } catch { return null; } }
  return null;
};
// within tells whether n is el or lies inside it, in the flat tree or the tree of hosts.
const within = (n, el) => {
  for (let e = n; e; e = up(e)) if (e === el) return true;
  return false;
};
const byId = (el, id) => {
  const root = rootOf(el);
  if (root === doc) return byIdDocument(doc, id);
  return nodeType(root) === 11 ? byIdFragment(root, id) : null;
};
const find = (root, css) => nodeType(root) === 9 ? qsaDocument(root, css) : nodeType(root) === 11 ? qsaFragment(root, css) : qsaElement(root, css);
// children calls f with each child of el in the flat tree.
const children = (el, f) => {
  const root = shadowOf(el);
  if (root) { watch(root); }
  else if (localName(el) === 'slot') {
    let nodes = null;
    try { nodes = assigned(el); } catch { /* a slot of another namespace */ }
    if (nodes && nodes.length) {
      for (let i = 0; i < nodes.length; i++) f(nodes[i]);
      return;
    }
  }
  for (let n = firstChild(root || el); n; n = nextSibling(n)) f(n);
};
