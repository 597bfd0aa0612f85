package supersession

import (
	"slices"
	"strings"
)

// What tells that something is other than it was. Words that fill every story (finally, over, again, a change) are no
// sign: in chat about one's days they stand in one turn of ten.
var (
	changeWords = set(`
		instead anymore final actually correction corrected typo
		switched switch switching changed replaced replace replaces replacing replacement moved moving moves relocated transferred shifted
		swapped traded exchanged migrated ported converted renamed rebranded upgraded downgraded bumped updated revised amended reverted
		cancelled canceled cancel cancels postponed rescheduled rebooked delayed extended shortened scrapped ditched dropped abandoned
		revoked withdrawn removed deprecated expired renewed rotated
		raised lowered increased decreased reduced doubled halved cut
		bankrupt retired retires quit quits resigned fired sacked promoted demoted appointed hired
		wrong misspoke forget ignore undone discontinued obsolete outdated outgrown burnt burned stolen broke
		deleted merged split reassigned substituted repainted rebuilt
		sold closed shut stopped ended becomes became convinced persuaded allowed forbidden banned died divorced`)
	changePhrases = phrases("no longer", "any more", "after all", "from now on", "as of", "as from", "from today", "from tomorrow",
		"from monday", "from tuesday", "from wednesday", "from thursday", "from friday", "from saturday", "from sunday",
		"for good", "called off", "put off", "pushed back", "brought forward", "rolled back", "i meant", "scratch that", "changed my mind",
		"takes over", "took over", "taking over", "taken over", "handed over", "gave up", "given up", "gone up", "gone down", "went up",
		"went down", "threw out", "my mistake", "i was wrong", "got rid of", "gave away", "given away", "any longer",
		"until further notice", "for the time being", "with immediate effect", "starting with", "starting next", "starting from",
		"out of order", "went with", "going with", "settled on", "down to", "in favour of", "had enough", "pulled forward",
		"done with", "move to", "moves to", "switch to", "switches to", "change to", "changes to", "no more", "so now", "rather than", "has left", "have left", "walked out", "back to", "turns out", "turned out to")

	// What may be new beside the old as well as in its place.
	freshWords   = set(`now new another other more longer meanwhile already bought`)
	freshPhrases = phrases("make it", "make that", "let's make", "since noon", "since yesterday", "since today", "since this morning",
		"since monday", "since tuesday", "since wednesday", "since thursday", "since friday", "since saturday", "since sunday", "since last")
)

// motions put a thing somewhere else: a change where a place is asked for.
var motions = set(`carried brought took taken put placed hung stored parked drove shipped hauled pushed`)

// done is what an assistant says, beside changeWords, of a change that it made.
var done = set(`adjusted disabled reset struck crossed`)

// acknowledged says how much a reply speaks of a change. "Eight percent, then" and "Eight it is" take something new down.
func acknowledged(reply []token) float64 {
	n := len(reply)
	switch {
	case slices.ContainsFunc(reply, func(t token) bool { return done[t.lower] }):
		return 1
	case n > 1 && (reply[n-1].lower == "then" || reply[n-2].lower == "it" && reply[n-1].lower == "is"):
		return max(.5, change(reply))
	}
	return change(reply)
}

// endings say of what stands before them that it is no more.
var (
	endings = set(`stopped stops died dies closed closes left quit quits retired retires resigned broke burnt burned expired ended ends bankrupt gone
		dead cancelled canceled shut scrapped discontinued sold stolen obsolete`)
	helping = set(`is are was were has have had went been got just`)
)

// ended says whether the later turn says of something that the earlier one names that it is no more: "the mill closed".
func (p Pair) ended() bool {
	tokens := p.Later.tokens
	for i, t := range tokens {
		if !endings[t.lower] {
			continue
		}
		j := i - 1
		for j >= 0 && helping[tokens[j].lower] {
			j--
		}
		if j >= 0 && !tokens[j].stop && len(common(stemsOf(tokens[j].raw), p.Earlier.content())) > 0 {
			return true
		}
	}
	return false
}

func phrases(list ...string) []string {
	for i, p := range list {
		list[i] = " " + p + " "
	}
	return list
}

// change says how much a text speaks of a change: 1 where something took another's place or ended, .5 where something is
// new, else 0.
func change(tokens []token) float64 {
	var b strings.Builder
	fresh := false
	b.WriteByte(' ')
	for _, t := range tokens {
		if changeWords[t.lower] {
			return 1
		}
		fresh = fresh || freshWords[t.lower]
		b.WriteString(t.lower)
		b.WriteByte(' ')
	}
	said := b.String()
	for _, p := range changePhrases {
		if strings.Contains(said, p) {
			return 1
		}
	}
	for _, p := range freshPhrases {
		fresh = fresh || strings.Contains(said, p)
	}
	if fresh {
		return .5
	}
	return 0
}
