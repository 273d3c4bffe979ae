// Package browser is the engine.Driver on playwright-go: it looks at pages in a real Chromium, and acts on them.
//
// One Browser is one browser process, shared by many Sessions. A Session is one isolated context (cookies, storage)
// with its tabs, for one run.
//
// Start reading at session.go, then follow a look (snapshot.go, and page/*.js, which runs inside the page) and an
// action (act.go, verbs.go). The rest:
//
//	browser.go    the browser process
//	script.go     the script that is injected into every document before the page's own
//	call.go       every call to the browser, raced against cancellation, crash and close
//	errors.go     what a failure of the browser means to the engine, and whether the page was touched
//	navigate.go   goto, back, reload, and what a site that fails means
//	nested.go     where to click in frames of other processes
//	wait.go       waiting for the page to change, without polling
//	tabs.go       tabs and popups
//	dialog.go     native dialogs and file choosers
//	download.go   files that pages hand over
//	fast.go       clicks and texts that need not wait for two frames of stillness
//	fill.go       text, read back
//	parts.go      a number between two buttons, and codes in boxes
//	slide.go      sliders that are no input
//	list.go       options of lists that are not native
//	date.go       dates: native fields, typed ones and parts (datesegments.go)
//	calendar.go   calendars on screen, what is picked in them (calendarpick.go), the way by months (calendarturn.go) and by years (calendardrill.go)
//	locate.go     finding driver and browser (nth doctor)
//	install.go    installing them (nth doctor --fix)
package browser
