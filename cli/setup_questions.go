package cli

import (
	"bufio"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"memory-graph/config"
	"memory-graph/hosts"
	"memory-graph/hosts/splice"
)

// localEndpoint is where Ollama answers, which is what most people who run models themselves have.
const localEndpoint = "http://127.0.0.1:11434/v1"

// questions asks what the configuration file does not say yet (Z58): whether to build the graph, and with which model. It
// gives the change of config.toml that holds the answers, none where the file has its section or flags say it all.
func (a *app) questions(c *cobra.Command, cfg *config.Config) ([]hosts.Change, error) {
	path, err := config.LoadOptions{Env: a.env, Flags: c.Flags()}.FilePath()
	if err != nil || path == "" || c.Flags().Changed("enabled") || c.Flags().Changed("llm-model") {
		return nil, err
	}
	present := false
	change, err := hosts.FileChange(path, 0o600, func(text []byte) ([]byte, error) {
		root, err := splice.Read(splice.TOML, text)
		if err != nil {
			return nil, err
		}
		if _, present = splice.At(root, strings.Split(config.Section, ".")...); present {
			return text, nil
		}
		answers, err := a.answers(c.Context(), cfg)
		if err != nil {
			return nil, err
		}
		for _, m := range answers {
			if text, err = splice.Set(splice.TOML, text, append(strings.Split(config.Section, "."), m.Name), m.Value); err != nil {
				return nil, err
			}
		}
		return text, nil
	})
	if err != nil || present {
		return nil, err
	}
	return []hosts.Change{change}, nil
}

func (a *app) answers(ctx context.Context, cfg *config.Config) ([]splice.Member, error) {
	graph, err := a.askText(ctx, "Build a graph of people, things and facts from what is said? [Y/n]")
	if err != nil {
		return nil, err
	}
	enabled := !strings.HasPrefix(strings.ToLower(graph), "n")
	list := []splice.Member{{Name: "enabled", Value: enabled}}
	if !enabled || cfg.LLMModel != "" {
		return list, nil
	}
	model, err := a.askText(ctx, "Language model that helps with that, such as qwen3:8b (empty: built-in rules only, nothing leaves the machine)?")
	if err != nil || model == "" {
		return list, err
	}
	url := cfg.LLMBaseURL
	if url == "" {
		if url, err = a.askText(ctx, "Its OpenAI-compatible endpoint ["+localEndpoint+"]?"); err != nil {
			return nil, err
		}
	}
	if url == "" {
		url = localEndpoint
	}
	fmt.Fprintln(a.stderr, "A key, where the endpoint wants one, goes into config.toml as llm_api_key or into MEMORY_GRAPH_LLM_API_KEY.")
	return append(list, splice.Member{Name: "llm_base_url", Value: url}, splice.Member{Name: "llm_model", Value: model}), nil
}

// askText puts a question to the person at the terminal and gives the line, without white space around it.
func (a *app) askText(ctx context.Context, question string) (string, error) {
	fmt.Fprint(a.stderr, question+" ")
	answer := make(chan string, 1)
	go func() { // a read that Ctrl-C leaves behind ends with the process
		line, _ := bufio.NewReader(a.stdin).ReadString('\n') // an end of input is an empty answer
		answer <- line
	}()
	select {
	case <-ctx.Done():
		return "", ctx.Err()
	case line := <-answer:
		return strings.TrimSpace(line), nil
	}
}
