import React from 'react';
import { createRoot } from 'react-dom/client';
import { DatePicker } from '@ark-ui/react/date-picker';
import { Select, createListCollection } from '@ark-ui/react/select';
import { Combobox, useListCollection } from '@ark-ui/react/combobox';
import { Portal } from '@ark-ui/react/portal';
import { NumberInput } from '@ark-ui/react/number-input';
import { RatingGroup } from '@ark-ui/react/rating-group';
import { Slider } from '@ark-ui/react/slider';
import { PinInput } from '@ark-ui/react/pin-input';
import { Switch } from '@ark-ui/react/switch';
import { Checkbox } from '@ark-ui/react/checkbox';
import { parseDate } from '@internationalized/date';
import { CITIES, FULL, set, root } from './common.js';
const st = { background: '#fff', border: '1px solid', maxHeight: 260, overflow: 'auto' };
function City() {
  const { collection, filter } = useListCollection({ initialItems: CITIES, filter: (t, q) => t.toLowerCase().includes(q.toLowerCase()) });
  return <Combobox.Root collection={collection} onInputValueChange={d => filter(d.inputValue)} onValueChange={d => set('city', d.value[0] ?? null)}>
    <Combobox.Label>City</Combobox.Label><Combobox.Control><Combobox.Input /><Combobox.Trigger>v</Combobox.Trigger></Combobox.Control>
    <Portal><Combobox.Positioner><Combobox.Content style={st}>{collection.items.map(c => <Combobox.Item key={c} item={c}><Combobox.ItemText>{c}</Combobox.ItemText></Combobox.Item>)}</Combobox.Content></Combobox.Positioner></Portal></Combobox.Root>;
}
function State() {
  const collection = createListCollection({ items: CITIES });
  return <Select.Root collection={collection} onValueChange={d => set('state', d.value[0])}><Select.Label>State</Select.Label><Select.Control><Select.Trigger><Select.ValueText placeholder="Pick" /></Select.Trigger></Select.Control>
    <Portal><Select.Positioner><Select.Content style={st}>{CITIES.map(c => <Select.Item key={c} item={c}><Select.ItemText>{c}</Select.ItemText></Select.Item>)}</Select.Content></Select.Positioner></Portal><Select.HiddenSelect /></Select.Root>;
}
const Table = ({ view, api }) => view === 'day'
  ? <DatePicker.Table><DatePicker.TableHead><DatePicker.TableRow>{api.weekDays.map((w, i) => <DatePicker.TableHeader key={i}>{w.short}</DatePicker.TableHeader>)}</DatePicker.TableRow></DatePicker.TableHead>
    <DatePicker.TableBody>{api.weeks.map((w, i) => <DatePicker.TableRow key={i}>{w.map((d, j) => <DatePicker.TableCell key={j} value={d}><DatePicker.TableCellTrigger>{d.day}</DatePicker.TableCellTrigger></DatePicker.TableCell>)}</DatePicker.TableRow>)}</DatePicker.TableBody></DatePicker.Table>
  : <DatePicker.Table><DatePicker.TableBody>{(view === 'month' ? api.getMonthsGrid({ columns: 4, format: 'short' }) : api.getYearsGrid({ columns: 4 })).map((r, i) => <DatePicker.TableRow key={i}>{r.map((m, j) => <DatePicker.TableCell key={j} value={m.value}><DatePicker.TableCellTrigger>{m.label}</DatePicker.TableCellTrigger></DatePicker.TableCell>)}</DatePicker.TableRow>)}</DatePicker.TableBody></DatePicker.Table>;
const Dp = ({ label, k, mode }) => <DatePicker.Root selectionMode={mode} defaultFocusedValue={parseDate('2027-03-01')} isDateUnavailable={d => d.toString() === FULL} onValueChange={d => set(k, mode ? d.value[1] && d.value.join('/') : d.value[0] && d.value[0].toString())}>
  <DatePicker.Label>{label}</DatePicker.Label><DatePicker.Control><DatePicker.Input index={0} />{mode && <DatePicker.Input index={1} />}<DatePicker.Trigger>📅</DatePicker.Trigger></DatePicker.Control>
  <Portal><DatePicker.Positioner><DatePicker.Content style={st}>{['day', 'month', 'year'].map(v => <DatePicker.View key={v} view={v}><DatePicker.Context>{api => <><DatePicker.ViewControl><DatePicker.PrevTrigger>‹</DatePicker.PrevTrigger><DatePicker.ViewTrigger><DatePicker.RangeText /></DatePicker.ViewTrigger><DatePicker.NextTrigger>›</DatePicker.NextTrigger></DatePicker.ViewControl><Table view={v} api={api} /></>}</DatePicker.Context></DatePicker.View>)}</DatePicker.Content></DatePicker.Positioner></Portal></DatePicker.Root>;
createRoot(root).render(<div style={{ padding: 20 }}><City /><State /><Dp label="Travel date" k="date" /><Dp label="Stay" k="stay" mode="range" />
  <NumberInput.Root min={0} max={9} defaultValue="1" onValueChange={d => set('guests', d.valueAsNumber)}><NumberInput.Label>Guests</NumberInput.Label><NumberInput.Control><NumberInput.DecrementTrigger>-</NumberInput.DecrementTrigger><NumberInput.Input /><NumberInput.IncrementTrigger>+</NumberInput.IncrementTrigger></NumberInput.Control></NumberInput.Root>
  <RatingGroup.Root count={5} onValueChange={d => set('stars', d.value)}><RatingGroup.Label>Stars</RatingGroup.Label><RatingGroup.Control><RatingGroup.Context>{g => g.items.map(i => <RatingGroup.Item key={i} index={i}>★</RatingGroup.Item>)}</RatingGroup.Context><RatingGroup.HiddenInput /></RatingGroup.Control></RatingGroup.Root>
  <Slider.Root defaultValue={[20]} style={{ width: 300 }} onValueChange={d => set('volume', d.value[0])}><Slider.Label>Volume</Slider.Label><Slider.Control style={{ height: 20, position: 'relative', background: '#eee' }}><Slider.Track style={{ height: 6 }}><Slider.Range /></Slider.Track><Slider.Thumb index={0} style={{ width: 20, height: 20, background: '#00f' }}><Slider.HiddenInput /></Slider.Thumb></Slider.Control></Slider.Root>
  <PinInput.Root count={4} onValueChange={d => set('code', d.valueAsString)}><PinInput.Label>Code</PinInput.Label><PinInput.Control>{[0, 1, 2, 3].map(i => <PinInput.Input key={i} index={i} />)}</PinInput.Control><PinInput.HiddenInput /></PinInput.Root>
  <Switch.Root onCheckedChange={d => set('alarm', d.checked)}><Switch.Control style={{ display: 'inline-block', width: 30, height: 16, background: '#ccc' }}><Switch.Thumb /></Switch.Control><Switch.Label>Alarm</Switch.Label><Switch.HiddenInput /></Switch.Root>
  <Checkbox.Root onCheckedChange={d => set('terms', d.checked)}><Checkbox.Control style={{ display: 'inline-block', width: 16, height: 16, border: '1px solid' }}><Checkbox.Indicator>✓</Checkbox.Indicator></Checkbox.Control><Checkbox.Label>Terms</Checkbox.Label><Checkbox.HiddenInput /></Checkbox.Root>
</div>);
