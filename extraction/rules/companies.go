package rules

import "strings"

// joined makes one name of two that "&" or a dash joins where an employer is named: "at Marks & Spencer", "for A.P. Møller –
// Mærsk"; and of two that are nothing known by themselves, which "&" joins: "Rohrer & Klingner ink". "Redis & Kafka" and
// "Tom & Ana" stay two.
func joined(text string, names []name) []name {
	out := names[:0:len(names)]
	for i := 0; i < len(names); i++ {
		n := names[i]
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
