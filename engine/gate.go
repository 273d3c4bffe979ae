package engine

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// Confidence is what the engine computes from an answer's probabilities. What a vendor calls confidence is not looked
// at: the formulas differ from vendor to vendor.
type Confidence struct {
	PMax float64 `json:"p_max"`
	// Margin is how far the chosen option is ahead of the best one that was not chosen; below 0 where the choice is
	// not the most probable option.
	Margin  float64 `json:"margin"`
	Entropy float64 `json:"entropy"` // normalised: 0 is certain, 1 is no idea
}

// Thresholds say when an answer with probabilities is ambiguous. The zero value is DefaultMargin alone.
type Thresholds struct {
	Margin  float64 // ambiguous up to this margin; 0: DefaultMargin
	P       float64 // ambiguous below this probability of the chosen option; 0: any will do
	Entropy float64 // ambiguous above this entropy; 0: any will do
}

// DefaultMargin is the margin up to which an answer is ambiguous.
const DefaultMargin = 0.02

// gate is the one check that every answer passes, whoever gave it. It returns the keys without repetitions.
func gate(q Question, a Answer) ([]string, error) {
	if a.Refused {
		return nil, errors.New("the model refused to answer")
	}
	if len(a.Keys) == 0 {
		return nil, errors.New("no number was given")
	}
	if len(a.Keys) > 1 && !q.Many {
		return nil, fmt.Errorf("one number is wanted, not %d", len(a.Keys))
	}
	seen := map[int]bool{}
	var keys []string
	for _, k := range a.Keys {
		n, ok := offered(q, k)
		if !ok {
			return nil, fmt.Errorf("%s is not on the menu: the numbers are 0 to %d", quoteShort(k), len(q.Options))
		}
		if n == 0 {
			if len(a.Keys) > 1 {
				return nil, errors.New("0 means none of these, so it cannot stand beside other numbers")
			}
			keys = []string{"0"}
			break
		}
		if slices.Contains(keys, k) {
			continue
		}
		if n <= len(q.Group) {
			if g := q.Group[n-1]; seen[g] {
				return nil, fmt.Errorf("%d and another number are alternatives: choose one of them", n)
			} else {
				seen[g] = true
			}
		}
		keys = append(keys, k)
	}
	if err := gateProbabilities(q, a.P); err != nil {
		return nil, err
	}
	return keys, nil
}

// offered reads a key as the number of an option, 0 for none of these.
func offered(q Question, key string) (int, bool) {
	n, err := strconv.Atoi(key)
	return n, err == nil && n >= 0 && n <= len(q.Options) && strconv.Itoa(n) == key
}

func gateProbabilities(q Question, dist map[string]float64) error {
	sum := 0.0
	for k, p := range dist {
		if _, ok := offered(q, k); !ok {
			return fmt.Errorf("a probability is given for %s, which is not on the menu", quoteShort(k))
		}
		if math.IsNaN(p) || math.IsInf(p, 0) || p < 0 || p > 1.000001 {
			return fmt.Errorf("the probability of %s is %v", quoteShort(k), p)
		}
		sum += p
	}
	if len(dist) > 0 && math.Abs(sum-1) > 0.05 {
		return fmt.Errorf("the probabilities sum to %.2f", sum)
	}
	return nil
}

// confidence judges an answer that has passed the gate; nil when it has no probabilities. Of several keys, the first
// is the choice that the probabilities speak of, and the others are not held against it.
func confidence(q Question, keys []string, dist map[string]float64) *Confidence {
	if len(dist) == 0 {
		return nil
	}
	c := &Confidence{}
	rest := 0.0
	for k, p := range dist {
		c.PMax = max(c.PMax, p)
		if !slices.Contains(keys, k) {
			rest = max(rest, p)
		}
		if p > 0 {
			c.Entropy -= p * math.Log(p)
		}
	}
	c.Margin = dist[keys[0]] - rest
	c.Entropy = max(0, min(1, c.Entropy/math.Log(float64(len(q.Options)+1))))
	return c
}

// ambiguous says why an answer is not clear enough to act on; "" when it is, or has no probabilities.
func (t Thresholds) ambiguous(c *Confidence, p float64) string {
	margin := t.Margin
	if margin == 0 {
		margin = DefaultMargin
	}
	switch {
	case c == nil:
		return ""
	case c.Margin < 0:
		return fmt.Sprintf("ambiguous: the choice is not the most probable option, it is %.2f behind", -c.Margin)
	case c.Margin <= margin:
		return fmt.Sprintf("ambiguous: the choice is ahead by %.3f only", c.Margin)
	case p < t.P:
		return fmt.Sprintf("ambiguous: the choice has a probability of %.2f only", p)
	case t.Entropy > 0 && c.Entropy > t.Entropy:
		return fmt.Sprintf("ambiguous: the entropy is %.2f", c.Entropy)
	}
	return ""
}
