import $ from 'jquery';window.$=window.jQuery=$;import {html,set,ymd,FULL,CITIES,opts} from './common.js';
import 'jquery-ui/themes/base/all.css';
(async()=>{await import('jquery-ui/dist/jquery-ui.js');
html(`<label for=c>City</label> <input id=c><br><label for=d>Travel date</label> <input id=d><br><label for=m>City menu</label><select id=m>${opts}</select><div id=s></div><input id=n value=0>`);
$('#c').autocomplete({source:CITIES,minLength:2,select:(e,u)=>set('city',u.item.value)});$('#d').datepicker({beforeShowDay:d=>[ymd(d)!==FULL,''],defaultDate:new Date(2027,2,1),onSelect:(t,i)=>set('date',`${i.selectedYear}-${String(i.selectedMonth+1).padStart(2,'0')}-${String(i.selectedDay).padStart(2,'0')}`)});$('#m').selectmenu();$('#s').slider();$('#n').spinner();})();
