package rules

// What only one can be true of, where somebody works and lives, and what has ended, take something else away when they are
// believed. They are held to more than other facts: what is told as a story, for a while, in part or in passing states nothing.

// settled says whether a fact that takes others away is told plainly enough.
func (r *reader) settled(s *sentence, f fact) bool {
	if !f.timely() {
		return true
	}
	f.b = s.endOf(f)
	if s.partOf(f) || r.inPast(s, f) {
		return false
	}
	switch f.relation {
	case "works_at":
		if f.ended {
			return !s.denial(r.verb, f) && !r.fromTheBuilding(s, f)
		}
		return !s.engaged(f) && !s.wholeDay(f) && !r.member(s, f) && !visiting[lastWord(f.tail.text)] && !s.clocked(f)
	case "located_in":
		if f.ended {
			return !s.denial(r.verb, f)
		}
		return !s.secondHome(f)
	case "uses":
		return !s.closedIt(f)
	}
	return true
}

// partOf says whether what ended is a part of what is named: "Postgres extensions", "Postgres 12", "the Acme board", "the Postgres that
// came with Debian". What a thing is ("the Redis cluster") is no part of it.
func (s *sentence) partOf(f fact) bool {
	i := f.b
	if !f.ended || i >= len(s.t) || s.t[i].kind == signToken {
		return false
	}
	w := s.t[i].lower
	switch {
	case s.t[i].start < f.tail.stop, s.timed(i), tails[w]:
		return false
	case s.kind(i) == numberToken:
		return !year(w) && !timeUnits[s.word(i+1)]
	case w == "that" || w == "which" || w == "proper" || w == "'s":
		return true
	case f.relation == "works_at":
		return s.kind(i) == wordToken && memberOf[w]
	}
	return s.kind(i) == wordToken && (s.nominal(i) || pluralNoun(w) && s.ends(i+1)) && !kindNouns[w] && !(projectNouns[w] && f.relation != "uses") && !wares[w] && !gear[w]
}

// kindNouns behind a name say what it is, or what ends with it.
var kindNouns = set(`repo repository package library framework database db cluster instance tool editor ide language store platform browser app client server backend software program service stack distro
distribution os runtime compiler engine subscription license licence account membership plan altogether days era times years phase habit company group firm startup`)

// memberOf are what people of a company leave without leaving it.
var memberOf = set(`board committee council team squad project chat channel slack list group pension union choir club staff tower campus building office offices account event call meeting party`)

// denial says whether an end is one for a time or in part: "I don't work at Acme on Fridays", "I don't live in Oslo proper".
func (s *sentence) denial(c *clause, f fact) bool {
	if c == nil || !c.group().negated && !c.group().ended {
		return false
	}
	if s.besides(f) {
		return true
	}
	found := false
	s.behind(f, func(i int, w string) bool {
		switch w {
		case "today", "tonight", "tomorrow", "alone", "proper", "directly", "much", "often", "really", "full-time", "part-time", "fulltime", "overnight", "weekends", "mornings", "like", "only", "every", "because":
			found = c.group().negated || w != "because"
		case "this":
			found = timeUnits[s.word(i+1)] || timeNouns[s.word(i+1)]
		case "on", "in", "at", "during":
			found = c.group().negated && s.timed(i) && !c.noMore() && !s.saysMore(c) || weekly(s.word(i+1)) || s.word(i+1) == "person"
		}
		return found
	})
	return found
}

// saysMore says whether "anymore" stands in the clause.
func (s *sentence) saysMore(c *clause) bool {
	for i := c.group().a; i < len(s.t); i++ {
		if w := s.t[i].lower; w == "anymore" || w == "longer" || w == "more" {
			return true
		}
	}
	return false
}

// fromTheBuilding says whether somebody left a place of work as one leaves it every evening: "just left Acme, be home in 20
// minutes", "left Acme in a taxi".
func (r *reader) fromTheBuilding(s *sentence, f fact) bool {
	if !s.says(f, "left", "leave", "leaving") || s.says(f, "job", "position", "role", "post") {
		return false
	}
	if r.transit == 0 { // asked once a text
		if r.transit = 1; inTransit().MatchString(r.text) {
			r.transit = 2
		}
	}
	if r.transit == 2 {
		return true
	}
	found := false
	s.behind(f, func(i int, w string) bool {
		next := s.skip(i+1, "a", "an", "the", "my", "our", "his", "her", "their", "another", "this")
		switch w {
		case "in", "by", "on", "with":
			found = vehicles[s.word(next)]
		case "through", "via", "without":
			found = true
		case "after", "before", "during":
			found = trips[s.word(next)] || oneOf(s.word(next), "call calls standup demo lunch dark midnight work rush")
		case "hour", "hours", "minute", "minutes", "min", "mins":
			found = s.word(i+1) == "ago" || s.word(i+1) == "earlier"
		}
		return found
	})
	return found
}

var (
	inTransit = pattern(`(?i)\b(?:on (?:my|the|his|her) way|be (?:home|there|back|late|with you)|see (?:you|u|ya)\b|home (?:in|by|soon|at)|heading (?:home|to|over|back)|where are you|in traffic|stuck in|` +
		`(?:in|eta) \d+ ?(?:min|minutes?|mins|hours?)\b|pick(?:ing)? (?:you|up)|dinner|meet (?:you|me) (?:at|in))`)
	vehicles = set(`taxi cab car bus train tram bike bicycle hurry rush uber ambulance helicopter van lift metro subway foot rain storm dark shuttle ferry tears pyjamas slippers crutches umbrella coat jacket laptop bag`)
)

// wholeDay says whether somebody "never left" before the evening only.
func (s *sentence) wholeDay(f fact) bool {
	if !s.says(f, "never", "not") {
		return false
	}
	found := false
	s.behind(f, func(_ int, w string) bool {
		found = found || w == "early" || w == "before" || w == "at" || w == "without" || w == "until" || w == "today" || w == "late" || w == "alone" || w == "yesterday"
		return found
	})
	return found
}

// engaged says whether somebody works there as who is not employed: "as a client of ours", "as a volunteer".
func (s *sentence) engaged(f fact) bool {
	for i := f.a; i < f.b; i++ {
		if w := s.t[i].lower; outside[w] || w == "offer" || w == "part" && s.word(i+1) == "time" {
			return true
		}
	}
	found := false
	s.behind(f, func(i int, w string) bool {
		switch {
		case w == "as":
			k := s.skip(i+1, "a", "an", "the", "our", "their", "its", "external", "outside", "paying", "independent")
			found = outside[s.word(k)]
		case w == "formerly" || w == "previously":
			found = i == f.b
		case w == "in":
			found = s.elsewhereTold(i + 1)
		case w == "respectively":
			found = true
		}
		return found
	})
	return found
}

// outside are those who work for a company that does not employ them.
var outside = set(`client customer contractor consultant freelancer volunteer guest vendor supplier intern volunteering consulting freelancing interning visitor patient subcontractor advisor adviser mentor speaker tutor`)

// visiting are the last words of names of buildings rather than companies, and of days.
var visiting = set(`hq headquarters tower campus mondays tuesdays wednesdays thursdays fridays saturdays sundays premium plus club gym fitness newsletter channel discord slack server forum yoga
crossfit choir orchestra band association society league party church parish`)

// clocked says whether "since 9am" or "for an hour" tells of a visit.
func (s *sentence) clocked(f fact) bool {
	found := false
	s.behind(f, func(i int, w string) bool {
		if w != "since" && w != "for" && w != "until" {
			return false
		}
		k := s.skip(i+1, "an", "a", "the", "about", "over", "past", "last", "two", "three", "four", "five", "half", "this", "early")
		if s.kind(k) == numberToken && w != "since" {
			k++
		}
		switch next, after := s.word(k), s.word(k+1); {
		case s.kind(k) == numberToken:
			found = after == "am" || after == "pm" || after == "o'clock" || len(next) > 3 && next[len(next)-3] == ':' || len(next) < 3 && !monthNames[after] && !timeUnits[after] && !oneOf(after, "th rd nd st of")
		case len(next) > 2 && isDigit(next[0]) && (next[len(next)-2:] == "am" || next[len(next)-2:] == "pm"):
			found = true
		default:
			found = oneOf(next, "hour hours minute minutes morning noon dawn lunch breakfast")
		}
		return true
	})
	return found
}

// member says whether what somebody joined is nothing that employs them: a service, a club, a gym.
func (r *reader) member(s *sentence, f fact) bool {
	if !s.says(f, "joined", "join") {
		return false
	}
	if k := s.skip(f.b, "as", "a", "an", "the", "their", "new", "senior", "junior", "lead", "data", "staff"); k > f.b && s.word(f.b) == "as" && (jobTitle(s.word(k)) || roles[s.word(k)]) {
		return false
	}
	name := lowerOf(f.tail.text)
	if memberships[name] || memberships[firstWord(name)] || clubNames[name] {
		return true
	}
	found := false
	s.behind(f, func(i int, w string) bool {
		found = cancels[w] && (s.word(i-1) == "and" || s.word(i-1) == "but" || s.word(i-1) == "then" || s.word(i-1) == "i") || w == "," && articles[s.word(i+1)] && joinable[s.word(i+2)]
		return found
	})
	return found
}

var (
	cancels  = set(`cancelled canceled unsubscribed deleted uninstalled subscribed`)
	joinable = set(`gym club choir app service newsletter channel forum server network church parish association society league party band union website site community platform dating streaming running chess book sports tennis
football fitness language online local bank library orchestra charity cooperative co-op`)
	// clubNames are clubs, parties and gyms that people join.
	clubNames = set(`equinox rotary lions mensa greenpeace amnesty scouts toastmasters planet fitness costco labour tories crossfit freemasons weightwatchers oxfam aa kiwanis
duolingo babbel headspace bumble hinge meetup nextdoor couchsurfing goodreads letterboxd steam xbox playstation patreon signal`)
)

// secondHome says whether a place is not the one where somebody lives: "on weekends I live in Cork", "for work", "part-time".
func (s *sentence) secondHome(f fact) bool {
	for i := 0; i < f.b; i++ {
		w, next := s.t[i].lower, s.word(i+1)
		switch {
		case weekly(w) && i < f.a, w == "temporarily" || w == "part-time" || w == "parttime" || w == "briefly" || w == "practically" || w == "basically" && next == "live" || w == "virtually", w == "part" && next == "time",
			oneOf(w, "second other holiday summer winter weekend former old dream childhood") && (next == "home" || next == "house" || next == "flat" || next == "place"), w == "near" && i >= f.a:
			return true
		}
	}
	found := false
	s.behind(f, func(i int, w string) bool {
		next := s.word(i + 1)
		switch w {
		case "in":
			found = seasonWords[next] && s.kind(i+2) != numberToken && !s.says(f, "moved", "settled", "relocated") || s.elsewhereTold(i+1)
		case "for":
			found = !s.says(f, "moved", "settled", "relocated") && next == "work" || next == "now" || next == "studies" || next == "school" || next == "university" || next == "uni"
		case "on":
			found = next == "paper"
		case "this":
			found = (timeUnits[next] || seasonWords[next]) && !s.says(f, "moved", "settled", "relocated")
		case "part-time", "fulltime", "during", "officially", "virtually":
			found = w != "during" || seasonWords[next]
		}
		return found
	})
	return found
}

var seasonWords = set(`spring summer autumn fall winter summers winters`)

// elsewhereTold says whether tokens from i on name a made-up world: "in the new season of Severance", "in my mind".
func (s *sentence) elsewhereTold(i int) bool {
	if w := s.word(i); !articles[w] && w != "my" && w != "our" && w != "his" && w != "her" {
		return false
	}
	for k := i + 1; k < i+5; k++ {
		switch w := s.word(k); {
		case w == "season" || w == "episode":
			return s.word(k+1) == "of" && s.kind(k+2) == nameToken
		case toldIn[w]:
			return true
		case s.kind(k) != wordToken:
			return false
		}
	}
	return false
}

// closedIt says whether a program was only closed: "quit Chrome because it hung".
func (s *sentence) closedIt(f fact) bool {
	if !f.ended {
		return false
	}
	found := false
	s.behind(f, func(i int, w string) bool {
		if w == "because" || w == "since" || w == "when" || w == "after" || w == "as" {
			for k := i + 1; k < i+4; k++ {
				found = found || oneOf(s.word(k), "hung froze frozen crashed hanging stuck crash hang freeze")
			}
		}
		if w == "for" && s.passing(i+1) {
			found = true
		}
		return found
	})
	return found
}

// passing says whether a stretch of time that ends again stands at token i: "a week", "the afternoon", "now".
func (s *sentence) passing(i int) bool {
	k := s.skip(i, "a", "an", "the", "one", "two", "three", "few", "couple", "of", "several", "some", "another", "whole")
	if s.kind(k) == numberToken {
		k++
	}
	w := s.word(k)
	return k > i && (timeUnits[w] || w == "while" || w == "bit" || timeNouns[w] && w != "time" && w != "moment") || w == "lent" || w == "january" && k == i
}

// mild says whether a like or a dislike is of some cases only, or is turned round: "hate Python on Windows", "prefer Vim less and less".
func (s *sentence) mild(f fact) bool {
	if s.kind(f.b) == numberToken && !s.timed(f.b) {
		return true
	}
	for i := 0; i <= f.a && i < len(s.t); i++ {
		if w := s.t[i].lower; w == "sometimes" || w == "occasionally" || w == "today" || w == "tonight" {
			return true
		}
	}
	found := false
	s.behind(f, func(i int, w string) bool {
		next := s.word(i + 1)
		switch w {
		case "from":
			found = i == f.b && articles[next]
		case "less":
			found = next == "and"
		case "as":
			found = i == f.b && next == "much" && s.word(i+2) == "as"
		case "when", "whenever", "while":
			found = i == f.b
		case "on":
			found = i == f.b && s.kind(i+1) == nameToken
		case "after", "before":
			found = i == f.b && (s.kind(i+1) == numberToken || len(next) > 2 && isDigit(next[0]) || timeNouns[next])
		}
		return found || s.kind(i) == signToken
	})
	return found
}

// undecided says whether a decision still waits for something, or was followed by another: "pending approval", ", then went with".
func (s *sentence) undecided(f fact) bool {
	for i := f.a; i < f.b; i++ {
		if w := s.t[i].lower; w == "pending" {
			return true
		}
	}
	found := false
	s.behind(f, func(i int, w string) bool {
		switch w {
		case "pending":
			found = true
		case "then", "but", "later":
			k := s.skip(i+1, "then", "later", "we", "i", "they", "finally", "ended", "up")
			found = oneOf(s.word(k), "went switched changed moved chose picked going reverted took")
		}
		return found
	})
	return found
}
