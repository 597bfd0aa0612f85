package rules

import "strings"

// clubs are what people are in together and that uses things: "the choir uses Doodle".
var clubs = set(`board choir bakery orchestra society café cafe pub yard farm observatory theatre theater museum parish church restaurant workshop brewery kitchen garage association union council
school library hotel shop store supermarket market bookshop bookstore butcher florist barber hairdresser pharmacy dentist hospital stadium pool sauna zoo circus cinema opera gallery studio hall
court council town village city municipality embassy consulate agency bureau committee cooperative syndicate guild lodge troop pack scouts regiment navy army airline airport railway ferry port taxi
fleet depot warehouse factory plant greenhouse orchard vineyard ranch stud aviary apiary kennel shelter lab laboratory newspaper magazine publisher press station radio podcast channel label
team squad crew department faculty institute academy conservatory boatyard shipyard sawmill forge foundry pottery printshop newsroom parliament court firehouse brigade
gym clinic hostel nursery kindergarten co-op cooperative charity foundation allotment marina harbour harbor practice surgery salon winery dairy mill stable monastery band festival brigade`)

// institutions are employers that are called by what they are: "I work for the city library".
var institutions = set(`library hospital union council university school museum court clinic airport archive archives observatory aquarium zoo ministry bank pharmacy theatre theater opera
orchestra kindergarten cooperative co-op embassy newspaper`)

// records are what people keep in and with software: "the timetable depends on Untis".
var records = set(`register timetable timetables newsletter list roster rota schedule spreadsheet archive directory map guide inventory logbook journal minutes budget accounts payroll invoices tickets
bookings menu chart charts scoreboard signage poll quiz statistics heating doorbell database mail mails backups notes photos subtitles tour atlas membership signup sign-up rankings checkin check-in`)

// gear is what things run on and with: "our harbour cam runs on a Raspberry Pi".
var gear = set(`cam tablet tablets workstation nas camera printer telescope drone thermostat heater boiler alarm sensor sensors display screen projector kiosk till tills register radio tv box hive lamp light lights desk mixer synth
organ pump robot vacuum mower plotter lathe loom kiln oven router switch doorbell gate lock locks meter station tracker scale logger buoy mast turbine panel panels inverter charger`)

// wares stand behind the name of who makes them: of "Shipton Mill flour" what somebody uses is Shipton Mill.
var wares = set(`flour wax grip grips tyres tires tyre boats boat ink inks paint paints paper yarn yarns needles feed oil strings beans boots shoes saddle saddles brakes pedals pump pumps glue resin
tape thread film lenses lens filters filter blades blade knives batteries reeds reed cymbals sticks picks tubes chain chains wheels brushes pencils pens notebooks soap detergent formula hay seeds seed reel reels wool rubbers kibble litter wheelset drivetrain sealant compost mattress mattresses razor razors toothpaste shampoo clippers secateurs pliers planes chisels`)

// belongings pass from one to another without being work.
var belongings = set(`car house flat bill bills rent shift lease mortgage dog cat room desk seat key keys phone book money letter parcel bike place chair call conversation lead ball message watch table`)

// unheardOf says whether a small word is none that the grammar and the lists of everyday words have.
func (s *sentence) unheardOf(w string) bool {
	_, verb := verbForms[w]
	return len(w) > 3 && !verb && !ordinaryWords[w] && !ordinaryWords[strings.TrimSuffix(w, "s")] && !roles[w] && !belongings[w] && !vagueHeads[w] && !adverbs[w] && !prepositions[w] && !pronouns[w] && !timeUnits[w] && !timeWords[w] && !ordinaryEnding(w)
}

// kept says whether a small word that nobody knows is said to be maintained: "the maintainer of fjordcast".
func (s *sentence) kept(p arg) bool {
	before := s.word(p.a - 1)
	if before == "of" || before == "for" {
		before = s.word(p.a - 2)
	}
	return oneOf(before, "maintain maintains maintained maintaining maintainer maintainers co-maintains co-maintain co-maintainer author") && len(p.head) > 5 && s.unheardOf(p.head) && !abstract[p.head] && !pluralNoun(p.head)
}

// abstract is what people maintain that is no program.
var abstract = set(`discipline composure momentum decorum sobriety equilibrium posture secrecy tempo hygiene optimism innocence dignity eyesight altitude decency loyalty sanity calmness weights streak lifestyle
friendship rapport dialogue oversight literature fiction textbook poetry memoir novella`)

// drug says whether a word is a medicine, by how it ends.
func drug(w string) bool {
	if len(w) < 7 {
		return false
	}
	for _, end := range []string{"pril", "sartan", "formin", "statin", "azole", "cillin", "mycin", "azepam", "profen", "oxetine", "traline", "olol", "dipine", "thiazide", "semide", "parin", "xaban", "gliptin", "tidine", "triptan", "lukast",
		"prazole", "cetam", "zepine", "codone", "morphone", "phylline", "terol", "solone", "nisone", "thyroxine", "mab", "pentin", "xicam", "clovir", "setron", "tadine", "rizine", "gabalin", "pramil", "zolam", "acetamol"} {
		if strings.HasSuffix(w, end) {
			return true
		}
	}
	return false
}

// coined says whether a small word is one that names a program and is no other: "runeparse", "griotdb".
func coined(w string) bool {
	if len(w) < 6 || ordinaryWords[w] || projectNouns[w] || machineNouns[w] {
		return false
	}
	for _, end := range []string{"db", "bot", "parse", "ctl", "fmt", "lint", "sync", "kit", "api", "marks", "maps", "lib", "cli", "gen", "cfg", "mq", "fs", "vm"} {
		if stem, ok := strings.CutSuffix(w, end); ok && len(stem) > 3 && !notCoined[w] {
			return true
		}
	}
	return false
}

// notCoined are words that end like names of programs.
var notCoined = set(`bookmarks trademarks benchmarks landmarks hallmarks birthmarks toolkit robot roadmaps mindmaps splint glint flint shoelint stepkit weekit subkit hydrogen oxygen nitrogen pathogen collagen
antigen allergen carcinogen halogen estrogen oestrogen postmarks pockmarks earmarks checkmarks watermarks chilblint squint footprints remarks demarks denmarks asynchronous reparse sparse`)
