package engine

// maxDiff bounds the lines of a page diff in a record.
const maxDiff = 40

// changes tells which lines came (their indices in after) and which went. Lines that only moved are not told. It takes
// linear time.
func changes(before, after []string) (came []int, went []string) {
	count := make(map[string]int, len(before))
	for _, l := range before {
		count[l]++
	}
	for i, l := range after {
		if count[l] > 0 {
			count[l]--
			continue
		}
		came = append(came, i)
	}
	for _, l := range before {
		if count[l] > 0 {
			count[l]--
			went = append(went, l)
		}
	}
	return came, went
}

// diffLines writes the lines that came as "+ …", in the new page's order, and those that went as "- …".
func diffLines(before, after []string) []string {
	came, went := changes(before, after)
	var out []string
	for _, i := range came {
		out = append(out, "+ "+after[i])
	}
	for _, l := range went {
		out = append(out, "- "+l)
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
