import React from 'react';
import { createRoot } from 'react-dom/client';
import { Button, Calendar, CalendarCell, CalendarGrid, ComboBox, DateInput, DatePicker, DateRangePicker, DateSegment, Dialog, Group, Heading, I18nProvider, Input, Label, ListBox, ListBoxItem, Popover, RangeCalendar, Select, SelectValue } from 'react-aria-components';
import { parseDate } from '@internationalized/date';
import { CITIES, FULL, set, root } from './common.js';

const items = CITIES.map(id => ({ id }));
const Options = () => <Popover style={{ background: '#fff', border: '1px solid', overflow: 'auto' }}><ListBox items={items}>{c => <ListBoxItem textValue={c.id}>{c.id}</ListBoxItem>}</ListBox></Popover>;
const Field = ({ slot }) => <DateInput slot={slot} style={{ display: 'inline-flex' }}>{s => <DateSegment segment={s} />}</DateInput>;
const Month = ({ Of }) => <Popover style={{ background: '#fff', border: '1px solid' }}><Dialog><Of>
  <Button slot="previous">◀</Button><Heading style={{ display: 'inline' }} /><Button slot="next">▶</Button>
  <CalendarGrid>{d => <CalendarCell date={d} />}</CalendarGrid>
</Of></Dialog></Popover>;

createRoot(root).render(<>
  <ComboBox defaultItems={items} onSelectionChange={v => set('city', v)}><Label>City</Label> <Input /><Button>▼</Button>
    <Popover style={{ background: '#fff', border: '1px solid', overflow: 'auto' }}><ListBox>{c => <ListBoxItem textValue={c.id}>{c.id}</ListBoxItem>}</ListBox></Popover></ComboBox>
  <Select disabledKeys={["Boise"]} onSelectionChange={v => set('state', v)}><Label>State</Label> <Button><SelectValue /> ▼</Button><Options /></Select>
  <DatePicker placeholderValue={parseDate('2027-03-01')} isDateUnavailable={d => d.toString() === FULL} onChange={d => set('date', d && d.toString())}>
    <Label>Travel date</Label> <Group><Field /><Button>▼</Button></Group><Month Of={Calendar} /></DatePicker>
  <I18nProvider locale="ar-EG-u-ca-gregory"><div dir="rtl" lang="ar"><DatePicker placeholderValue={parseDate('2027-03-01')} onChange={d => set('arabic', d && d.toString())}>
    <Label>تاريخ السفر</Label> <Group><Field /><Button>▼</Button></Group><Month Of={Calendar} /></DatePicker></div></I18nProvider>
  <DateRangePicker placeholderValue={parseDate('2027-03-01')} onChange={r => set('stay', r && r.start + '/' + r.end)}>
    <Label>Stay</Label> <Group><Field slot="start" /> – <Field slot="end" /><Button>▼</Button></Group><Month Of={RangeCalendar} /></DateRangePicker>
</>);
