package rules

// English and foreign function words tell the language: where foreign ones prevail, the templates do not apply.
var (
	englishWords = set(`the a an and or of to in is are was were i you he she it we they my our your this that with for on at from by not have has had do does did be been will
would can could should as but if so what when who how there here more now all just about up out no yes us me him her them its their`)
	foreignWords = set(`der die das und ist nicht ein eine einen einem ich du wir ihr mit auf für von zu den dem des im am auch sich wie sind habe hat haben bei aus nach wird werden nur noch
oder aber wenn dass kein keine le la les un une des et est pas je tu il elle nous vous ils dans pour sur avec que qui ce cette mais plus au aux du el los las y es no yo tú
nosotros en con para por pero más como una su mi lo gli della sono che non per di alla nel ho hai ha abbiamo anche og er ikke jeg vi på med til som det att jag är och inte
het een ik niet wij zijn met voor op van maar ook wel je o os uma não eu você nós em com são mais mas`)
)

// foreign says whether the text is of another language.
func foreign(t []token) bool {
	english, other := 0, 0
	for _, x := range t {
		if x.kind != wordToken {
			continue
		}
		switch {
		case englishWords[x.lower]:
			english++
		case foreignWords[x.lower]:
			other++
		}
	}
	return other > 2 && other > english
}

// tales says whether a sentence announces something made up, so that what follows it states nothing.
func tales(t []token) bool {
	for i, x := range t {
		switch x.lower {
		case "once":
			if i+2 < len(t) && t[i+1].lower == "upon" {
				return true
			}
		case "chapter", "scene", "act", "verse", "stanza":
			if i == 0 && i+2 < len(t)+1 && len(t) <= 4 && i+1 < len(t) && (t[i+1].kind == numberToken || oneOf(t[i+1].lower, "one two three four five i ii iii iv")) {
				return true // what follows is its text
			}
		case "quiz", "riddle":
			if i == 0 && len(t) > 1 && (t[1].lower == ":" || t[1].lower == "time") {
				return true
			}
		case "write", "draft", "compose":
			if i == opening(t) && asksForText(t, i) {
				return true
			}
		case "here", "this", "following", "below":
			for j := i + 1; j < len(t) && j < i+8; j++ {
				if madeUp[t[j].lower] || t[j].lower == "excerpt" || t[j].lower == "tale" || t[j].lower == "paragraph" || t[j].lower == "sentence" || t[j].lower == "snippet" || t[j].lower == "sample" {
					return x.lower != "this" || t[i+1].lower == "is"
				}
			}
		}
	}
	return false
}

// mocking says whether the text takes back what it says: "just kidding".
func mocking(t []token) bool {
	for i, x := range t {
		switch x.lower {
		case "kidding", "jk", "sarcasm", "lorem":
			return true
		case "fools":
			return i > 0 && t[i-1].lower == "april"
		}
	}
	return false
}

// asksForText says whether the sentence asks for a text and says no more: what follows may be the text as well as its matter.
func asksForText(t []token, i int) bool {
	for k := i + 1; k < len(t) && k < i+6; k++ {
		if w := t[k].lower; textNouns[w] && w != "email" && w != "message" && w != "mail" {
			for _, x := range t[k+1:] {
				if x.kind == wordToken && (x.lower == "i" || x.lower == "my" || x.lower == "me" || x.lower == "our" || x.lower == "about") {
					return false
				}
			}
			return len(t) > k && len(t) <= 9
		}
	}
	return false
}
