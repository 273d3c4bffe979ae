import f from 'flatpickr';import 'flatpickr/dist/flatpickr.css';import {html,set,ymd,DEF,FULL} from './common.js';
html('<label for=d>Travel date</label> <input id=d>');f('#d',{disable:[d=>ymd(d)===FULL],defaultDate:null,onChange:([d])=>set('date',ymd(d)),onReady(a,b,i){i.jumpToDate(DEF)}});
