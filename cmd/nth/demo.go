package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"github.com/nth-dev/nth/engine"
	"github.com/nth-dev/nth/engine/browser"
	"github.com/nth-dev/nth/engine/pack"
	"github.com/nth-dev/nth/flows"
	"github.com/nth-dev/nth/flows/flights/site"
)

// demoResult is what nth demo --json prints.
type demoResult struct {
	Site     string           `json:"site"`
	Runs     []*engine.Result `json:"runs"`
	Bookings []site.Booking   `json:"bookings"` // as the site's server tells them
	OK       bool             `json:"ok"`
}

func (a *app) demoCmd() *cobra.Command {
	var rf runFlags
	var runs int
	var serve bool
	c := &cobra.Command{
		Use:   "demo",
		Short: "Book a flight on the built-in site: no key, no set-up",
		Long: `Serve the built-in flight site on this machine, book the cheapest nonstop flight on it with the flow in
flows/flights, and check the booking on the site's server. The demo approves its own booking.

Without --model, nth's rules pick (no model is called).`,
		Example: "  nth demo\n  nth demo --headed\n  nth demo --model openai:gpt-5-mini\n  nth demo --serve      # only the site, to try a flow of your own against it",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if runs < 1 {
				return usageErrorf("--runs %d: run it at least once", runs)
			}
			s := site.New()
			base, stop, err := serveSite(s)
			if err != nil {
				return err
			}
			defer stop()
			if serve {
				fmt.Fprintf(a.stdout, "%s\n", base)
				fmt.Fprintln(a.stderr, "The flight site runs until Ctrl-C. Its bookings are at "+base+"api/bookings")
				<-c.Context().Done()
				return nil
			}
			return a.demo(c.Context(), &rf, base, runs)
		},
	}
	rf.add(c)
	c.Flags().IntVar(&runs, "runs", 1, "how many bookings to make, one after the other")
	c.Flags().BoolVar(&serve, "serve", false, "only serve the site")
	return c
}

// serveSite serves a handler on a free port of the loopback interface.
func serveSite(h http.Handler) (base string, stop func(), err error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, fmt.Errorf("serve the demo site: %w", err)
	}
	srv := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	go srv.Serve(ln) // returns when stop closes it
	return "http://" + ln.Addr().String() + "/", func() { srv.Close() }, nil
}

func (a *app) demo(ctx context.Context, rf *runFlags, base string, runs int) error {
	project, err := a.loadProject(".")
	if err != nil {
		return err
	}
	prog, err := a.compileFlow(pack.FromFS(flows.FS), "flights/flow.yaml")
	if err != nil {
		return err
	}
	inputs, err := engine.Inputs(prog, map[string]any{"site": base})
	if err != nil {
		return err
	}
	rf.approve = append(rf.approve, "book")
	br, err := browser.Launch(ctx, browserOptions(project, rf.headed))
	if err != nil {
		return a.browserError(ctx, err)
	}
	defer br.Close()
	out := demoResult{Site: base, OK: true}
	artifacts := rf.artifacts
	for i := range runs {
		picker, err := a.picker(rf, project) // one per run: a replay answers only once
		if err != nil {
			return err
		}
		if artifacts != "" && runs > 1 {
			rf.artifacts = fmt.Sprintf("%s/%d", artifacts, i+1)
		}
		res, err := a.executeIn(ctx, br, rf, project, prog, inputs, picker, nil)
		if err != nil {
			return err
		}
		out.Runs = append(out.Runs, res)
		if res.Status != engine.Done {
			out.OK = false
			if rf.json {
				_ = a.printJSON(out)
			}
			return &exitError{code: statusCode(res.Status)}
		}
	}
	if out.Bookings, err = fetchBookings(ctx, base); err != nil {
		return &exitError{exitFailed, err}
	}
	if err := checkBookings(out); err != nil {
		out.OK = false
		return &exitError{exitFailed, err}
	}
	if rf.json {
		return a.printJSON(out)
	}
	for _, b := range out.Bookings {
		fmt.Fprintf(a.stdout, "%s  %s %s-%s %s, %d passengers, €%d: confirmed at %sapi/bookings\n", b.Reference, b.Flight, b.From, b.To, b.Date, b.Passengers, b.Total, base)
	}
	return nil
}

func fetchBookings(ctx context.Context, base string) ([]site.Booking, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"api/bookings", nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, fmt.Errorf("read the bookings from the site: %w", err)
	}
	defer resp.Body.Close()
	var out []site.Booking
	if err := json.NewDecoder(resp.Body).Decode(&out); err != nil {
		return nil, fmt.Errorf("read the bookings from the site: %w", err)
	}
	return out, nil
}

// checkBookings holds the server's bookings against the references that the runs returned: as many, each once, and
// each the cheapest nonstop flight.
func checkBookings(out demoResult) error {
	if len(out.Bookings) != len(out.Runs) {
		return fmt.Errorf("the site has %d bookings after %d runs", len(out.Bookings), len(out.Runs))
	}
	seen := map[string]site.Booking{}
	for _, b := range out.Bookings {
		seen[b.Reference] = b
	}
	var errs []error
	for _, r := range out.Runs {
		ref, _ := r.Outputs["reference"].(string)
		b, ok := seen[ref]
		delete(seen, ref)
		want := site.Cheapest(b.From, b.To, b.Date, true)
		switch {
		case !ok:
			errs = append(errs, fmt.Errorf("run %s: the site has no booking %q", r.Run, ref))
		case b.Flight != want.ID:
			errs = append(errs, fmt.Errorf("run %s: booked %s, but the cheapest nonstop flight is %s", r.Run, b.Flight, want.ID))
		}
	}
	return errors.Join(errs...)
}
