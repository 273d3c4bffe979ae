import React from 'react';
import { createRoot } from 'react-dom/client';
import { DatePicker, DateRangePicker, InputPicker, SelectPicker } from 'rsuite';
import 'rsuite/dist/rsuite.css';
import { CITIES, set, root, ymd, DEF, FULL } from './common.js';

const data = CITIES.map(c => ({ label: c, value: c }));
createRoot(root).render(<>
  <p><label id="city-label" htmlFor="city">City</label> <SelectPicker id="city" data={data} virtualized style={{ width: 224 }} onChange={v => set('city', v)} /></p>
  <p><label htmlFor="input">Town</label> <InputPicker id="input" data={data} style={{ width: 224 }} onChange={v => set('town', v)} /></p>
  <p><label htmlFor="date">Travel date</label> <DatePicker id="date" calendarDefaultDate={DEF} oneTap shouldDisableDate={d => ymd(d) === FULL} onChange={d => set('date', d && ymd(d))} /></p>
  <p><label htmlFor="fixed">Fixed date</label> <DatePicker id="fixed" calendarDefaultDate={DEF} editable={false} format="dd MMM yyyy" onChange={d => set('fixed', d && ymd(d))} /></p>
  <p><label htmlFor="stay">Stay</label> <DateRangePicker id="stay" defaultCalendarValue={[DEF, new Date(2027, 3, 1)]} onChange={r => set('stay', r && ymd(r[0]) + '/' + ymd(r[1]))} /></p>
</>);
