//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// usage is what one run of a command took.
type usage struct {
	wall, cpu time.Duration
	peakMB    float64
}

// measure runs a command in a folder; it has to succeed.
func measure(tb testing.TB, dir, name string, args ...string) usage {
	tb.Helper()
	c := exec.Command(name, args...)
	c.Dir = dir
	start := time.Now()
	out, err := c.CombinedOutput()
	u := usage{wall: time.Since(start)}
	if err != nil {
		tb.Fatalf("%s: %v\n%.2000s", filepath.Base(name), err, out)
	}
	u.cpu = c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	if r, ok := c.ProcessState.SysUsage().(*syscall.Rusage); ok {
		u.peakMB = float64(r.Maxrss) / 1024
		if runtime.GOOS == "darwin" { // bytes there, kilobytes elsewhere
			u.peakMB /= 1024
		}
	}
	return u
}

func build(tb testing.TB, dir, pkg, name string) string {
	tb.Helper()
	bin := filepath.Join(tb.TempDir(), name)
	c := exec.Command("go", "build", "-o", bin, pkg)
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		tb.Skipf("build %s: %v\n%s", pkg, err, out)
	}
	return bin
}

// writeWorkflows makes workflows of GitHub Actions, each as large as the flow of the same number.
func writeWorkflows(tb testing.TB, dir string, n int, size int) {
	for i := range n {
		var b strings.Builder
		fmt.Fprintf(&b, "name: flow %d\non:\n  push:\n    branches: [main]\n  workflow_dispatch:\n    inputs:\n      site: {description: Site, type: string, required: true}\nenv:\n  CEILING: 400\njobs:\n", i)
		for j := 0; b.Len() < size; j++ {
			fmt.Fprintf(&b, `  job_%d:
    runs-on: ubuntu-latest
    timeout-minutes: 10
    strategy:
      matrix: {size: [1, 2, 3], kind: [a, b]}
    steps:
      - uses: actions/checkout@v4
      - name: Search
        id: search
        if: ${{ matrix.size > 1 && github.event_name == 'push' }}
        run: echo "n=${{ matrix.size }}" >> "$GITHUB_OUTPUT"
      - name: Choose
        if: ${{ contains(github.ref, 'main') && steps.search.outputs.n != '' }}
        run: echo "${{ env.CEILING }} ${{ steps.search.outputs.n }} ${{ inputs.site }}"
        env:
          CARD: ${{ secrets.CARD }}
`, j)
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("flow_%d.yaml", i)), []byte(b.String()), 0o644); err != nil {
			tb.Fatal(err)
		}
	}
}

// nth validate on 1,000 flows (with 20 packs) against actionlint on 1,000 workflows of the same size, in turns. Ratios below
// 1 mean that nth is quicker; that of the processors' time hardly depends on what else runs.
func BenchmarkAgainstActionlint(b *testing.B) {
	nth := build(b, "../..", "./cmd/nth", "nth")
	actionlint := build(b, "../../testdata/bench/actionlint", "github.com/rhysd/actionlint/cmd/actionlint", "actionlint")
	flows, workflows := b.TempDir(), b.TempDir()
	writeProject(b, flows, 1000, 20)
	one, err := os.ReadFile(filepath.Join(flows, "flows/00/flow_0.yaml"))
	if err != nil {
		b.Fatal(err)
	}
	writeWorkflows(b, workflows, 1000, len(one))
	args := []string{"-shellcheck=", "-pyflakes="}
	for i := range 1000 {
		args = append(args, fmt.Sprintf("flow_%d.yaml", i))
	}
	var ours, theirs usage
	for b.Loop() {
		a, c := measure(b, flows, nth, "validate", "--no-cache"), measure(b, workflows, actionlint, args...)
		ours.wall, ours.cpu, ours.peakMB = ours.wall+a.wall, ours.cpu+a.cpu, max(ours.peakMB, a.peakMB)
		theirs.wall, theirs.cpu, theirs.peakMB = theirs.wall+c.wall, theirs.cpu+c.cpu, max(theirs.peakMB, c.peakMB)
	}
	n := float64(b.N)
	b.ReportMetric(float64(ours.cpu.Milliseconds())/n, "nth-cpu-ms")
	b.ReportMetric(float64(theirs.cpu.Milliseconds())/n, "actionlint-cpu-ms")
	b.ReportMetric(float64(ours.cpu)/float64(theirs.cpu), "cpu-ratio")
	b.ReportMetric(float64(ours.wall)/float64(theirs.wall), "wall-ratio")
	b.ReportMetric(ours.peakMB, "nth-peak-MB")
	b.ReportMetric(theirs.peakMB, "actionlint-peak-MB")
}

// The memory at its peak must not grow with the number of files.
func BenchmarkValidateMemory(b *testing.B) {
	nth := build(b, "../..", "./cmd/nth", "nth")
	for _, n := range []int{1000, 5000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			dir := b.TempDir()
			writeProject(b, dir, n, 20)
			peak := 0.0
			for b.Loop() {
				peak = max(peak, measure(b, dir, nth, "validate", "--no-cache").peakMB)
			}
			b.ReportMetric(peak, "peak-MB")
		})
	}
}
