import React, { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Combobox, ComboboxButton, ComboboxInput, ComboboxOption, ComboboxOptions, Field, Label } from '@headlessui/react';
import * as Select from '@radix-ui/react-select';
import { useCombobox } from 'downshift';
import { DayPicker } from 'react-day-picker';
import { de } from 'react-day-picker/locale';
import 'react-day-picker/style.css';
import { CITIES, set, root, ymd, DEF, FULL } from './common.js';

const list = { position: 'absolute', maxHeight: 200, overflow: 'auto', background: '#fff', border: '1px solid', zIndex: 1 };
const matching = q => CITIES.filter(c => c.toLowerCase().includes(q.toLowerCase()));

// Asks a server that takes its time, and offers to make what it does not find.
function Remote() {
  const [query, setQuery] = useState(''), [found, setFound] = useState(null), [city, setCity] = useState(null);
  useEffect(() => {
    setFound(null);
    const t = setTimeout(() => setFound(matching(query)), 400);
    return () => clearTimeout(t);
  }, [query]);
  const own = found && query && !found.includes(query);
  return <Field><Label>City</Label> <Combobox value={city} onChange={c => { setCity(c); set('city', c); }}>
    <ComboboxInput onChange={e => setQuery(e.target.value)} displayValue={c => c ?? ''} /><ComboboxButton>v</ComboboxButton>
    <ComboboxOptions style={list}>
      {!found && <div>Loading…</div>}
      {own && <ComboboxOption value={query}>Add "{query}"</ComboboxOption>}
      {found?.slice(0, 8).map(c => <ComboboxOption key={c} value={c}>{c}</ComboboxOption>)}
    </ComboboxOptions>
  </Combobox></Field>;
}

// Two of each, told apart by a second line.
function Airports() {
  const all = CITIES.flatMap(c => [{ c, of: 'All airports' }, { c, of: 'Municipal' }]);
  const [items, setItems] = useState(all);
  const { isOpen, getLabelProps, getMenuProps, getInputProps, getItemProps } = useCombobox({
    items, itemToString: i => i ? `${i.c} (${i.of})` : '',
    onInputValueChange: e => setItems(all.filter(i => i.c.toLowerCase().includes(e.inputValue.toLowerCase()))),
    onSelectedItemChange: e => set('airport', e.selectedItem && `${e.selectedItem.c}/${e.selectedItem.of}`),
  });
  return <div><label {...getLabelProps()}>Airport</label> <input {...getInputProps()} />
    <ul {...getMenuProps()} style={list}>
      {isOpen && !items.length && <li>No results</li>}
      {isOpen && items.map((item, index) => <li key={item.c + item.of} {...getItemProps({ item, index })}><b>{item.c}</b><div>{item.of}</div></li>)}
    </ul></div>;
}

function State() {
  return <div><label id="state-label">State</label> <Select.Root onValueChange={v => set('state', v)}>
    <Select.Trigger aria-labelledby="state-label"><Select.Value placeholder="Pick one" /></Select.Trigger>
    <Select.Portal><Select.Content position="popper" style={{ ...list, position: 'static' }}><Select.Viewport>
      {CITIES.map(c => <Select.Item key={c} value={c} disabled={c === 'Boise'}><Select.ItemText>{c}</Select.ItemText></Select.Item>)}
    </Select.Viewport></Select.Content></Select.Portal>
  </Select.Root></div>;
}

// A button that shows the date, as shadcn has it.
function Day() {
  const [open, setOpen] = useState(false), [day, setDay] = useState();
  return <div><label htmlFor="day">Reisetag</label> <button id="day" aria-haspopup="dialog" aria-expanded={open} onClick={() => setOpen(!open)}>{day ? day.toLocaleDateString('de', { dateStyle: 'long' }) : 'Datum wählen'}</button>
    {open && <div role="dialog" style={{ ...list, maxHeight: 'none' }}><DayPicker mode="single" locale={de} captionLayout="dropdown" startMonth={new Date(2024, 0)} endMonth={new Date(2030, 11)}
      defaultMonth={DEF} disabled={d => ymd(d) === FULL} selected={day} onSelect={d => { setDay(d); setOpen(false); set('day', d && ymd(d)); }} /></div>}</div>;
}
createRoot(root).render(<><Remote /><Airports /><State /><Day /></>);
