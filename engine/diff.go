package engine

// maxDiff bounds the lines of a page diff in a record.
const maxDiff = 40

// diffLines tells which lines came ("+ …", in the new page's order) and which went ("- …"). Lines that only
// moved are not told. It takes linear time.
func diffLines(before, after []string) []string {
	count := make(map[string]int, len(before))
	for _, l := range before {
		count[l]++
	}
	var out []string
	for _, l := range after {
		if count[l] > 0 {
			count[l]--
			continue
		}
		out = append(out, "+ "+l)
	}
	for _, l := range before {
		if count[l] > 0 {
			count[l]--
			out = append(out, "- "+l)
		}
	}
	return out
}

// diff is the bounded diff of two looks; a navigation gives the new page's address instead.
func diff(before, after *Snapshot) []string {
	if before.Document != after.Document {
		return []string{"+ page " + after.URL}
	}
	var out []string
	if before.URL != after.URL {
		out = append(out, "+ url "+after.URL)
	}
	out = append(out, diffLines(before.Lines(), after.Lines())...)
	if len(out) > maxDiff {
		out = out[:maxDiff]
	}
	return out
}
