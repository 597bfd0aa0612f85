package cli

import (
	"bufio"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"memory-graph/internal/clients"
	"memory-graph/internal/clients/splice"
	"memory-graph/internal/config"
)

// localEndpoint is the default endpoint of Ollama.
const localEndpoint = "http://127.0.0.1:11434/v1"

// settle asks whether to build the graph, and with which model, and writes the answers into the configuration file at
// once. They apply to every host. It asks nothing if the file has its section or if flags answer both questions. If one
// of the hosts has a command that answers prompts, it offers this command once, even if the file has its section.
func (r *setupRun) settle(list []clients.Client) error {
	flags := r.c.Flags()
	path, err := config.LoadOptions{Env: r.env, Flags: flags}.FilePath()
	settled := flags.Changed("enabled") || flags.Changed("graph-memory") || flags.Changed("llm-model")
	if err != nil || path == "" || settled {
		return err
	}
	offer := r.offered(list, path)
	change, err := clients.FileChange(path, 0o600, func(text []byte) ([]byte, error) { return r.answered(text, offer) })
	if err != nil || change.Empty() {
		return err
	}
	kept, err := change.Write(time.Now())
	if err != nil {
		return err
	}
	fmt.Fprintf(r.stderr, "The answers were written to %s.\n", path)
	if kept != "" {
		fmt.Fprintf(r.stderr, "  copy of the old file: %s\n", kept)
	}
	return nil
}

// answered returns config.toml with the answers added. It is unchanged if it has the section and there is nothing to
// offer.
func (r *setupRun) answered(text []byte, offer *clients.Client) ([]byte, error) {
	section := strings.Split(config.Section, ".")
	root, err := splice.Read(splice.TOML, text)
	if err != nil {
		return nil, err
	}
	var answers []splice.Member
	_, present := splice.At(root, section...)
	_, asked := splice.At(root, append(slices.Clip(section), "llm_command")...)
	switch {
	case !present:
		answers, err = r.answers(r.c.Context(), r.cfg, offer)
	case offer != nil && !asked:
		v := &interview{app: r.app, cfg: r.cfg, host: offer, alone: true}
		_, err = v.offer(r.c.Context())
		answers = v.given
	}
	if err != nil {
		return nil, err
	}
	for _, m := range answers {
		if text, err = splice.Set(splice.TOML, text, append(slices.Clip(section), m.Name), m.Value); err != nil {
			return nil, err
		}
	}
	return text, nil
}

// interview holds the answers given so far.
type interview struct {
	*app
	cfg   *config.Config
	host  *clients.Client // the host whose command is offered; nil for none
	alone bool            // the offer is the only question
	given []splice.Member
}

// step asks one question and returns the next step, nil after the last.
type step func(*interview, context.Context) (step, error)

// answers asks one question after the other. "back" returns to the previous question. "skip" and the end of the input
// leave all questions open: nothing is written, and the next setup asks again.
func (a *app) answers(ctx context.Context, cfg *config.Config, host *clients.Client) ([]splice.Member, error) {
	fmt.Fprintln(a.stderr,
		"The answers are written into config.toml. Enter accepts the default, b goes back, s "+
			"skips them for now.")
	v := &interview{app: a, cfg: cfg, host: host}
	for ask := step((*interview).graph); ask != nil; {
		var err error
		if ask, err = ask(v, ctx); err != nil {
			return nil, err
		}
	}
	return v.given, nil
}

// open leaves all questions open.
func (v *interview) open() (step, error) {
	v.given = nil
	fmt.Fprintln(v.stderr, "Skipped: no answer is written, and the next setup asks again.")
	return nil, nil
}

func (v *interview) graph(ctx context.Context) (step, error) {
	answer, err := v.choose(ctx, "Build a graph of people, things and facts from what is said? [Y/n/s]", yes, yes, no,
		skip)
	if err != nil {
		return nil, err
	}
	if answer == skip {
		return v.open()
	}
	v.given = []splice.Member{{Name: "enabled", Value: answer == yes}}
	switch {
	case answer == no || v.cfg.LLMModel != "" || v.cfg.LLMCommand != "":
		return nil, nil
	case v.host != nil:
		return (*interview).offer, nil
	}
	return (*interview).model, nil
}

// forget removes the answers of a question that is asked again.
func (v *interview) forget(name string) {
	v.given = slices.DeleteFunc(v.given, func(m splice.Member) bool { return m.Name == name })
}

func (v *interview) model(ctx context.Context) (step, error) {
	v.forget("llm_model")
	const ask = "Language model that helps with this, such as qwen3:8b? [none: built-in rules only, nothing leaves the " +
		"machine]"
	for {
		name, more, err := v.line(ctx, ask)
		switch answer := replyOf(name); {
		case err != nil:
			return nil, err
		case !more || answer == skip:
			return v.open()
		case answer == back && v.host != nil:
			return (*interview).offer, nil
		case answer == back:
			return (*interview).graph, nil
		case name == "" || answer == no:
			return nil, nil
		case answer == yes || strings.ContainsAny(name, " \t") || !accepted("llm_model", name):
			fmt.Fprintf(v.stderr, "%q is not a valid model name: type the endpoint's name for it, or press Enter for none.\n",
				name)
		default:
			v.given = append(v.given, splice.Member{Name: "llm_model", Value: name})
			return (*interview).endpoint, nil
		}
	}
}

func (v *interview) endpoint(ctx context.Context) (step, error) {
	const keys = "If the endpoint needs a key, write it into config.toml as llm_api_key or set " +
		"MEMORY_GRAPH_LLM_API_KEY."
	url := v.cfg.LLMBaseURL
	for url == "" {
		typed, more, err := v.line(ctx, "OpenAI-compatible endpoint of the model? ["+localEndpoint+"]")
		switch answer := replyOf(typed); {
		case err != nil:
			return nil, err
		case !more || answer == skip:
			return v.open()
		case answer == back:
			return (*interview).model, nil
		case typed == "" || answer == yes:
			url = localEndpoint
		case accepted("llm_base_url", typed):
			url = typed
		default:
			fmt.Fprintf(v.stderr, "%q is not an endpoint: type an http:// or https:// URL including /v1.\n", typed)
		}
	}
	fmt.Fprintln(v.stderr, keys)
	v.given = slices.Insert(v.given, 1, splice.Member{Name: "llm_base_url", Value: url})
	return nil, nil
}

// accepted reports whether a text is a valid value of a setting.
func accepted(key, text string) bool {
	return slices.ContainsFunc(config.Settings(), func(s config.Setting) bool { return s.Key == key && s.Accepts(text) })
}

// reply is an answer to a question with fixed choices.
type reply string

// The replies.
const (
	yes  reply = "yes"
	no   reply = "no"
	back reply = "back"
	skip reply = "skip"
)

// replyOf returns the reply for a word or its first letter, or "" for other text.
func replyOf(line string) reply {
	line = strings.ToLower(line)
	for _, r := range []reply{yes, no, back, skip} {
		if line == string(r) || line == string(r[:1]) {
			return r
		}
	}
	if line == "none" {
		return no
	}
	return ""
}

// choose asks until the answer is one of the allowed replies. An empty line means the usual one. The end of the input
// means skip, or no if skip is not allowed.
func (a *app) choose(ctx context.Context, ask string, usual reply, allowed ...reply) (reply, error) {
	for {
		line, more, err := a.line(ctx, ask)
		answer := replyOf(line)
		switch {
		case err != nil:
			return "", err
		case !more && slices.Contains(allowed, skip):
			return skip, nil
		case !more:
			return no, nil
		case line == "":
			return usual, nil
		case slices.Contains(allowed, answer):
			return answer, nil
		}
		words := make([]string, len(allowed))
		for i, r := range allowed {
			words[i] = string(r)
		}
		fmt.Fprintf(a.stderr, "%q is not one of %s.\n", line, strings.Join(words, ", "))
	}
}

// line asks a question at the terminal and returns the typed line, trimmed. more is false at the end of the input.
func (a *app) line(ctx context.Context, ask string) (typed string, more bool, err error) {
	fmt.Fprint(a.stderr, ask+" ")
	type read struct {
		text string
		err  error
	}
	answer := make(chan read, 1)
	go func() { // after Ctrl-C, a pending read ends with the process
		text, err := bufio.NewReader(a.stdin).ReadString('\n')
		answer <- read{strings.TrimSpace(text), err}
	}()
	select {
	case <-ctx.Done():
		return "", false, ctx.Err()
	case r := <-answer:
		if r.err != nil && r.text == "" {
			fmt.Fprintln(a.stderr)
		}
		return r.text, r.err == nil || r.text != "", nil
	}
}
