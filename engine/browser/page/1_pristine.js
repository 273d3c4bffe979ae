// Built-ins as they were before any script of the page ran. Pages patch prototypes (Array.prototype.toJSON,
// Element.prototype.querySelector, Prototype.js), freeze them, and shadow properties by form fields
// (<input name="parentNode">), so nothing below reads a property of a page's object through its prototype.
const un = Function.prototype.bind.bind(Function.prototype.call); // un(f)(self, ...args) is f.call(self, ...args)
const ownDesc = Object.getOwnPropertyDescriptor;
const getter = (proto, name) => un(ownDesc(proto, name).get);
const define = Object.defineProperty;
const apply = Reflect.apply;
const NewMap = Map, NewSet = Set, NewWeakMap = WeakMap, NewWeakSet = WeakSet, NewWeakRef = WeakRef, NewPromise = Promise;
const mapGet = un(Map.prototype.get), mapSet = un(Map.prototype.set), mapHas = un(Map.prototype.has);
const mapDelete = un(Map.prototype.delete), mapEach = un(Map.prototype.forEach), mapSize = getter(Map.prototype, 'size');
const setHas = un(Set.prototype.has), setAdd = un(Set.prototype.add), setDelete = un(Set.prototype.delete);
const weakGet = un(WeakMap.prototype.get), weakSet = un(WeakMap.prototype.set);
const weakHas = un(WeakSet.prototype.has), weakAdd = un(WeakSet.prototype.add), weakDelete = un(WeakSet.prototype.delete), deref = un(WeakRef.prototype.deref);
const join = un(Array.prototype.join), sortArray = un(Array.prototype.sort);
const slice = un(String.prototype.slice), split = un(String.prototype.split), indexOf = un(String.prototype.indexOf);
const lower = un(String.prototype.toLowerCase), codeAt = un(String.prototype.charCodeAt), trim = un(String.prototype.trim);
const regExec = un(RegExp.prototype.exec);
const parseJSON = JSON.parse, stringify = JSON.stringify;
const round = Math.round, min = Math.min, max = Math.max, random = Math.random;
const clock = performance.now.bind(performance);
const after = setTimeout.bind(globalThis), nextFrame = requestAnimationFrame.bind(globalThis);
const computed = getComputedStyle.bind(globalThis);
// styleOf is the computed style of an element. It is kept for one turn of the script, in which no page script runs:
// forget starts the next one. While a look is taken nothing moves (frozen), and a property is read from the browser once,
// which costs a microsecond.
let styles = new NewMap(), frozen = false;
class Style {
  constructor(of) {
    this.of = of;
    this._display = this._visibility = this._position = this._opacity = this._cursor = this._overflowX = this._textIndent = this._contentVisibility =
      this._pointerEvents = this._clipPath = undefined;
  }
  // What is read of every element is written out: one getter for all names would read each by a slower path (0.57 us against 0.38).
  get display() { return frozen && this._display !== undefined ? this._display : this._display = this.of.display; }
  get visibility() { return frozen && this._visibility !== undefined ? this._visibility : this._visibility = this.of.visibility; }
  get position() { return frozen && this._position !== undefined ? this._position : this._position = this.of.position; }
  get opacity() { return frozen && this._opacity !== undefined ? this._opacity : this._opacity = this.of.opacity; }
  get cursor() { return frozen && this._cursor !== undefined ? this._cursor : this._cursor = this.of.cursor; }
  get overflowX() { return frozen && this._overflowX !== undefined ? this._overflowX : this._overflowX = this.of.overflowX; }
  get textIndent() { return frozen && this._textIndent !== undefined ? this._textIndent : this._textIndent = this.of.textIndent; }
  get contentVisibility() { return frozen && this._contentVisibility !== undefined ? this._contentVisibility : this._contentVisibility = this.of.contentVisibility; }
  get pointerEvents() { return frozen && this._pointerEvents !== undefined ? this._pointerEvents : this._pointerEvents = this.of.pointerEvents; }
  get clipPath() { return frozen && this._clipPath !== undefined ? this._clipPath : this._clipPath = this.of.clipPath; }
}
const styleNames = ['overflowY', 'clip', 'left', 'top', 'right', 'bottom', 'width', 'height', 'paddingLeft', 'paddingTop', 'direction', 'webkitTextSecurity'];
for (let i = 0; i < styleNames.length; i++) {
  const name = styleNames[i], kept = '_' + name;
  define(Style.prototype, name, { get() {
    if (!frozen) return this.of[name];
    const v = this[kept];
    return v === undefined ? this[kept] = this.of[name] : v;
  } });
}
const styleOf = el => {
  let s = mapGet(styles, el);
  if (!s) mapSet(styles, el, s = new Style(computed(el)));
  return s;
};

const nodeType = getter(Node.prototype, 'nodeType'), parentNode = getter(Node.prototype, 'parentNode');
const firstChild = getter(Node.prototype, 'firstChild'), firstElement = getter(Element.prototype, 'firstElementChild'), nextElement = getter(Element.prototype, 'nextElementSibling'), nextSibling = getter(Node.prototype, 'nextSibling');
const previousSibling = getter(Node.prototype, 'previousSibling'), nodeValue = getter(Node.prototype, 'nodeValue');
const connected = getter(Node.prototype, 'isConnected'), textContent = getter(Node.prototype, 'textContent');
const rootOf = un(Node.prototype.getRootNode), containsNode = un(Node.prototype.contains);
// localName is the tag. An element of another language that is only called like one of HTML, as an <input> in an SVG
// drawing, is not one.
const rawName = getter(Element.prototype, 'localName'), namespaceOf = getter(Element.prototype, 'namespaceURI');
const localName = el => {
  const name = rawName(el);
  return htmlOnly[name] && namespaceOf(el) !== 'http://www.w3.org/1999/xhtml' ? 'foreign-' + name : name;
};
const openRoot = getter(Element.prototype, 'shadowRoot');
const attr = un(Element.prototype.getAttribute), hasAttr = un(Element.prototype.hasAttribute), hasAttrs = un(Element.prototype.hasAttributes), attrNames = un(Element.prototype.getAttributeNames);
const matches = un(Element.prototype.matches), closest = un(Element.prototype.closest);
const rectOf = un(Element.prototype.getBoundingClientRect), rectsOf = un(Element.prototype.getClientRects);
const scrollTo = un(Element.prototype.scrollTo), scrollBy = un(Element.prototype.scrollBy);
const intoView = un(Element.prototype.scrollIntoView), isRendered = un(Element.prototype.checkVisibility);
const slotOfElement = getter(Element.prototype, 'assignedSlot'), slotOfText = getter(Text.prototype, 'assignedSlot');
const clientLeft = getter(Element.prototype, 'clientLeft'), clientTop = getter(Element.prototype, 'clientTop');
const clientWidth = getter(Element.prototype, 'clientWidth'), clientHeight = getter(Element.prototype, 'clientHeight');
const scrollTop = getter(Element.prototype, 'scrollTop'), scrollHeight = getter(Element.prototype, 'scrollHeight');
const scrollWidth = getter(Element.prototype, 'scrollWidth');
const oneOf = un(Element.prototype.querySelector);
const qsaElement = un(Element.prototype.querySelectorAll), qsaFragment = un(DocumentFragment.prototype.querySelectorAll);
const qsaDocument = un(Document.prototype.querySelectorAll);
const byIdDocument = un(Document.prototype.getElementById), byIdFragment = un(DocumentFragment.prototype.getElementById);
const pointDocument = un(Document.prototype.elementFromPoint), pointShadow = un(ShadowRoot.prototype.elementFromPoint);
const activeDocument = getter(Document.prototype, 'activeElement'), activeShadow = getter(ShadowRoot.prototype, 'activeElement');
const createRange = un(Document.prototype.createRange), selectContents = un(Range.prototype.selectNodeContents), rangeRect = un(Range.prototype.getBoundingClientRect);
const hostOf = getter(ShadowRoot.prototype, 'host');
const assigned = un(HTMLSlotElement.prototype.assignedNodes);
const editableFlag = getter(HTMLElement.prototype, 'isContentEditable');
const inputType = getter(HTMLInputElement.prototype, 'type'), inputValue = getter(HTMLInputElement.prototype, 'value');
const inputChecked = getter(HTMLInputElement.prototype, 'checked'), inputMixed = getter(HTMLInputElement.prototype, 'indeterminate');
const focusOn = un(HTMLElement.prototype.focus), inputSelect = un(HTMLInputElement.prototype.select), areaSelect = un(HTMLTextAreaElement.prototype.select);
const setChosen = un(ownDesc(HTMLOptionElement.prototype, 'selected').set);
const inputList = getter(HTMLInputElement.prototype, 'list');
const inputCaret = un(HTMLInputElement.prototype.setSelectionRange), areaCaret = un(HTMLTextAreaElement.prototype.setSelectionRange);
const areaValue = getter(HTMLTextAreaElement.prototype, 'value');
const inputLabels = getter(HTMLInputElement.prototype, 'labels'), areaLabels = getter(HTMLTextAreaElement.prototype, 'labels');
const selectLabels = getter(HTMLSelectElement.prototype, 'labels'), buttonLabels = getter(HTMLButtonElement.prototype, 'labels');
const outputLabels = getter(HTMLOutputElement.prototype, 'labels'), meterLabels = getter(HTMLMeterElement.prototype, 'labels');
const progressLabels = getter(HTMLProgressElement.prototype, 'labels');
const labelControl = getter(HTMLLabelElement.prototype, 'control');
const selectOptions = getter(HTMLSelectElement.prototype, 'options'), selectIndex = getter(HTMLSelectElement.prototype, 'selectedIndex');
const setSelectIndex = un(ownDesc(HTMLSelectElement.prototype, 'selectedIndex').set);
const setInputValue = un(ownDesc(HTMLInputElement.prototype, 'value').set);
const selectMultiple = getter(HTMLSelectElement.prototype, 'multiple'), selectSize = getter(HTMLSelectElement.prototype, 'size');
const optionLabel = getter(HTMLOptionElement.prototype, 'label'), optionValue = getter(HTMLOptionElement.prototype, 'value');
const optionChosen = getter(HTMLOptionElement.prototype, 'selected');
const readyState = getter(Document.prototype, 'readyState'), docElement = getter(Document.prototype, 'documentElement');
const docTitle = getter(Document.prototype, 'title'), docScroller = getter(Document.prototype, 'scrollingElement');
const docBody = getter(Document.prototype, 'body');
const docAnimations = un(Document.prototype.getAnimations), playState = getter(Animation.prototype, 'playState');
const animated = getter(Animation.prototype, 'effect'), animatedElement = getter(KeyframeEffect.prototype, 'target'), timingOf = un(AnimationEffect.prototype.getTiming);
const docTimeline = getter(Document.prototype, 'timeline'), timelineNow = getter(AnimationTimeline.prototype, 'currentTime');
const eventX = getter(MouseEvent.prototype, 'clientX'), eventY = getter(MouseEvent.prototype, 'clientY'), eventType = getter(Event.prototype, 'type');
const preventDefault = un(Event.prototype.preventDefault), stopEvent = un(Event.prototype.stopImmediatePropagation);
const NewEvent = Event, dispatch = un(EventTarget.prototype.dispatchEvent);
const listen = un(EventTarget.prototype.addEventListener);
const NewObserver = MutationObserver, observe = un(MutationObserver.prototype.observe), takeRecords = un(MutationObserver.prototype.takeRecords);
const doc = document;

const isElement = n => nodeType(n) === 1;
const space = /[^\S ]| {2}|^ | $/;
const spaces = /\s+/g;
const replaceRegex = un(String.prototype.replace);
// fold makes every run of white space one blank and trims.
const fold = s => regExec(space, s) ? trim(replaceRegex(s, spaces, ' ')) : s;
// cut limits a text to n UTF-16 units without splitting a character.
const cut = (s, n) => {
  if (s.length <= n) return s;
  const c = codeAt(s, n - 1);
  return slice(s, 0, c >= 0xd800 && c < 0xdc00 ? n - 1 : n);
};
const plain = /^[ !#-[\]-~]*$/;
// quote writes a JSON string. JSON.stringify never calls toJSON on a primitive.
const quote = s => regExec(plain, s) ? '"' + s + '"' : stringify(s);
const words = s => split(fold(s), ' ');
const setOf = text => {
  const s = { __proto__: null };
  const w = split(text, ' ');
  for (let i = 0; i < w.length; i++) s[w[i]] = true;
  return s;
};
const htmlOnly = setOf('input textarea select button label option optgroup output meter progress fieldset legend form details summary dialog slot iframe frame object embed table td th tr img area');
