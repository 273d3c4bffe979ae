// Roles: WAI-ARIA 1.2 and the HTML Accessibility API Mappings. '' stands for none, presentation and generic.
const ariaRoles = setOf('alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox complementary contentinfo definition deletion dialog directory document emphasis feed figure form grid gridcell group heading img insertion link list listbox listitem log main marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter navigation note option paragraph progressbar radio radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status strong subscript superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem');
const simpleRoles = {
  __proto__: null, article: 'article', aside: 'complementary', blockquote: 'blockquote', button: 'button', caption: 'caption', code: 'code',
  datalist: 'listbox', dd: 'definition', del: 'deletion', details: 'group', dfn: 'term', dialog: 'dialog', dt: 'term', em: 'emphasis',
  fieldset: 'group', figure: 'figure', form: 'form', h1: 'heading', h2: 'heading', h3: 'heading', h4: 'heading', h5: 'heading', h6: 'heading',
  hr: 'separator', ins: 'insertion', main: 'main', math: 'math', menu: 'list', meter: 'meter', nav: 'navigation', ol: 'list', optgroup: 'group',
  option: 'option', output: 'status', p: 'paragraph', progress: 'progressbar', search: 'search', strong: 'strong', sub: 'subscript',
  summary: 'button', sup: 'superscript', svg: 'img', table: 'table', tbody: 'rowgroup', textarea: 'textbox', tfoot: 'rowgroup',
  thead: 'rowgroup', time: 'time', tr: 'row', ul: 'list',
};
const inputRoles = {
  __proto__: null, button: 'button', image: 'button', reset: 'button', submit: 'button', file: 'button', checkbox: 'checkbox', radio: 'radio',
  number: 'spinbutton', range: 'slider', search: 'searchbox', hidden: '',
};
const sectioning = 'article, aside, main, nav, section, [role=article], [role=complementary], [role=main], [role=navigation], [role=region]';
const focusableTags = setOf('a button input select textarea summary');

const named = el => !!(attr(el, 'aria-label') || attr(el, 'aria-labelledby') || attr(el, 'title'));

const implicitRole = (el, tag) => {
  const simple = simpleRoles[tag];
  if (simple !== undefined) return simple;
  switch (tag) {
    case 'a': case 'area': return hasAttr(el, 'href') ? 'link' : '';
    case 'input': {
      const type = inputType(el), role = inputRoles[type];
      if (role !== undefined && type !== 'search') return role;
      if (hasAttr(el, 'list')) return 'combobox';
      return type === 'search' ? 'searchbox' : 'textbox';
    }
    case 'select': return selectMultiple(el) || selectSize(el) > 1 ? 'listbox' : 'combobox';
    case 'img': return attr(el, 'alt') === '' && !named(el) ? '' : 'img';
    case 'li': {
      const p = parentNode(el), t = p && isElement(p) ? localName(p) : '';
      return t === 'ul' || t === 'ol' || t === 'menu' || (p && isElement(p) && attr(p, 'role') === 'list') ? 'listitem' : '';
    }
    case 'header': return closest(el, sectioning) ? '' : 'banner';
    case 'footer': return closest(el, sectioning) ? '' : 'contentinfo';
    case 'section': return named(el) ? 'region' : '';
    case 'td': return cellRole(el);
    case 'th': {
      const scope = attr(el, 'scope');
      if (scope === 'row' || scope === 'rowgroup') return 'rowheader';
      if (scope === 'col' || scope === 'colgroup') return 'columnheader';
      return closest(el, 'thead') || !siblingCell(el) ? 'columnheader' : 'rowheader';
    }
  }
  const ce = attr(el, 'contenteditable');
  return ce !== null && ce !== 'false' ? 'textbox' : '';
};
// cellRole is asked for every cell of a table, so that it is looked up once for each row. cellRoles is emptied before
// each turn, because roles change.
let cellRoles = new NewMap();
const forget = () => {
  cellRoles = new NewMap();
  styles = new NewMap();
};
const cellRole = td => {
  const row = parentNode(td);
  let role = mapGet(cellRoles, row);
  if (role === undefined) {
    role = closest(td, '[role=grid], [role=treegrid]') ? 'gridcell' : closest(td, 'table') ? 'cell' : '';
    mapSet(cellRoles, row, role);
  }
  return role;
};
// siblingCell tells whether a header cell has a data cell beside it.
const siblingCell = th => {
  const row = parentNode(th);
  for (let n = row && firstChild(row); n; n = nextSibling(n)) if (isElement(n) && localName(n) === 'td') return true;
  return false;
};
const roleOf = (el, tag) => {
  const text = attr(el, 'role');
  if (text) {
    const w = words(lower(text));
    for (let i = 0; i < w.length; i++) {
      if (ariaRoles[w[i]]) return w[i] === 'directory' ? 'list' : w[i];
      if (w[i] === 'image') return 'img';
      if ((w[i] === 'none' || w[i] === 'presentation' || w[i] === 'generic') && !focusableTags[tag] && !hasAttr(el, 'tabindex')) return '';
    }
  }
  return implicitRole(el, tag);
};
