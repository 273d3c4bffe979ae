package schema

// Suggest returns the known word that is nearest to a misspelt one, or "" when none is near: at most one edit
// (insert, delete, replace, swap of neighbours) per three letters.
func Suggest(word string, known []string) string {
	best, bestDist := "", reach(word)+1
	for _, k := range known {
		if k == word {
			continue
		}
		if d := EditDistance([]rune(word), []rune(k), bestDist); d < bestDist {
			best, bestDist = k, d
		}
	}
	return best
}

// reach is the number of edits within which a word is near.
func reach(word string) int { return max(1, len([]rune(word))/3) }

// Respell is the edit that writes a known word in place of a misspelt one, for findings that suggest it. It is certain
// only when no other known word is near, and, where names must differ, it is not taken; else there is none. at is where the
// word stands; what is in quotes there is left to the author.
func Respell(at Range, word string, known []string, taken func(string) bool) []Edit {
	if at.Start.Line == 0 || at.Start.Line != at.End.Line || at.End.Col-at.Start.Col != len([]rune(word)) {
		return nil
	}
	near := ""
	for _, k := range known {
		if k == near || EditDistance([]rune(word), []rune(k), reach(word)+1) > reach(word) {
			continue
		}
		if near != "" {
			return nil
		}
		near = k
	}
	if near == "" || taken != nil && taken(near) {
		return nil
	}
	return []Edit{{Range: at, Text: near}}
}

// EditDistance is the optimal string alignment distance, or limit when it is not smaller.
func EditDistance(a, b []rune, limit int) int {
	if abs(len(a)-len(b)) >= limit {
		return limit
	}
	prev2, prev, cur := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], prev2[j-2]+1)
			}
		}
		prev2, prev, cur = prev, cur, prev2
	}
	return min(prev[len(b)], limit)
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
