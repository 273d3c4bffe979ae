import '@angular/compiler';
import { Component, provideZonelessChangeDetection, signal, computed } from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';
import { MatFormFieldModule } from '@angular/material/form-field'; import { MatInputModule } from '@angular/material/input'; import { MatSelectModule } from '@angular/material/select';
import { MatAutocompleteModule } from '@angular/material/autocomplete'; import { MatDatepickerModule } from '@angular/material/datepicker'; import { provideNativeDateAdapter } from '@angular/material/core';
import { MatCheckboxModule } from '@angular/material/checkbox'; import { MatSlideToggleModule } from '@angular/material/slide-toggle'; import { MatRadioModule } from '@angular/material/radio'; import { MatSliderModule } from '@angular/material/slider'; import { MatButtonToggleModule } from '@angular/material/button-toggle'; import { MatChipsModule } from '@angular/material/chips';
import '../node_modules/@angular/material/prebuilt-themes/azure-blue.css';
import { CITIES, FULL, set, root, ymd, DEF } from './common.js';
class Base {
  q = signal(''); found = computed(() => CITIES.filter(c => c.toLowerCase().includes(this.q().toLowerCase()))); cities = CITIES; def = DEF; free = d => !d || ymd(d) !== FULL; set = set; ymd = ymd; from = null;
}
const App = Component({
  selector: 'app-root', imports: [MatFormFieldModule, MatInputModule, MatSelectModule, MatAutocompleteModule, MatDatepickerModule, MatCheckboxModule, MatSlideToggleModule, MatRadioModule, MatSliderModule, MatButtonToggleModule, MatChipsModule],
  template: `
  <mat-form-field><mat-label>City</mat-label><input matInput [matAutocomplete]="auto" (input)="q.set($any($event.target).value)"><mat-autocomplete #auto="matAutocomplete" (optionSelected)="set('city', $event.option.value)">@for (c of found(); track c) {<mat-option [value]="c">{{c}}</mat-option>}</mat-autocomplete></mat-form-field>
  <mat-form-field><mat-label>State</mat-label><mat-select (selectionChange)="set('state', $event.value)">@for (c of cities; track c) {<mat-option [value]="c" [disabled]="c === 'Boise'">{{c}}</mat-option>}</mat-select></mat-form-field>
  <mat-form-field><mat-label>Travel date</mat-label><input matInput [matDatepicker]="p" [matDatepickerFilter]="free" (dateChange)="set('date', $event.value && ymd($event.value))"><mat-datepicker-toggle matIconSuffix [for]="p"></mat-datepicker-toggle><mat-datepicker #p [startAt]="def"></mat-datepicker></mat-form-field>
  <mat-form-field><mat-label>Popup date</mat-label><input matInput readonly [matDatepicker]="pp" [matDatepickerFilter]="free" (dateChange)="set('popup', $event.value && ymd($event.value))"><mat-datepicker-toggle matIconSuffix [for]="pp"></mat-datepicker-toggle><mat-datepicker #pp [startAt]="def"></mat-datepicker></mat-form-field>
  <mat-form-field><mat-label>Stay</mat-label><mat-date-range-input [rangePicker]="r"><input matStartDate placeholder="Start date" (dateChange)="from = $event.value"><input matEndDate placeholder="End date" (dateChange)="set('stay', from && $event.value && ymd(from) + '/' + ymd($event.value))"></mat-date-range-input><mat-datepicker-toggle matIconSuffix [for]="r"></mat-datepicker-toggle><mat-date-range-picker #r [startAt]="def"></mat-date-range-picker></mat-form-field>
  <mat-checkbox (change)="set('terms', $event.checked)">Terms</mat-checkbox><mat-slide-toggle (change)="set('alarm', $event.checked)">Alarm</mat-slide-toggle>
  <label id=cl>Class</label><mat-radio-group aria-labelledby=cl (change)="set('cls', $event.value)"><mat-radio-button value="Economy">Economy</mat-radio-button><mat-radio-button value="Business">Business</mat-radio-button></mat-radio-group>
  <mat-slider min=0 max=100><input matSliderThumb aria-label=Volume value=20 (input)="set('volume', +$any($event.target).value)"></mat-slider>
  <mat-button-toggle-group aria-label=Seat (change)="set('seat', $event.value)"><mat-button-toggle value=Window>Window</mat-button-toggle><mat-button-toggle value=Aisle>Aisle</mat-button-toggle></mat-button-toggle-group>`,
})(Base);
root.innerHTML = '<app-root></app-root>';
bootstrapApplication(App, { providers: [provideZonelessChangeDetection(), provideNativeDateAdapter()] }).catch(e => console.error(e));
