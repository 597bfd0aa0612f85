package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"memory-graph/internal/config"
	"memory-graph/internal/engine"
	"memory-graph/internal/server"
	"memory-graph/tools"
)

// exploreIdle is the default of --idle.
const exploreIdle = 30 * time.Minute

func newExplore(a *app) *cobra.Command {
	var noOpen bool
	idle := exploreIdle
	c := &cobra.Command{
		Use:   "explore",
		Short: "Look into the memory in the browser, and correct it",
		Long: `explore opens a page that shows the memory: what is new, what is in conflict, entities, facts with the turns
that say them, and their history. What is wrong can be corrected there; each correction is one call, which undo reverts.

The page is served on this machine only. The link opens it once, in one browser; that browser may change the memory
as its user. Nothing is loaded from the network. explore ends with Ctrl-C, or when the page was not used for --idle.`,
		Example: `  memory-graph explore
  memory-graph explore --no-open
  memory-graph explore --namespace work --read-only`,
		Args: noArgs,
	}
	c.Flags().BoolVar(&noOpen, "no-open", false, "only print the link")
	c.Flags().DurationVar(&idle, "idle", idle, "end when the page was not used for this long; 0: never")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if idle < 0 {
			return usageError(c, "--idle %s is negative.", idle)
		}
		return a.withEngine(c, func(ctx context.Context, cfg *config.Config, e *engine.Engine) error {
			log, done, err := a.logger(cfg)
			if err != nil {
				return err
			}
			defer done()
			return ended(ctx, server.ServeExplorer(ctx, tools.Of(e), a.serverOptions(cfg, log), server.Exploring{
				Idle: idle, Open: func(url string) { a.openPage(url, noOpen) },
				Closed: func() {
					fmt.Fprintln(a.stderr, "Another browser opened the link again, so the page is closed for everybody. "+
						"If it was not you, somebody else on this machine saw the link. Run memory-graph explore again.")
				},
			}))
		})
	}
	return c
}

// openPage prints the link to stdout, and opens it in the browser unless it is only to be printed.
func (a *app) openPage(url string, only bool) {
	_ = a.print(map[string]string{"url": url}, func(w io.Writer) { fmt.Fprintln(w, url) }) // always nil
	fmt.Fprintln(a.stderr, "The link works once. Ctrl-C ends the page.")
	if only {
		return
	}
	if err := openBrowser(url); err != nil {
		fmt.Fprintf(a.stderr, "The browser could not be opened (%s): open the link yourself.\n", visible(err.Error()))
	}
}

// openBrowser starts the system's program for links and does not wait for it: some end only with the browser.
func openBrowser(url string) error {
	var cmd *exec.Cmd
	switch runtime.GOOS {
	case "windows":
		cmd = exec.Command("rundll32", "url.dll,FileProtocolHandler", url)
	case "darwin":
		cmd = exec.Command("open", url)
	default:
		cmd = exec.Command("xdg-open", url)
	}
	if err := cmd.Start(); err != nil {
		if missing := (*exec.Error)(nil); errors.As(err, &missing) {
			return fmt.Errorf("%s: %w", missing.Name, missing.Err)
		}
		return err
	}
	go func() { _ = cmd.Wait() }() // its exit code says nothing about the page
	return nil
}
