package classifier

import "strings"

// What is read of a message and of each turn before it: the beginning and the end, in bytes. A long message is a task with
// material, and what is wanted with it stands at one of the two. Less is embedded than read, since each token costs.
const (
	headBytes, tailBytes       = 400, 200
	headOfVector, tailOfVector = 160, 80
	turnsBefore                = 3
)

// clipped keeps of a message what counts, without its vectors.
func clipped(m Message) Message {
	out := Message{Text: clip(m.Text, headBytes, tailBytes)}
	for _, p := range m.Previous[max(0, len(m.Previous)-turnsBefore):] {
		out.Previous = append(out.Previous, clip(p, headBytes, tailBytes))
	}
	return out
}

// forVector is what of a text is embedded.
func forVector(s string) string { return clip(s, headOfVector, tailOfVector) }

// clip keeps the beginning and the end of a text, cut between characters.
func clip(s string, head, tail int) string {
	const between = " … "
	if len(s) <= head+tail+len(between) {
		return strings.ToValidUTF8(s, "�")
	}
	from := len(s) - tail
	for head > 0 && s[head]&0xc0 == 0x80 {
		head--
	}
	for from < len(s) && s[from]&0xc0 == 0x80 {
		from++
	}
	return strings.ToValidUTF8(s[:head], "�") + between + strings.ToValidUTF8(s[from:], "�")
}
