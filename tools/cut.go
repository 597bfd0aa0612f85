package tools

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// cutJSON removes at least excess bytes of JSON from the end of a string, or all of the string.
func cutJSON(s string, excess int) string {
	room := jsonLen(s) - excess
	return cutAt(s, func(cut int) bool { return jsonLen(s[:cut]) <= room })
}

// jsonLen returns the length of s inside a JSON string as encoding/json writes it.
func jsonLen(s string) int {
	b, err := json.Marshal(s)
	if err != nil {
		return 6 * len(s) // unreachable: strings always encode
	}
	return len(b) - 2
}

// cutAt returns the longest prefix that passes ok and ends at a safe place. As cut grows, ok changes from true to false
// once.
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

// cutRunes returns at most n characters from the beginning of s, cut at a safe place.
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

// runeStart moves an index back to the start of its rune.
func runeStart(s string, at int) int {
	for at > 0 && at < len(s) && !utf8.RuneStart(s[at]) {
		at--
	}
	return at
}

// safeCut moves the index of a rune back so that it splits no accented character, flag or emoji sequence. It splits a
// sequence longer than any real one, instead of returning 0.
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

// trimBlock removes whole lines from the end of a context block until it takes at most `most` bytes of JSON. The
// closing line stays.
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
