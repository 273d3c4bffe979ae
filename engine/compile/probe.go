package compile

// Probes is everything that a stage may ask of the page, collected when the flow is compiled, so that one
// snapshot answers it all in one round trip per frame. A Probes is immutable and may be shared.
type Probes struct {
	// Roles are structural roles to report beside the interactive elements: "listitem", "dialog", "row".
	Roles []string `json:"roles,omitempty"`
	// CSS are the selectors that targets use. Every element that matches one is reported, interactive or not,
	// and says which (Element.CSS holds the indices).
	CSS []string `json:"css,omitempty"`
	// Text: report every element that holds text of its own, because a target asks for a text.
	Text bool `json:"text,omitempty"`
	// Count are the selectors of page.has and page.count; Snapshot.Count answers by selector, over all frames.
	Count []string `json:"count,omitempty"`
	// Reads are fields to read from each reported element that has Role or matches CSS (or from the page).
	Reads []Read `json:"reads,omitempty"`
	// Blocks: give the page's text block by block (Snapshot.Blocks), for what searches or reads text.
	Blocks bool `json:"blocks,omitempty"`
}

// Read asks for one text per matching element. The answer is in Element.Reads (or Snapshot.Reads for the
// page) under Key: the trimmed text, the value of a form field, or the attribute Attr; absent when nothing matches.
type Read struct {
	Key  string `json:"key"`            // unique within the Probes
	Page bool   `json:"page,omitempty"` // read once, from the whole page
	Role string `json:"role,omitempty"` // else: from elements of this role ("" = any)
	Of   string `json:"of,omitempty"`   // and from elements matching this selector ("" = any)
	CSS  string `json:"css,omitempty"`  // where to read, within the element; "" = the element itself
	Attr string `json:"attr,omitempty"` // "" = the text
}
