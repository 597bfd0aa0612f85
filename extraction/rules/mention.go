package rules

import (
	"cmp"
	"slices"
	"strings"

	"memory-graph/extraction/mentions"
	"memory-graph/internal/memory"
)

// mention gives the names of the whole text, with the types that lists and relations tell.
func (r *reader) mention() {
	own := map[string]name{}
	for _, n := range r.names {
		if k := memory.Canonical(n.text); k != "" {
			if have, ok := own[k]; !ok || have.typ == "" || have.unsure {
				own[k] = n
			}
		}
	}
	added := r.found.Mentions
	var out []memory.Mention
	ok := false
	if r.text == r.turn.Text { // nothing was scrubbed: the names are those that have been found already
		out, ok = r.rules.finder.Distinct(r.seenNames)
	}
	if !ok {
		out = r.rules.finder.Find(r.turn.Text, r.turn.Known)
	}
	have := map[string]bool{}
	for i := range out {
		m := &out[i]
		*m = r.rules.trimmed(r.turn.Text, *m)
		k := memory.Canonical(m.Name)
		have[k] = true
		n, ok := own[k]
		if !ok {
			n = r.rules.fromMention(r.turn.Text, *m)
		}
		m.Type, m.Unsure = n.typ, n.unsure
		if t := r.types[k]; t != "" {
			m.Type, m.Unsure = t, false
		}
		m.Unsure = m.Unsure || generic[m.Name] || r.inner[k] || tongue(m.Name)
	}
	for k, n := range own {
		if !have[k] {
			have[k] = true
			typ := n.typ
			if t := r.types[k]; t != "" {
				typ = t
			}
			out = append(out, memory.Mention{Name: n.text, Type: typ, Role: mentions.RoleMention, Unsure: n.unsure, Start: n.start, Stop: n.stop})
		}
	}
	for _, m := range added {
		if k := memory.Canonical(m.Name); !have[k] {
			have[k] = true
			out = append(out, m)
		}
	}
	slices.SortFunc(out, func(a, b memory.Mention) int { return cmp.Compare(a.Start, b.Start) })
	for i := range out {
		out[i].Name = mentions.Visible(out[i].Name)
		if out[i].Type == "" && !out[i].Known {
			out[i].Type = r.guess(r.turn.Text, out[i])
		}
	}
	r.found.Mentions = out
}

// tongue says whether a name is of people's languages and nationalities alone: "British English".
func tongue(name string) bool {
	for w := range strings.FieldsSeq(name) {
		if !tongues[w] {
			return false
		}
	}
	return true
}

var tongues = set(`English British American German Austrian Swiss French Spanish Italian Portuguese Brazilian Dutch Danish Swedish Norwegian Finnish Polish Czech Russian Ukrainian
Greek Turkish Arabic Hebrew Hindi Chinese Mandarin Cantonese Japanese Korean Vietnamese Thai Indian Irish Scottish Welsh Canadian Australian Mexican European African Asian Latin Simplified
Traditional Hungarian Romanian Bulgarian Serbian Croatian Slovak Slovenian Estonian Latvian Lithuanian Icelandic Catalan Basque Farsi Persian Urdu Bengali Tamil Telugu Swahili Yoruba
Christmas Easter Ramadan Diwali Halloween Thanksgiving Hanukkah`)

// guess gives a type to a name that nothing else tells the type of, by the word before it.
func (r *reader) guess(text string, m memory.Mention) string {
	before := strings.TrimRight(text[max(0, m.Start-24):m.Start], " \"'`*_")
	if i := strings.LastIndexAny(before, " \n\t,.;:!?("); i >= 0 {
		before = before[i+1:]
	}
	switch w := strings.ToLower(before); {
	case m.Name != properCase(m.Name) || camelName(m.Name):
		return ""
	case w == "at":
		return "organization"
	case w == "in" || w == "near":
		return "location"
	case w == "with" || w == "using" || w == "use" || w == "uses" || w == "try" || w == "via" || w == "install" || w == "run" || w == "running" || w == "like" || w == "than":
		return "tool"
	case w == "mr" || w == "mrs" || w == "dear" || w == "ask" || w == "told" || w == "tell" || w == "thank" || w == "thanks" || w == "meet" || w == "met" || w == "cc":
		return "person"
	}
	return ""
}

func (r *reader) mentionOf(s *sentence, tok int, typ string) memory.Mention {
	t := s.t[tok]
	return memory.Mention{Name: r.turn.Text[t.start:t.stop], Type: typ, Role: mentions.RoleMention, Start: t.start, Stop: t.stop}
}

// generic are acronyms that name no thing of their own.
var generic = set(`CLI SDK GET POST PUT PATCH SELECT INSERT UPDATE ERROR WARN INFO DEBUG TRACE FATAL mTLS CORS JWT NZ CI CD API APIs UI UX URL URLs URI HTTP HTTPS TLS SSL TCP UDP IP DNS IAM SSO JSON XML HTML CSS SQL CPU GPU RAM SSD PDF CSV PR PRs MR QA PM PO HR CEO CTO CFO COO VP EOD ETA
OKR OKRs KPI KPIs SLA SLO FAQ ID IDs OS VM VMs DB ORM ORMs CRUD MVP POC TODO GB MB KB TB UTC GMT CET EST PST AM PM UI IT AI ML LLM LLMs NLP OK FYI ASAP RFC ADR UUID UUIDs CRM ERP SEO DIY TV
USB PC PCs VR AR GPS ATM VPN LAN WAN B2B SaaS KeyError ValueError TypeError Error Exception Traceback JS TS`)
