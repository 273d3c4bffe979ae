// Package enginetest runs flows without a browser and without a model, in milliseconds: a fake driver whose pages
// are text, a scripted picker, and a runner for txtar files that hold both. Pack authors can use it too.
//
// Start reading at Run (step.go); testdata/step holds many examples. The pages' text form is described at ParsePage.
package enginetest
