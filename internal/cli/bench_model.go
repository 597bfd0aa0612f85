package cli

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"memory-graph/internal/atomicfile"
	"memory-graph/internal/bench"
	"memory-graph/internal/config"
	"memory-graph/internal/engine"
	"memory-graph/internal/memory"
)

func newBenchModel(a *app) *cobra.Command {
	var data, answers, keep string
	var verbose, near bool
	c := &cobra.Command{
		Use:   "model --data FILE --answers DIR",
		Short: "Measure the facts that a language model and the rules bring into the graph",
		Long: `model stores the turns of a file in one session, lets the model read them in questions of up to 8 turns, and
compares the graph with the labels. The format is that of "bench extraction", with days and times:

  @ user 2026-03-18
  I joined Contoso on Monday and left Initech in February.
  E Contoso|organization
  R User|works_at|Contoso|from=2026-03-16
  R User|works_at|Initech|end|until=2026-02

The answers come from DIR. The answer to a prompt is in the file that is named after the SHA-256 of the prompt, with
.answer. If it is missing, the prompt is written beside it, with .prompt, and the file is read no further: the next
prompts depend on this answer. Write the answer, and run the command again until no prompt is left. Keep the prompts:
with --near, a prompt that differs only in what surrounds the turns (instructions, names that the memory knows) gets the
answer recorded for the same turns. Without --answers the configured model is asked.

A fact is right if head, relation and tail match by any of their names, and if it has ended exactly if its last label
says so.`,
		Example: `  memory-graph bench model --data month.txt --answers answers/
  memory-graph bench model --data month.txt --answers answers/ --misses
  memory-graph bench model --data month.txt --llm-command 'claude -p'`,
		Args: noArgs,
	}
	c.Flags().StringVar(&data, "data", "", "file with labelled turns")
	c.Flags().StringVar(&answers, "answers", "", "`directory` of recorded answers; new prompts are written into it")
	c.Flags().StringVar(&keep, "keep", "", "keep the database in this `file`, which must not exist")
	c.Flags().BoolVar(&verbose, "misses", false, "list what was missed, what is wrong, and what checks dropped")
	c.Flags().BoolVar(&near, "near", false, "also use answers to other prompts about the same turns")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if data == "" {
			return usageError(c, "--data is required.")
		}
		turns, sum, err := bench.ReadLabelled(data)
		if err != nil {
			return err
		}
		var dropped []bench.DroppedItem
		lost := engine.WithDropped(func(turn memory.Episode, items []memory.DroppedItem) {
			for _, i := range items {
				dropped = append(dropped, bench.DroppedItem{What: i.What, Reason: i.Reason, Quote: turn.Content})
			}
		})
		return a.withModel(c, answers, keep, near, lost, func(ctx context.Context, e *engine.Engine) error {
			unread, why, err := bench.ReadTurns(ctx, e, turns)
			if err != nil {
				return err
			}
			r, err := bench.ScoreGraph(ctx, e, turns)
			if err != nil {
				return err
			}
			r.Data, r.SHA256, r.Unread, r.Near, r.Dropped = data, sum, unread, near, dropped
			if why != nil {
				r.Why = why.Error()
			}
			if !verbose {
				r.Missed, r.Extra, r.Typed, r.Untimed, r.Dropped = nil, nil, nil, nil, nil
			}
			if err := a.print(r, func(w io.Writer) { writeModel(w, r) }); err != nil || unread == 0 {
				return err
			}
			return errSilent
		})
	}
	return c
}

// withModel runs f on an engine with a new database, whose model answers from a directory. Without a directory it uses
// the configured model. The database is temporary if keep is empty.
func (a *app) withModel(c *cobra.Command, answers, keep string, near bool, with engine.Option,
	f func(context.Context, *engine.Engine) error) error {
	cfg, _, err := a.config(c)
	if err != nil {
		return err
	}
	if answers != "" {
		if err := a.answerFrom(cfg, answers, near); err != nil {
			return err
		}
	}
	if !cfg.UsesModel() {
		return usageError(c, "--answers is required if no language model is configured.")
	}
	if cfg.DB = keep; keep == "" {
		dir, err := os.MkdirTemp("", "memory-graph-bench-")
		if err != nil {
			return memory.Errorf(memory.Unavailable, "Cannot create a temporary directory: %w.", err)
		}
		defer os.RemoveAll(dir)
		cfg.DB = filepath.Join(dir, "bench.db")
	} else if _, err := os.Lstat(keep); err == nil {
		return usageError(c, "--keep %s exists. Name a new file.", keep)
	}
	cfg.ReadOnly, cfg.Enabled, cfg.Heartbeat.Enabled = false, true, false
	cfg.LLMConcurrency = 1
	log, done, err := a.logger(cfg)
	if err != nil {
		return err
	}
	defer done()
	e, err := engine.Start(cfg, log, engine.As(engine.Command), with) // only the backfill asks the model
	if err != nil {
		return err
	}
	defer e.Close()
	return f(c.Context(), e)
}

// answerFrom lets `bench answer` play the model.
func (a *app) answerFrom(cfg *config.Config, dir string, near bool) error {
	dir, err := filepath.Abs(dir)
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	var self string
	if err == nil {
		self, err = os.Executable()
	}
	if err != nil {
		return memory.Errorf(memory.Unavailable, "Cannot use the directory of answers: %w.", memory.Reason(err))
	}
	if strings.Contains(self+dir, "'") {
		return memory.Errorf(memory.InvalidArgument, "--answers %s has a quotation mark in its path.", dir)
	}
	cfg.LLMBaseURL, cfg.LLMCommand, cfg.Env = "", fmt.Sprintf("'%s' bench answer '%s'", self, dir), a.env
	if near {
		cfg.LLMCommand += " --near"
	}
	cfg.LLMModel, cfg.ExtractModel = "recorded", ""
	const all = 1_000_000
	cfg.LLMDailyCalls, cfg.LLMDailyTokens = all, 1000*all
	return nil
}

func writeModel(w io.Writer, r bench.ModelResult) {
	fmt.Fprintf(w, "%s (sha256 %.12s…), %d turns\n\n", r.Data, r.SHA256, r.N)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "\tprecision\trecall\tfound\texpected\t")
	fmt.Fprintf(t, "facts\t%.3f\t%.3f\t%d\t%d\t\n", r.Facts.Precision, r.Facts.Recall, r.Facts.Found, r.Facts.Expected)
	t.Flush()
	fmt.Fprintf(w, "\nactive facts %d, of these wrong %d\ntypes %.3f (%d of %d)\ntimes %.3f (%d of %d)\n",
		r.Active, r.Wrong, r.Types.Share, r.Types.Right, r.Types.Of, r.Times.Share, r.Times.Right, r.Times.Of)
	fact := func(what string, list []bench.GraphFact) {
		for _, f := range list {
			end := ""
			if f.Ended {
				end = " (ended)"
			}
			fmt.Fprintf(w, "%s  %s → %s → %s%s\n          %s\n", what, f.Head, f.Relation, f.Tail, end, f.Quote)
		}
	}
	fact("missed", r.Missed)
	fact("wrong ", r.Extra)
	for _, d := range r.Dropped {
		fmt.Fprintf(w, "dropped %s (%s)\n          %s\n", d.What, d.Reason, d.Quote)
	}
	for _, s := range r.Typed {
		fmt.Fprintf(w, "type    %s\n", s)
	}
	for _, s := range r.Untimed {
		fmt.Fprintf(w, "time    %s\n", s)
	}
	if r.Unread > 0 {
		fmt.Fprintf(w, "\nThe figures are not final: %s not read. %s\n", many(int64(r.Unread), "turn is", "turns are"), r.Why)
	}
}

// newBenchAnswer returns the command that plays a language model from recorded answers.
func newBenchAnswer(a *app) *cobra.Command {
	var near bool
	c := &cobra.Command{
		Use:   "answer DIR",
		Short: "Answer the prompt on stdin from recorded answers",
		Long: `answer reads a prompt on stdin and prints the file DIR/SHA256.answer, where SHA256 is that of the prompt. If
there is none, it writes the prompt to DIR/SHA256.prompt and fails. It can be used as llm_command.`,
		Example: `  memory-graph bench answer answers/ < prompt.txt`,
		Args:    cobra.ExactArgs(1),
	}
	c.Flags().BoolVar(&near, "near", false, "also use answers to other prompts about the same turns")
	c.RunE = func(_ *cobra.Command, args []string) error {
		prompt, err := io.ReadAll(a.stdin)
		if err != nil {
			return memory.AsError(err)
		}
		name := filepath.Join(args[0], fmt.Sprintf("%x", sha256.Sum256(prompt)))
		answer, err := os.ReadFile(name + ".answer")
		if errors.Is(err, fs.ErrNotExist) && near {
			answer, err = nearAnswer(args[0], string(prompt))
		}
		if errors.Is(err, fs.ErrNotExist) {
			if err := atomicfile.Replace(name+".prompt", func(f *os.File) error {
				_, err := f.Write(prompt)
				return err
			}); err != nil {
				return memory.AsError(err)
			}
			return memory.Errorf(memory.NotFound, "No answer is recorded. The prompt is in %s.prompt.", name).
				WithHint("Write the answer to the same name with .answer.")
		}
		if err != nil {
			return memory.AsError(err)
		}
		_, err = a.stdout.Write(answer)
		return err
	}
	return c
}

// turnsOf returns the part of a prompt that holds the turns, without the mark around them, which is a hash of the lines
// before them too.
func turnsOf(prompt string) string {
	const heading = " turn 1: the "
	at := strings.LastIndex(prompt, heading)
	if at < 0 {
		return ""
	}
	open := strings.LastIndex(prompt[:at], "<<")
	if open < 0 {
		return ""
	}
	mark := prompt[open+len("<<") : at]
	return strings.ReplaceAll(prompt[at:], mark, "")
}

// nearAnswer returns the answer to another recorded prompt about the same turns. The error is fs.ErrNotExist if there
// is none.
func nearAnswer(dir, prompt string) ([]byte, error) {
	turns := turnsOf(prompt)
	recorded, err := filepath.Glob(filepath.Join(dir, "*.prompt"))
	if err != nil {
		return nil, err
	}
	for _, path := range recorded {
		other, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if turns == "" || turnsOf(string(other)) != turns {
			continue
		}
		answer, err := os.ReadFile(strings.TrimSuffix(path, ".prompt") + ".answer")
		if !errors.Is(err, fs.ErrNotExist) {
			return answer, err
		}
	}
	return nil, fs.ErrNotExist
}
