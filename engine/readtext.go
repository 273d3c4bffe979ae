package engine

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nth-dev/nth/engine/compile"
)

// readText carries out the verb read: it waits until the page holds what is wanted, and types it. What it gives is
// text of the page, never anything else.
func (r *run) readText(ctx context.Context, x *execution, t *compile.ReadText, timeout time.Duration) error {
	name := ""
	if t.Name != nil {
		var err error
		if name, err = t.Name.Text(x.env); err != nil {
			return failf(ErrInput, "read: %v", err)
		}
		if t.Name.IsSecret() {
			return failf(ErrInput, "read: a secret must not be looked for in a page")
		}
	}
	var fields []compile.TextField
	if t.Fields != nil {
		v, err := t.Fields.Eval(x.env)
		if err == nil && v != nil {
			if fields, err = compile.TextFields(v); len(fields) == 0 {
				fields = nil // all columns
			}
		}
		if err != nil {
			return failf(ErrInput, "read: %v", err)
		}
	}
	as := "text"
	if t.As != nil {
		var err error
		if as, err = t.As.Text(x.env); err != nil {
			return failf(ErrInput, "read: %v", err)
		}
	}
	return r.until(ctx, x, timeout, func() (err error) {
		switch t.Kind {
		case "list":
			x.read, err = readList(x.view.Blocks, name, as)
		case "record":
			x.read, err = readRecord(x.view.Snapshot, fields)
		default:
			x.read, err = readTable(x.view.Blocks, name, fields)
		}
		return err
	})
}

// groupOf gives the blocks of the one table or list (of blocks of a kind) that is called name: by its own name, else by
// the heading it stands under. "" is any, if there is but one.
func groupOf(blocks []Block, kind, what, name string) ([]Block, error) {
	var order []int
	groups := map[int][]Block{}
	for _, b := range blocks {
		if b.Kind != kind || b.Group == 0 {
			continue
		}
		if groups[b.Group] == nil {
			order = append(order, b.Group)
		}
		groups[b.Group] = append(groups[b.Group], b)
	}
	best, hits := 0, []int(nil)
	for _, g := range order {
		if how := calledBy(groups[g][0], name); how > best {
			best, hits = how, []int{g}
		} else if how == best && how > 0 {
			hits = append(hits, g)
		}
	}
	switch {
	case len(hits) == 1:
		return groups[hits[0]], nil
	case len(hits) > 1:
		return nil, failf(ErrAmbiguous, "%d %ss match %q", len(hits), what, name)
	case len(order) == 0:
		return nil, failf(ErrNotFound, "the page has no %s", what)
	}
	var known []string
	for _, g := range order[:min(len(order), 6)] {
		b := groups[g][0]
		if above := headingsOf(&b, 1); len(above) > 0 {
			known = append(known, strconv.Quote(cut(above[0], 40)))
		}
	}
	return nil, failf(ErrNotFound, "no %s is called %q; there are: %s", what, name, strings.Join(known, ", "))
}

// calledBy tells how well a name fits a group: 4 its own name, 3 a part of it, 2 the nearest heading, 1 a part of that.
func calledBy(b Block, name string) int {
	if name == "" {
		return 1
	}
	m := compile.NewMatcher(name, false)
	if how := m.Match(b.Name, strings.ToLower(b.Name)); how > 0 {
		return 2 + how
	}
	if n := len(b.Path); n > 0 {
		return m.Match(b.Path[n-1], strings.ToLower(b.Path[n-1]))
	}
	return 0
}

// maxRows bounds what one read gives.
const maxRows = 5000

// readTable gives the rows of a table as maps by field; with no fields, every column as text, called by its header.
func readTable(blocks []Block, name string, fields []compile.TextField) (any, error) {
	rows, err := groupOf(blocks, "row", "table", name)
	if err != nil {
		return nil, err
	}
	var head []string
	n := 0
	for ; n < len(rows) && rows[n].Head; n++ {
		for i, c := range rows[n].Cells {
			if i >= len(head) {
				head = append(head, c)
			} else if head[i] != c {
				head[i] = strings.TrimSpace(head[i] + " " + c) // a title above several columns
			}
		}
	}
	if n == 0 && len(rows) > 0 { // no row says that it holds titles: the first does
		head, n = rows[0].Cells, 1
	}
	if fields == nil {
		fields = allColumns(head)
	}
	at := make([]int, len(fields))
	for i, f := range fields {
		if at[i], err = columnOf(head, f.By); err != nil {
			return nil, err
		}
	}
	orders := make([]dateOrder, len(fields))
	for i, f := range fields {
		if f.As == "date" {
			orders[i] = orderOf(column(rows[n:], at[i]))
		}
	}
	out := []any{}
	for k, row := range rows[n:] {
		if row.Head || row.Foot {
			continue
		}
		values := map[string]any{}
		for i, f := range fields {
			text := ""
			if at[i] < len(row.Cells) {
				text = row.Cells[at[i]]
			}
			if f.As != "text" && blank(text) {
				continue
			}
			v, err := readAs(text, f.As, orders[i])
			if err != nil {
				return nil, failf(ErrBadValue, "row %d, column %s: %v", k+1, f.By, err)
			}
			values[f.Name] = v
		}
		if out = append(out, values); len(out) == maxRows {
			break
		}
	}
	return out, nil
}

// blank reports whether a cell says that there is no value.
func blank(s string) bool {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "", "-", "–", "—", "n/a", "na", "none", "null":
		return true
	}
	return false
}

// column gives the texts of one column.
func column(rows []Block, at int) []string {
	var out []string
	for _, row := range rows {
		if at < len(row.Cells) {
			out = append(out, row.Cells[at])
		}
	}
	return out
}

// columnOf finds a column by its header, or by its number, which starts at 1.
func columnOf(head []string, by string) (int, error) {
	if n, err := strconv.Atoi(by); err == nil && !slices.Contains(head, by) {
		if n < 1 || n > len(head) {
			return 0, failf(ErrNotFound, "there is no column %d of %d", n, len(head))
		}
		return n - 1, nil
	}
	m := compile.NewMatcher(by, false)
	best, at, many := 0, 0, 0
	for i, h := range head {
		how := m.Match(h, strings.ToLower(h))
		if how > best {
			best, at, many = how, i, 1
		} else if how == best && how > 0 && h != head[at] { // a header over several columns is the first of them
			many++
		}
	}
	switch {
	case best == 0:
		return 0, failf(ErrNotFound, "no column is called %q; the columns are: %s", by, cut(strings.Join(head, ", "), 160))
	case many > 1:
		return 0, failf(ErrAmbiguous, "%d columns match %q: %s", many, by, cut(strings.Join(head, ", "), 160))
	}
	return at, nil
}

// allColumns names every column by its header: "Unit price" is unit_price.
func allColumns(head []string) []compile.TextField {
	var out []compile.TextField
	used := map[string]bool{}
	for i, h := range head {
		name := columnName(h)
		if name == "" || used[name] {
			name = fmt.Sprintf("column_%d", i+1)
		}
		used[name] = true
		out = append(out, compile.TextField{Name: name, By: strconv.Itoa(i + 1), As: "text"})
	}
	return out
}

func readList(blocks []Block, name, as string) (any, error) {
	items, err := groupOf(blocks, "item", "list", name)
	if err != nil {
		return nil, err
	}
	texts := make([]string, len(items))
	for i, b := range items {
		texts[i] = b.Text
	}
	order := orderOf(texts)
	out := []any{}
	for i, b := range items {
		v, err := readAs(b.Text, as, order)
		if err != nil {
			return nil, failf(ErrBadValue, "item %d: %v", i+1, err)
		}
		out = append(out, v)
	}
	return out, nil
}

func readRecord(s *Snapshot, fields []compile.TextField) (any, error) {
	out := map[string]any{}
	for _, f := range fields {
		text, err := valueOf(s, f.By)
		if err != nil {
			return nil, err
		}
		v, err := readAs(text, f.As, anyOrder)
		if err != nil {
			return nil, failf(ErrBadValue, "%s: %v", f.By, err)
		}
		out[f.Name] = v
	}
	return out, nil
}

// valueOf gives the one value that the page shows for a label: in a pair, in a row of two cells, after a colon, below a
// paragraph that is nothing but the label, or in a field. A label that is equal wins over one that holds the words.
func valueOf(s *Snapshot, label string) (string, error) {
	m := compile.NewMatcher(strings.TrimSuffix(strings.TrimSpace(label), ":"), false)
	best := 0
	var found []string
	offer := func(name, value string) {
		name = strings.TrimRight(strings.TrimSpace(name), ": ")
		how := m.Match(name, strings.ToLower(name))
		switch {
		case how == 0 || value == "":
		case how > best:
			best, found = how, []string{value}
		case how == best && !slices.Contains(found, value):
			found = append(found, value)
		}
	}
	for i := range s.Blocks {
		b := &s.Blocks[i]
		switch {
		case len(b.Cells) == 2 && !b.Head:
			offer(b.Cells[0], b.Cells[1])
		case b.Kind == "text" || b.Kind == "item":
			if name, value, ok := strings.Cut(b.Text, ":"); ok && strings.TrimSpace(value) != "" {
				offer(name, strings.TrimSpace(value))
			} else if i+1 < len(s.Blocks) && m.Match(strings.TrimRight(b.Text, ": "), strings.ToLower(strings.TrimRight(b.Text, ": "))) == compile.Whole {
				if next := &s.Blocks[i+1]; next.Kind == b.Kind {
					offer(b.Text, next.Text)
				}
			}
		}
	}
	for i := range s.Elements {
		if e := &s.Elements[i]; e.Interactive && e.Visible && e.Value != "" && e.Value != Redacted {
			offer(e.Name, e.Value)
			offer(e.Label, e.Value)
		}
	}
	switch len(found) {
	case 0:
		return "", failf(ErrNotFound, "the page shows nothing for %q", label)
	case 1:
		return found[0], nil
	}
	for i := range found {
		found[i] = strconv.Quote(cut(found[i], 40))
	}
	return "", failf(ErrAmbiguous, "the page shows %d values for %q: %s", len(found), label, strings.Join(found[:min(len(found), 4)], ", "))
}
