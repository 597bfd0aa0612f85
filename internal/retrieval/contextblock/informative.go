package contextblock

import (
	"slices"
	"strings"
	"unicode"

	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/internal/text"
)

// informative leaves out turns that tell the reader of the block nothing: the message itself, which a client may have
// stored already; the previous turns, which the client shows; repeated texts; "Done."; and questions. It also leaves
// out turns from tools and files, which are found by asking and never put into a block.
func informative(list []retrieval.FoundEpisode, req Request, previous []string) []retrieval.FoundEpisode {
	seen := map[string]bool{strings.TrimSpace(req.Message): true}
	for _, p := range previous {
		seen[p] = true
	}
	var out []retrieval.FoundEpisode
	for _, f := range list {
		said := strings.TrimSpace(f.Episode.Content)
		if seen[said] || seen[excerpt(said, maxMessageBytes)] || f.Episode.Origin.Trust() <= memory.OriginTool.Trust() ||
			empty(f.Episode) || text.IsQuestion(said) {
			continue
		}
		seen[said] = true
		out = append(out, f)
	}
	return out
}

// Tells reports whether a turn alone is informative: more than "Done.", "lgtm" or a question.
func Tells(e memory.Episode) bool {
	return !empty(e) && !text.IsQuestion(e.Content) && len(contentOf(e.Content)) >= 2
}

// Asks reports whether a turn is a single question with a subject.
func Asks(e memory.Episode) bool {
	return text.IsQuestion(e.Content) && len(contentOf(e.Content)) >= 2
}

// fewWords is the maximum length, in words, of an assistant's turn that only confirms ("Done.").
const fewWords = 3

// empty reports whether an assistant's turn is too short to be informative. A number or a path makes it informative.
func empty(e memory.Episode) bool {
	words := strings.Fields(e.Content)
	return e.Role == memory.RoleAssistant && len(words) <= fewWords && !slices.ContainsFunc(words, func(w string) bool {
		return strings.IndexFunc(w, unicode.IsDigit) >= 0 || strings.ContainsAny(w, "/_@:")
	})
}
