package llm

import (
	"context"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// Reach asks the endpoint for its list of models, which costs nothing, and waits at most patience. missing are the
// given models that are not in the list; it is empty if the endpoint has no list, which is optional. The error is an
// *Error: the endpoint is unreachable, refuses the key, or is not such an endpoint. Reach does not change the client.
// A command is not run; Reach only looks for its program.
func (c *Client) Reach(ctx context.Context, patience time.Duration, models ...string) (missing []string, err error) {
	if args := c.options.Command; len(args) > 0 {
		if _, err := exec.LookPath(args[0]); err != nil {
			return nil, c.fail(Misconfigured, nil, "cannot be started: %s", c.tidy(err.Error()))
		}
		return nil, nil
	}
	ctx, cancel := context.WithTimeoutCause(ctx, patience, errTimeout)
	defer cancel()
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	t := c.transport.(*api) // there is no Command
	answer, err := t.Get(ctx, "models", &list)
	switch {
	case answer == nil || ctx.Err() != nil:
		return nil, c.explain(ctx, err, nil)
	case answer.Status == http.StatusNotFound || answer.Status == http.StatusMethodNotAllowed ||
		answer.Status == http.StatusNotImplemented:
		return nil, nil // it answers, but has no list
	case answer.Status >= 300:
		return nil, c.explainStatus(answer)
	case err != nil:
		return nil, c.fail(Misconfigured, nil, "answered %d without a list of models", answer.Status)
	}
	for _, model := range models {
		if len(list.Data) > 0 && !slices.ContainsFunc(list.Data, func(m struct {
			ID string `json:"id"`
		}) bool {
			return m.ID == model || strings.HasPrefix(m.ID, model+":") // "qwen3:latest"
		}) {
			missing = append(missing, model)
		}
	}
	return missing, nil
}
