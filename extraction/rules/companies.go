package rules

import "strings"

// joined joins two names with "&" or a dash between them into one where an employer is named: "at Marks & Spencer",
// "for A.P. Møller – Mærsk". "Redis & Kafka" and "Tom & Ana" stay two.
func joined(text string, names []name) []name {
	out := names[:0:len(names)]
	for i := 0; i < len(names); i++ {
		n := names[i]
		for i+1 < len(names) && oneOf(strings.TrimSpace(text[n.stop:names[i+1].start]), "& –") && employs(text[:n.start]) {
			i++
			n = name{start: n.start, stop: names[i].stop, text: text[n.start:names[i].stop], sort: sortOrganization,
				typ: "organization"}
		}
		out = append(out, n)
	}
	return out
}

// employs reports whether a text ends with a word that precedes an employer.
func employs(before string) bool {
	before = strings.TrimSuffix(strings.TrimRight(before[max(0, len(before)-12):], " "), " the")
	return oneOf(before[strings.LastIndexByte(before, ' ')+1:], "at for joined left with called owns")
}
