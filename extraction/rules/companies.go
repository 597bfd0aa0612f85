package rules

import "strings"

// joined makes one name of two that "&" or a dash joins where an employer is named: "at Marks & Spencer", "for A.P. Møller –
// Mærsk"; and of two that are nothing known by themselves, which "&" joins: "Rohrer & Klingner ink". "Redis & Kafka" and
// "Tom & Ana" stay two.
func joined(text string, names []name) []name {
	out := names[:0:len(names)]
	for i := 0; i < len(names); i++ {
		n := modelled(text, names[i])
		for i+1 < len(names) && joins(text[n.stop:names[i+1].start]) && n.sort&names[i+1].sort&sortTechnical == 0 && (employs(text[:n.start]) || n.sort&sortTechnical == 0 && firm(text[n.stop:names[i+1].start], n, names[i+1])) {
			i++
			n.stop = names[i].stop
			n.text = text[n.start:n.stop]
			n.sort, n.typ, n.unsure, n.shape = 0, "", false, false
			if employs(text[:n.start]) {
				n.sort, n.typ = sortOrganization, "organization"
			}
		}
		out = append(out, n)
	}
	return out
}

// modelled takes the number of a model into the name of its make: "a Merkur 34C", "a Lamy 2000". Software has versions, and other
// numbers stand behind names only by chance: digits alone count behind an article.
func modelled(text string, n name) name {
	if n.sort&^sortWord != 0 || n.typ == "person" || n.typ == "location" || n.shape || n.stop+1 >= len(text) || text[n.stop] != ' ' || !isDigit(text[n.stop+1]) || timeOf(n.text) || everyday(n.text) {
		return n
	}
	stop := endOfName(text, n.stop+1)
	model := text[n.stop+1 : stop]
	if len(model) > 6 {
		return n
	}
	if strings.Trim(model, "0123456789") == "" { // digits alone
		before := lowerOf(strings.TrimRight(text[max(0, n.start-6):n.start], " "))
		if i := strings.LastIndexByte(before, ' '); i >= 0 {
			before = before[i+1:]
		}
		if before != "a" && before != "an" && before != "my" && before != "his" && before != "her" || len(model) > 4 {
			return n
		}
	} else if strings.ContainsAny(model, ".:,") || !hasUpper(model) {
		return n
	}
	n.stop = stop
	n.text, n.unsure = text[n.start:stop], false
	return n
}

// joins says whether what stands between two names makes them one.
func joins(between string) bool {
	return between == " & " || between == "&" || between == " – " || between == "–"
}

// firm says whether "&" joins two names of which nothing is known: people, places and tools keep apart.
func firm(between string, a, b name) bool {
	return strings.Contains(between, "&") && a.sort&^sortWord == 0 && b.sort&^sortWord == 0 && a.typ == "" && b.typ == ""
}

// employs says whether a text ends with a word that an employer follows.
func employs(before string) bool {
	before = strings.TrimRight(before[max(0, len(before)-12):], " ")
	for _, w := range []string{"at", "for", "joined", "left", "with", "called"} {
		if strings.HasSuffix(before, " "+w) {
			return true
		}
	}
	return false
}
