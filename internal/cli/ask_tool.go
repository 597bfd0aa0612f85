package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"

	"github.com/google/uuid"

	"memory-graph/internal/config"
	"memory-graph/internal/engine"
	"memory-graph/internal/memory"
	"memory-graph/tools"
)

// askTool calls a tool that reads, as a host would, and decodes its answer into the value that into points to. It
// returns the answer as the host would get it.
func (a *app) askTool(ctx context.Context, cfg *config.Config, e *engine.Engine, name string, arguments,
	into any) (json.RawMessage, error) {
	given, err := json.Marshal(arguments)
	if err != nil {
		return nil, fmt.Errorf("encode the arguments of %s: %w", name, err)
	}
	o := a.serverOptions(cfg, slog.New(slog.DiscardHandler)).Tools
	tool, err := tools.Named(tools.Of(e), o, name)
	if err != nil {
		return nil, err
	}
	answer, err := tool.Ask(ctx, given)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(answer, into); err != nil {
		return nil, fmt.Errorf("decode the answer of %s: %w", name, err)
	}
	return answer, nil
}

// person returns the caller of a command that a person runs, as a call of its own.
func person() (memory.Caller, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return memory.Caller{}, fmt.Errorf("make a call id: %w", err)
	}
	return memory.Caller{Actor: "cli", Client: "memory-graph " + buildInfo().Version, CallID: id.String()}, nil
}

// foundItems are the parts of a tool's answer that a person sees.
type foundItems struct {
	Match    string `json:"match"`
	Episodes []struct {
		ID           string   `json:"id"`
		Role         string   `json:"role"`
		Speaker      string   `json:"speaker"`
		Content      string   `json:"content"`
		OccurredAt   string   `json:"occurred_at"`
		SupersededBy []string `json:"superseded_by"`
		Score        *float64 `json:"score"`
	} `json:"episodes"`
	Entities []struct {
		ID          string `json:"id"`
		Name        string `json:"name"`
		Type        string `json:"type"`
		Description string `json:"description"`
	} `json:"entities"`
	Relations []struct {
		ID         string   `json:"id"`
		Head       string   `json:"head"`
		Relation   string   `json:"relation"`
		Tail       string   `json:"tail"`
		Confidence *float64 `json:"confidence"`
		ValidFrom  string   `json:"valid_from"`
		ValidUntil string   `json:"valid_until"`
	} `json:"relations"`
	BelowThreshold int `json:"below_threshold"`
}
