package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/spf13/cobra"

	"memory-graph/internal/command"
	"memory-graph/internal/config"
	"memory-graph/internal/engine"
	"memory-graph/internal/memory"
	"memory-graph/internal/server"
	"memory-graph/tools"
)

func newServe(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "serve",
		Short: "Serve MCP over stdin and stdout, or over HTTP",
		Long: `serve serves MCP over stdin and stdout. Each host starts its own server; several servers can use one database
at the same time. With --http it serves streamable HTTP at /mcp instead; --sse adds the older SSE transport at /sse.
HTTP clients need a bearer token; serve prints the path of its file at the start.`,
		Example: `  memory-graph serve
  memory-graph serve --http 127.0.0.1:8765
  MEMORY_GRAPH_NAMESPACE=work memory-graph serve --read-only`,
		Args: noArgs,
		RunE: a.serve,
	}
}

// serve runs until the host closes stdin or ctx ends; neither is an error.
func (a *app) serve(c *cobra.Command, _ []string) error {
	if why := a.off(); why != "" {
		return memory.Errorf(memory.Unavailable,
			"This server was started by what llm_command runs, and does not serve it: %s.", why).
			WithHint("Nothing to do. If it is a mistake, unset %s, or start the server elsewhere.", command.OffVariable)
	}
	cfg, sources, err := a.settings(c)
	if err != nil {
		return err
	}
	dir := workingDir()
	if cfg.HTTP != "" {
		dir = "" // it serves clients of all directories
	}
	routes := a.route(cfg, sources, dir)
	log, done, err := a.logger(cfg)
	if err != nil {
		return err
	}
	defer done()
	for _, w := range cfg.Warnings {
		log.Warn(w)
	}
	eng, err := engine.Start(cfg, log)
	if err != nil {
		return err
	}
	defer eng.Close()
	o := a.serverOptions(cfg, log)
	o.Tools.Route = routes.forProject
	if cfg.HTTP != "" {
		return ended(c.Context(), server.ServeHTTP(c.Context(), tools.Of(eng), o))
	}
	o.Tools.Session = a.hostSession(cfg)
	if isTerminal(a.stdin) {
		fmt.Fprintln(a.stderr, "memory-graph serves MCP over stdin and stdout; normally a host starts it.\n"+
			"Try `memory-graph demo` or `memory-graph --help`. Ctrl-C ends the server.")
	}
	return ended(c.Context(), server.ServeStdio(c.Context(), tools.Of(eng), o, a.stdin, a.stdout))
}

// ended drops the error of a server whose context has ended.
func ended(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return nil
	}
	return err
}

// serverOptions returns the options of the server and the tools from the settings.
func (a *app) serverOptions(cfg *config.Config, log *slog.Logger) server.Options {
	t := tools.Defaults()
	t.Namespace, t.Project, t.User = cfg.Namespace, cfg.Project, cfg.User
	t.MaxContentBytes, t.MaxNameBytes, t.MaxScopeBytes = cfg.Limits.ContentBytes, cfg.Limits.NameBytes,
		cfg.Limits.ScopeBytes
	t.MaxResults, t.DefaultLimit, t.BudgetTokens = cfg.Limits.Results, cfg.Limits.DefaultResults, cfg.BudgetTokens
	t.HistoryLimit, t.DecayRate = cfg.EdgeHistoryLimit, cfg.RelationDecayRate
	t.AnswerBytes, t.FullAnswerBytes = cfg.Limits.AnswerBytes, cfg.Limits.FullAnswerBytes
	t.MaxEntities, t.MaxRelations = cfg.Limits.Entities, cfg.Limits.Relations
	t.FullConfidence = cfg.ConfidenceThreshold
	t.MaxSearchHops, t.MaxTraverseHops, t.TraverseHops = cfg.Limits.SearchHops, cfg.Limits.TraverseHops, cfg.MaxHops
	t.Toolsets, t.ReadOnly, t.Log = cfg.Toolsets, cfg.ReadOnly, log
	return server.Options{
		Tools: t, Version: buildInfo().Version, Log: log,
		HTTP: server.HTTPOptions{
			Addr: cfg.HTTP, Public: cfg.HTTPPublic, SSE: cfg.SSE, Token: cfg.Token, TokenFile: tokenFile(cfg),
			MaxBodyBytes: int64(cfg.Limits.BodyBytes), Notices: a.stderr,
		},
	}
}
