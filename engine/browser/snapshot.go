package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/mxschmitt/playwright-go"
	"github.com/nth-dev/nth/engine"
	"github.com/nth-dev/nth/engine/compile"
)

// How long a look waits for the page itself.
const (
	parseTime = 10 * time.Second // for the main document to be parsed; then what is there is read
	frameTime = 2 * time.Second  // for a child frame to answer
	childTime = 300 * time.Millisecond
	loadTime  = 5 * time.Second // for which a frame without its document counts as loading
)

// mainTime is how long a look waits for the main document: its scripts may keep it busy, and while the next document is
// on its way nothing can be asked of it.
var mainTime = 30 * time.Second

// answered is one frame's part of a snapshot, as page/8_snapshot.js writes it.
type answered struct {
	Document string   `json:"document"`
	Version  int64    `json:"version"`
	URL      string   `json:"url"`
	Title    string   `json:"title"`
	Text     string   `json:"-"`
	Headings []string `json:"headings"`
	Modal    string   `json:"modal"`
	Busy     bool     `json:"busy"`
	Loading  bool     `json:"loading"` // the document is still being parsed
	// Truncated: the document has more elements than are reported.
	Truncated bool              `json:"truncated"`
	Above     int               `json:"above"`
	Below     int               `json:"below"`
	Count     map[string]int    `json:"count"`
	Reads     map[string]string `json:"reads"`
	Frames    []childFrame      `json:"frames"`
	Elements  []*pageElement    `json:"-"`
	Blocks    []engine.Block    `json:"blocks"`

	look string // its number in its document
	head string // the JSON of all but text and elements
	text string // the JSON of Text
}

// pageElement is an element as its own document sees it. Every reported one is visible.
// A later look may share it, so that it is never written to.
type pageElement struct {
	N   int  `json:"n"` // its number in the document
	Off bool `json:"off"`
	// ParentN is the number of the nearest reported ancestor, 0 if none.
	ParentN int `json:"parent"`
	engine.Element
	line string // the JSON of all this
}

// childFrame is an iframe element as its parent's document sees it.
type childFrame struct {
	N       int        `json:"n"`      // the element's number, see frameInfo.owner
	At      int        `json:"at"`     // how many of the parent's elements come before it
	Parent  int        `json:"parent"` // number of the nearest reported ancestor, 0 if none
	X       int        `json:"x"`      // of its viewport, in the parent's
	Y       int        `json:"y"`
	View    engine.Box `json:"view"` // what of it is in the parent's viewport
	Visible bool       `json:"visible"`
	Filled  bool       `json:"filled"` // it is there to hold a document
	// Covering: it lies over other things of the parent's page, and so does all that is in it.
	Covering bool     `json:"covering"`
	Under    string   `json:"under"`  // the overlay that lies over the whole parent
	Covers   []string `json:"covers"` // by cell of a square grid over View
}

// Snapshot looks at the current tab: one evaluation per frame. Errors are *engine.ActionError, or ctx.Err().
func (s *Session) Snapshot(ctx context.Context, p *compile.Probes) (*engine.Snapshot, error) {
	for stopped := false; ; {
		s.decided()
		t, err := s.tab()
		if err != nil {
			return nil, err
		}
		s.mu.Lock()
		events := s.events // what happens from here on, the snapshot may have missed
		s.mu.Unlock()
		main, err := s.read(ctx, t, t.page.MainFrame(), p, parseTime, mainTime)
		if err == nil {
			children := s.readChildren(ctx, t, p)
			if now, err := s.tab(); err == nil && now != t {
				continue // a popup has come up meanwhile
			}
			return s.assemble(t, p, main, children, events)
		}
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case contextGone(err): // it navigated under our eyes
		case isLost(err):
			if _, lost := s.tab(); lost != nil {
				return nil, lost
			}
			if t.isLost() {
				continue // another tab has taken its place
			}
			return nil, s.lostError(false, "the snapshot")
		case errors.Is(err, context.DeadlineExceeded) && !stopped:
			stopped = true // and see what is there
			s.stopLoading(ctx, t)
		case errors.Is(err, context.DeadlineExceeded):
			return nil, fail(engine.ErrTimeout, false, "the page does not answer: its scripts have kept it busy for %s", mainTime)
		default:
			return nil, fmt.Errorf("snapshot: %s", headline(err))
		}
	}
}

// stopLoading gives up a navigation that the server does not answer, as a person does who presses Esc. The page that
// it began on stays.
func (s *Session) stopLoading(ctx context.Context, t *tab) {
	ctx, cancel := context.WithTimeout(ctx, frameTime)
	defer cancel()
	_ = do(ctx, t, func() error { // best effort: the next read says what is wrong
		cdp, err := s.ctx.NewCDPSession(t.page)
		if err != nil {
			return err
		}
		defer func() { _ = cdp.Detach() }()
		_, err = cdp.Send("Page.stopLoading", map[string]any{})
		return err
	})
}

// read evaluates the snapshot function in one frame.
func (s *Session) read(ctx context.Context, t *tab, f playwright.Frame, p *compile.Probes, parse, limit time.Duration) (*answered, error) {
	s.mu.Lock()
	info := s.frames.info(f)
	last := info.last
	s.mu.Unlock()
	arg, err := json.Marshal(map[string]any{"probes": p, "parse": parse.Milliseconds(), "have": last.id()})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	text, err := s.evaluate(ctx, t, f, "snapshot", string(arg))
	if err != nil {
		return nil, err
	}
	if n, ok := strings.CutPrefix(text, "pieces "); ok {
		if text, err = s.pieces(ctx, t, f, n); err != nil {
			return nil, err
		}
	}
	a, err := decode(text, last)
	if err != nil {
		return nil, fmt.Errorf("read the page's answer: %w", err)
	}
	s.mu.Lock()
	info.last = a
	s.mu.Unlock()
	return a, nil
}

// decode reads an answer: a line for its number, one of JSON, one for the text and one for each element. What has not
// changed since the last answer is not in it again.
func decode(answer string, last *answered) (*answered, error) {
	lines := strings.Split(answer, "\n")
	if len(lines) < 3 {
		return nil, fmt.Errorf("%d lines", len(lines))
	}
	a := &answered{look: lines[0], head: lines[1], text: lines[2]}
	if err := json.Unmarshal([]byte(a.head), a); err != nil {
		return nil, err
	}
	known := map[string]*pageElement{}
	if last != nil && last.Document == a.Document {
		for _, e := range last.Elements {
			known[strconv.Itoa(e.N)] = e
		}
	}
	if a.text == "" && last != nil {
		a.text, a.Text = last.text, last.Text
	} else if err := json.Unmarshal([]byte(a.text), &a.Text); err != nil {
		return nil, err
	}
	for _, line := range lines[3:] {
		e := known[line]
		if e == nil {
			e = &pageElement{line: line}
			if err := json.Unmarshal([]byte(line), e); err != nil {
				return nil, err
			}
		}
		a.Elements = append(a.Elements, e)
	}
	return a, nil
}

// id names an answer towards its page.
func (a *answered) id() string {
	if a == nil {
		return ""
	}
	return a.Document + "." + a.look
}

// digest adds to sum what the answer says of the page.
func (a *answered) digest(sum io.Writer) {
	_, _ = io.WriteString(sum, a.head+"\n"+a.text)
	for _, e := range a.Elements {
		_, _ = io.WriteString(sum, "\n"+e.line)
	}
}

// pieces fetches an answer that is too long for one message.
func (s *Session) pieces(ctx context.Context, t *tab, f playwright.Frame, count string) (string, error) {
	n, err := strconv.Atoi(count)
	if err != nil {
		return "", fmt.Errorf("read the page's answer: %w", err)
	}
	var b strings.Builder
	for i := range n {
		part, err := s.evaluate(ctx, t, f, "piece", strconv.Itoa(i))
		if err != nil {
			return "", err
		}
		b.WriteString(part)
	}
	return b.String(), nil
}

// evaluate calls a function of the injected script; where the script has not run it is installed first.
func (s *Session) evaluate(ctx context.Context, t *tab, f playwright.Frame, name, arg string) (string, error) {
	for try := 0; ; try++ {
		v, err := call(ctx, t, func() (any, error) { return f.Evaluate(s.b.script.call(name), arg) })
		if err != nil {
			return "", err
		}
		text, _ := v.(string)
		if text != missing {
			return text, nil
		}
		if try > 0 {
			return "", errors.New("the frame allows no scripts")
		}
		if _, err := call(ctx, t, func() (any, error) { return f.Evaluate(s.b.script.source) }); err != nil {
			return "", err
		}
	}
}

// childAnswer is what came of reading a child frame.
type childAnswer struct {
	frame playwright.Frame
	got   *answered
	err   error
}

// readChildren reads all other frames of the tab at the same time, each with a short deadline.
func (s *Session) readChildren(ctx context.Context, t *tab, p *compile.Probes) []childAnswer {
	var out []childAnswer
	for _, f := range t.page.Frames() {
		if f != t.page.MainFrame() && !f.IsDetached() {
			out = append(out, childAnswer{frame: f})
		}
	}
	var wg sync.WaitGroup
	for i := range out {
		wg.Add(1)
		go func() {
			defer wg.Done()
			out[i].got, out[i].err = s.readChild(ctx, t, out[i].frame, p)
		}()
	}
	wg.Wait()
	return out
}

func (s *Session) readChild(ctx context.Context, t *tab, f playwright.Frame, p *compile.Probes) (*answered, error) {
	s.mu.Lock()
	info := s.frames.info(f)
	stuck, owner := info.stuck, info.owner
	s.mu.Unlock()
	if stuck {
		return nil, errors.New("it has not answered since the last look")
	}
	ctx, cancel := context.WithTimeout(ctx, frameTime)
	defer cancel()
	if owner == 0 {
		n, err := call(ctx, t, func() (int, error) { return s.ownerOf(f) })
		if err != nil {
			return nil, frameError(err)
		}
		s.mu.Lock()
		info.owner = n
		s.mu.Unlock()
	}
	type result struct {
		a   *answered
		err error
	}
	done := make(chan result, 1)
	finished := false // s.mu
	go func() {
		a, err := s.read(context.WithoutCancel(ctx), t, f, p, childTime, time.Hour)
		s.mu.Lock()
		late := info.stuck // the look that asked has gone on without it, and another one will see more
		finished, info.stuck = true, false
		s.mu.Unlock()
		if late {
			s.event()
		}
		done <- result{a, err}
	}()
	select {
	case r := <-done:
		if r.err != nil {
			return nil, frameError(r.err)
		}
		return r.a, nil
	case <-ctx.Done():
		s.mu.Lock()
		info.stuck = !finished
		s.mu.Unlock()
		return nil, fmt.Errorf("it did not answer within %s", frameTime)
	}
}

// ownerOf gives the number of the iframe element that holds a frame.
func (s *Session) ownerOf(f playwright.Frame) (int, error) {
	h, err := f.FrameElement()
	if err != nil {
		return 0, err
	}
	defer func() { go h.Dispose() }() //nolint:errcheck // best effort
	v, err := h.Evaluate(s.b.script.call("number"))
	if err != nil {
		return 0, err
	}
	var n int
	_, err = fmt.Sscan(fmt.Sprint(v), &n)
	return n, err
}

func frameError(err error) error {
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("it did not answer within %s", frameTime)
	case contextGone(err):
		return errors.New("it was replaced while it was read")
	}
	return errors.New(headline(err))
}

// assemble puts the frames' answers together and compares them with the last look.
func (s *Session) assemble(t *tab, p *compile.Probes, main *answered, children []childAnswer, events int64) (*engine.Snapshot, error) {
	a := assembly{s: s, children: children}
	snap := a.build(t, main)

	s.mu.Lock()
	defer s.mu.Unlock()
	sum := fnv.New64a()
	marks := []readMark{{t.page.MainFrame(), mark(main)}}
	main.digest(sum)
	for _, c := range children {
		if c.err != nil {
			fmt.Fprint(sum, c.err)
			continue
		}
		c.got.digest(sum)
		marks = append(marks, readMark{c.frame, mark(c.got)})
	}
	next := look{probes: p, document: main.Document, version: s.last.version, events: events, digest: sum.Sum64(), read: marks}
	if !sameMarks(marks, s.last.read) || p == s.last.probes && next.digest != s.last.digest {
		next.version++
	}
	s.last = next
	snap.Version = next.version
	snap.Tabs = len(s.tabs)
	snap.Downloads = slices.Clone(s.downloads)
	snap.Dialogs, s.dialogs = s.dialogs, nil
	if snap.Dialogs == nil {
		snap.Dialogs = []engine.Dialog{}
	}
	return snap, nil
}

func mark(a *answered) string { return fmt.Sprintf("%s.%d", a.Document, a.Version) }

func sameMarks(a, b []readMark) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// cutText limits a text to n bytes at a character boundary.
func cutText(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}
