package browser

// addBlocks appends the text of a frame, its lists and tables numbered after those before them.
func (a *assembly) addBlocks(got *answered, frame int) {
	groups := 0
	for _, b := range a.snap.Blocks {
		groups = max(groups, b.Group)
	}
	for _, b := range got.Blocks {
		b.Frame = frame
		if b.Group > 0 {
			b.Group += groups
		}
		a.snap.Blocks = append(a.snap.Blocks, b)
	}
}
