package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"memory-graph/internal/memory"
	"memory-graph/internal/server"
)

func newToken(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "token",
		Short: "Show or replace the bearer token of HTTP clients",
		Example: `  memory-graph token show
  memory-graph token rotate`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return usageError(c, "token needs one of: show, rotate.")
		},
	}
	c.AddCommand(newTokenShow(a), newTokenRotate(a))
	return c
}

// tokenReport is the output of token.
type tokenReport struct {
	Token  string `json:"token"`
	Source string `json:"source"`          // the token file, or the setting's source
	State  string `json:"state,omitempty"` // of show: which server accepts it
}

func newTokenShow(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "show",
		Short: "Print the token",
		Long: `show prints the token that HTTP clients send in the header "Authorization: Bearer TOKEN", alone on stdout.
It comes from the setting token, or else from the token file, which the first start with --http creates. Whoever has the
token can read and change the whole memory while the server runs. On stderr, show says where the token comes from, and
whether the server at the address of the setting http accepts it.`,
		Example: `  memory-graph token show
  curl -H "Authorization: Bearer $(memory-graph token show)" http://127.0.0.1:8765/api/v1/stats`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			cfg, sources, err := a.config(c)
			if err != nil {
				return err
			}
			r := tokenReport{Token: cfg.Token, Source: sources["token"]}
			if r.Token == "" {
				r.Source = tokenFile(cfg)
				if r.Token, err = server.ReadToken(r.Source); err != nil {
					return err
				}
			}
			r.State = tokenAccepted(c.Context(), cfg, r.Token)
			return a.print(r, func(w io.Writer) {
				fmt.Fprintln(w, r.Token)
				fmt.Fprintf(a.stderr, "from %s\n%s\n", r.Source, r.State)
			})
		},
	}
}

func newTokenRotate(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "rotate",
		Short: "Replace the token by a new one, also in running servers",
		Long: `rotate writes a new random token into the token file and prints it. Running servers accept only the new token
from the next request on, so give it to all clients. An event stream that is already open stays open until its client
or the server closes it; what a client asks through it needs the new token.

A token that is set by the setting token or its variable cannot be rotated: change it there, and restart the server.`,
		Example: `  memory-graph token rotate
  memory-graph token rotate --json`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			cfg, sources, err := a.config(c)
			if err != nil {
				return err
			}
			if cfg.Token != "" {
				return memory.Errorf(memory.Conflict, "The token is set by %s, so the token file is not used.", sources["token"]).
					WithHint("Change it there and restart the server, or unset it to use the token file.")
			}
			r := tokenReport{Source: tokenFile(cfg)}
			if r.Source == "" {
				return memory.Errorf(memory.Unavailable, "There is no data directory for the token file.").WithHint("Set HOME.")
			}
			if r.Token, err = server.RotateToken(r.Source); err != nil {
				return err
			}
			return a.print(r, func(w io.Writer) {
				fmt.Fprintln(w, r.Token)
				fmt.Fprintf(a.stderr, "The token in %s is replaced. Running servers accept only the new one: give it to all "+
					"clients.\n", r.Source)
			})
		},
	}
}
