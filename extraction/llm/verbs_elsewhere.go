package llm

import (
	"strings"
	"unicode"
)

// Stems that state a job or a home in other languages. "=" marks whole words. In scripts without spaces they match
// anywhere.
var (
	jobsElsewhere = strings.Fields(`arbeit gearbeitet angestellt beschäftig gekündigt kündig job =job travaill emploi
		employ embauch =poste démission trabaj emple contrat
		renunci trabalh empreg lavor =lavoro assunt impieg werk gewerkt =baan arbet arbejd arbeid anställ ansat prac zatrudn
		zaměst работ устро уволи працю
		çalış työ dolgoz 働 勤 入社 退社 仕事 転職 工作 上班 任职 就职 入职 离职 일하 일해 근무 다니 입사 퇴사 عمل काम`)
	homesElsewhere = strings.Fields(`wohn gewohnt =lebe =lebt =leben =lebst gelebt zieh =zog =zogen gezogen umgezogen umzug
		zuhause habit =vis =vit viv vécu déménag
		emménag install résid domicil =loge mud resid =moro =mora =moras =moramos =moram =morar =morava =morei abit trasfer
		woon wonen gewoond verhui verhuis =bor
		=bodde =boede =bott flytt mieszk przeprowad bydl =žiju =žije přestěhov =живу =живёт =живет =живём =живем =жил =жила
		=жили переех =мешкаю переїха yaş otur
		taşın asu muut =lakom =lakik =élek költöz 住 引っ越 暮ら 居 搬 살고 살아 살았 거주 이사 يسكن रहत`)
	// deniedElsewhere are negations, and negative endings in scripts without spaces.
	deniedElsewhere = strings.Fields(`=nicht =kein =keine =keinen =keinem =keiner =nie =niemals =pas =jamais =aucun =aucune
		=no =nunca =jamás =ningún =non =mai =não =niet
		=geen =nooit =inte =ikke =icke =aldrig =aldri =ei =eivät =enää =nie =nigdy =není =nejsem =не =нет =никогда =ні değil
		=yok =nem =nincs
		ません ない ず、 不 没 沒 无 않 없 아니 ليس لا नहीं`)
	// borders separate the clauses of a sentence.
	borders = []string{", ", "; ", " sondern ", " aber ", " pero ", " sino ", " mais ", " mas ", " ma ", " maar ", " men ",
		" ale ", " но ", "、", "，", "。"}
)

// saysElsewhere grades a sentence of another language by single words: a fact is at best implied. A denied fact is
// unsaid, and so is a job or a home without a word for it.
func (t *validation) saysElsewhere(verb string, ended bool, at [2]int, m meaning) grade {
	sentence := fold(t.speech.Words(min(at[0], m.sentence[0]), max(at[1], m.sentence[1])))
	said := true
	switch verb {
	case "works_at":
		said = sentence.hasStem(jobsElsewhere)
	case "located_in", "lives_in":
		said = sentence.hasStem(homesElsewhere)
	}
	if !said || !ended && !denying[verb] && fold(t.piece(at, m)).hasStem(deniedElsewhere) {
		return unsaid
	}
	return implied
}

// Elsewhere reports whether a sentence in a language other than English has a first-person word, and whether it has a
// negation.
func Elsewhere(sentence string) (self, denies bool) {
	f := fold(sentence)
	return f.hasWord(firstElsewhere), f.hasStem(deniedElsewhere)
}

// denying are relations that a negated sentence may state.
var denying = map[string]bool{"dislikes": true, "decided_against": true}

// piece returns the clause that contains the later of a fact's names, or the whole quote.
func (t *validation) piece(at [2]int, m meaning) string {
	if m.name < m.sentence[0] || m.name >= m.sentence[1] {
		return t.speech.Words(at[0], at[1])
	}
	before, behind := t.speech.Words(m.sentence[0], m.name), t.speech.Words(m.name, m.sentence[1])
	first, last := 0, len(behind)
	for _, b := range borders {
		if i := strings.LastIndex(before, b); i >= 0 {
			first = max(first, i+len(b))
		}
		if i := strings.Index(behind, b); i >= 0 {
			last = min(last, i)
		}
	}
	return before[first:] + behind[:last]
}

// hasStem reports whether a word begins with one of the stems, or equals one marked with "=". Stems of scripts without
// spaces match anywhere in a word.
func (f folded) hasStem(stems []string) bool {
	list := strings.FieldsFunc(f.folded, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) })
	for _, stem := range stems {
		whole, exact := strings.CutPrefix(stem, "=")
		for _, w := range list {
			switch {
			case w == whole, !exact && strings.HasPrefix(w, whole):
				return true
			case !exact && strings.ContainsFunc(whole, func(r rune) bool { return !joins(r) }) && strings.Contains(w, whole):
				return true
			}
		}
	}
	return false
}
