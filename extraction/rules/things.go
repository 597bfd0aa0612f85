package rules

import "strings"

// clubs are what people are in together and that uses things: "the choir uses Doodle".
var clubs = set(`choir bakery orchestra society café cafe pub yard farm observatory theatre theater museum parish church restaurant workshop brewery kitchen garage association union council
gym clinic hostel nursery kindergarten co-op cooperative charity foundation allotment marina harbour harbor practice surgery salon winery dairy mill stable monastery band festival brigade`)

// wares stand behind the name of who makes them: of "Shipton Mill flour" what somebody uses is Shipton Mill.
var wares = set(`flour wax grip grips tyres tires tyre boats boat ink inks paint paints paper yarn yarns needles feed oil strings beans boots shoes saddle saddles brakes pedals pump pumps glue resin
tape thread film lenses lens filters filter blades blade knives batteries reeds reed cymbals sticks picks tubes chain chains wheels brushes pencils pens notebooks soap detergent formula hay seeds seed`)

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
