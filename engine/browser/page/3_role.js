// Roles: WAI-ARIA 1.2 and the HTML Accessibility API Mappings. '' stands for none, presentation and generic.
const ariaRoles = setOf('alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox complementary contentinfo definition deletion dialog directory document emphasis feed figure form grid gridcell group heading img insertion link list listbox listitem log main mark marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter navigation note option paragraph progressbar radio radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status strong subscript superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem');
const simpleRoles = {
  __proto__: null, address: 'group', article: 'article', blockquote: 'blockquote', button: 'button', caption: 'caption', code: 'code',
  datalist: 'listbox', dd: 'definition', del: 'deletion', details: 'group', dfn: 'term', dialog: 'dialog', dir: 'list', dt: 'term', em: 'emphasis',
  fieldset: 'group', figure: 'figure', form: 'form', h1: 'heading', h2: 'heading', h3: 'heading', h4: 'heading', h5: 'heading', h6: 'heading',
  hgroup: 'group', hr: 'separator', ins: 'insertion', main: 'main', mark: 'mark', math: 'math', menu: 'list', meter: 'meter', nav: 'navigation',
  ol: 'list', optgroup: 'group', option: 'option', output: 'status', p: 'paragraph', progress: 'progressbar', s: 'deletion', search: 'search',
  strong: 'strong', sub: 'subscript', sup: 'superscript', svg: 'img', table: 'table', textarea: 'textbox', time: 'time', ul: 'list',
};
const inputRoles = {
  __proto__: null, button: 'button', image: 'button', reset: 'button', submit: 'button', file: 'button', checkbox: 'checkbox', radio: 'radio',
  number: 'spinbutton', range: 'slider', search: 'searchbox', hidden: '',
};
const suggestTypes = setOf('text search tel url email'); // the inputs that a datalist makes a combobox
const sectioning = 'article, aside, main, nav, section, [role=article], [role=complementary], [role=main], [role=navigation], [role=region]';
const inSection = ':is(article, aside, nav, section, [role=article], [role=complementary], [role=navigation], [role=region]) *';
const controlTags = setOf('button input select textarea');
const tableRoles = setOf('table grid treegrid');

// named tells whether the author named an element. Its own name would ask for its role, which may be why we are here.
const named = el => {
  if (trim(attr(el, 'aria-label') || '') || trim(attr(el, 'title') || '')) return true;
  const ids = attr(el, 'aria-labelledby');
  return !!ids && referred(el, ids).length > 0;
};
// referred gives the elements that a list of ids stands for.
const referred = (el, ids) => {
  const w = words(ids), out = [];
  for (let i = 0; i < w.length; i++) {
    const target = w[i] && byId(el, w[i]);
    if (target) out[out.length] = target;
  }
  return out;
};

const implicitRole = (el, tag) => {
  const simple = simpleRoles[tag];
  if (simple !== undefined) return simple;
  switch (tag) {
    case 'a': case 'area': return hasAttr(el, 'href') ? 'link' : '';
    case 'input': {
      const type = inputType(el), role = inputRoles[type];
      if (suggestTypes[type] && hasAttr(el, 'list') && inputList(el)) return 'combobox';
      return role === undefined ? 'textbox' : role;
    }
    case 'select': return selectMultiple(el) || selectSize(el) > 1 ? 'listbox' : 'combobox';
    case 'img': return attr(el, 'alt') === '' && !hasAttr(el, 'tabindex') && !named(el) ? '' : 'img';
    case 'li': {
      const p = parentNode(el), t = p && isElement(p) ? localName(p) : '', role = t && explicitRole(p, t);
      return role === 'list' || role === null && simpleRoles[t] === 'list' ? 'listitem' : '';
    }
    case 'summary': return isToggle(el) ? 'button' : '';
    case 'header': return closest(el, sectioning) ? '' : 'banner';
    case 'footer': return closest(el, sectioning) ? '' : 'contentinfo';
    case 'aside': return matches(el, inSection) && !named(el) ? '' : 'complementary';
    case 'section': return named(el) ? 'region' : '';
    case 'thead': case 'tbody': case 'tfoot': return tableAround(el) ? 'rowgroup' : '';
    case 'tr': return tableAround(el) ? 'row' : '';
    case 'td': {
      const table = tableAround(el);
      return table === 'table' ? 'cell' : table && 'gridcell';
    }
    case 'th': {
      if (!tableAround(el)) return '';
      const scope = attr(el, 'scope');
      if (scope === 'row' || scope === 'rowgroup') return 'rowheader';
      if (scope === 'col' || scope === 'colgroup') return 'columnheader';
      return closest(el, 'thead') || !siblingCell(el) ? 'columnheader' : 'rowheader';
    }
  }
  const ce = attr(el, 'contenteditable');
  return ce !== null && ce !== 'false' ? 'textbox' : '';
};
// tableAround is the role of the table that a part of a table belongs to: table, grid, treegrid; or '', when the table
// or what lies between says that it is something else, as a table that is there for its layout does (role=none).
// It is asked for every cell, so that it is looked up once for each row. tables is emptied before each turn, because
// roles change.
let tables = new NewMap(), firstRows = new NewMap();
const forget = () => {
  tables = new NewMap();
  firstRows = new NewMap();
  styles = new NewMap();
};
const tableAround = part => {
  const parent = parentNode(part);
  let role = mapGet(tables, parent);
  if (role === undefined) mapSet(tables, parent, role = tableFrom(parent));
  return role;
};
const tableFrom = parent => {
  for (let p = parent, i = 0; p && isElement(p) && i < 3; p = parentNode(p), i++) { // a row, a group of rows, a table
    const tag = localName(p), role = explicitRole(p, tag);
    if (tag === 'table') return role === null ? 'table' : tableRoles[role] ? role : '';
    if (role !== null && role !== 'row' && role !== 'rowgroup') return '';
  }
  return '';
};
// siblingCell tells whether a header cell has a data cell beside it.
const siblingCell = th => {
  const row = parentNode(th);
  for (let n = row && firstChild(row); n; n = nextSibling(n)) if (isElement(n) && localName(n) === 'td') return true;
  return false;
};
// A role of none is ignored on what can be focused or has a global ARIA attribute (presentational roles conflict
// resolution).
const globalAria = '[aria-atomic], [aria-busy], [aria-controls], [aria-current], [aria-describedby], [aria-description], [aria-details], [aria-flowto], [aria-keyshortcuts], [aria-label], [aria-labelledby], [aria-live], [aria-owns], [aria-relevant], [aria-roledescription]';
const focusable = (el, tag) => {
  if (hasAttr(el, 'tabindex')) return true;
  if (tag === 'a' || tag === 'area') return hasAttr(el, 'href');
  return tag === 'summary' ? isToggle(el) : controlTags[tag] === true && !matches(el, ':disabled');
};
// explicitRole is the first role of the role attribute that counts, null when there is none.
const explicitRole = (el, tag) => {
  const text = aria(el, 'role');
  if (!text) return null;
  const w = words(lower(text));
  for (let i = 0; i < w.length; i++) {
    const role = w[i];
    if (role === 'none' || role === 'presentation') return focusable(el, tag) || matches(el, globalAria) ? null : '';
    if (role === 'generic' && !focusable(el, tag)) return '';
    if ((role === 'region' || role === 'form') && !named(el)) continue; // no landmark without a name
    if (ariaRoles[role]) return role === 'directory' ? 'list' : role;
    if (role === 'image') return 'img';
  }
  return null;
};
const roleOf = (el, tag) => {
  const role = explicitRole(el, tag);
  return role === null ? implicitRole(el, tag) : role;
};
