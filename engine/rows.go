package engine

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/nth-dev/nth/engine/compile"
)

// maxRowsFile bounds the rows of one file.
const maxRowsFile = 100_000

// ParseRows reads rows: lines of JSON objects (.jsonl, .ndjson), a JSON list (.json), or CSV with a line of column names
// (anything else; the separator may be a comma, a semicolon or a tab). item is the schema of a row, nil when unknown:
// it gives the cells of a CSV file their types, and an empty cell is absent unless its column is text. Column names
// become names that expressions can use: "Paid by" is paid_by.
func ParseRows(name string, data []byte, item *compile.Schema) ([]any, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if !utf8.Valid(data) {
		return nil, fmt.Errorf("%s: it is not UTF-8 text", name)
	}
	var rows []any
	var err error
	switch strings.ToLower(filepath.Ext(name)) {
	case ".jsonl", ".ndjson":
		rows, err = jsonLines(data)
	case ".json":
		if err = json.Unmarshal(data, &rows); err != nil {
			err = fmt.Errorf("a JSON list of rows is wanted: %w", err)
		}
	default:
		rows, err = csvRows(data, item)
	}
	if err == nil && len(rows) > maxRowsFile {
		err = fmt.Errorf("%d rows, at most %d are allowed", len(rows), maxRowsFile)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if item != nil {
		for i, row := range rows {
			if err := item.Check(row); err != nil {
				return nil, fmt.Errorf("%s: row %d does not fit: %w", name, i+1, err)
			}
			rows[i] = item.Normalize(row)
		}
	}
	return rows, nil
}

func jsonLines(data []byte) ([]any, error) {
	var rows []any
	sc := bufio.NewScanner(bytes.NewReader(data))
	sc.Buffer(nil, 1<<20)
	for n := 1; sc.Scan(); n++ {
		if len(bytes.TrimSpace(sc.Bytes())) == 0 {
			continue
		}
		var row any
		if err := json.Unmarshal(sc.Bytes(), &row); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		rows = append(rows, row)
	}
	return rows, sc.Err()
}

func csvRows(data []byte, item *compile.Schema) ([]any, error) {
	r := csv.NewReader(bytes.NewReader(data))
	r.Comma = separator(data)
	r.TrimLeadingSpace = true
	head, err := r.Read()
	if errors.Is(err, io.EOF) {
		return nil, errors.New("it is empty; the first line names the columns")
	}
	if err != nil {
		return nil, err
	}
	names := make([]string, len(head))
	for i, h := range head {
		names[i] = columnName(h)
		if names[i] == "" || slices.Contains(names[:i], names[i]) {
			return nil, fmt.Errorf("column %d is called %q: every column needs a name of its own", i+1, h)
		}
	}
	var rows []any
	for {
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			return nil, err
		}
		row := map[string]any{}
		for i, text := range cells {
			field, _ := item.Property(names[i])
			v, there, err := cellValue(text, field)
			if err != nil {
				line, _ := r.FieldPos(i)
				return nil, fmt.Errorf("line %d, column %q: %w", line, head[i], err)
			}
			if there {
				row[names[i]] = v
			}
		}
		rows = append(rows, row)
	}
}

// cellValue gives a cell its type.
func cellValue(text string, field *compile.Schema) (v any, there bool, err error) {
	if field == nil || field.Kind == "string" || field.Kind == "" {
		return text, field == nil || text != "" || field.Kind == "string", nil
	}
	if text = strings.TrimSpace(text); text == "" {
		return nil, false, nil
	}
	v, err = field.ParseText(text)
	return v, true, err
}

// separator is the mark that the first line has most of.
func separator(data []byte) rune {
	line, _, _ := bytes.Cut(data, []byte("\n"))
	best, most := ',', 0
	for _, c := range ",;\t" {
		if n := strings.Count(string(line), string(c)); n > most {
			best, most = c, n
		}
	}
	return best
}

// columnName makes a name for expressions of a header: "Unit price (€)" is unit_price.
func columnName(s string) string {
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return strings.Join(words, "_")
}

// rowList gives the rows of a for_each.
func (r *run) rowList(f *compile.ForEach) ([]any, error) {
	if f == r.prog.ForEach && r.Rows != nil {
		return r.Rows, nil
	}
	if f.File != nil {
		name, err := f.File.Text(r.env(nil))
		if err != nil {
			return nil, failf(ErrInput, "for_each: %v", err)
		}
		if r.ReadFile == nil {
			return nil, failf(ErrInput, "for_each: there are no files to read rows from")
		}
		if !filepath.IsAbs(name) {
			name = path.Join(path.Dir(filepath.ToSlash(r.prog.File)), name)
		}
		data, err := r.ReadFile(name)
		if err != nil {
			return nil, failf(ErrInput, "for_each: %v", err)
		}
		list, err := ParseRows(name, data, f.Item)
		if err != nil {
			return nil, failf(ErrInput, "for_each: %v", err)
		}
		return list, nil
	}
	x, err := f.Rows.Eval(r.env(nil))
	if err != nil {
		return nil, failf(ErrInput, "for_each: %v", err)
	}
	list, ok := x.([]any)
	if !ok {
		return nil, failf(ErrInput, "for_each: rows must be a list, not %s", show(x))
	}
	return list, nil
}
