package browser

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
)

var roleCases = strings.Split(strings.TrimSpace(`
<a href=#>x</a>
<a>x</a>
<a href=# role=button>x</a>
<a onclick=1>x</a>
<abbr title=x>x</abbr>
<address>x</address>
<map name=m><area href=# alt=x shape=rect coords=0,0,9,9><area alt=y></map><img usemap=#m width=10 height=10 alt=z>
<article>x</article>
<aside>x</aside>
<main><aside>x</aside></main>
<article><aside>x</aside></article>
<section><aside>x</aside></section>
<section><aside aria-label=y>x</aside></section>
<nav><aside title=y>x</aside></nav>
<audio controls></audio>
<b>x</b><i>x</i><u>x</u><s>x</s><small>x</small><q>x</q><cite>x</cite><bdi>x</bdi><bdo>x</bdo><data value=1>x</data><kbd>x</kbd><samp>x</samp><var>x</var><span>x</span><wbr>
<blockquote>x</blockquote>
<button>x</button>
<button type=submit>x</button>
<button aria-pressed=true>x</button>
<button aria-haspopup=menu>x</button>
<button><span>x</span><img alt=y></button>
<button><h2>x</h2></button>
<canvas>x</canvas>
<code>x</code>
<datalist><option>x</datalist>
<del>x</del><ins>x</ins><dfn>x</dfn><em>x</em><strong>x</strong><mark>x</mark><sub>x</sub><sup>x</sup><time>x</time>
<details><summary>x</summary>y</details>
<details open><summary>x</summary>y</details>
<details><summary>x</summary><p>y</details>
<summary>x</summary>
<dialog open>x</dialog>
<div>x</div>
<div hidden>x</div>
<dl><dt>x<dd>y</dl>
<dl><div><dt>x<dd>y</div></dl>
<embed>
<fieldset><legend>x</legend><input></fieldset>
<figure>x<figcaption>y</figcaption></figure>
<footer>x</footer>
<header>x</header>
<main><header>x</header><footer>y</footer></main>
<section><header>x</header><footer>y</footer></section>
<article><header>x</header></article>
<aside><footer>x</footer></aside>
<nav><footer>x</footer></nav>
<div role=region aria-label=z><footer>x</footer></div>
<div role=article><footer>x</footer></div>
<div role=complementary><footer>x</footer></div>
<div role=navigation><header>x</header></div>
<div role=main><header>x</header></div>
<section role=none><header>x</header></section>
<div><header>x</header></div>
<form>x</form>
<form aria-label=y>x</form>
<form title=y>x</form>
<form name=y>x</form>
<h1>x</h1><h2>x</h2><h3>x</h3><h4>x</h4><h5>x</h5><h6>x</h6>
<hgroup><h1>x</h1><p>y</p></hgroup>
<hr>
<iframe></iframe>
<img alt=x width=9 height=9>
<img alt="" width=9 height=9>
<img alt width=9 height=9>
<img width=9 height=9>
<img alt="" title=x width=9 height=9>
<img alt="" aria-label=x width=9 height=9>
<img alt="" aria-labelledby=nope width=9 height=9>
<img alt="" tabindex=0 width=9 height=9>
<img alt=x role=none width=9 height=9>
<img alt=x role=presentation title=y width=9 height=9>
<img alt="" role=img width=9 height=9>
<img alt=" " width=9 height=9>
<input>
<input type=button value=x>
<input type=checkbox>
<input type=checkbox role=switch>
<input type=checkbox switch>
<input type=checkbox aria-pressed=true>
<input type=checkbox role=button aria-pressed=true>
<input type=color>
<input type=date>
<input type=datetime-local>
<input type=email>
<input type=file>
<input type=hidden>
<input type=image alt=x>
<input type=month>
<input type=number>
<input type=password>
<input type=radio>
<input type=range>
<input type=reset>
<input type=search>
<input type=submit>
<input type=tel>
<input type=text>
<input type=time>
<input type=url>
<input type=week>
<input type=bogus>
<datalist id=dl1><option>x</datalist><input list=dl1><input type=email list=dl1><input type=search list=dl1><input type=number list=dl1><input type=range list=dl1><input type=date list=dl1><input type=color list=dl1><input type=tel list=dl1><input type=url list=dl1><input type=password list=dl1>
<input list=nolist>
<input type=text role=combobox>
<input type=search role=combobox>
<input type=text role=spinbutton aria-valuenow=1>
<input type=text role=button>
<label>x <input></label>
<ul><li>x</ul>
<ol><li>x</ol>
<menu><li>x</menu>
<li>x</li>
<div><li>x</li></div>
<ul role=none><li>x</ul>
<ul role=presentation><li>x<ul><li>y</ul></ul>
<ul role=list><li>x</ul>
<ul role=listbox><li role=option>x<li>y</ul>
<ul role=menu><li role=menuitem>x<li>y<li role=none><a role=menuitem href=#>z</a></ul>
<ul role=tablist><li role=tab>x</ul>
<ul role=tree><li role=treeitem>x<ul role=group><li role=treeitem>y</ul></ul>
<div role=list><li>x</li></div>
<div role=list><div role=listitem>x</div></div>
<div role=listitem>x</div>
<ul><div><li>x</div></ul>
<ul style=list-style:none><li>x</ul>
<main>x</main>
<math><mi>x</mi></math>
<meter value=.5></meter>
<nav>x</nav>
<noscript>x</noscript>
<object>x</object>
<output>x</output>
<p>x</p>
<picture><source><img alt=x></picture>
<pre>x</pre>
<progress></progress>
<progress value=.3></progress>
<ruby>x<rp>(</rp><rt>y</rt><rp>)</rp></ruby>
<search>x</search>
<section>x</section>
<section aria-label=y>x</section>
<section title=y>x</section>
<section aria-labelledby=lb1>x<b id=lb1>z</b></section>
<section aria-labelledby=nope>x</section>
<section aria-label="">x</section>
<section aria-label=" ">x</section>
<select><option>x</select>
<select size=1><option>x</select>
<select size=3><option>x</select>
<select multiple><option>x</select>
<select multiple size=1><option>x</select>
<select size=3><optgroup label=g><option>x</optgroup></select>
<select role=listbox><option>x</select>
<svg width=9 height=9><path d=M0,0h9></path></svg>
<svg width=9 height=9><title>x</title><circle r=3 /></svg>
<svg width=9 height=9 aria-label=x></svg>
<svg width=9 height=9 role=img></svg>
<svg width=9 height=9 aria-hidden=true></svg>
<svg width=9 height=9><a href=#><text y=9>x</text></a></svg>
<svg width=9 height=9><g><title>x</title><rect width=9 height=9 /></g></svg>
<table><caption>x</caption><thead><tr><th>a<th>b</thead><tbody><tr><td>x<td>y</tbody><tfoot><tr><td>z</tfoot></table>
<table><colgroup><col></colgroup><tr><th>a<td>x</table>
<table><tr><td>x</table>
<table border=1><tr><th>a<tr><th scope=row>b<td>x</table>
<table><tr><th scope=col>a<th scope=row>b<th scope=rowgroup>c<th scope=colgroup>d<th>e</table>
<table><tr><th>a<td>b<tr><th>c<td>d</table>
<table><tr><th>a<th>b<tr><th>c<td>d</table>
<table><tr><th><tr><td>d</table>
<table role=grid><tr><th>a<td>b</table>
<table role=treegrid><tr><th>a<td>b</table>
<table role=none><tr><th>a<td>b</table>
<table role=presentation><tbody><tr><td>b</table>
<table role=presentation><caption>c</caption><tr><td>b</table>
<table role=none><tr><td><table><tr><td>in<td>ner</table></table>
<table role=grid><tr><td><table><tr><td>in<td>ner<tr><th>in<td>ner</table></table>
<table role=grid><tr role=row><td role=gridcell>x<td>y</table>
<table role=table><tr><td>x</table>
<table role=list><tr><td>x</table>
<table><tr role=none><td>x<td>y</table>
<table><tbody role=none><tr><td>x<td>y<tr><td>x<td>y</table>
<table><tr><td role=button tabindex=0>x<td role=cell>y</table>
<table style=display:block><tr><td>x<td>y</table>
<div role=grid><div role=row><span role=gridcell>x</span><span role=columnheader>y</span></div></div>
<div role=table><div role=rowgroup><div role=row><span role=cell>x</span><span role=rowheader>y</span></div></div></div>
<textarea></textarea>
<textarea role=combobox></textarea>
<video controls></video>
<div role=none>x</div>
<h2 role=none>x</h2>
<h2 role=presentation tabindex=0>x</h2>
<h2 role=none aria-label=y>x</h2>
<h2 role=none aria-live=polite>x</h2>
<h2 role=none aria-hidden=false>x</h2>
<h2 role=none aria-level=2>x</h2>
<h2 role=none title=y>x</h2>
<h2 role=none aria-describedby=zz>x</h2>
<button role=none>x</button>
<button role=none disabled>x</button>
<button role=presentation tabindex=-1>x</button>
<a href=# role=none>x</a>
<a role=none>x</a>
<input role=none>
<input role=none disabled>
<input type=checkbox role=presentation>
<select role=none><option>x</select>
<img role=none alt=x tabindex=0 width=9 height=9>
<img role=none aria-label=x width=9 height=9>
<iframe role=none></iframe>
<video role=none controls></video>
<ul role=none aria-label=y><li>x</ul>
<ul role=none tabindex=0><li>x</ul>
<nav role=none>x</nav>
<div role=none contenteditable>x</div>
<summary role=none>x</summary>
<details><summary role=none>x</summary>y</details>
<details><summary role=link>x</summary>y</details>
<div role=generic>x</div>
<h2 role=generic>x</h2>
<button role=generic>x</button>
<div role=generic tabindex=0>x</div>
<div role=generic aria-label=x>x</div>
<div role="foo button">x</div>
<div role="foo bar">x</div>
<h2 role="foo bar">x</h2>
<h2 role="">x</h2>
<h2 role="foo none">x</h2>
<div role="BUTTON">x</div>
<div role="  tab   button ">x</div>
<div role="none button">x</div>
<h2 role="none button" tabindex=0>x</h2>
<button role="none switch" aria-checked=true>x</button>
<div role="roletype button">x</div>
<div role="widget">x</div>
<nav role="landmark">x</nav>
<nav role="section">x</nav>
<div role="command link">x</div>
<section role="region">x</section>
<div role="region">x</div>
<div role="region button">x</div>
<div role="region" aria-label=y>x</div>
<div role="form">x</div>
<div role="form" aria-label=y>x</div>
<div role="form button">x</div>
<form role=region>x</form>
<form role=search>x</form>
<form role=none>x</form>
<nav role=region>x</nav>
<div role=image>x</div>
<div role=directory>x</div>
<div role=text>x</div>
<div role=associationlist>x</div>
<div role=comment>x</div>
<div role=suggestion>x</div>
<div role=mark>x</div>
<div role=sectionheader>x</div>
<div role=sectionfooter>x</div>
<div role=doc-chapter>x</div>
<div role=doc-abstract>x</div>
<a href=# role=doc-noteref>x</a>
<a href=# role=doc-backlink>x</a>
<h2 role=doc-subtitle>x</h2>
<div role=graphics-document>x</div>
<svg role=graphics-symbol width=9 height=9></svg>
<div role=alert>x</div><div role=alertdialog>x</div><div role=application>x</div><div role=article>x</div><div role=banner>x</div><div role=blockquote>x</div><div role=button>x</div>
<div role=checkbox>x</div><div role=code>x</div><div role=combobox>x</div><div role=complementary>x</div><div role=contentinfo>x</div><div role=definition>x</div><div role=deletion>x</div><div role=dialog>x</div>
<div role=document>x</div><div role=emphasis>x</div><div role=feed>x</div><div role=figure>x</div><div role=group>x</div><div role=heading>x</div><div role=img>x</div><div role=insertion>x</div>
<div role=link>x</div><div role=list>x</div><div role=listbox>x</div><div role=log>x</div><div role=main>x</div><div role=marquee>x</div><div role=math>x</div><div role=menu>x</div><div role=menubar>x</div>
<div role=menu><div role=menuitem>x</div><div role=menuitemcheckbox>x</div><div role=menuitemradio>x</div></div><div role=meter>x</div><div role=navigation>x</div><div role=note>x</div><div role=listbox><div role=option>x</div></div>
<div role=menuitem>x</div><div role=option>x</div><div role=tab>x</div><div role=treeitem>x</div><div role=row>x</div><div role=cell>x</div><div role=gridcell>x</div><div role=rowgroup>x</div><div role=columnheader>x</div>
<div role=paragraph>x</div><div role=progressbar>x</div><div role=radio>x</div><div role=radiogroup>x</div><div role=scrollbar aria-valuenow=1>x</div><div role=search>x</div><div role=searchbox>x</div><div role=separator>x</div><div role=separator tabindex=0 aria-valuenow=1>x</div>
<div role=slider aria-valuenow=1>x</div><div role=spinbutton>x</div><div role=status>x</div><div role=strong>x</div><div role=subscript>x</div><div role=superscript>x</div><div role=switch aria-checked=true>x</div><div role=table>x</div><div role=tablist><div role=tab>x</div></div><div role=tabpanel>x</div>
<div role=term>x</div><div role=textbox>x</div><div role=time>x</div><div role=timer>x</div><div role=toolbar>x</div><div role=tooltip>x</div><div role=tree><div role=treeitem>x</div></div><div role=treegrid>x</div><div role=caption>x</div>
<div contenteditable>x</div>
<div contenteditable=true>x<p>y</p></div>
<div contenteditable=plaintext-only>x</div>
<div contenteditable=false>x</div>
<p contenteditable>x</p>
<h2 contenteditable>x</h2>
<span contenteditable>x</span>
<div contenteditable role=button>x</div>
<div role=button tabindex=0><h2>x</h2><a href=#>y</a></div>
<div role=img aria-label=z><p>x</p><button>y</button></div>
<div role=checkbox aria-checked=true><span role=heading>x</span></div>
<div role=tab><img alt=y><em>x</em></div>
<div role=slider aria-valuenow=1><p>x</p></div>
<div role=math><p>x</p></div>
<div role=progressbar><p>x</p></div>
<button><ul><li>x</ul></button>
<div role=option><h3>x</h3><button>y</button></div>
<custom-element>x</custom-element>
<custom-element role=button>x</custom-element>
<center>x</center><font>x</font><big>x</big><tt>x</tt><strike>x</strike><marquee>x</marquee><dir><li>x</dir>
<div tabindex=0>x</div>
<div aria-label=x>y</div>
<span title=x>y</span>
<optgroup><option>x</optgroup>
<legend>x</legend><caption>x</caption><figcaption>x</figcaption><dt>x</dt><dd>y</dd>
<slot>x</slot>
<div role=region title=y>x</div>
<div role=region aria-labelledby=nope>x</div>
<div role=grid><table><tr><td>x<td>y</table></div>
<div role=grid><table role=none><tr role=row><td>x<td role=gridcell>y</table></div>
<table role=none><tr role=row><td>x<td>y</table>
<table><tr><td>x<td>y<tr><td>x<td>y</table>
<ul role="foo"><li>x</ul>
<ul role=group><li>x</ul>
<ul role=directory><li>x</ul>
<ul role="none list"><li>x</ul>
<h2 role="generic button">x</h2>
<fieldset role=none>x</fieldset>
<fieldset disabled><button role=none>x</button></fieldset>
<search role=none>x</search>
<details role=none><summary>x</summary></details>
<template>x</template>
<address role=group>x</address>
`), "\n")

func TestRolesExplore(t *testing.T) {
	in := inspect(t)
	var b strings.Builder
	for _, c := range roleCases {
		fmt.Fprintf(&b, "<div class=case>%s</div>", c)
	}
	v, err := in.page.Evaluate(`html => { document.body.innerHTML = html; const out = [];
	  for (const c of document.querySelectorAll('.case')) { const l = []; for (const e of c.querySelectorAll('*')) { l.push(e.localName+':'+(nth.role(e)||'-')); } out.push(l.join(' ')); }
	  return JSON.stringify(out); }`, b.String())
	if err != nil {
		t.Fatal(err)
	}
	var nth []string
	_ = json.Unmarshal([]byte(v.(string)), &nth)
	ax := map[any]string{}
	for _, n := range in.send("Accessibility.getFullAXTree", nil)["nodes"].([]any) {
		m := n.(map[string]any)
		r := "?"
		if x, ok := m["role"].(map[string]any); ok {
			r = fmt.Sprint(x["value"])
		}
		if m["ignored"] == true {
			r = "!" + r
		}
		if _, ok := ax[m["backendDOMNodeId"]]; !ok {
			ax[m["backendDOMNodeId"]] = r
		}
	}
	root := in.send("DOM.getDocument", map[string]any{"depth": -1, "pierce": false})["root"].(map[string]any)
	var chr []string
	var walk func(n map[string]any, in bool)
	walk = func(n map[string]any, inside bool) {
		kids, _ := n["children"].([]any)
		if attrs, ok := n["attributes"].([]any); ok && len(attrs) == 2 && attrs[1] == "case" {
			chr = append(chr, "")
			inside = true
		} else if inside && n["nodeType"] == 1.0 || inside && fmt.Sprint(n["nodeType"]) == "1" {
			r := ax[n["backendNodeId"]]
			if r == "" {
				r = "absent"
			}
			s := &chr[len(chr)-1]
			*s = strings.TrimSpace(*s + " " + fmt.Sprint(n["localName"]) + ":" + r)
		}
		for _, k := range kids {
			walk(k.(map[string]any), inside)
		}
	}
	walk(root, false)
	if len(nth) != len(roleCases) || len(chr) != len(roleCases) {
		t.Fatal(len(nth), len(chr), len(roleCases))
	}
	norm := strings.NewReplacer(":IframePresentational ", ":- ", ":DisclosureTriangle ", ":button ", ":MathMLIdentifier ", ":- ", ":LayoutTableCell ", ":cell ", ":DescriptionList ", ":- ", ":LayoutTableRow ", ":row ", ":sectionheader ", ":- ", ":sectionfooter ", ":- ", ":PluginObject ", ":- ", ":LayoutTable ", ":table ", ":MathMLMath ", ":math ", ":Figcaption ", ":- ", ":InputTime ", ":textbox ", ":ColorWell ", ":textbox ", ":LabelText ", ":- ", ":DateTime ", ":textbox ", ":!generic ", ":- ", ":SvgRoot ", ":img ", ":generic ", ":- ", ":absent ", ":- ", ":Canvas ", ":- ", ":Legend ", ":- ", ":Iframe ", ":- ", ":image ", ":img ", ":!none ", ":- ", ":Audio ", ":- ", ":Video ", ":- ", ":Date ", ":textbox ", ":none ", ":- ", ":Abbr ", ":- ", ":Ruby ", ":- ")
	same := 0
	for i, c := range roleCases {
		tb := regexp.MustCompile(`tbody:[^ ]* ?`)
		if tb.ReplaceAllString(nth[i]+" ", "") == tb.ReplaceAllString(norm.Replace(chr[i]+" "), "") {
			same++
			continue
		}
		t.Logf("%s\n    nth %s\n    chr %s", c, nth[i], chr[i])
	}
	t.Logf("%d of %d", same, len(roleCases))
}
