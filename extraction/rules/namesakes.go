package rules

import "strings"

// Names of people that are words too, at the head of a sentence: Art, May, Rich, Will. They count where a verb follows that is
// said of people and can have no such word as its subject.

// namesakes gives those that the finder has not seen.
func (r *Rules) namesakes(text string, have []name) []name {
	var out []name
	next, head := 0, true
	for i := 0; i < len(text); {
		if !isNameByte(text[i]) {
			head = strings.IndexByte(".!?:\n", text[i]) >= 0 || head && (text[i] == ' ' || text[i] == '-' || text[i] == '*')
			i++
			continue
		}
		stop := endOfName(text, i)
		for next < len(have) && have[next].stop <= i {
			next++
		}
		if head && text[i] >= 'A' && text[i] <= 'Z' && (next >= len(have) || have[next].start >= stop) && r.calls(lowerOf(text[i:stop])) {
			out = r.namesake(out, text, i, stop)
		}
		i, head = stop, false
	}
	return out
}

func (r *Rules) namesake(out []name, text string, start, stop int) []name {
	first := name{start: start, stop: stop, text: text[start:stop], sort: sortPerson, typ: "person"}
	word, end := wordAfter(text, stop)
	if word == "and" {
		second, at := wordAfter(text, end)
		if second == "" || !hasUpper(second[:1]) || everyday(second) && !r.calls(lowerOf(second)) {
			return out
		}
		verb, end := wordAfter(text, at)
		if verb == "both" {
			verb, _ = wordAfter(text, end)
		}
		if peoplesVerbs[verb] {
			out = append(out, first)
			if everyday(second) {
				out = append(out, name{start: at - len(second), stop: at, text: second, sort: sortPerson, typ: "person"})
			}
		}
		return out
	}
	if word == "is" || word == "has" {
		w, end := wordAfter(text, end)
		if w == "now" || w == "just" || w == "already" {
			w, _ = wordAfter(text, end)
		}
		if word == "is" && (w == "at" || w == "living" || w == "working") || word == "has" && peoplesVerbs[w] {
			out = append(out, first)
		}
		return out
	}
	if next, _ := wordAfter(text, end); word == "leads" && next == "to" {
		return out
	}
	if peoplesVerbs[word] && word != "live" && word != "work" {
		out = append(out, first)
	}
	return out
}

// calls says whether somebody is called so.
func (r *Rules) calls(w string) bool { return givenWords[w] || r.lists().sorts[w]&sortPerson != 0 }

// givenWords are names of people that are words too, and that the lists may not have.
var givenWords = set(`art rich may will clay brook ash grant glen dale dean drew earl faith forest frank gene grace hope hunter iris ivy jack jay joy june april august lane mark miles
max mason norm olive page pat paris pearl penny ray reed rob robin rocky rose ruby rusty sandy sky skip sue summer tanner violet wade ward warren wolf chance chase chip cliff colt dawn
dusty hazel heath holly jade kit lance lily melody misty nick peg pierce sage angel bill buck bud candy carol cherry crystal daisy destiny eve felicity fern ginger guy harmony jasmine jewel made noel patience
pepper prince prudence rain raven river star sunny teddy trinity victor wren kent devon florence vienna`)

// wordAfter gives the word behind the spaces at offset i, and its end.
func wordAfter(text string, i int) (string, int) {
	if i >= len(text) || text[i] != ' ' {
		return "", i
	}
	for i < len(text) && text[i] == ' ' {
		i++
	}
	stop := endOfName(text, i)
	return text[i:stop], stop
}

// peoplesVerbs are said of people more than of anything else.
var peoplesVerbs = set(`live lives work works moved joined left quit relocated maintains prefers owns leads uses`)
