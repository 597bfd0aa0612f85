package rules

import "strings"

// joined makes one name of two that "&" or a dash joins where an employer is named: "at Marks & Spencer", "for A.P. Møller –
// Mærsk". "Redis & Kafka" stay two.
func joined(text string, names []name) []name {
	out := names[:0:len(names)]
	for i := 0; i < len(names); i++ {
		n := names[i]
		for i+1 < len(names) && joins(text[n.stop:names[i+1].start]) && n.sort&sortTechnical == 0 && names[i+1].sort&sortTechnical == 0 && employs(text[:n.start]) {
			i++
			n.stop = names[i].stop
			n.text = text[n.start:n.stop]
			n.sort, n.typ, n.unsure, n.shape = sortOrganization, "organization", false, false
		}
		out = append(out, n)
	}
	return out
}

// joins says whether what stands between two names makes them one.
func joins(between string) bool {
	return between == " & " || between == "&" || between == " – " || between == "–"
}

// employs says whether a text ends with a word that an employer follows.
func employs(before string) bool {
	before = strings.TrimRight(before[max(0, len(before)-12):], " ")
	for _, w := range []string{"at", "for", "joined", "left", "with"} {
		if strings.HasSuffix(before, " "+w) {
			return true
		}
	}
	return false
}
