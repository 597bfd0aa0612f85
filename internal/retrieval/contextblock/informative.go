package contextblock

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
)

// informative leaves out the turns that tell the reader of the block nothing: the message itself, which a client may
// have stored already; the turns right before it, which the client shows; the same words a second time; "Done."; and
// questions. It leaves out what tools and files brought as well: that is found by asking, and never put into a block.
func informative(list []retrieval.FoundEpisode, req Request, previous []string) []retrieval.FoundEpisode {
	seen := map[string]bool{strings.TrimSpace(req.Message): true}
	for _, text := range previous {
		seen[text] = true
	}
	var out []retrieval.FoundEpisode
	for _, f := range list {
		text := strings.TrimSpace(f.Episode.Content)
		if seen[text] || seen[excerpt(text, maxMessageBytes)] || f.Episode.Origin.Trust() <= memory.OriginTool.Trust() ||
			empty(f.Episode) || onlyAsks(text) {
			continue
		}
		seen[text] = true
		out = append(out, f)
	}
	return out
}

// Tells says whether a turn says something by itself: more than "Done.", "lgtm" or a question.
func Tells(e memory.Episode) bool {
	return !empty(e) && !onlyAsks(strings.TrimSpace(e.Content)) && len(contentOf(e.Content)) >= 2
}

// fewWords is how many an assistant's turn has at most that only says that it did as it was told.
const fewWords = 3

// empty says whether an assistant's turn is too short to tell anything; names and numbers do.
func empty(e memory.Episode) bool {
	words := strings.Fields(e.Content)
	return e.Role == memory.RoleAssistant && len(words) <= fewWords && !slices.ContainsFunc(words, func(w string) bool {
		return strings.IndexFunc(w, unicode.IsDigit) >= 0 || strings.ContainsAny(w, "/_@:")
	})
}

// onlyAsks says whether a turn is one question and nothing else, also where its question mark was left out.
func onlyAsks(text string) bool {
	body, marked := strings.CutSuffix(text, "?")
	return (marked || bareQuestion.MatchString(body)) && !strings.ContainsAny(strings.TrimRight(body, "?!. "), ".!?:;\n")
}

// bareQuestion finds how a question begins that a statement does not begin like: "when we deploy" is none.
var bareQuestion = regexp.MustCompile(
	`(?i)^(?:and |und )?(?:(?:who|where|what|when|why|how)(?:['’]?s| is| are| was| were| do| does| did| can| could| should| would) ` +
		`|(?:wer|wo|was|wann|warum|wie) (?:ist|sind|war|hat|haben|kann|können|liegt|macht) )\pL`)
