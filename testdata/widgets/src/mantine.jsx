import React from 'react';
import { createRoot } from 'react-dom/client';
import { MantineProvider, Select } from '@mantine/core';
import { DatesProvider, DateInput, DatePickerInput } from '@mantine/dates';
import 'dayjs/locale/ja';
import '@mantine/core/styles.css';
import '@mantine/dates/styles.css';
import { CITIES, FULL, set, root } from './common.js';

const closed = d => d === FULL;
createRoot(root).render(<MantineProvider><DatesProvider settings={{ locale: 'ja', firstDayOfWeek: 0 }}>
  <Select label="City" searchable data={[{ group: 'East', items: CITIES.slice(0, 30) }, { group: 'West', items: CITIES.slice(30) }]} nothingFoundMessage="Nothing found" onChange={v => set('city', v)} />
  <Select label="Plain" data={CITIES.map(c => ({ value: c, label: c, disabled: c === 'Boise' }))} onChange={v => set('plain', v)} />
  <DatePickerInput label="Travel date" defaultDate="2027-03-01" valueFormat="YYYY年M月D日" excludeDate={closed} onChange={v => set('date', v)} />
  <DateInput label="Typed date" defaultDate="2027-03-01" valueFormat="DD/MM/YYYY" excludeDate={closed} onChange={v => set('typed', v)} />
  <DatePickerInput label="Stay" type="range" numberOfColumns={2} defaultDate="2027-03-01" onChange={r => set('stay', r[1] && r.join('/'))} />
</DatesProvider></MantineProvider>);
