import React, { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { AutoComplete } from 'primereact/autocomplete';
import { Calendar } from 'primereact/calendar';
import { Dropdown } from 'primereact/dropdown';
import { PrimeReactProvider } from 'primereact/api';
import 'primereact/resources/themes/lara-light-blue/theme.css';
import 'primereact/resources/primereact.css';
import { CITIES, set, root, ymd } from './common.js';

function Form() {
  const [city, setCity] = useState(''), [found, setFound] = useState([]), [state, setState] = useState(null), [date, setDate] = useState(null), [stay, setStay] = useState(null);
  return <>
    <p><label htmlFor="city">City</label> <AutoComplete inputId="city" value={city} suggestions={found} delay={200} completeMethod={e => setFound(CITIES.filter(c => c.toLowerCase().includes(e.query.toLowerCase())))}
      onChange={e => setCity(e.value)} onSelect={e => set('city', e.value)} /></p>
    <p><label htmlFor="state">State</label> <Dropdown inputId="state" value={state} options={CITIES.map(c => ({ label: c, value: c }))} filter virtualScrollerOptions={{ itemSize: 38 }} style={{ width: 240 }}
      onChange={e => { setState(e.value); set('state', e.value); }} /></p>
    <p><label htmlFor="date">Travel date</label> <Calendar inputId="date" value={date} readOnlyInput showIcon dateFormat="dd.mm.yy" disabledDates={[new Date(2027, 2, 19)]}
      onChange={e => { setDate(e.value); set('date', e.value && ymd(e.value)); }} /></p>
    <p><label htmlFor="stay">Stay</label> <Calendar inputId="stay" value={stay} selectionMode="range" numberOfMonths={2} hideOnRangeSelection
      onChange={e => { setStay(e.value); set('stay', e.value?.[1] && ymd(e.value[0]) + '/' + ymd(e.value[1])); }} /></p>
  </>;
}
createRoot(root).render(<PrimeReactProvider><Form /></PrimeReactProvider>);
