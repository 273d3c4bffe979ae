# Two targets do everything on a fresh Debian machine with Go and Node: `make demo` and `make test`.
# Both install what they need (Playwright's driver; Chromium, as the Debian package when run as root).

GO ?= go
BIN := bin/nth

.PHONY: demo test bench lint build setup clean

demo: setup ## book a flight on the built-in site
	$(BIN) demo

test: setup ## all tests, with the race detector
	$(GO) test -race -p 1 -timeout 40m ./... # one package at a time: each has a browser of its own

bench: setup ## the figures that the README quotes
	$(GO) test -run '^$$' -bench . -benchmem ./schema ./engine/...
	NTH_BENCH=1 $(GO) test -count=1 -run TestBench -v ./cmd/nth

build:
	$(GO) build -o $(BIN) ./cmd/nth

setup: build ## driver and browser
	$(BIN) doctor --fix

lint: build
	@test -z "$$(gofmt -l .)" || { gofmt -l . ; echo "gofmt: the files above are not formatted" ; exit 1 ; }
	$(GO) vet ./...
	$(GO) tool staticcheck ./...
	$(BIN) validate flows stdlib-skills
	$(BIN) fmt --check flows stdlib-skills

clean:
	rm -rf bin .nth
