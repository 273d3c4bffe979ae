package engine

import (
	"context"
	"encoding/json"
	"time"

	"github.com/nth-dev/nth/engine/compile"
)

// Driver drives one browser tab (and the tabs that it opens) for one run. It is used by one goroutine at a time.
//
// A Driver never guesses: an action on an element that is gone, changed, covered or disabled fails with an
// *ActionError and does not touch the page.
type Driver interface {
	// Snapshot looks at the page once: one evaluation per frame. It waits for a document that is still being
	// parsed, at most until ctx ends. A frame that cannot be read is reported in Frames and is never fatal.
	Snapshot(ctx context.Context, p *compile.Probes) (*Snapshot, error)
	// Do carries out one action with the browser's actionability checks: attached, the same element (role
	// and name as in the snapshot), visible, still, enabled, receiving events. Errors are *ActionError.
	Do(ctx context.Context, a Action) error
	// Changed returns when the page has changed since the snapshot s (DOM, navigation, dialog, tab), or
	// when ctx ends (then with ctx.Err()). It does not poll.
	Changed(ctx context.Context, s *Snapshot) error
	// Screenshot returns the viewport as PNG.
	Screenshot(ctx context.Context) ([]byte, error)
	Close() error
}

// Snapshot is the page at one instant.
type Snapshot struct {
	URL      string   `json:"url"`
	Title    string   `json:"title"`
	Text     string   `json:"text"`     // visible text of all frames, spaces folded, at most 64 KiB
	Headings []string `json:"headings"` // text of visible h1-h6 and role=heading, document order
	Modal    string   `json:"modal"`    // name of the topmost modal DOM dialog, "" if none; "dialog" when it has no name
	Busy     bool     `json:"busy"`     // aria-busy, or a visible role=progressbar / role=status spinner
	Dialogs  []Dialog `json:"dialogs"`  // native dialogs that were raised and answered since the last snapshot, or wait
	Tabs     int      `json:"tabs"`
	// Downloads are the files that have come down since the session began, in the order in which they were complete.
	Downloads []Download `json:"downloads,omitempty"`
	// Document changes with every navigation that replaces the main document.
	Document string `json:"document"`
	// Version counts DOM changes of all frames; equal Document and Version mean an unchanged page.
	Version int64 `json:"version"`

	// Truncated: the page has more elements than a snapshot holds; those after the last one are missing.
	Truncated bool `json:"truncated,omitempty"`

	Elements []Element         `json:"elements"` // reading order (document order, frames in place)
	Frames   []Frame           `json:"frames"`   // index 0 is the main frame
	Count    map[string]int    `json:"count"`    // by selector of Probes.Count; an invalid selector is -1
	Reads    map[string]string `json:"reads"`    // by Read.Key, for Page reads
	Above    int               `json:"above"`    // pixels of page above the viewport
	Below    int               `json:"below"`    // and below it
	// Blocks are the page's text as a reader meets it, when Probes.Blocks asks for it; at most 5000.
	Blocks []Block `json:"blocks,omitempty"`
}

// Block is a paragraph, an item of a list, a row of a table, a name with its value, or a heading.
type Block struct {
	Kind  string   `json:"kind"`            // text, item, row, pair, heading
	Text  string   `json:"text"`            // as the page shows it, spaces folded, at most 2000 UTF-16 units; cells are joined with " | "
	Cells []string `json:"cells,omitempty"` // of a row, in the order of the columns, spans repeated; name and value of a pair
	Head  bool     `json:"head,omitempty"`  // a row of column headers
	Foot  bool     `json:"foot,omitempty"`  // a row of sums below the others
	Group int      `json:"group,omitempty"` // number of the table or list that it belongs to; 0: none
	Name  string   `json:"name,omitempty"`  // of that table or list: its caption or accessible name
	Path  []string `json:"path,omitempty"`  // the headings that it stands under, outermost first
	Frame int      `json:"frame,omitempty"` // index in Snapshot.Frames
}

// Dialog is a native dialog, or a file chooser that nobody gives a file. A driver answers an alert with OK and everything else with Cancel,
// unless the running skill said otherwise before.
type Dialog struct {
	Type     string `json:"type"` // alert, confirm, prompt, beforeunload, filechooser
	Message  string `json:"message"`
	Accepted bool   `json:"accepted"`
}

// Download is a file that the page has handed over.
type Download struct {
	Name   string `json:"name"`             // as the site calls it
	Path   string `json:"path,omitempty"`   // where it is kept; "" when it is not
	Size   int64  `json:"size"`             // bytes
	SHA256 string `json:"sha256,omitempty"` // hex
	Error  string `json:"error,omitempty"`  // why it did not come, or could not be kept
}

// Frame is one document of the page.
type Frame struct {
	URL   string `json:"url"`
	Name  string `json:"name"`
	Error string `json:"error,omitempty"` // why it could not be read
	// Loading: it can be seen and its document is still on the way, at most for the first seconds after it was added.
	Loading bool `json:"loading,omitempty"`
}

// Ref identifies an element for Driver.Do. It is opaque, and stays the same from snapshot to snapshot
// for as long as the page keeps the DOM node.
type Ref string

// Element is one thing on the page that a person could act on, or that a probe asked for.
type Element struct {
	Ref         Ref               `json:"ref"`
	Parent      int               `json:"parent"` // index of the nearest reported ancestor, -1 if none
	Frame       int               `json:"frame"`  // index in Snapshot.Frames
	Tag         string            `json:"tag"`    // lower case
	Type        string            `json:"type,omitempty"`
	Role        string            `json:"role"`
	Name        string            `json:"name"`                   // accessible name, spaces folded, at most 200 runes
	Label       string            `json:"label,omitempty"`        // text of its label, or the text that stands beside or above it, when that is not the name
	Placeholder string            `json:"placeholder,omitempty"`  //
	TestID      string            `json:"test_id,omitempty"`      // data-testid, data-test-id, data-test or data-cy
	Text        string            `json:"text,omitempty"`         // visible text, at most 400 runes
	Context     string            `json:"context,omitempty"`      // name of the row, card, fieldset, dialog or heading that it belongs to
	Value       string            `json:"value,omitempty"`        // current value; "••••" for passwords and card numbers that are not empty
	Options     []string          `json:"options,omitempty"`      // labels of a list's options, as far as they exist in the page, at most 100
	MoreOptions bool              `json:"more_options,omitempty"` // the list has more than those
	Attrs       map[string]string `json:"attrs,omitempty"`        // of: id, name, autocomplete, href, title, aria-haspopup
	Box         Box               `json:"box"`
	Visible     bool              `json:"visible"` // rendered with a size, not hidden, not transparent; may be outside the viewport
	Enabled     bool              `json:"enabled"`
	Editable    bool              `json:"editable,omitempty"` // takes text
	Checked     string            `json:"checked,omitempty"`  // "true", "false", "mixed" where it applies (aria-pressed too)
	Selected    string            `json:"selected,omitempty"` // likewise
	Expanded    string            `json:"expanded,omitempty"` // likewise
	Sort        string            `json:"sort,omitempty"`     // of a column header: "ascending", "descending", "other"
	Required    bool              `json:"required,omitempty"`
	Invalid     bool              `json:"invalid,omitempty"`
	Error       string            `json:"error,omitempty"` // what the page or the browser says is wrong with it, when it is invalid
	ReadOnly    bool              `json:"readonly,omitempty"`
	Busy        bool              `json:"busy,omitempty"`
	Focused     bool              `json:"focused,omitempty"`
	InViewport  bool              `json:"in_viewport"`
	Above       int               `json:"above,omitempty"` // pixels of its content above what it shows, when it scrolls
	Below       int               `json:"below,omitempty"` // and below
	Interactive bool              `json:"interactive"`     // false: only here because a probe asked for it
	// Cover names what would receive a click at the element's place instead, "dialog 'Cookies'"; "" when nothing
	// does. A bar that scrolling avoids is not a cover.
	Cover string `json:"cover,omitempty"`
	// Covering: it can be acted on and lies in what is over the rest of the page, as a dialog, a cookie bar or a cover.
	Covering bool              `json:"covering,omitempty"`
	CSS      []int             `json:"css,omitempty"`   // indices of the Probes.CSS it matches
	Reads    map[string]string `json:"reads,omitempty"` // by Read.Key
}

// Box is a rectangle in CSS pixels of the main viewport.
type Box struct {
	X int `json:"x"`
	Y int `json:"y"`
	W int `json:"w"`
	H int `json:"h"`
}

// Action is one primitive verb on one element (or on the page).
type Action struct {
	Verb string `json:"verb"`
	// Ref is the element, with the Role and Name it had when it was offered: the driver refuses an element
	// that is no longer the same. "" for verbs on the page.
	Ref  Ref    `json:"ref,omitempty"`
	Role string `json:"role,omitempty"`
	Name string `json:"name,omitempty"`
	// Value is the verb's argument: text (fill, type), key (press), option label or value (select), YYYY-MM-DD or two of them with a slash between (set_date), file (upload),
	// URL (goto), script (eval), direction "up|down|top|bottom" (scroll), title or URL part or 1-based number (switch_tab).
	Value string `json:"value,omitempty"`
	// To is the drop target of drag.
	To      Ref           `json:"to,omitempty"`
	Secret  bool          `json:"secret,omitempty"` // Value must not be logged
	Timeout time.Duration `json:"timeout,omitempty"`
}

// MarshalJSON hides a secret value.
func (a Action) MarshalJSON() ([]byte, error) {
	type plain Action
	if a.Secret {
		a.Value = Redacted
	}
	return json.Marshal(plain(a))
}

// Redacted stands for every secret in records and logs.
const Redacted = compile.Masked

// ActionError is an action that was not done, or whose effect is unknown.
type ActionError struct {
	Kind string // one of the error names below
	// Touched reports whether the page may have been affected: false means that nothing happened for certain.
	Touched bool
	Message string
	Cover   string // for ErrCovered
	Err     error
}

func (e *ActionError) Error() string { return e.Kind + ": " + e.Message }
func (e *ActionError) Unwrap() error { return e.Err }

// Error names: what a stage's on_error may test for, what a record holds, what ActionError.Kind is.
const (
	ErrTargetGone   = "target_gone"       // the element left the page, or is another one now
	ErrCovered      = "covered"           // something else would have received the click
	ErrDisabled     = "disabled"          // the element takes no input
	ErrAmbiguous    = "ambiguous"         // several elements match a verb's target equally well
	ErrNotFound     = "not_found"         // nothing matches a verb's target
	ErrBadValue     = "bad_value"         // the element did not take the value (no such option, text refused)
	ErrTimeout      = "timeout"           // the action did not end in time
	ErrNavigation   = "navigation_failed" // the site is down, refuses, loops or answers 4xx/5xx
	ErrBrowserLost  = "browser_lost"      // tab closed, renderer crashed, browser gone
	ErrUnsupported  = "unsupported"       // the driver cannot do this verb
	ErrEnsures      = "ensures_failed"    // the postcondition did not come to hold
	ErrRequires     = "requires_failed"   // the precondition no longer held on the live page
	ErrNoCandidates = "no_candidates"     // nothing in the relevance list is possible
	ErrNoPick       = "no_pick"           // the picker chose none of the candidates, repeatedly
	ErrModel        = "model_failed"      // the picker could not answer
	ErrBudget       = "budget_exceeded"   // the stage's budget or the run's limits are used up
	ErrAssert       = "assert_failed"     // an assert of the stage is false
	ErrOrigin       = "origin_denied"     // the page is outside allow_origins
	ErrDenied       = "denied"            // a person said no, or nobody answered in time
	ErrInDoubt      = "in_doubt"          // a commit may or may not have happened
	ErrInput        = "bad_input"         // a value does not fit its schema, or an expression failed on it
	ErrJournal      = "journal_failed"    // the record could not be written
	ErrFlowFailed   = "flow_failed"       // the flow came to an end stage with end: failed
)
