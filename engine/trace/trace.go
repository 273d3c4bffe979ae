// Package trace sends what a run does as OpenTelemetry spans: one for the run, one per stage visit in it, and in those
// one per step and one per question to a model. Questions follow the semantic conventions for generative AI
// (gen_ai.*); what is nth's own is called nth.*. No text of pages, prompts or replies leaves the machine this way.
//
// Start reading at Tracer. It sits here so that engine and its other users do not depend on OpenTelemetry.
package trace

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/nth-dev/nth/engine"
)

// Tracer turns the events of runs into spans. Its Observe is an engine.Runner's Observe function. Close it.
type Tracer struct {
	provider *sdk.TracerProvider
	tracer   trace.Tracer

	mu   sync.Mutex
	runs map[string]*run // by run id
}

// run is the open spans of one run.
type run struct {
	ctx    context.Context
	span   trace.Span
	stages map[string]stage // by path
}

type stage struct {
	ctx  context.Context
	span trace.Span
}

// New makes a tracer that sends spans by OTLP over HTTP to endpoint, a URL. "" leaves it to the standard variables
// (OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS, …). It does not connect.
func New(ctx context.Context, endpoint, version string) (*Tracer, error) {
	var opts []otlptracehttp.Option
	if endpoint != "" {
		if u, err := url.Parse(endpoint); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return nil, fmt.Errorf("%q is not the URL of an OTLP endpoint, such as http://localhost:4318/v1/traces", endpoint)
		}
		opts = append(opts, otlptracehttp.WithEndpointURL(endpoint))
	}
	exporter, err := otlptracehttp.New(ctx, opts...)
	if err != nil {
		return nil, fmt.Errorf("open trace exporter: %w", err)
	}
	res, err := resource.New(ctx, resource.WithAttributes(attribute.String("service.name", "nth"), attribute.String("service.version", version)), resource.WithFromEnv())
	if err != nil {
		return nil, fmt.Errorf("open trace exporter: %w", err)
	}
	p := sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithResource(res))
	return &Tracer{provider: p, tracer: p.Tracer("github.com/nth-dev/nth"), runs: map[string]*run{}}, nil
}

// Close sends what has not been sent, at most until ctx ends.
func (t *Tracer) Close(ctx context.Context) error {
	t.mu.Lock()
	for _, r := range t.runs { // that never came to an end
		r.end("", "")
	}
	t.mu.Unlock()
	if err := t.provider.Shutdown(ctx); err != nil {
		return fmt.Errorf("send traces: %w", err)
	}
	return nil
}

// Observe takes one event.
func (t *Tracer) Observe(e engine.Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := t.run(e)
	switch e.Kind {
	case "stage":
		r.endStages(e.Path)
		ctx, span := t.tracer.Start(r.parent(e.Path), "stage "+e.Stage, trace.WithAttributes(
			attribute.String("nth.path", e.Path), attribute.String("nth.stage", e.Stage)))
		r.stages[e.Path] = stage{ctx, span}
	case "pick", "no_pick":
		t.pick(r.at(e.Path), e.Pick, e.Kind == "pick")
	case "step":
		t.step(r.at(e.Path), e.Record)
	case "end":
		r.span.SetAttributes(attribute.Int("nth.model_calls", e.Usage.Calls), attribute.Float64("nth.cost", e.Usage.Cost))
		r.end(string(e.Record.Status), e.Record.Error)
		delete(t.runs, e.Run)
	}
}

func (t *Tracer) run(e engine.Event) *run {
	r := t.runs[e.Run]
	if r == nil {
		flow, _, _ := strings.Cut(e.Path, "/")
		flow, _, _ = strings.Cut(flow, "[")
		r = &run{stages: map[string]stage{}}
		r.ctx, r.span = t.tracer.Start(context.Background(), "run "+flow, trace.WithAttributes(attribute.String("nth.run", e.Run), attribute.String("nth.flow", flow)))
		t.runs[e.Run] = r
	}
	return r
}

// parent is where the stages of a path belong: into the stage that calls the sub-flow, else into the run.
func (r *run) parent(path string) context.Context {
	for i := strings.LastIndexByte(path, '/'); i > 0; i = strings.LastIndexByte(path[:i], '/') {
		if s, ok := r.stages[path[:i]]; ok {
			return s.ctx
		}
	}
	return r.ctx
}

// at is the context of the stage that a path is in.
func (r *run) at(path string) context.Context {
	if s, ok := r.stages[path]; ok {
		return s.ctx
	}
	return r.ctx
}

// endStages ends the open stages of a path and of what it has called.
func (r *run) endStages(path string) {
	for p, s := range r.stages {
		if p == path || strings.HasPrefix(p, path+"/") {
			s.span.End()
			delete(r.stages, p)
		}
	}
}

func (r *run) end(status, failure string) {
	for p, s := range r.stages {
		s.span.End()
		delete(r.stages, p)
	}
	if status != "" {
		r.span.SetAttributes(attribute.String("nth.status", status))
	}
	if failure != "" {
		r.span.SetStatus(codes.Error, failure)
		r.span.SetAttributes(attribute.String("error.type", failure))
	}
	r.span.End()
}

// pick makes a span per question, one after the other up to now.
func (t *Tracer) pick(ctx context.Context, p *engine.Pick, settled bool) {
	now := time.Now()
	for i := len(p.Tries) - 1; i >= 0; i-- {
		try := p.Tries[i]
		took := max(try.Usage.Time, time.Duration(try.Wall*float64(time.Millisecond)))
		driver, model, _ := strings.Cut(try.By, ":")
		_, span := t.tracer.Start(ctx, strings.TrimSpace("chat "+model), trace.WithSpanKind(trace.SpanKindClient), trace.WithTimestamp(now.Add(-took)), trace.WithAttributes(
			attribute.String("gen_ai.operation.name", "chat"),
			attribute.String("gen_ai.provider.name", driver),
			attribute.String("gen_ai.request.model", model),
			attribute.String("gen_ai.response.model", cmp.Or(p.Model, model)),
			attribute.Int("gen_ai.usage.input_tokens", try.Usage.PromptTokens),
			attribute.Int("gen_ai.usage.output_tokens", try.Usage.CompletionTokens),
			attribute.Int("gen_ai.usage.cache_read.input_tokens", try.Usage.CachedTokens),
			attribute.StringSlice("nth.pick.keys", try.Keys),
			attribute.Float64("nth.cost", try.Usage.Cost),
			attribute.Bool("nth.pick.menu_turned", try.Turned),
		))
		if p.Guess != "" {
			span.SetAttributes(attribute.String("nth.pick.guess", p.Guess))
		}
		if try.Judged != nil {
			span.SetAttributes(attribute.Float64("nth.pick.margin", try.Judged.Margin), attribute.Float64("nth.pick.p_max", try.Judged.PMax))
		}
		if try.Problem != "" {
			span.SetStatus(codes.Error, "the answer could not be used")
			span.SetAttributes(attribute.String("error.type", "unusable_answer"))
		}
		span.End(trace.WithTimestamp(now))
		now = now.Add(-took)
	}
	trace.SpanFromContext(ctx).AddEvent("pick", trace.WithAttributes(
		attribute.String("nth.pick.by", p.By), attribute.String("nth.pick.cache", p.Cache), attribute.Bool("nth.pick.settled", settled)))
}

func (t *Tracer) step(ctx context.Context, rec *engine.Record) {
	now, took := time.Now(), time.Duration(0)
	if rec.Timing != nil {
		took = time.Duration((rec.Timing.Act + rec.Timing.Verify) * float64(time.Millisecond))
	}
	_, span := t.tracer.Start(ctx, "step "+cmp.Or(rec.Skill, "do"), trace.WithTimestamp(now.Add(-took)), trace.WithAttributes(
		attribute.String("nth.skill", rec.Skill), attribute.String("nth.effect", rec.Effect), attribute.Bool("nth.ok", rec.OK)))
	if rec.Error != "" {
		span.SetStatus(codes.Error, rec.Error)
		span.SetAttributes(attribute.String("error.type", rec.Error))
	}
	span.End(trace.WithTimestamp(now))
}
