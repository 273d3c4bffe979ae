package lint_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/nth-dev/nth/engine/lint"
	"github.com/nth-dev/nth/engine/pack"
	"github.com/nth-dev/nth/schema"
)

// project is a set of files that belong together, as nth validate sees them in a folder.
type project struct {
	dir    string
	files  map[string][]byte
	names  map[string]bool // all that is declared
	skills []string        // others, to put in the place of those in relevance lists
}

func (p *project) texts() [][]byte {
	var out [][]byte
	for _, name := range slices.Sorted(maps.Keys(p.files)) {
		out = append(out, p.files[name])
	}
	return out
}

func loadProject(t *testing.T, dir string, skills []string, files ...string) *project {
	t.Helper()
	p := &project{dir: dir, files: map[string][]byte{}, names: map[string]bool{}, skills: skills}
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join("../..", dir, f))
		if err != nil {
			t.Fatal(err)
		}
		p.files[f] = data
		node, _ := schema.Parse(f, data)
		declared(node, p.names)
	}
	return p
}

// check validates a file of the project that has been changed, and the flows that it is a part of.
func (p *project) check(file string, data []byte, cache *pack.Cache) (found schema.Diagnostics, sources map[string][]byte, err error) {
	sources = map[string][]byte{}
	for _, name := range slices.Sorted(maps.Keys(p.files)) {
		if name != file && !strings.HasSuffix(file, pack.FileName) {
			continue // nothing is made of a flow
		}
		l := &pack.Loader{Cache: cache, Read: func(f string) ([]byte, error) {
			if f == file {
				return data, nil
			}
			if d, ok := p.files[f]; ok {
				return d, nil
			}
			return nil, os.ErrNotExist
		}}
		res, err := (&lint.Checker{Loader: l}).File(name)
		if err != nil {
			return nil, nil, err
		}
		found = append(found, res.Findings...)
		maps.Copy(sources, res.Sources)
	}
	found.Sort()
	return found, sources, nil
}

// sameMeaning reports whether two texts are the same tree: they differ in blanks, commas and comments only.
func sameMeaning(file string, a, b []byte) bool {
	x, _ := schema.Parse(file, a)
	y, ds := schema.Parse(file, b)
	if x == nil || y == nil || len(ds) > 0 {
		return false
	}
	xj, errX := json.Marshal(x)
	yj, errY := json.Marshal(y)
	return errX == nil && errY == nil && string(xj) == string(yj)
}

// shows reports whether a finding is at the mutant's place: in the lines that were changed or the one behind them; in the
// mapping or list that lost a part; or in a line that has one of the names which the mistake touches. What it says is
// "related" counts too, for it is printed with the finding.
func (x *mutant) shows(d schema.Diagnostic, sources map[string][]byte) bool {
	places := []schema.Range{d.Range}
	for _, r := range d.Related {
		places = append(places, r.Range)
	}
	for _, r := range places {
		line := r.Start.Line
		if r.File == x.at.File && (line >= x.at.Start.Line && line <= x.at.End.Line+1 || x.inAround(line)) {
			return true
		}
		lines := strings.Split(string(sources[r.File]), "\n")
		if line >= 1 && line <= len(lines) && slices.ContainsFunc(identifier.FindAllString(lines[line-1], -1), func(w string) bool { return slices.Contains(x.words, w) }) {
			return true
		}
	}
	return false
}

// inAround reports whether a line belongs to what lost a part. Of the whole file, only the head does.
func (x *mutant) inAround(line int) bool {
	const head = 3
	switch first := x.around.Start.Line; {
	case x.around.File == "":
		return false
	case first <= head:
		return line <= head
	default:
		return line >= first-1 && line <= x.around.End.Line
	}
}

// kinds of mistakes, for the summary of the test.
func (x *mutant) kind() string {
	switch op, _, _ := strings.Cut(x.op, "-"); {
	case op == "typo" || op == "case" || op == "quote":
		return "spelling"
	case op == "indent" || op == "unindent" || op == "tab" || op == "join" || op == "twice" || x.op == "no-colon" || x.op == "no-blank":
		return "YAML"
	case op == "drop" || op == "swap" || op == "constant" || op == "operator":
		return "meaning"
	}
	return "type"
}

// whySurvives explains the mutants that are not reported, by their kind: testdata/survivors.golden lists them under it.
var whySurvives = map[string]string{
	"drop-item":         "A step, an entry, an assert or a shown value fewer. What is left is consistent; only the site, or the author, tells that it was needed.",
	"drop-key":          "A condition (requires, ensures, done, when, assert) or a mark fewer. What is left is consistent: done has a default, and the others may be absent.",
	"drop-name":         "A stage or a binding fewer that nothing else refers to and that the rest does without, as far as the files tell.",
	"swap-member":       "Another value of the same type. Which of two texts belongs into a field, and which of two facts a skill needs, only the author knows.",
	"swap-skill":        "Another skill that is possible there and has what it needs.",
	"operator":          "Another comparison of the same two numbers.",
	"minus":             "A lower bound that is lower.",
	"mapping-for-value": "A literal in the list of what an approval shows: anything can be shown.",
	"number-for-text":   "The default of a text: a number stands there as text, as everywhere in YAML here.",
	"type-of-value":     "A number where a name is wanted: it is taken as text, as everywhere in YAML here.",
	"join-lines":        "Two lines of one text: only their blanks change.",
	"unindent":          "The finding is at the end of what the line no longer belongs to.",
}

type outcome struct {
	reported, elsewhere bool
	panicked            any
	err                 error
}

func (p *project) try(file string, x *mutant, cache *pack.Cache) (o outcome) {
	defer func() { o.panicked = recover() }()
	found, sources, err := p.check(file, x.data, cache)
	o.err = err
	o.reported = slices.ContainsFunc(found, func(d schema.Diagnostic) bool { return x.shows(d, sources) })
	o.elsewhere = !o.reported && len(found) > 0
	return o
}

// Of all single mistakes in the shipped flows and packs, at least 97 of 100 are reported, at the place of the mistake; and
// nothing is reported in the files as they are. The rest is listed in testdata/survivors.golden, and explained there. With
// -short or -race each twentieth mutant is made: it has to be reported, or to be in that list.
func TestMutation(t *testing.T) {
	sampled := testing.Short() || raced
	projects := []*project{
		loadProject(t, "flows/flights", []string{"flights.book", "flights.search", "flights.set_date", "std.dismiss"}, "flow.yaml", "pack/pack.yaml"),
		loadProject(t, "flows/contact", []string{"std.click", "std.check", "std.wait"}, "flow.yaml"),
		loadProject(t, "stdlib-skills/std", nil, "pack.yaml"),
	}
	type job struct {
		p    *project
		file string
		x    *mutant
	}
	var jobs []job
	notMade := map[string]int{}
	cache := &pack.Cache{}
	for _, p := range projects {
		for _, file := range slices.Sorted(maps.Keys(p.files)) {
			if found, _, err := p.check(file, p.files[file], cache); err != nil || len(found) > 0 {
				t.Fatalf("%s/%s as it is: %v, %v", p.dir, file, err, found)
			}
			for i, x := range p.mutants(file, notMade) {
				if sampled && i%20 != 0 || sameMeaning(file, p.files[file], x.data) {
					continue
				}
				jobs = append(jobs, job{p, file, x})
			}
		}
	}
	outcomes := make([]outcome, len(jobs))
	var wg sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range next {
				outcomes[i] = jobs[i].p.try(jobs[i].file, jobs[i].x, cache)
			}
		})
	}
	for i := range jobs {
		next <- i
	}
	close(next)
	wg.Wait()

	made, reported := map[string]int{}, map[string]int{}
	survivors := map[string][]string{}
	for i, o := range outcomes {
		x := jobs[i].x
		line := fmt.Sprintf("%s/%s:%d %s: %s", jobs[i].p.dir, jobs[i].file, x.at.Start.Line, x.op, x.was)
		if o.panicked != nil || o.err != nil {
			t.Errorf("%s: panic %v, error %v", line, o.panicked, o.err)
		}
		for _, k := range []string{x.kind(), "all"} {
			made[k]++
			if o.reported {
				reported[k]++
			}
		}
		if !o.reported {
			if o.elsewhere {
				line += " (reported, but elsewhere)"
			}
			survivors[x.op] = append(survivors[x.op], line)
		}
	}
	for _, k := range slices.Sorted(maps.Keys(made)) {
		t.Logf("%-8s %5d mutants, %.1f %% reported at their place", k, made[k], share(reported[k], made[k]))
	}
	for _, why := range slices.Sorted(maps.Keys(notMade)) {
		t.Logf("%d not made: %s", notMade[why], why)
	}
	if sampled {
		checkSampledSurvivors(t, survivors)
		return
	}
	if got := share(reported["all"], made["all"]); got < 97 {
		t.Errorf("%.1f %% of the mutants are reported at their place, want 97", got)
	}
	if made["all"] < 2000 {
		t.Errorf("%d mutants, want 2000", made["all"])
	}
	checkSurvivors(t, survivors)
}

func share(part, all int) float64 { return 100 * float64(part) / float64(max(1, all)) }

const survivorsGolden = "testdata/survivors.golden"

// checkSampledSurvivors looks up each mutant that was not reported in the list of them.
func checkSampledSurvivors(t *testing.T, survivors map[string][]string) {
	want, err := os.ReadFile(survivorsGolden)
	if err != nil {
		t.Fatal(err)
	}
	listed := strings.Split(string(want), "\n")
	for _, lines := range survivors {
		for _, line := range lines {
			if !slices.Contains(listed, "  "+strings.TrimSpace(line)) {
				t.Errorf("not reported, and not in %s: %s", survivorsGolden, line)
			}
		}
	}
}

// checkSurvivors compares the mutants that were not reported with the list of them.
func checkSurvivors(t *testing.T, survivors map[string][]string) {
	var b strings.Builder
	b.WriteString("The mutants of TestMutation that are not reported at their place. go test ./engine/lint -run TestMutation -update rewrites the list.\n")
	for _, op := range slices.Sorted(maps.Keys(survivors)) {
		why := whySurvives[op]
		if why == "" {
			t.Errorf("%s: mutants of a kind that whySurvives does not explain: %s", op, survivors[op][0])
		}
		fmt.Fprintf(&b, "\n%s: %s\n", op, why)
		for _, line := range survivors[op] {
			fmt.Fprintf(&b, "  %s\n", strings.TrimSpace(line))
		}
	}
	if *update {
		if err := os.WriteFile(survivorsGolden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(survivorsGolden)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("the mutants that are not reported differ from %s; got:\n%s", survivorsGolden, b.String())
	}
}
