package cli

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
)

//go:embed testdata/demo/conversation.json
var demoConversation []byte

func newDemo(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "demo",
		Short: "Run the server on a sample conversation",
		Long: `demo does what a host does. It starts this program as an MCP server over stdio with a new database, stores a
sample conversation turn by turn with the facts that its agent noted, and asks questions. It shows the answers, why they
were chosen, and how long they took.

The database stays in the temporary directory, so that you can inspect it. demo uses default settings: it refuses flags
for settings, and does not read your environment variables, config.toml or memory.`,
		Example: `  memory-graph demo
  memory-graph demo --json`,
		Args: noArgs,
	}
	c.RunE = func(c *cobra.Command, _ []string) error {
		if err := noSettings(c); err != nil {
			return err
		}
		r, err := a.demo(c.Context())
		if err != nil {
			return err
		}
		return a.print(r, func(w io.Writer) { r.write(w, a.paint) })
	}
	return c
}

// noSettings refuses the flags of settings. The help of every command lists them, but the demo would ignore them.
func noSettings(c *cobra.Command) error {
	var given []string
	c.Flags().Visit(func(f *pflag.Flag) {
		if f.Name != "json" {
			given = append(given, "--"+f.Name)
		}
	})
	if len(given) == 0 {
		return nil
	}
	return usageError(c, "%s does not take settings, but got %s: it uses a temporary database and default settings.",
		c.CommandPath(), strings.Join(given, ", "))
}

// demoReport is the output of demo.
type demoReport struct {
	About        string  `json:"about"`
	Database     string  `json:"database"`
	Turns        int     `json:"turns"`
	InitializeMS float64 `json:"initialize_ms"` // from process start to the first answer
	StoreMS      float64 `json:"store_ms"`      // median
	// from the acknowledgement of the last turn until every turn has a vector
	SettleMS float64      `json:"settle_ms"`
	Facts    int          `json:"facts"` // supplied with the turns
	Answers  []demoAnswer `json:"answers"`
	Lookups  []demoLookup `json:"lookups"`
}

type demoAnswer struct {
	Question string        `json:"question"`
	About    string        `json:"about"` // what makes the question hard
	Match    string        `json:"match"`
	Strategy string        `json:"strategy"`
	TookMS   float64       `json:"took_ms"`
	Episodes []demoEpisode `json:"episodes"`
}

type demoEpisode struct {
	ID         string         `json:"id"`
	Role       string         `json:"role"`
	Content    string         `json:"content"`
	OccurredAt time.Time      `json:"occurred_at"`
	Score      float64        `json:"score"`
	Why        *retrieval.Why `json:"why"`
}

// conversation is the format of the sample file.
type conversation struct {
	About    string `json:"about"`
	Sessions []struct {
		ID    string `json:"id"`
		Turns []struct {
			At        string           `json:"at"`
			Role      string           `json:"role"`
			Text      string           `json:"text"`
			Relations []map[string]any `json:"relations"`
		} `json:"turns"`
	} `json:"sessions"`
	Questions []struct {
		Ask string `json:"ask"`
		Why string `json:"why"`
	} `json:"questions"`
	Lookups []struct {
		Ask       string         `json:"ask"`
		Why       string         `json:"why"`
		Tool      string         `json:"tool"`
		Arguments map[string]any `json:"arguments"`
	} `json:"lookups"`
}

func (a *app) demo(ctx context.Context) (demoReport, error) {
	var conv conversation
	if err := json.Unmarshal(demoConversation, &conv); err != nil {
		return demoReport{}, fmt.Errorf("read the sample conversation: %w", err)
	}
	dir, err := os.MkdirTemp("", "memory-graph-demo-")
	if err != nil {
		return demoReport{}, memory.Errorf(memory.Unavailable, "Cannot create a temporary directory: %w.", err)
	}
	r := demoReport{About: conv.About, Database: filepath.Join(dir, "memory.db")}
	started := time.Now()
	host, err := a.startHost(ctx, r.Database)
	if err != nil {
		return r, err
	}
	defer host.Close()
	r.InitializeMS = since(started)
	if err := r.store(ctx, host, conv); err != nil {
		return r, err
	}
	for _, q := range conv.Questions {
		answer, err := ask(ctx, host, q.Ask)
		if err != nil {
			return r, err
		}
		answer.About = q.Why
		r.Answers = append(r.Answers, answer)
	}
	return r, r.lookUp(ctx, host, conv)
}

// startHost starts this program as a server, as a host would, and initializes the connection.
func (a *app) startHost(ctx context.Context, database string) (*client.Client, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program: %w", err)
	}
	env := slices.DeleteFunc(slices.Clone(a.env), func(e string) bool { return strings.HasPrefix(e, "MEMORY_GRAPH_") })
	env = append(env, "MEMORY_GRAPH_DB="+database)
	stdio := transport.NewStdioWithOptions(self, nil, []string{"serve"}, transport.WithCommandFunc(
		func(ctx context.Context, command string, _, args []string) (*exec.Cmd, error) {
			cmd := exec.CommandContext(ctx, command, args...)
			cmd.Env = env
			return cmd, nil
		}), transport.WithCommandStderrWriter(a.stderr))
	host := client.NewClient(stdio)
	if err := host.Start(ctx); err != nil {
		return nil, memory.Errorf(memory.Unavailable, "Cannot start the server: %w.", err)
	}
	var hello mcp.InitializeRequest
	hello.Params.ProtocolVersion = mcp.LATEST_PROTOCOL_VERSION
	hello.Params.ClientInfo = mcp.Implementation{Name: "memory-graph-demo", Version: "1"}
	if _, err := host.Initialize(ctx, hello); err != nil {
		host.Close()
		return nil, memory.Errorf(memory.Unavailable, "The server did not answer: %w.", err)
	}
	return host, nil
}

// store stores the conversation turn by turn, then waits for the vectors.
func (r *demoReport) store(ctx context.Context, host *client.Client, conv conversation) error {
	var took []float64
	for _, s := range conv.Sessions {
		for _, t := range s.Turns {
			start := time.Now()
			turn := map[string]any{"content": t.Text, "role": t.Role, "session_id": s.ID, "occurred_at": t.At}
			if len(t.Relations) > 0 {
				turn["relations"] = t.Relations
			}
			if err := call(ctx, host, "store_episode", turn, nil); err != nil {
				return err
			}
			r.Facts += len(t.Relations)
			took = append(took, since(start))
		}
	}
	slices.Sort(took)
	r.Turns, r.StoreMS = len(took), took[len(took)/2]
	start := time.Now()
	err := settle(ctx, host)
	r.SettleMS = since(start)
	return err
}

// settle waits until the server has no background work left, or until ctx ends.
func settle(ctx context.Context, host *client.Client) error {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		var answer struct {
			State memory.State `json:"memory_state"`
		}
		if err := call(ctx, host, "retrieve", map[string]any{"limit": 1, "detail": "ids"}, &answer); err != nil {
			return err
		}
		if answer.State.Pending == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

func ask(ctx context.Context, host *client.Client, question string) (demoAnswer, error) {
	var answer demoAnswer
	start := time.Now()
	err := call(ctx, host, "retrieve", map[string]any{"query": question, "limit": 3, "explain": true}, &answer)
	answer.Question, answer.TookMS = question, since(start)
	return answer, err
}

// call calls a tool and decodes its structured answer into out.
func call(ctx context.Context, host *client.Client, tool string, arguments map[string]any, out any) error {
	var req mcp.CallToolRequest
	req.Params.Name, req.Params.Arguments = tool, arguments
	res, err := host.CallTool(ctx, req)
	if err != nil {
		return memory.Errorf(memory.Unavailable, "%s: the server did not answer: %w.", tool, err)
	}
	raw, err := json.Marshal(res.StructuredContent)
	if err != nil {
		return err
	}
	if res.IsError {
		return memory.Errorf(memory.Internal, "%s failed: %s", tool, raw)
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal(raw, out)
}

func since(t time.Time) float64 { return float64(time.Since(t).Microseconds()) / 1000 }

// write prints the report as text.
func (r demoReport) write(w io.Writer, paint func(colour, text string) string) {
	fmt.Fprintf(w, "%s\n\n", r.About)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "server start\t%.0f ms\n", r.InitializeMS)
	fmt.Fprintf(t, "turns stored\t%d, each in %.1f ms (median)\n", r.Turns, r.StoreMS)
	fmt.Fprintf(t, "facts supplied with them\t%d\n", r.Facts)
	fmt.Fprintf(t, "vectors of all turns\tafter another %.0f ms\n", r.SettleMS)
	t.Flush()
	for _, a := range r.Answers {
		fmt.Fprintf(w, "\n%s %s\n", paint("1", "? "+a.Question), paint("2", "("+a.About+")"))
		colour := map[string]string{"strong": "32", "weak": "33"}[a.Match]
		fmt.Fprintf(w, "  match %s, by %s, in %.1f ms\n", paint(colour, a.Match), a.Strategy, a.TookMS)
		for i, e := range a.Episodes {
			fmt.Fprintf(w, "  %d. [%s] [%s] %s\n", i+1, e.OccurredAt.Local().Format("2006-01-02 15:04"), e.Role,
				retrieval.Sanitize(e.Content))
			fmt.Fprintf(w, "     %s\n", paint("2", because(e)))
		}
	}
	for _, l := range r.Lookups {
		l.write(w, paint)
	}
	fmt.Fprintf(w,
		"\nThe database is %s\nIt stays until you delete its directory. To inspect it: memory-graph facts Halyard --all "+
			"--db %[1]s\n", r.Database)
}

// because returns the score and the three features with the largest share in it.
func because(e demoEpisode) string {
	if e.Why == nil {
		return ""
	}
	features := slices.Clone(e.Why.Features)
	slices.SortStableFunc(features, func(x, y retrieval.Feature) int {
		return int(1e6 * (abs(y.Value*y.Weight) - abs(x.Value*x.Weight)))
	})
	parts := []string{fmt.Sprintf("score %.2f", e.Score)}
	for _, f := range features[:min(3, len(features))] {
		parts = append(parts, fmt.Sprintf("%s %+.2f", f.Name, f.Value*f.Weight))
	}
	return strings.Join(parts, "  ")
}

func abs(x float64) float64 { return max(x, -x) }
