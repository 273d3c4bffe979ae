// Package site is an encyclopaedia article that is too long to read: the harbour of a town, over two pages, with
// tables and lists. What the flow looks for stands once, among much that looks like it.
//
// It works without JavaScript and is the same every time.
package site

import (
	"embed"
	"fmt"
	"html/template"
	"net/http"
)

//go:embed assets
var assets embed.FS

var pages = template.Must(template.ParseFS(assets, "assets/*.html"))

// New serves the article: / is its first part, /2 the second.
func New() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) { render(w, article[0]) })
	mux.HandleFunc("GET /2", func(w http.ResponseWriter, _ *http.Request) { render(w, article[1]) })
	return mux
}

func render(w http.ResponseWriter, p part) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_ = pages.ExecuteTemplate(w, "article.html", p)
}

// part is one page of the article.
type part struct {
	Title    string
	Sections []section
	Next     string // where the next part is; "" for the last
	Back     string
}

type section struct {
	Heading    string
	Paragraphs []string
	Facts      [][2]string
	Columns    []string
	Rows       [][]string
	Items      []string
}

// about fills a section with what a local historian finds worth telling.
func about(heading, subject string, from int, facts ...string) section {
	trades := []string{"herring", "timber", "salt", "wool", "coal", "grain", "stone", "wine"}
	s := section{Heading: heading}
	for i := range 9 {
		s.Paragraphs = append(s.Paragraphs, fmt.Sprintf("In %d the council wrote of %s that the %s trade had grown, and that %d ships had called. "+
			"Nobody has found out since whether the number counts boats of less than %d lasts, and the books of the following year are lost.",
			from+7*i, subject, trades[(from+i)%len(trades)], 40+(from*i)%97, 3+i))
		if i < len(facts) {
			s.Paragraphs = append(s.Paragraphs, facts[i])
		}
	}
	return s
}

var article = []part{
	{Title: "Harbour of Lindehavn", Next: "/2", Sections: []section{
		{Heading: "Overview", Facts: [][2]string{{"Country", "Denmark"}, {"Berths", "42"}, {"Greatest draught", "8.5 m"}, {"Owner", "Town of Lindehavn"}}},
		about("Early history", "the old quay", 1612, "A chain was drawn across the mouth every night; its last links are in the museum."),
		about("The fish market", "the market hall", 1688, "The hall was sold at auction to the fishermen's guild.", "The first light was a basket of coals on a pole."),
		about("Shipyards", "the yards", 1741, "At its height the northern yard employed 310 men, which is one in nine of those who lived in the town."),
	}},
	{Title: "Harbour of Lindehavn, part 2", Back: "/", Sections: []section{
		about("The breakwater", "the works", 1806, "Hanne Krog, who had built the locks at Veddel, drew the plans of the breakwater.",
			"The breakwater was inaugurated on 14 June 1874, two years late, and cost 1,249,000 kroner.",
			"It was raised by two metres after the flood of 1902."),
		{Heading: "Traffic", Columns: []string{"Year", "Ships", "Cargo (t)"}, Rows: [][]string{{"1880", "1,204", "96,300"}, {"1910", "2,951", "310,450"}, {"1960", "804", "512,000"}, {"2020", "133", "88,100"}}},
		about("Today", "the marina", 1903, "The ferry to Sandø runs from May to September and takes 35 minutes."),
		{Heading: "See also", Items: []string{"Lighthouse of Lindehavn", "Sandø", "List of harbours"}},
	}},
}
