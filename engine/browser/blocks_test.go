package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/nth-dev/nth/engine/compile"
)

const article = `<!doctype html><title>Bridge</title>
<h1>Old bridge</h1><p>Built <b>by</b> hand.<br>Opened in 1874.</p>
<details><summary>More</summary><p>closed text</p></details>
<h2>History</h2><div>It burnt <span style="display:none">never</span>in 1923.<p>A <i>para</i>graph.</p>tail</div>
<h3>Costs</h3>
<table><caption>Costs by year</caption>
<thead><tr><th>Year<th colspan=2>Cost</tr></thead>
<tr><td rowspan=2>1874<td>stone<td>€1,200</tr><tr><td>wood<td>€80</tr>
<tr><td>1923<td><input value="rope"><td><input type=password value=hush></tr>
<tfoot><tr><td colspan=2>Sum<td>€1,280</tr></tfoot></table>
<h2>Facts</h2><dl><dt>Length</dt><dd>512 m</dd><div><dt>Architect</dt><dd>Ada <b>Lind</b></dd></div></dl>
<ul aria-label=Crossings><li>Road<ul><li>Two lanes</ul><li><div>Rail</div><div>since 1901</div></ul>
<div role=grid aria-label=Grid><div role=row><span role=columnheader>Id</span></div><div role=row><span role=gridcell>7</span></div></div>
<iframe srcdoc="<p>framed</p><table><tr><td>x</table>"></iframe><p hidden>no</p><p style="visibility:hidden">nor this</p>`

func TestBlocks(t *testing.T) {
	p := openHTML(t, article)
	if s := p.look(); s.Blocks != nil {
		t.Errorf("blocks come unasked: %v", s.Blocks)
	}
	p.p = &compile.Probes{Blocks: true}
	var b strings.Builder
	for _, x := range p.look().Blocks {
		fmt.Fprintf(&b, "%s %q", x.Kind, x.Text)
		if x.Cells != nil {
			fmt.Fprintf(&b, " %q", x.Cells)
		}
		if x.Head {
			b.WriteString(" head")
		}
		if x.Foot {
			b.WriteString(" foot")
		}
		if x.Group > 0 {
			fmt.Fprintf(&b, " in %d %s", x.Group, x.Name)
		}
		fmt.Fprintf(&b, " <%s> %d\n", strings.Join(x.Path, " > "), x.Frame)
	}
	want := `heading "Old bridge" <> 0
text "Built by hand. Opened in 1874." <Old bridge> 0
text "More" <Old bridge> 0
heading "History" <Old bridge> 0
text "It burnt in 1923." <Old bridge > History> 0
text "A paragraph." <Old bridge > History> 0
text "tail" <Old bridge > History> 0
heading "Costs" <Old bridge > History> 0
row "Year | Cost | Cost" ["Year" "Cost" "Cost"] head in 1 Costs by year <Old bridge > History > Costs> 0
row "1874 | stone | €1,200" ["1874" "stone" "€1,200"] in 1 Costs by year <Old bridge > History > Costs> 0
row "1874 | wood | €80" ["1874" "wood" "€80"] in 1 Costs by year <Old bridge > History > Costs> 0
row "1923 | rope | ••••" ["1923" "rope" "••••"] in 1 Costs by year <Old bridge > History > Costs> 0
row "Sum | Sum | €1,280" ["Sum" "Sum" "€1,280"] foot in 1 Costs by year <Old bridge > History > Costs> 0
heading "Facts" <Old bridge> 0
pair "Length: 512 m" ["Length" "512 m"] in 2  <Old bridge > Facts> 0
pair "Architect: Ada Lind" ["Architect" "Ada Lind"] in 2  <Old bridge > Facts> 0
item "Road" in 3 Crossings <Old bridge > Facts> 0
item "Two lanes" in 4  <Old bridge > Facts> 0
item "Rail since 1901" in 3 Crossings <Old bridge > Facts> 0
row "Id" ["Id"] head in 5 Grid <Old bridge > Facts> 0
row "7" ["7"] in 5 Grid <Old bridge > Facts> 0
text "framed" <> 1
row "x" ["x"] in 6  <> 1
`
	if b.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", b.String(), want)
	}
}

// A long article is read in bounded time, whole.
func TestBlocksOfALongPage(t *testing.T) {
	p := openHTML(t, "<title>Long</title>"+strings.Repeat("<h2>Part</h2>"+strings.Repeat("<p>Some words of an article.</p>", 20), 300))
	p.p = &compile.Probes{Blocks: true}
	s := p.look()
	if len(s.Blocks) != 5000 {
		t.Errorf("%d blocks", len(s.Blocks))
	}
}
