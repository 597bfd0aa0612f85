package rules

import (
	"regexp"
	"strings"
)

// row is a line of a text without the white space around it.
type row struct{ start, stop int }

// rows gives the lines that have something left.
func (s *scrubber) rows() []row {
	var out []row
	for start := 0; start <= len(s.out); {
		end := start
		for end < len(s.out) && s.out[end] != '\n' {
			end++
		}
		line := string(s.out[start:end])
		if body := strings.TrimSpace(line); body != "" {
			at := start + strings.Index(line, body)
			out = append(out, row{at, at + len(body)})
		}
		start = end + 1
	}
	return out
}

// paragraphEnd gives the end of the paragraph around an offset.
func (s *scrubber) paragraphEnd(at int) int {
	if end := strings.Index(s.in[at:], "\n\n"); end >= 0 {
		return at + end
	}
	return len(s.in)
}

// What a text that is shown rather than said is called. Those of loose are also what people write as their own notes, so that
// they need a word that points at them.
const (
	sureTexts = `cover letter|letter|testimonial|bio|biography|cv|resume|résumé|essay|poem|lyrics|speech|abstract|blurb|tweet|transcript|excerpt|draft|caption|eulogy|press release`
	texts     = sureTexts + `|e-?mail|mail|message|msg|texts?|paragraph|sentence|review|post|thread|article|story|section|passage|quote|quotation|chapter|conversation|chat|dialog(?:ue)?|` +
		`interview|statement|reply|response|comment|feedback|copy|paper|script|announcement|memo|newsletter|ad|advert|listing|profile|submission|complaint|application|intro(?:duction)?|` +
		`description|snippet|writing|wording|grammar|spelling|version|rewrite|revision|translation|template|rewording|slide|homework|answer`
	sending = `texted|emailed|e-mailed|mailed|messaged|wrote|writes|posted|tweeted|replied|responded|answered|commented|dmed|dm'd|slacked|pinged|sent|said|says|told|shared|forwarded|announced|reads|yelled|whispered|typed|left me`
)

// textNouns, senders and requests tell cheaply whether a line is worth a closer look.
var (
	textNouns = set(`letter testimonial bio biography cv resume résumé essay poem lyrics speech abstract blurb tweet transcript excerpt draft caption eulogy release email e-mail emails mail
message msg text texts paragraph sentence sentences review reviews post thread article story section passage quote quotation chapter conversation chat dialog dialogue interview statement reply
response comment comments feedback copy paper script announcement memo newsletter ad advert listing profile submission complaint application intro introduction description snippet writing
wording grammar spelling version rewrite revision translation template rewording slide homework answer messages letters testimonials`)
	senders = set(strings.ReplaceAll(sending, "|", " ") + ` this got received what write say reply send`)
	workOn  = set(`proofread translate rephrase reword paraphrase summarize summarise summarising shorten polish condense rewrite edit improve correct fix critique review make turn convert tl;dr tldr check
spellcheck transcribe`)
)

// Lines that hand over a text. The first group of mineOnly is who sent it.
var (
	sentColon  = pattern(`(?i)^(?:[^.!?:\n]{0,60}\s)?(?:` + sending + `)\b[^.!?:\n]{0,60}:`)
	byMyself   = pattern(`(?i)\b(?:i|we)(?:'ve|’ve| have)?(?: \w+)? (?:` + sending + `)\b`)
	whatIsSent = pattern(`(?i)\bwhat\s+[^.!?:\n]{1,40}?\b(?:` + sending + `)\b[^.!?\n]{0,60}[.:!]?$`)
	sentThis   = pattern(`(?i)^[^.!?\n]{1,50}\b(?:got|received|found|` + sending + `)\b(?: [\w#@-]+){0,3} (?:this|the following)\b[^.!?\n]{0,50}[.:!]?$|^(?:just )?(?:got|received|found) this\b[^.!?\n]{0,60}[.:!]?$`)
	fromWhom   = pattern(`^(?i:from|by|via)\s+(?:(?i:the|our|his|her|their|a|my)\s+)?[\p{L}.'’-]+(?:\s+[\p{L}.'’-]+){0,3}:`)
	shownHere  = pattern(`(?i)\b(?:here(?:'s|’s| is| are| comes)|below|attached|following|forwarded|pasted|quoted|copied)\b[^.!?:\n]{0,60}\b(?:` + texts + `)s?\b[^.!?:\n]{0,60}[.:!]?`)
	shownThere = pattern(`(?i)^[^.!?:\n]{0,40}\b(?:` + texts + `)s?\b[^.!?:\n]{0,60}\b(?:below|attached|follows|here)[.:!]?$`)
	named      = pattern(`(?i)^(?:(?:my|our|the|his|her|their|a|new|draft|short) ){0,2}(?:[\w'’-]+ )?(?:` + sureTexts + `)(?: (?:from|by|of|for|to) [^:.!?\n]{1,40})?:`)
	othersText = pattern(`(?i)^(?:(?:new|latest|another|some) )?(?:his|her|their|customer|client|user|slack|linkedin|twitter|whatsapp|discord|teams|reddit|[\p{L}]+['’]s) (?:[\w'’-]+ )?(?:` + texts +
		`)s?(?: (?:from|by|of|for|to|was|is|were) [^:.!?\n]{1,40}| was| is| were)?:?$`)
	requested = pattern(`(?i)^(?:(?:hey|hi|hello|ok|okay|so|and|now|also|thanks|sorry)\b[,.!]?\s*(?:[\p{L}]+[,!]\s*)?)?(?:please\s+|pls\s+|kindly\s+)?` +
		`(?:(?:can|could|would|will) (?:you|u)(?: please| kindly| also| quickly)? |help me |i(?: need|'d like|’d like| want| would like) you to |what (?:do|would|did) you |what(?:'s|’s| is| does) |how (?:do|does|would|is) |any |is |are |do you |does |give me |i need |let's |let’s )?` +
		`(?:[\w'’-]+\s+){0,6}(?:this|these|the following|following|below|my|that|the)\s+(?:[\w'’-]+\s+){0,3}?(?:` + texts + `)s?\b[^.!?:\n]{0,80}(?:[.!?:]|$)`)
	asking  = pattern(`(?i)^(?:(?:hey|hi|hello|ok|okay|so|and|now|also|thanks|sorry)\b[,.!]?\s*(?:[\p{L}]+[,!]\s*)?)?(?:please|pls|kindly|can|could|would|will|help|what|what's|what’s|how|any|is|are|do|does|give|` + working + `)\b`)
	onlyAsk = pattern(`(?i)^(?:(?:hey|hi|hello|ok|okay|so|and|now|also|thanks|sorry)\b[,.!]?\s*(?:[\p{L}]+[,!]\s*)?)?(?:please |pls |kindly |help me )?(?:(?:can|could|would|will) (?:you|u) (?:please |kindly )?)?` +
		`(?:(?:proofread|translate|rephrase|reword|paraphrase|summari[sz]e|shorten|polish|condense|transcribe|spellcheck|tl;?dr)\b[^.!?:\n]{0,60}|` +
		`(?:rewrite|edit|improve|correct|fix|critique|review|check|make|turn|convert) (?:this|it|these|the following)(?: (?:please|pls|for me|up|into [^.!?:\n]{1,40}|sound [^.!?:\n]{1,40}|in [^.!?:\n]{1,40}|to [^.!?:\n]{1,40}|as [^.!?:\n]{1,40}|more [^.!?:\n]{1,40}|less [^.!?:\n]{1,40}|shorter|longer|better|nicer|formal|polite|friendlier)){0,3})[.!?:]*$`)
	suggested = pattern(`(?i)\b(?:you (?:could|can|might|may|should)|try|one could|just) (?:write|writing|say|saying|reply|replying|send|sending|answer|post|add|put)\b[^.!?:\n]{0,60}:`)
)

// working are the verbs of what is asked to be done to a text.
const working = `summari[sz]e|proofread|check|review|improve|edit|correct|fix|shorten|expand|polish|rewrite|rephrase|reword|paraphrase|translate|critique|grade|rate|analy[sz]e|evaluate|read|look|go|respond|reply|answer|` +
	`turn|convert|explain|extract|classify|make|comment|condense|reformat|transcribe|finish|continue|complete`

// handed blanks the texts that are shown, quoted or given to be worked on, behind the line that says so: to the end of what is
// said, or, where the text begins in that line, to the end of its paragraph.
func (s *scrubber) handed() {
	rows := s.rows()
	for i, x := range rows {
		line := string(s.out[x.start:x.stop])
		text, sent, work := telling(line)
		if !text && !sent && !work {
			continue
		}
		last := i == len(rows)-1
		if end, all := handsOver(line, text, sent, work, last); end > 0 {
			if rest := strings.TrimSpace(line[end:]); rest == "" || all {
				s.blank(x.start+end, len(s.out))
				return
			}
			s.blank(x.start+end, s.paragraphEnd(x.start+end))
		}
	}
}

// telling says which words of a text that is handed over stand in a line.
func telling(line string) (text, sent, work bool) {
	for w := range strings.FieldsSeq(lowerOf(line)) {
		w = strings.Trim(w, ".,:;!?()\"'’")
		text, sent, work = text || textNouns[w], sent || senders[w], work || workOn[w]
	}
	for _, w := range []string{"From ", "from ", "By ", "by ", "Via ", "via "} {
		sent = sent || strings.HasPrefix(line, w)
	}
	return text, sent, work
}

// handsOver gives the offset in the line from which on it is another text, 0 for none; all says that everything that follows
// is. last says that no line follows.
func handsOver(line string, text, sent, work, last bool) (end int, all bool) {
	at := func(re *regexp.Regexp) int {
		if m := re.FindStringIndex(line); m != nil {
			return m[1]
		}
		return 0
	}
	colon := strings.Contains(line, ":")
	if sent && (colon || !last) {
		n, all := whoSent(line, colon, last, at)
		if n > 0 && !byMyself().MatchString(line) && !announcement(line, n) {
			return n, all
		}
	}
	if text {
		if colon {
			if n := at(named()); n > 0 {
				return n, n == len(line)
			}
		}
		if n := at(shownHere()); n > 0 && (n < len(line) && line[n-1] == ':' || n == len(line) && !last) {
			return n, true
		}
		if !last && (at(shownThere()) > 0 || at(othersText()) > 0) {
			return len(line), true
		}
		if asking().MatchString(line) {
			if n := at(requested()); n > 0 {
				return n, true
			}
		}
	}
	if work && !last && at(onlyAsk()) > 0 {
		return len(line), true
	}
	return 0, false
}

// whoSent is handsOver for lines that say who wrote, sent or said what follows.
func whoSent(line string, colon, last bool, at func(*regexp.Regexp) int) (end int, all bool) {
	if colon {
		if n := at(sentColon()); n > 0 {
			return n, false
		}
		if n := at(fromWhom()); n > 0 && !ofTimeOrMine(line) {
			return n, false
		}
		if n := at(suggested()); n > 0 {
			return n, false
		}
	}
	if !last && (at(whatIsSent()) > 0 || at(sentThis()) > 0) {
		return len(line), true
	}
	return 0, false
}

// ofTimeOrMine says whether "From …:" gives a time, or somebody's own point of view.
func ofTimeOrMine(line string) bool {
	words := strings.Fields(strings.ToLower(strings.SplitN(line, ":", 2)[0]))
	last := words[len(words)-1]
	return monthNames[words[1]] || dayNames[words[1]] || timeWords[words[1]] || timeWords[last] || timeNouns[last] || words[1] == "my" && !roles[last] || words[1] == "now" || last == "on"
}
