package engine

// surprise reports whether a page is no longer the one that several steps were picked for: another document, a dialog
// that was not there, or a form that has got more fields or more mistakes. What was picked for the rest of it is then
// dropped, and asked about again.
func surprise(before, after *Snapshot) bool {
	if after.Document != before.Document || after.Modal != before.Modal && after.Modal != "" {
		return true
	}
	fields, invalid := formOf(before)
	moreFields, moreInvalid := formOf(after)
	for role, n := range moreFields {
		if n > fields[role] {
			return true
		}
	}
	return moreInvalid > invalid
}

// formRoles are what a person fills in.
var formRoles = map[string]bool{
	"textbox": true, "searchbox": true, "combobox": true, "spinbutton": true, "checkbox": true, "radio": true, "switch": true, "slider": true,
}

// formOf counts the visible fields by role, and those that the page says are wrong. Their names do not count: many
// hold the value.
func formOf(s *Snapshot) (fields map[string]int, invalid int) {
	fields = map[string]int{}
	for i := range s.Elements {
		e := &s.Elements[i]
		if !e.Visible || !formRoles[e.Role] {
			continue
		}
		fields[e.Role]++
		if e.Invalid {
			invalid++
		}
	}
	return fields, invalid
}
