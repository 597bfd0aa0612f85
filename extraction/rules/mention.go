package rules

import (
	"cmp"
	"slices"

	"memory-graph/extraction/mentions"
	"memory-graph/memory"
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
	out := r.rules.finder.Find(r.turn.Text, r.turn.Known)
	have := map[string]bool{}
	for i := range out {
		m := &out[i]
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
		m.Unsure = m.Unsure || generic[m.Name]
	}
	for k, n := range own {
		if !have[k] {
			have[k] = true
			typ := n.typ
			if t := r.types[k]; t != "" {
				typ = t
			}
			out = append(out, mentions.Mention{Name: n.text, Type: typ, Role: mentions.RoleMention, Unsure: n.unsure, Start: n.start, Stop: n.stop})
		}
	}
	for _, m := range added {
		if k := memory.Canonical(m.Name); !have[k] {
			have[k] = true
			out = append(out, m)
		}
	}
	slices.SortFunc(out, func(a, b mentions.Mention) int { return cmp.Compare(a.Start, b.Start) })
	r.found.Mentions = out
}

func (r *reader) mentionOf(s *sentence, tok int, typ string) mentions.Mention {
	t := s.t[tok]
	return mentions.Mention{Name: r.turn.Text[t.start:t.stop], Type: typ, Role: mentions.RoleMention, Start: t.start, Stop: t.stop}
}

// generic are acronyms that name no thing of their own.
var generic = set(`CI CD API APIs UI UX URL URLs URI HTTP HTTPS TLS SSL TCP UDP IP DNS IAM SSO JSON XML HTML CSS SQL CPU GPU RAM SSD PDF CSV PR PRs MR QA PM PO HR CEO CTO CFO COO VP EOD ETA
OKR OKRs KPI KPIs SLA SLO FAQ ID IDs OS VM VMs DB ORM ORMs CRUD MVP POC TODO GB MB KB TB UTC GMT CET EST PST AM PM UI IT AI ML LLM LLMs NLP OK FYI ASAP RFC ADR UUID UUIDs CRM ERP SEO DIY TV
USB VPN LAN WAN B2B SaaS KeyError ValueError TypeError Error Exception Traceback JS TS`)
