package browser

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// shown is an element of a fragment of HTML as nth and as Chromium's accessibility tree have it. Chromium's role is ""
// for what its tree leaves out.
type shown struct {
	Tag, ID    string
	Role, Name string
	AXRole     string
	AXName     string
}

// showAll renders each fragment in a shadow root of its own, so that their ids and styles do not meet, all in one page,
// and tells of every element in document order.
func showAll(t *testing.T, fragments []string) [][]shown {
	t.Helper()
	p := openHTML(t, "<!doctype html><title>Fragments</title>")
	tab, err := p.tab()
	if err != nil {
		t.Fatal(err)
	}
	// A second copy of the script that all documents get, with its functions laid open.
	source := newScript().source
	end := strings.LastIndex(source, "})(")
	lay := "globalThis.nthOf = el => { forget(); const tag = localName(el); return { Tag: tag, ID: el.id || '', Role: roleOf(el, tag), Name: accName(el, false) }; };\n"
	if _, err := tab.page.Evaluate(source[:end] + lay + source[end:]); err != nil {
		t.Fatal(err)
	}
	answer, err := tab.page.Evaluate(`fragments => JSON.stringify(fragments.map(html => {
		const host = document.body.appendChild(document.createElement('div'));
		host.className = 'fragment';
		const root = host.attachShadow({ mode: 'open' });
		root.innerHTML = html;
		return Array.from(root.querySelectorAll('*'), nthOf);
	}))`, fragments)
	if err != nil {
		t.Fatal(err)
	}
	var all [][]shown
	if err := json.Unmarshal([]byte(answer.(string)), &all); err != nil {
		t.Fatal(err)
	}

	cdp, err := p.Session.ctx.NewCDPSession(tab.page)
	if err != nil {
		t.Fatal(err)
	}
	send := func(method string, params map[string]any, into any) {
		t.Helper()
		v, err := cdp.Send(method, params)
		if err != nil {
			t.Fatalf("%s: %v", method, err)
		}
		text, _ := json.Marshal(v)
		if err := json.Unmarshal(text, into); err != nil {
			t.Fatalf("%s: %v", method, err)
		}
	}
	var document struct{ Root domNode }
	send("DOM.getDocument", map[string]any{"depth": -1, "pierce": true}, &document)
	var tree struct{ Nodes []axNode }
	send("Accessibility.getFullAXTree", nil, &tree)
	byElement := map[int]axNode{}
	for _, n := range tree.Nodes {
		if _, there := byElement[n.BackendDOMNodeID]; !there { // the first is the element, others its ::before and text
			byElement[n.BackendDOMNodeID] = n
		}
	}
	for i, root := range document.Root.fragments() {
		for k, el := range root.elements() {
			s := &all[i][k]
			if el.LocalName != s.Tag {
				t.Fatalf("fragment %d: %s where %s was expected", i, el.LocalName, s.Tag)
			}
			ax := byElement[el.BackendNodeID]
			s.AXName, _ = ax.Name.Value.(string)
			if !ax.Ignored {
				s.AXRole, _ = ax.Role.Value.(string)
			}
		}
	}
	return all
}

// domNode is a node of DOM.getDocument.
type domNode struct {
	BackendNodeID         int
	NodeType              int
	LocalName             string
	Attributes            []string
	Children, ShadowRoots []domNode
}

// fragments gives the shadow roots that showAll has made.
func (n domNode) fragments() []domNode {
	if len(n.Attributes) == 2 && n.Attributes[1] == "fragment" {
		return n.ShadowRoots
	}
	var out []domNode
	for _, c := range n.Children {
		out = append(out, c.fragments()...)
	}
	return out
}

func (n domNode) elements() []domNode {
	var out []domNode
	for _, c := range n.Children {
		if c.NodeType == 1 {
			out = append(out, c)
			out = append(out, c.elements()...)
		}
	}
	return out
}

// axNode is a node of Accessibility.getFullAXTree.
type axNode struct {
	BackendDOMNodeID int
	Ignored          bool
	Role, Name       struct{ Value any }
}

// pick gives the element with an id.
func pick(t *testing.T, of []shown, id string) shown {
	t.Helper()
	for _, s := range of {
		if s.ID == id {
			return s
		}
	}
	t.Fatalf("no element has the id %s: %s", id, fmt.Sprint(of))
	return shown{}
}

func foldSpace(s string) string { return strings.Join(strings.Fields(s), " ") }
