package browser

import (
	"strings"
	"time"

	"github.com/mxschmitt/playwright-go"
	"github.com/nth-dev/nth/engine"
)

// maxText is how many bytes of text a snapshot holds.
const maxText = 64 << 10

// gridSize is the side of childFrame.Covers, as in page/8_snapshot.js.
const gridSize = 4

// assembly puts child frames in their places within their parents.
type assembly struct {
	s        *Session
	children []childAnswer
	snap     *engine.Snapshot
	texts    []string
}

// placement is where a frame stands in the main viewport.
type placement struct {
	index    int // in Snapshot.Frames
	dx, dy   int
	view     engine.Box // what of it is in the main viewport
	main     bool
	parent   int // index of the nearest reported ancestor of its iframe, -1 if none
	under    string
	covering bool
	covers   []string
}

func (a *assembly) build(t *tab, main *answered) *engine.Snapshot {
	a.snap = &engine.Snapshot{
		URL: main.URL, Title: main.Title, Headings: []string{}, Document: main.Document, Above: main.Above, Below: main.Below,
		Count: map[string]int{}, Reads: map[string]string{}, Elements: []engine.Element{},
	}
	a.snap.Frames = append(a.snap.Frames, engine.Frame{URL: main.URL, Name: t.page.MainFrame().Name()})
	for _, c := range a.children {
		f := engine.Frame{URL: c.frame.URL(), Name: c.frame.Name()}
		if c.err != nil {
			f.Error = c.err.Error()
		}
		a.snap.Frames = append(a.snap.Frames, f)
	}
	a.add(t.page.MainFrame(), main, placement{main: true, parent: -1})
	for _, c := range a.children {
		if c.got == nil {
			continue
		}
		for sel, n := range c.got.Count {
			if n > 0 {
				a.snap.Count[sel] += n
			}
		}
		for k, v := range c.got.Reads {
			if _, ok := a.snap.Reads[k]; !ok {
				a.snap.Reads[k] = v
			}
		}
	}
	a.snap.Truncated = main.Truncated
	for _, c := range a.children {
		a.snap.Truncated = a.snap.Truncated || c.got != nil && c.got.Truncated
	}
	a.snap.Text = cutText(strings.Join(a.texts, " "), maxText)
	return a.snap
}

// add appends a frame's elements, and those of the frames in it where they stand.
func (a *assembly) add(f playwright.Frame, got *answered, at placement) {
	if at.main {
		for sel, n := range got.Count {
			a.snap.Count[sel] = n
		}
		for k, v := range got.Reads {
			a.snap.Reads[k] = v
		}
	}
	a.snap.Busy = a.snap.Busy || got.Busy
	a.snap.Headings = append(a.snap.Headings, got.Headings...)
	if a.snap.Modal == "" {
		a.snap.Modal = got.Modal
	}
	if got.Text != "" {
		a.texts = append(a.texts, got.Text)
	}
	a.addBlocks(got, at.index)
	no := a.s.number(f)
	index := make(map[int]int, len(got.Elements)) // number in the document → place in the snapshot
	next := 0
	for i := 0; i <= len(got.Elements); i++ {
		for ; next < len(got.Frames) && got.Frames[next].At == i; next++ {
			a.addChild(f, got.Frames[next], at, index)
		}
		if i == len(got.Elements) {
			break
		}
		e := got.Elements[i].Element
		e.Ref = ref(no, got.Document, got.Elements[i].N)
		e.Visible, e.Enabled = true, !got.Elements[i].Off
		e.Frame = at.index
		e.Parent = at.parent
		if n := got.Elements[i].ParentN; n != 0 {
			e.Parent = index[n]
		}
		if !at.main {
			at.apply(&e)
		}
		index[got.Elements[i].N] = len(a.snap.Elements)
		a.snap.Elements = append(a.snap.Elements, e)
	}
}

func (a *assembly) addChild(parent playwright.Frame, c childFrame, at placement, index map[int]int) {
	if !c.Visible {
		return
	}
	for i, child := range a.children {
		if child.frame.ParentFrame() != parent || a.s.owner(child.frame) != c.N {
			continue
		}
		empty := child.got == nil || child.got.Loading || child.got.URL == "about:blank"
		a.snap.Frames[i+1].Loading = c.Filled && empty && a.age(child.frame) < loadTime
		if child.got == nil {
			continue
		}
		in := placement{index: i + 1, dx: at.dx + c.X, dy: at.dy + c.Y, parent: at.parent, under: c.Under, covers: c.Covers, covering: c.Covering || at.covering}
		if c.Parent != 0 {
			in.parent = index[c.Parent]
		}
		in.view = engine.Box{X: c.View.X + at.dx, Y: c.View.Y + at.dy, W: c.View.W, H: c.View.H}
		if !at.main {
			in.view = overlap(in.view, at.view)
			if in.under == "" {
				in.under = at.coverAt(in.view.X+in.view.W/2, in.view.Y+in.view.H/2)
			}
		}
		a.add(child.frame, child.got, in)
	}
}

func (a *assembly) age(f playwright.Frame) time.Duration {
	a.s.mu.Lock()
	defer a.s.mu.Unlock()
	return time.Since(a.s.frames.info(f).since)
}

// apply moves an element of a child frame into the main viewport.
func (p *placement) apply(e *engine.Element) {
	e.Covering = e.Covering || p.covering && e.Interactive
	e.Box.X += p.dx
	e.Box.Y += p.dy
	seen := overlap(e.Box, p.view)
	e.InViewport = e.InViewport && seen.W > 0 && seen.H > 0
	switch {
	case e.Cover != "":
	case p.under != "":
		e.Cover = p.under
	case e.InViewport:
		e.Cover = p.coverAt(seen.X+seen.W/2, seen.Y+seen.H/2)
	}
}

// coverAt is what covers the frame at a point of the main viewport.
func (p *placement) coverAt(x, y int) string {
	if p.under != "" {
		return p.under
	}
	if len(p.covers) != gridSize*gridSize || p.view.W <= 0 || p.view.H <= 0 {
		return ""
	}
	cell := func(v, size int) int { return max(0, min(gridSize-1, v*gridSize/size)) }
	return p.covers[cell(y-p.view.Y, p.view.H)*gridSize+cell(x-p.view.X, p.view.W)]
}

func overlap(a, b engine.Box) engine.Box {
	x, y := max(a.X, b.X), max(a.Y, b.Y)
	return engine.Box{X: x, Y: y, W: max(0, min(a.X+a.W, b.X+b.W)-x), H: max(0, min(a.Y+a.H, b.Y+b.H)-y)}
}
