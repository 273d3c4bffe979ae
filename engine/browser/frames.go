package browser

import (
	"strconv"
	"strings"
	"time"

	"github.com/mxschmitt/playwright-go"
	"github.com/nth-dev/nth/engine"
)

// frameTable gives frames short numbers, which stand in element refs, and remembers what is known of them. The
// session's mutex guards it.
type frameTable struct {
	byFrame map[playwright.Frame]*frameInfo
	byNo    map[int]playwright.Frame
	next    int
}

type frameInfo struct {
	no    int
	owner int       // number of the iframe element in the parent's document; 0 = not known yet
	stuck bool      // an evaluation in it has not come back
	since time.Time // when it was first seen
	last  *answered // what its document said last
}

func (t *frameTable) info(f playwright.Frame) *frameInfo {
	if t.byFrame == nil {
		t.byFrame, t.byNo = map[playwright.Frame]*frameInfo{}, map[int]playwright.Frame{}
	}
	i := t.byFrame[f]
	if i == nil {
		i = &frameInfo{no: t.next, since: time.Now()}
		t.next++
		t.byFrame[f], t.byNo[i.no] = i, f
	}
	return i
}

func (t *frameTable) drop(f playwright.Frame) {
	if i := t.byFrame[f]; i != nil {
		delete(t.byFrame, f)
		delete(t.byNo, i.no)
	}
}

// place is a ref taken apart: frame number, document, element number.
type place struct {
	frame    playwright.Frame
	document string
	n        int
}

// number is the frame's own number.
func (s *Session) number(f playwright.Frame) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.frames.info(f).no
}

// owner is the number of the iframe element that holds a frame, in its parent's document; 0 when it is not known.
func (s *Session) owner(f playwright.Frame) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.frames.info(f).owner
}

// ref is an element's name outside its document; locate reads it.
func ref(frame int, document string, n int) engine.Ref {
	return engine.Ref(strconv.Itoa(frame) + "." + document + "." + strconv.Itoa(n))
}

// locate finds the frame of a ref; false when it is gone or is in another tab.
func (s *Session) locate(ref engine.Ref, t *tab) (place, bool) {
	part := strings.Split(string(ref), ".")
	if len(part) != 3 {
		return place{}, false
	}
	no, err1 := strconv.Atoi(part[0])
	n, err2 := strconv.Atoi(part[2])
	s.mu.Lock()
	f := s.frames.byNo[no]
	s.mu.Unlock()
	if err1 != nil || err2 != nil || f == nil || f.IsDetached() || f.Page() != t.page {
		return place{}, false
	}
	return place{frame: f, document: part[1], n: n}, true
}
