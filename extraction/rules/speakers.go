package rules

import (
	"strings"

	"memory-graph/extraction"
	"memory-graph/internal/memory"
)

// speaker tells whose words stand in a text: self is who "I" is, lists knows people's names; both may be missing.
type speaker struct {
	self  string
	lists *gazetteer
}

// own says whether a name is that of the one who says it all.
func (v speaker) own(name string) bool {
	key, self := memory.Canonical(name), memory.Canonical(v.self)
	if key == "me" || key == "i" || key == "myself" {
		return true
	}
	first, _, _ := strings.Cut(self, " ")
	return self != "" && (key == self || key == first)
}

// known says whether it is known what the user is called.
func (v speaker) known() bool { return v.self != "" && v.self != extraction.DefaultSelf }

var (
	greeting = pattern(`^(?i)(hi|hello|hey|dear|good (?:morning|afternoon|evening|day)|greetings)\b[ ,]*([\p{L}.'’ /-]{0,40}?)\s*[,!:.–-]*$`)
	greeted  = pattern(`^(?i)(hi|hello|hey|dear|good (?:morning|afternoon|evening|day))[ ,]+([\p{L}'’-]+)\s*[,!.:–-]`)
	parting  = pattern(`^(?i)((?:(?:all the|with|with the|my) )?(?:best|kind|warm|warmest|kindest|many)?\s*(?:regards|wishes|greetings)|(?:all (?:the|my) )?best|cheers|sincerely|yours(?: \w+)?|(?:lots of |much )?love|xoxo|x{2,3}|hugs|take care|` +
		`thanks(?: a lot| again| so much)?|thank you|many thanks|respectfully|cordially|greetings|see you(?: soon)?|talk soon|warmly|ciao)\s*[,!.–-]*\s*(\p{Lu}[\p{L}.'’-]*(?: \p{Lu}[\p{L}.'’-]*){0,2})?[.!]?$`)
	signature = pattern(`^[-–—~ ]*(\p{Lu}[\p{L}.'’-]*(?: \p{Lu}[\p{L}.'’-]*){0,2})[.,!]?$`)
)

// letters blanks letters: from the greeting to the name below, where they are to the user, from somebody else, or begin with
// "Dear". A message to an assistant that is signed by the user is no letter.
func (s *scrubber) letters(v speaker) {
	rows := s.rows()
	from, to := -1, ""
	for i, x := range rows {
		line := string(s.out[x.start:x.stop])
		if from < 0 && len(line) < 80 {
			if m := greeting().FindStringSubmatch(line); m != nil && i+1 < len(rows) {
				from, to = i, m[2]
				formal := strings.EqualFold(m[1], "dear")
				if formal || v.known() && v.own(to) {
					s.blank(x.start, s.partingFrom(rows, i))
					from = -1
				}
				continue
			}
		}
		if m := greeted().FindStringSubmatch(line); m != nil && v.known() && v.own(m[2]) {
			s.blank(x.start, len(s.out))
			return
		}
		m := parting().FindStringSubmatch(line)
		if m == nil || len(line) > 60 {
			continue
		}
		name, end := m[2], x.stop
		if name == "" && i+1 < len(rows) && i+2 >= len(rows)-1 {
			if n := signature().FindStringSubmatch(string(s.out[rows[i+1].start:rows[i+1].stop])); n != nil {
				name, end = n[1], rows[i+1].stop
			}
		}
		thanks := strings.HasPrefix(strings.ToLower(m[1]), "thank")
		if name == "" || v.own(name) || !v.known() && from < 0 && thanks {
			continue
		}
		begin := 0
		if from >= 0 {
			begin = rows[from].start
		}
		s.blank(begin, end)
		from = -1
	}
}

// partingFrom gives the end of the letter that begins with a row: behind its name, else the end of all.
func (s *scrubber) partingFrom(rows []row, i int) int {
	for k := i + 1; k < len(rows); k++ {
		line := string(s.out[rows[k].start:rows[k].stop])
		m := parting().FindStringSubmatch(line)
		if m == nil {
			continue
		}
		if m[2] == "" && k+1 < len(rows) && signature().MatchString(string(s.out[rows[k+1].start:rows[k+1].stop])) {
			return rows[k+1].stop
		}
		return rows[k].stop
	}
	return len(s.out)
}

// said is a line of a talk: when, who, what.
var said = pattern(`^(?:[-*•]\s+)?((?:[\[(]?(?:\d{4}-\d\d-\d\d[T ,]+|\d{1,2}[/.]\d{1,2}[/.]\d{2,4},?\s+)?\d{1,2}[:.]\d\d(?:[:.]\d\d)?(?:\s?[APap]\.?[Mm]\.?)?[\])]?)\s*[-–—|,]?\s*)?` +
	`\**<?@?([\p{L}][\p{L}\p{N}._'’ -]{0,30}?)>?\**\s*([\[(,]\s*(?:[^\])\n]{0,20}\d{1,2}[:.]\d\d[^\])\n:]{0,10})[\])]?)?\s*(:|>)\**(?:\s+|$)(.*)$`)

// talkRoles label lines of talks, beside the roles of people.
var talkRoles = set(`interviewer interviewee candidate applicant speaker host guest agent support operator caller patient narrator moderator judge witness q a b c question answer user human assistant
bot ai chatgpt gpt claude copilot gemini model system person voice man woman reporter presenter salesperson buyer seller waiter driver officer recruiter panelist audience everyone them him her they he she participant
anonymous commenter op reviewer respondent`)

var inFirstPerson = pattern(`(?i)(?:^|[^\p{L}'’])(?:i|we|my|our|me|us)(?:[^\p{L}]|$)`)

// talks blanks what others say in a talk that was put in: lines that begin with who says them. A line with somebody's name
// before it that is not in the first person may be a note about that person, and stays.
func (s *scrubber) talks(v speaker) {
	if !strings.ContainsAny(s.in, ":>") {
		return
	}
	type line struct {
		row
		speaks, own bool
	}
	var lines []line
	other := false
	for _, x := range s.rows() {
		l := line{row: x}
		if m := said().FindStringSubmatch(string(s.out[x.start:x.stop])); m != nil {
			timed := m[1] != "" || m[3] != ""
			first := inFirstPerson().MatchString(m[5]) || startsWithDeed(m[5])
			l.own = v.own(m[2])
			l.speaks = l.own || timed || m[4] == ">" || v.speaks(m[2], m[5])
			other = other || l.speaks && !l.own && (timed || first || m[5] == "" || m[4] == ">")
		}
		lines = append(lines, l)
	}
	if !other {
		return
	}
	foreign, behind := false, 0
	for _, l := range lines {
		switch {
		case l.speaks:
			foreign = !l.own
		case foreign && strings.Contains(s.in[behind:l.start], "\n\n"):
			foreign = false
		}
		if foreign {
			s.blank(l.start, l.stop)
		}
		behind = l.stop
	}
}

// speaks says whether the label before a line is somebody: a person's name, a role, "Speaker 1".
func (v speaker) speaks(label, text string) bool {
	words := strings.Fields(lowerOf(label))
	if len(words) > 3 {
		return false
	}
	if len(words) > 1 && articles[words[1]] && prepositions[words[0]] { // "Per the list:" is nobody's word
		return false
	}
	last := words[len(words)-1]
	if len(words) > 1 && (len(last) == 1 || isDigit(last[0])) {
		last = words[len(words)-2]
	}
	if talkRoles[last] || roles[last] {
		return len(words) < 3 || words[0] == "my" || words[0] == "the"
	}
	if v.lists == nil {
		return false
	}
	first := strings.Fields(label)[0]
	k := v.lists.of(first)
	switch {
	case k&sortPerson != 0 && words[0] != "job":
		return k&sortTechnical == 0 || startsWithI(text)
	case k != 0 || len(words) > 2 || !hasUpper(first[:1]) || hasUpper(first[1:]):
		return false
	}
	return startsWithI(text) && !labelLike(words[0])
}

func startsWithI(text string) bool {
	return strings.HasPrefix(text, "I ") || strings.HasPrefix(text, "I'") || strings.HasPrefix(text, "I’")
}

// startsWithDeed says whether a line begins with what somebody did: "left Acme today".
func startsWithDeed(text string) bool {
	w, _, _ := strings.Cut(lowerOf(text), " ")
	v, ok := verbForms[w]
	return ok && v.forms&formPast != 0 && v.forms&formBase == 0
}

// labelLike says whether a word is rather what a line is about than who says it.
func labelLike(w string) bool {
	if ordinaryWords[w] || openers[w] || adverbs[w] || timeNouns[w] || timeWords[w] || dayNames[w] || monthNames[w] || projectNouns[w] || machineNouns[w] || pronouns[w] {
		return true
	}
	if _, verb := verbForms[w]; verb {
		return true
	}
	for _, end := range []string{"tion", "sion", "ing", "ment", "ness", "ly", "ed", "ity", "ence", "ance", "up", "er", "ors", "s", "ion", "ure", "al", "ice", "tle", "ory", "ext"} {
		if strings.HasSuffix(w, end) {
			return true
		}
	}
	return false
}
