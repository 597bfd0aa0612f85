package llm

import "time"

// rung is a way to ask for an answer in a form, the surest first.
type rung int

const (
	strictSchema rung = iota // response_format json_schema with strict
	looseSchema              // the same without: endpoints that take no strict, or not our schema strictly
	jsonObject               // response_format json_object, the schema in the prompt
	freeText                 // no response_format, the schema in the prompt
	lastRung     = freeText
)

// String names the rung as the log and the tests do.
func (r rung) String() string {
	return [...]string{"json_schema strict", "json_schema", "json_object", "text"}[r]
}

// How long what is known of an endpoint holds. After that the surest form is tried again: endpoints learn.
const (
	rungHolds    = 24 * time.Hour
	failureHolds = time.Hour // where no form worked, so that not every question tries all of them
)

// dialect is how an endpoint wants to be asked for a model. It is learnt, and lasts as long as the process.
type dialect struct {
	habits habits
	rung   rung
	until  time.Time // zero: nothing is known of the rung
	proven bool      // an answer came at this rung
	badly  int       // malformed answers since the last good one
	model  string    // what it says it is
}

// habits are the parts of a request that an endpoint does not take, or needs.
type habits struct {
	noTemperature bool // models that reason take no temperature
	noMaxTokens   bool
	quiet         bool // it must be asked without reasoning, else its answers are empty
	noEffort      bool
	noTemplate    bool
}

// without takes out of the habits what the endpoint's refusal names; false where it names nothing that was sent.
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

// dialect gives what is known for a model. c.mu is held.
func (c *Client) dialect(model string) *dialect {
	d := c.dialects[model]
	if d == nil {
		d = &dialect{}
		c.dialects[model] = d
	}
	return d
}

// habits gives those of a model.
func (c *Client) habits(model string) habits {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.dialect(model).habits
}

// learn keeps the habits of a model.
func (c *Client) learn(model string, h habits) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.dialect(model).habits = h
}

// badlyToDoubt is how many malformed answers in a row make a proven rung doubtful.
const badlyToDoubt = 3

// rung gives the rung to begin with; proven says that answers came at it and are to be expected.
func (c *Client) rung(model string) (r rung, proven bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	d := c.dialect(model)
	if d.until.IsZero() || !c.options.Now().Before(d.until) {
		return strictSchema, false
	}
	return d.rung, d.proven && d.badly < badlyToDoubt
}

// worked keeps the rung at which an answer came.
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
		c.options.Log.Info("The language model is asked in another form.", "endpoint", c.endpoint, "model", model, "form",
			r.String())
	}
}

// refused keeps that a form is not taken, whatever becomes of the question.
func (c *Client) refused(model string, r rung) {
	c.mu.Lock()
	defer c.mu.Unlock()
	d := c.dialect(model)
	if d.rung > r && c.options.Now().Before(d.until) {
		return // known
	}
	d.rung, d.proven, d.badly, d.until = min(r+1, lastRung), false, 0, c.options.Now().Add(rungHolds)
}

// doubt counts a bad answer at a rung that worked before.
func (c *Client) doubt(model string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.dialect(model).badly++
}

// failed keeps for a while that no rung worked.
func (c *Client) failed(model string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	d := c.dialect(model)
	d.rung, d.proven, d.badly, d.until = lastRung, false, 0, c.options.Now().Add(failureHolds)
}

// served notes which model the endpoint says it is; another one than before is logged, once.
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
