package llm

import (
	"strings"
	"unicode"
)

// What other languages say a job and a home by: the beginnings of words, "=" before whole ones. Scripts without blanks
// have them anywhere.
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
	// deniedElsewhere are words that deny, and where words have no borders, endings that do.
	deniedElsewhere = strings.Fields(`=nicht =kein =keine =keinen =keinem =keiner =nie =niemals =pas =jamais =aucun =aucune
		=no =nunca =jamás =ningún =non =mai =não =niet
		=geen =nooit =inte =ikke =icke =aldrig =aldri =ei =eivät =enää =nie =nigdy =není =nejsem =не =нет =никогда =ні değil
		=yok =nem =nincs
		ません ない ず、 不 没 沒 无 않 없 아니 ليس لا नहीं`)
	// borders part a sentence into what is said for itself.
	borders = []string{", ", "; ", " sondern ", " aber ", " pero ", " sino ", " mais ", " mas ", " ma ", " maar ", " men ",
		" ale ", " но ", "、", "，", "。"}
)

// saysElsewhere grades a text of another language, of which only single words are known: a fact is implied at best.
// Where it is denied, or is a job or a home and no word says so, it is not said.
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

// Elsewhere says of a sentence in another language than English whether it has a word for who speaks, and one that
// denies.
func Elsewhere(sentence string) (self, denies bool) {
	f := fold(sentence)
	return f.hasWord(firstElsewhere), f.hasStem(deniedElsewhere)
}

// denying are relations that a denial may say.
var denying = map[string]bool{"dislikes": true, "decided_against": true}

// piece gives the part of a sentence, between its commas, in which the later of a fact's names stands, or the whole
// quote.
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

// hasStem says whether a word begins with one of the stems, is one that has "=" before it, or holds one of a script
// without blanks.
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
