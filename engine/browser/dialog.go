package browser

import (
	"github.com/mxschmitt/playwright-go"
	"github.com/nth-dev/nth/engine"
)

// answer is what a skill has said to the next native dialog. It serves one confirm, prompt or beforeunload that comes
// up during the next verb that can raise one, or after it until the verb after that; then it lapses, so that an
// unrelated question later is not accepted by it. An alert does not use it up.
type answer struct {
	accept bool
	text   string // for a prompt; "" = the page's default
	used   bool   // a verb that can raise dialogs has begun
}

// arm sets the answer to the next dialog.
func (s *Session) arm(accept bool, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = &answer{accept: accept, text: text}
}

// quietVerbs prepare, and do not use up an armed answer.
var quietVerbs = map[string]bool{"fill": true, "type": true, "clear": true, "hover": true, "scroll": true, "accept_dialog": true, "dismiss_dialog": true, "switch_tab": true}

// spend lets an armed answer lapse at the second verb after it. s.mu is held.
func (s *Session) spend(verb string) {
	if s.answer == nil || quietVerbs[verb] {
		return
	}
	if s.answer.used {
		s.answer = nil
		return
	}
	s.answer.used = true
}

// fileChooser notes a chooser that the page has opened. Nothing is chosen: upload does that by itself.
func (s *Session) fileChooser(playwright.FileChooser) {
	s.mu.Lock()
	if !s.choosing {
		s.dialogs = append(s.dialogs, engine.Dialog{Type: "filechooser"})
	}
	s.mu.Unlock()
	s.event()
}

func (s *Session) expectChooser(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.choosing = on
}

// dialog answers a native dialog; the page stands still until then. Playwright calls it on a goroutine of its own.
func (s *Session) dialog(d playwright.Dialog) {
	s.mu.Lock()
	accept, text := d.Type() == "alert", ""
	if d.Type() != "alert" && s.answer != nil {
		accept, text = s.answer.accept, s.answer.text
		s.answer = nil
	}
	s.dialogs = append(s.dialogs, engine.Dialog{Type: d.Type(), Message: d.Message(), Accepted: accept})
	s.mu.Unlock()
	switch {
	case !accept:
		_ = d.Dismiss()
	case d.Type() == "prompt" && text == "":
		_ = d.Accept(d.DefaultValue())
	case d.Type() == "prompt":
		_ = d.Accept(text)
	default:
		_ = d.Accept()
	}
	s.event()
}
