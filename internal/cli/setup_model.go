package cli

import (
	"context"
	"fmt"
	"os/exec"

	"memory-graph/internal/clients"
	"memory-graph/internal/clients/splice"
	"memory-graph/internal/command"
	"memory-graph/internal/config"
)

// offered returns the first of the hosts whose own command can read turns and is installed, or nil. Nothing is offered
// if a model is configured, or if the answers would be written into a file in which llm_command is not read.
func (r *setupRun) offered(list []clients.Client, path string) *clients.Client {
	if r.cfg.UsesModel() || !r.cfg.Enabled || r.c.Flags().Changed("llm-command") || !config.IsOwnFile(path, r.env) {
		return nil
	}
	for _, h := range list {
		if h.Asks == nil {
			continue
		}
		args, err := command.Split(h.Asks.Command)
		if err != nil { // a mistake in the table, which a test finds
			continue
		}
		if _, err := exec.LookPath(args[0]); err == nil {
			return &h
		}
	}
	return nil
}

// offer asks whether the host's own model may read turns. Either answer is written to the file, so the question is
// asked only once.
func (v *interview) offer(ctx context.Context) (step, error) {
	v.forget("llm_command")
	h := v.host
	usual := *v.cfg
	usual.LLMCommand = h.Asks.Command
	calls, tokens := usual.Budget()
	fmt.Fprintf(v.stderr, `%s can read facts in messages that the built-in rules miss.
  What is sent: the text of your messages and of the assistant's answers, up to four messages before each, and names
    that the memory knows. Keys and <private> parts are masked first.
  To whom: %s%s through the command %q and your account.
  What it may cost: at most %d runs and about %d tokens a day of your plan or credit. The program's own prompt comes
    on top. llm_daily_calls and llm_daily_tokens set other limits.
`, h.Name, h.Asks.Vendor, h.Asks.Other, h.Asks.Command, calls, tokens)
	choices, allowed := "y/N/b/s", []reply{yes, no, back, skip}
	if v.alone { // there is no question before it
		choices, allowed = "y/N/s", []reply{yes, no, skip}
	}
	answer, err := v.choose(ctx, fmt.Sprintf("Let %q read your messages? [%s]", h.Asks.Command, choices), no, allowed...)
	switch {
	case err != nil:
		return nil, err
	case answer == skip:
		return v.open()
	case answer == back:
		return (*interview).graph, nil
	case answer == yes:
		v.given = append(v.given, splice.Member{Name: "llm_command", Value: h.Asks.Command})
		return nil, nil
	}
	v.given = append(v.given, splice.Member{Name: "llm_command", Value: ""})
	if v.alone {
		return nil, nil
	}
	return (*interview).model, nil
}
