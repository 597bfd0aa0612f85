package llm

import "time"

// rung is a way to request a structured answer, the most reliable first.
type rung int

const (
	strictSchema rung = iota // response_format json_schema with strict
	looseSchema              // the same without strict, for endpoints that refuse strict or our schema under strict
	jsonObject               // response_format json_object, with the schema in the prompt
	freeText                 // no response_format, with the schema in the prompt
	lastRung     = freeText
)

// String returns the rung's name in logs and tests.
func (r rung) String() string {
	return [...]string{"json_schema strict", "json_schema", "json_object", "text"}[r]
}

// How long knowledge of an endpoint is valid. Afterwards the strictest rung is tried again, because endpoints change.
const (
	rungHolds    = 24 * time.Hour
	failureHolds = time.Hour // if no rung worked, so that not every question tries all of them
)

// dialect is what is known about asking an endpoint for a model. It lasts as long as the process.
type dialect struct {
	habits habits
	rung   rung
	until  time.Time // zero: nothing is known of the rung
	proven bool      // an answer came at this rung
	badly  int       // malformed answers since the last good one
	model  string    // the model's name in the answers
}

// habits are the parts of a request that an endpoint refuses or needs.
type habits struct {
	noTemperature bool // reasoning models refuse a temperature
	noMaxTokens   bool
	quiet         bool // ask without reasoning, because the answers are empty with it
	noEffort      bool
	noTemplate    bool
}

// without adds to the habits the part that the endpoint's refusal names. It returns false if no sent part is named.
func (h *habits) without(e *Error, room int) bool {
	if e.Kind != Rejected && e.Kind != RefusedForm {
		return false
	}
	switch {
	case !h.noTemperature && names(e.said, "temperature"):
		h.noTemperature = true
	case room > 0 && !h.noMaxTokens && names(e.said, "max_completion_tokens", "max_tokens"):
		h.noMaxTokens = true
	case h.quiet && !h.noEffort && names(e.said, "reasoning_effort", "reasoning effort"):
		h.noEffort = true
	case h.quiet && !h.noTemplate && names(e.said, "chat_template_kwargs"):
		h.noTemplate = true
	default:
		return false
	}
	return true
}

// dialect returns what is known about a model. The caller holds c.mu.
func (c *Client) dialect(model string) *dialect {
	d := c.dialects[model]
	if d == nil {
		d = &dialect{}
		c.dialects[model] = d
	}
	return d
}

// habits returns the habits of a model.
func (c *Client) habits(model string) habits {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.dialect(model).habits
}

// learn stores the habits of a model.
func (c *Client) learn(model string, h habits) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.dialect(model).habits = h
}

// badlyToDoubt is how many malformed answers in a row make a proven rung unproven.
const badlyToDoubt = 3

// rung returns the rung to start with. proven means that it has worked before and is expected to work.
func (c *Client) rung(model string) (r rung, proven bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	d := c.dialect(model)
	if d.until.IsZero() || !c.options.Now().Before(d.until) {
		return strictSchema, false
	}
	return d.rung, d.proven && d.badly < badlyToDoubt
}

// worked records that a rung worked.
func (c *Client) worked(model string, r rung) {
	c.mu.Lock()
	d := c.dialect(model)
	now := c.options.Now()
	news := r != strictSchema && (d.rung != r || !d.proven)
	if d.rung != r || !now.Before(d.until) {
		d.until = now.Add(rungHolds)
	}
	d.rung, d.proven, d.badly = r, true, 0
	c.mu.Unlock()
	if news {
		c.options.Log.Info("The language model needs another request form.", "endpoint", c.endpoint, "model", model, "form",
			r.String())
	}
}

// refused records that the endpoint refuses a rung, independently of the question.
func (c *Client) refused(model string, r rung) {
	c.mu.Lock()
	defer c.mu.Unlock()
	d := c.dialect(model)
	if d.rung > r && c.options.Now().Before(d.until) {
		return // known
	}
	d.rung, d.proven, d.badly, d.until = min(r+1, lastRung), false, 0, c.options.Now().Add(rungHolds)
}

// doubt counts a malformed answer at a rung that worked before.
func (c *Client) doubt(model string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.dialect(model).badly++
}

// failed records for a while that no rung worked.
func (c *Client) failed(model string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	d := c.dialect(model)
	d.rung, d.proven, d.badly, d.until = lastRung, false, 0, c.options.Now().Add(failureHolds)
}

// served records which model the endpoint says it used, and logs each change.
func (c *Client) served(model, says string) {
	if says == "" {
		return
	}
	c.mu.Lock()
	d := c.dialect(model)
	before := d.model
	d.model = says
	c.mu.Unlock()
	if before != "" && before != says {
		c.options.Log.Info("The endpoint answers with another model than before.", "endpoint", c.endpoint, "asked", model,
			"before", before, "now", says)
	}
}
