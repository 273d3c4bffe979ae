package main

import (
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"github.com/nth-dev/nth/engine"
	"github.com/nth-dev/nth/engine/browser"
	"github.com/nth-dev/nth/engine/compile"
	"github.com/nth-dev/nth/engine/model"
	flights "github.com/nth-dev/nth/flows/flights/site"
)

type timed struct {
	engine.Driver
	start time.Time
	print bool
	sum   map[string]time.Duration
	n     map[string]int
}

func (d *timed) note(what string, t0 time.Time) {
	if d.print {
		fmt.Printf("%7.1f %6.1f %s\n", float64(t0.Sub(d.start).Microseconds())/1000, float64(time.Since(t0).Microseconds())/1000, what)
	}
	k := what
	for i := range k {
		if k[i] == ' ' {
			k = k[:i]
			break
		}
	}
	d.sum[k] += time.Since(t0)
	d.n[k]++
}
func (d *timed) Snapshot(ctx context.Context, p *compile.Probes) (*engine.Snapshot, error) {
	t0 := time.Now()
	s, err := d.Driver.Snapshot(ctx, p)
	d.note("look", t0)
	return s, err
}
func (d *timed) Do(ctx context.Context, a engine.Action) error {
	t0 := time.Now()
	err := d.Driver.Do(ctx, a)
	d.note(fmt.Sprint(a.Verb, " ", a.Role, " ", a.Name, " ", err), t0)
	return err
}
func (d *timed) Changed(ctx context.Context, s *engine.Snapshot) error {
	t0 := time.Now()
	err := d.Driver.Changed(ctx, s)
	d.note("changed", t0)
	return err
}

func TestZZ(t *testing.T) {
	s := flights.New()
	srv := httptest.NewServer(s)
	defer srv.Close()
	br, err := browser.Launch(t.Context(), browser.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer br.Close()
	prog := demoProgram(t)
	for i := range 4 {
		session, err := br.NewSession(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		inputs, _ := engine.Inputs(prog, map[string]any{"site": srv.URL + "/"})
		d := &timed{Driver: session, start: time.Now(), print: i == 3 && os.Getenv("V") != "", sum: map[string]time.Duration{}, n: map[string]int{}}
		r := &engine.Runner{Driver: d, Picker: model.First{}, Journal: engine.Discard{}, Approver: yes{}, Observe: func(e engine.Event) {
			if e.Kind == "stage" {
				if d.print {
					fmt.Println("--", e.Stage)
				}
				if e.Stage == "search" {
					d.start = time.Now()
				}
			}
		}}
		_, err = r.Run(t.Context(), prog, inputs)
		fmt.Println(time.Since(d.start), err)
		for k, v := range d.sum {
			fmt.Print(k, " ", d.n[k], "x ", v.Round(time.Millisecond), "; ")
		}
		fmt.Println()
		session.Close()
	}
}
