package tools

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// cutJSON takes at least excess bytes of JSON from the end of a string, or leaves nothing of it.
func cutJSON(s string, excess int) string {
	room := jsonLen(s) - excess
	return cutAt(s, func(cut int) bool { return jsonLen(s[:cut]) <= room })
}

// jsonLen is the length of s inside a JSON string as encoding/json writes it.
func jsonLen(s string) int {
	b, err := json.Marshal(s)
	if err != nil {
		return 6 * len(s) // cannot be: strings always encode
	}
	return len(b) - 2
}

// cutAt gives the longest prefix, on a safe place, whose length passes; ok falls from true to false once as cut grows.
func cutAt(s string, ok func(cut int) bool) string {
	lo, hi := 0, len(s)
	for lo < hi {
		mid := (lo + hi + 1) / 2
		if ok(runeStart(s, mid)) {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	return s[:safeCut(s, runeStart(s, lo))]
}

// cutRunes gives at most n characters from the front of s, cut on a safe place.
func cutRunes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	runes := 0
	for i := range s {
		if runes == n {
			return s[:safeCut(s, i)]
		}
		runes++
	}
	return s
}

// runeStart moves a place back to the start of the rune that it lies in.
func runeStart(s string, at int) int {
	for at > 0 && at < len(s) && !utf8.RuneStart(s[at]) {
		at--
	}
	return at
}

// safeCut moves a rune's place back so that no accent, flag or emoji sequence is torn apart. A sequence longer than any
// real one is torn all the same, so that a prefix always comes out.
func safeCut(s string, at int) int {
	const longest = 512 // bytes
	start := runeStart(s, max(0, at-longest))
	end := start
	for end < at {
		cluster, _, _, _ := uniseg.FirstGraphemeClusterInString(s[end:], -1)
		if end+len(cluster) > at {
			break
		}
		end += len(cluster)
	}
	if end == start {
		return at
	}
	return end
}

// trimBlock drops whole lines from the end of a rendered block until it takes at most `most` bytes of JSON; the line
// that closes the block stays.
func trimBlock(block string, most int) string {
	if jsonLen(block) <= most {
		return block
	}
	lines := strings.Split(strings.TrimRight(block, "\n"), "\n")
	closing := lines[len(lines)-1]
	room := most - jsonLen(closing)
	keep := 0
	for ; keep < len(lines)-1; keep++ {
		if room -= jsonLen(lines[keep]) + 2; room < 0 { // 2: the newline, escaped
			break
		}
	}
	if keep == 0 {
		return ""
	}
	return strings.Join(append(lines[:keep:keep], closing), "\n")
}
