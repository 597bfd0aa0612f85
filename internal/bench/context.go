package bench

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/internal/retrieval/contextblock"
	"memory-graph/store"
)

// Injecting is the engine under test of `bench context`: it stores turns and injects context blocks.
type Injecting interface {
	Memory
	ContextBlock(ctx context.Context, req contextblock.Request) (contextblock.Decision, error)
}

// BlockStore is a conversation over weeks, and later messages.
type BlockStore struct {
	Name     string         `json:"name"`
	Turns    []BlockTurn    `json:"turns"`
	Messages []BlockMessage `json:"messages"`
}

// BlockTurn is a turn in the form in which a hook stores it.
type BlockTurn struct {
	Role    memory.Role `json:"role"`
	Text    string      `json:"text"`
	Session string      `json:"session"`
	At      time.Time   `json:"at"`
}

// BlockMessage begins its own session. Relevant lists the turns (from 0) that help to answer it; it is empty if none
// does.
type BlockMessage struct {
	Text     string    `json:"text"`
	Previous []string  `json:"previous"`
	At       time.Time `json:"at"`
	Relevant []int     `json:"relevant"`
}

// ReadBlocks reads a file for `bench context`. The errors are InvalidArgument.
func ReadBlocks(path string) (stores []BlockStore, sum string, err error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, "", memory.Errorf(memory.InvalidArgument, "--data %s cannot be read: %w.", path, err)
	}
	var file struct {
		Stores []BlockStore `json:"stores"`
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		return nil, "", memory.Errorf(memory.InvalidArgument, "--data %s is not a set of blocks: %w.", path, err).
			WithHint("`memory-graph bench context --help` shows the format.")
	}
	for _, s := range file.Stores {
		for _, m := range s.Messages {
			for _, i := range m.Relevant {
				if i < 0 || i >= len(s.Turns) {
					return nil, "", memory.Errorf(memory.InvalidArgument, "--data %s: %q of store %q names turn %d, but there are %d.",
						path, m.Text, s.Name, i, len(s.Turns)).
						WithHint("Turns are counted from 0.")
				}
			}
		}
	}
	if len(file.Stores) == 0 {
		return nil, "", memory.Errorf(memory.InvalidArgument, "--data %s has no stores.", path)
	}
	return file.Stores, fmt.Sprintf("%x", sha256.Sum256(raw)), nil
}

// ContextScores are means over the messages of one store, or of all stores.
type ContextScores struct {
	Helped   int     `json:"helped"`     // messages with relevant turns
	Unhelped int     `json:"unhelped"`   // messages without relevant turns
	Recall   float64 `json:"recall"`     // share of the relevant turns in the block, as a turn or as a fact
	Hit      float64 `json:"hit"`        // share of the helped messages with at least one relevant turn in the block
	Helpful  float64 `json:"helpful"`    // share of helpful lines in a helped message's block, if it is not empty
	Empty    float64 `json:"empty"`      // share of the unhelped messages with an empty block
	Stray    float64 `json:"stray"`      // lines of an unhelped message's block
	Lines    float64 `json:"lines"`      // lines of a helped message's block
	Tokens   float64 `json:"tokens"`     // estimated tokens of a helped message's block
	Wasted   float64 `json:"tokens_off"` // of an unhelped message's block
}

// ContextResult is the output of `bench context`.
type ContextResult struct {
	ContextScores
	Stores   map[string]ContextScores `json:"stores"`
	QueryMS  Quantiles                `json:"query_ms"`
	Data     string                   `json:"data"`
	SHA256   string                   `json:"sha256"`
	Embedder string                   `json:"embedder"`
	Misses   []ContextMiss            `json:"misses,omitempty"`
}

// ContextMiss is a block that lacks relevant turns or has unhelpful lines.
type ContextMiss struct {
	Store   string   `json:"store"`
	Text    string   `json:"text"`
	Class   string   `json:"class,omitempty"` // the class of the message, if the classifier was sure
	Missing []string `json:"missing,omitempty"`
	Stray   []string `json:"stray,omitempty"`
}

// Context stores the turns of each store in its own namespace, as a hook does. It waits for their vectors and requests
// the block of every message. progress may be nil.
func Context(ctx context.Context, mem Injecting, stores []BlockStore, budget int,
	progress func(done, total int)) (ContextResult, error) {
	out := ContextResult{Stores: map[string]ContextScores{}}
	total, done := 0, 0
	for _, s := range stores {
		total += len(s.Turns) + len(s.Messages)
	}
	step := func() {
		done++
		if progress != nil {
			progress(done, total)
		}
	}
	var took []float64
	var all []block
	for _, s := range stores {
		namespace := "bench-" + s.Name
		turns := map[int64]int{} // episode id → index of the turn
		for i, t := range s.Turns {
			res, err := mem.StoreEpisode(ctx, store.NewEpisode{
				Episode: memory.Episode{Scope: memory.Scope{Namespace: namespace, SessionID: t.Session}, Content: t.Text,
					Role: t.Role, OccurredAt: t.At}, Caller: memory.Caller{Actor: "hook", Client: "bench"}})
			if err != nil {
				return ContextResult{}, err
			}
			turns[res.EpisodeID.Num] = i
			step()
		}
		if err := settle(ctx, mem, namespace); err != nil {
			return ContextResult{}, err
		}
		var blocks []block
		for _, m := range s.Messages {
			start := time.Now()
			previous := m.Previous
			if previous == nil {
				previous = []string{}
			}
			got, err := mem.ContextBlock(ctx, contextblock.Request{Message: m.Text, Previous: previous,
				Scope: memory.Scope{Namespace: namespace, SessionID: "bench-new"}, Budget: budget})
			if err != nil {
				return ContextResult{}, err
			}
			took = append(took, milliseconds(start))
			b := judge(s, m, got, turns)
			if miss := b.miss(s, m, got); miss != nil {
				out.Misses = append(out.Misses, *miss)
			}
			blocks = append(blocks, b)
			step()
		}
		out.Stores[s.Name] = scoreBlocks(blocks)
		all = append(all, blocks...)
	}
	out.ContextScores, out.QueryMS = scoreBlocks(all), quantiles(took)
	return out, nil
}

// block is the judged block of one message.
type block struct {
	relevant, found int      // turns
	helpful         int      // lines
	stray           []string // the other lines
	missing         []int
	tokens          int
}

func (b block) lines() int { return b.helpful + len(b.stray) }

// judge reads the block line by line. The line of a turn helps if the turn is relevant. The line of a fact helps if one
// of its evidence turns is relevant, and the line of an entity if a relevant turn contains its name.
func judge(s BlockStore, m BlockMessage, got contextblock.Decision, turns map[int64]int) block {
	b := block{relevant: len(m.Relevant), tokens: got.Tokens}
	shown := map[int]bool{}
	helps := func(evidence []int64) bool {
		any := false
		for _, id := range evidence {
			if i, ok := turns[id]; ok && slices.Contains(m.Relevant, i) {
				shown[i], any = true, true
			}
		}
		return any
	}
	count := func(line string, help bool) {
		if help {
			b.helpful++
		} else {
			b.stray = append(b.stray, line)
		}
	}
	const entities, relations, standing = "Entities:", "Relations:", "About the user:"
	section, episode, told := "", 0, 0
	for line := range strings.Lines(got.Block) {
		line = strings.TrimSuffix(line, "\n")
		item, ok := strings.CutPrefix(line, "- ")
		switch {
		case !ok:
			section = line
		case section == entities:
			name, _, _ := strings.Cut(item, " (")
			count(line, slices.ContainsFunc(m.Relevant, func(i int) bool { return strings.Contains(s.Turns[i].Text, name) }))
		case section == relations:
			i := slices.IndexFunc(got.Answer.Relations, func(f retrieval.FoundRelation) bool {
				return strings.HasPrefix(item, factStart(f.Relationship))
			})
			count(line, i >= 0 && helps(got.Answer.Relations[i].Relationship.Evidence))
		case section == standing:
			count(line, told < len(got.Answer.Standing) && helps([]int64{got.Answer.Standing[told].Episode.ID}))
			told++
		default: // turns, in the order of the answer without quarantined ones
			for episode < len(got.Answer.Episodes) && got.Answer.Episodes[episode].Episode.Status == memory.StatusQuarantined {
				episode++
			}
			count(line, episode < len(got.Answer.Episodes) && helps([]int64{got.Answer.Episodes[episode].Episode.ID}))
			episode++
		}
	}
	for _, i := range m.Relevant {
		if shown[i] {
			b.found++
		} else {
			b.missing = append(b.missing, i)
		}
	}
	return b
}

func factStart(r memory.Relationship) string {
	return retrieval.Sanitize(r.Head.Name) + " → " + retrieval.Sanitize(r.Relation) + " → " +
		retrieval.Sanitize(r.Tail.Name) + " ("
}

func (b block) miss(s BlockStore, m BlockMessage, got contextblock.Decision) *ContextMiss {
	if len(b.stray)+len(b.missing) == 0 {
		return nil
	}
	miss := ContextMiss{Store: s.Name, Text: m.Text, Stray: b.stray}
	if got.Classified() {
		miss.Class = got.Class.Class.String()
	}
	for _, i := range b.missing {
		miss.Missing = append(miss.Missing, s.Turns[i].Text)
	}
	return &miss
}

func scoreBlocks(blocks []block) ContextScores {
	var r ContextScores
	var relevant, found, hits, filled, empty int
	for _, b := range blocks {
		if b.relevant == 0 {
			r.Unhelped++
			r.Stray += float64(b.lines())
			r.Wasted += float64(b.tokens)
			if b.lines() == 0 {
				empty++
			}
			continue
		}
		r.Helped++
		relevant += b.relevant
		found += b.found
		r.Lines += float64(b.lines())
		r.Tokens += float64(b.tokens)
		if b.found > 0 {
			hits++
		}
		if b.lines() > 0 {
			filled++
			r.Helpful += share(b.helpful, b.lines())
		}
	}
	helped, unhelped := float64(max(r.Helped, 1)), float64(max(r.Unhelped, 1))
	r.Recall, r.Hit, r.Helpful, r.Empty = share(found, relevant), share(hits,
		r.Helped), r.Helpful/float64(max(filled, 1)), share(empty, r.Unhelped)
	r.Lines, r.Tokens, r.Stray, r.Wasted = r.Lines/helped, r.Tokens/helped, r.Stray/unhelped, r.Wasted/unhelped
	return r
}
