package stated

import (
	"slices"
	"strings"
	"unicode"
)

var (
	// firstElsewhere are first-person words in other languages than English.
	firstElsewhere = strings.Fields(`ich mich mir wir uns mein meine meinem meinen meiner unser unsere je j m moi me nous
		mon ma mes notre nos yo mí mi mis nosotros nuestro nuestra io noi mio mia nostro eu nós meu minha nosso ik mij mijn
		wij we ons onze jag mig min mitt vi vår jeg meg vår minä ja mój moja my nasz я мне мы мой моя нас наш`)
	// deniedElsewhere are negations, and deniedInside are negations and negative endings in scripts without spaces.
	deniedElsewhere = strings.Fields(`nicht kein keine keinen keinem keiner nie niemals pas jamais aucun aucune no nunca
		jamás ningún non mai não niet geen nooit inte ikke icke aldrig aldri ei eivät enää nigdy není nejsem не нет никогда
		ні değil yok nem nincs ليس لا नहीं`)
	deniedInside = strings.Fields(`ません ない ず、 不 没 沒 无 않 없 아니`)
)

// elsewhere reports whether a sentence in a language other than English has a first-person word, and whether it has a
// negation.
func elsewhere(sentence string) (self, denies bool) {
	sentence = strings.ToLower(sentence)
	between := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }
	for word := range strings.FieldsFuncSeq(sentence, between) {
		self = self || slices.Contains(firstElsewhere, word)
		denies = denies || slices.Contains(deniedElsewhere, word)
	}
	return self, denies || slices.ContainsFunc(deniedInside, func(s string) bool { return strings.Contains(sentence, s) })
}
