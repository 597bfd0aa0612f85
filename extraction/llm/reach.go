package llm

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Reach asks the endpoint for the list of its models, which is no question to a model and costs nothing, and waits so
// long for it. missing are those of the models that are not in it; none are where the endpoint gives no list, as it
// need not. The error is an *Error: the endpoint is away, does not take the key, or is no such endpoint. It changes
// nothing of the client.
func (c *Client) Reach(ctx context.Context, patience time.Duration, models ...string) (missing []string, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, errTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimRight(c.options.BaseURL, "/")+"/models",
		nil)
	if err != nil {
		return nil, c.explain(ctx, err, nil)
	}
	if c.options.APIKey != "" {
		request.Header.Set("Authorization", "Bearer "+c.options.APIKey)
	}
	response, err := c.options.HTTP.Do(request)
	if err != nil {
		return nil, c.explain(ctx, err, nil)
	}
	defer response.Body.Close()
	switch code := response.StatusCode; {
	case code == http.StatusNotFound || code == http.StatusMethodNotAllowed || code == http.StatusNotImplemented:
		return nil, nil // it answers, and has no list
	case code >= 300:
		return nil, c.explainStatus(nil, response)
	}
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if err := json.NewDecoder(io.LimitReader(response.Body, MaxAnswerBytes)).Decode(&list); err != nil {
		if ctx.Err() != nil {
			return nil, c.explain(ctx, err, nil)
		}
		return nil, c.fail(Misconfigured, nil, "answered %d with what is no list of models", response.StatusCode)
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
