import React, { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { DatePicker } from 'antd';
import dayjs from 'dayjs';
import flatpickr from 'flatpickr';
import 'flatpickr/dist/flatpickr.css';
import Picker from 'react-datepicker';
import 'react-datepicker/dist/react-datepicker.css';
import { set, ymd, root, DEF } from './common.js';

function Trip() {
  const [range, setRange] = useState([null, null]);
  return <Picker id="trip" selectsRange openToDate={DEF} startDate={range[0]} endDate={range[1]} onChange={r => { setRange(r); set('trip', r[1] && ymd(r[0]) + '/' + ymd(r[1])); }} />;
}
createRoot(root).render(<>
  <label htmlFor="stay">Stay</label> <input id="stay" />
  <label htmlFor="trip">Trip</label> <Trip />
  <label htmlFor="visit">Visit</label> <DatePicker.RangePicker id={{ start: 'visit', end: 'visit-end' }} defaultPickerValue={[dayjs('2027-03-01'), dayjs('2027-03-01')]}
    onChange={r => set('visit', r && r[0].format('YYYY-MM-DD') + '/' + r[1].format('YYYY-MM-DD'))} />
</>);
setTimeout(() => flatpickr('#stay', { mode: 'range', showMonths: 2, onChange: r => set('stay', r[1] && ymd(r[0]) + '/' + ymd(r[1])), onReady(a, b, i) { i.jumpToDate(DEF); } }), 50);
