export const CITIES=`Albany,Atlanta,Austin,Baltimore,Boise,Boston,Buffalo,Charlotte,Chicago,Cincinnati,Cleveland,Columbus,Dallas,Dayton,Denver,Detroit,El Paso,Fresno,Hartford,Honolulu,Houston,Indianapolis,Jacksonville,Kansas City,Las Vegas,Lincoln,Long Beach,Los Angeles,Louisville,Memphis,Mesa,Miami,Milwaukee,Minneapolis,Nashville,New Orleans,New York,Newark,Oakland,Omaha,Orlando,Philadelphia,Phoenix,Pittsburgh,Portland,Raleigh,Reno,Richmond,Sacramento,Salt Lake City,San Antonio,San Diego,San Francisco,San Jose,Seattle,Spokane,Tampa,Tucson,Tulsa,Wichita`.split(',');
export const S=window.S={city:null,date:null}; export const set=(k,v)=>{S[k]=v};
export const ymd=d=>d&&`${d.getFullYear()}-${String(d.getMonth()+1).padStart(2,'0')}-${String(d.getDate()).padStart(2,'0')}`;
export const FULL='2027-03-19'; // a day that cannot be chosen
export const root=document.getElementById('root'); export const DEF=new Date(2027,2,1);
export const html=h=>{root.innerHTML=h}; export const opts=CITIES.map(c=>`<option>${c}</option>`).join('');
