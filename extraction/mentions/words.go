package mentions

import (
	"strings"

	"memory-graph/internal/text"
)

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// lowered returns a word in lower case.
func lowered(s string) string { return strings.ToLower(s) }

var articles = set(`the a an`)

// functionWords are never names. They are only part of a name between two other words.
var functionWords = set(`
the a an this that these those i me my mine you your yours he him his she her hers it its we us our ours they them their
theirs
myself yourself himself herself itself ourselves themselves
and or but nor so yet if then else than because as while though although unless until since once whether however
therefore thus hence
moreover furthermore meanwhile otherwise instead besides nevertheless still also too
of at by for with about against between into through during before after above below to from up down in out on off over
under
within without along among around across behind beside beyond despite except inside outside near toward towards upon via
per like unlike
again further here there where when why how what which who whom whose whatever whenever wherever
am is are was were be been being have has had having do does did doing done can could will would shall should may might
must ought
not no yes very just only even ever never already almost always often sometimes usually maybe perhaps
all any both each few more most some much many every either neither none several another other others such same
one two three four five six seven eight nine ten first second third next last
i'm i've i'd i'll don't didn't can't won't let's
`)

// numerals are part of the name before them if they have a capital: "Hydro One".
var numerals = set(`one two three four five six seven eight nine ten`)

// givenWords are function words that are also first names: "Yesterday Will Park joined".
var givenWords = set(`will can may`)

// openers begin spoken sentences. They never begin a title or a name.
var openers = set(`
hi hello hey thanks thank thx yeah yep yup nope ok okay sure wow oh ah aw aww ooh haha hahaha lol hmm well right great
good nice cool glad bet nah woah whoa woohoo yo yay gotcha kudos mmm oof oops phew aww awww darn
awesome amazing congrats congratulations sorry please welcome cheers bye goodbye absolutely definitely exactly totally
indeed really
now today tomorrow yesterday tonight later soon recently lately currently originally initially finally actually
basically honestly
apparently unfortunately fortunately hopefully sadly luckily obviously clearly anyway
can could would should do does did is are was were have has had will shall let lets
`)

// commonWords begin sentences and are not names. Derived words are recognised by their endings instead.
var commonWords = set(`
able accept animals anytime anyways appreciate awareness balance basketball bet boards born both brother chat cherish
city conversations crazy creativity daughter deadlines difficult doctors dragons embrace epic events exams expression
family's felt fingers flowers founded friendship fully games gather goals gotcha health injury means memories mental met mistakes moments movie movies muscles music occasionally parenthood parenting pets places positive pottery progress pub push quality reminds resources respect rock sad schools separate seven several situated six someday sports strength struggles studies support thoughts three tons trees tried trips truly turns twelve two video visual wall wedding weddings winter women's woo workers yoga accept according add additional adventure advice agree ahead air alone american answer anyone anything apart apply art artists ask
back bad beautiful become begin believe best better big bit book books both brave break bring bringing build busy buy by
call came care carry cats catch challenge change check children choose class clean clear close code cold come common
community compare
consider contact continue cook copy correct cost count couple course create creating cute cut
damn dang data day days dear decide deep delete despite details dinner dogs doing done dream drive drop due
each early easy eat edit education either else email end enjoy enough especially event every everyone everything
everybody example excited exercise
expect explain
fair fall family famous fantastic far fast feel feels few figure file fill find fine finish fix fix focus follow food
for forget found
free fresh friend friends full fun funny future
gee get gets getting gift give given glad go goals god going gonna gosh got gotta grab great green group grow guess guy
guys
half hang happen happy hard hate hear heard heart heck help helps here high history hit hold home hope hopefully hour
house how huge
hundred hurry hurray
idea imagine impressive in include incredible inspiring interesting it
job join keep keeps kids kind kinda knew know knowing
large late laugh lead learn learning leave left less let life light like line list listen little live living local long
look looks
looking lot lots love loved lovely low lucky
made main make makes making man many master mean meaning meanwhile meet memories men mind mine miss moment money more
morning move much
mum mom dad music must
name natural nature need needs neither new news night nobody nothing note nowadays number
odd old open opposite order others ouch our overall own
paint painting parents part past pay peace people perfect perhaps person phew photo pick place plan plans play playing
plus point poor
possible post practice present press pretty previous private probably problem project proud public pull put
question quick quiet quite
rather read reading ready real red reflecting regarding relax remember remind remove repeat replace reply result return
rich rough run
running
said same save saw say says school scientists see seeing seems seen self send sending serious set share she shop short
show side similar
simple simply sit small smart smooth social some somebody someone something somewhere son song songs sort sound sounds
space speak
speaking special spend spending spread stand start starting stay step stick stop stories story strong students study
stuff such
super supporting sure surely surprise sweet
take takes taking talk talking teach team tell test text thanksgiving that theft thing things think thinking thought
throughout till time
together took top total touch tough town travel treat trip trouble true trust truth try trying turn type
ugh understand update use used using
various view visit visited
wait waiting wake walk wanna want wanted wants warm was wash watch watching water way wear weather week weekend weird
well went
what whats whatever while white whoa whole whichever wild win wish with women wonder wonderful wont word words work
working works world
worth would write writing wrong
yay yea year years yes yet young your yum
`)

// calendar are the English names of days and months. Alone they are not names.
var calendar = text.Words(text.Words(text.Months, text.ShortMonths), text.Words(text.Weekdays, text.ShortWeekdays))

// dates are those of the calendar that are not first names. They are not part of the name that follows.
var dates = text.Without(text.Words(text.Words(text.Months), text.Words(text.Weekdays)),
	"march", "april", "may", "june", "august")

// noNames are capitalised words that are not names when alone.
var noNames = set(`
inc ltd corp llc co jr sr km cm mm kg mg kb mb gb tb hz khz mhz ghz kw mw kwh fm god internet web english am pm ad bc
north south east west northern southern eastern western mr mrs ms dr prof sir
user users assistant decision issue note tests test pr prs mom mum dad grandma grandpa christmas easter halloween
thanksgiving
`)

// interjections are written in capitals without being acronyms.
var interjections = set(`
ok lol omg btw fyi asap imo imho idk tbh lmao rofl ps nb ty np wtf wow yay yes no not so very all the and but or a i am
pm todo fixme note
wip tbd aka etc eg ie vs now never always must only please stop help yeah haha xoxo diy hmm ugh oh hey hi
`)

// joiners occur inside names.
var joiners = set(`of the de la le du del della der den des di da dos das van von zu zum bin ibn al el y`)

// honorifics precede a person's name.
var honorifics = set(`mr mrs ms miss mx dr prof professor sir dame lord lady rev reverend fr father sister brother saint
	hon judge justice
president senator governor mayor minister chancellor capt captain col colonel gen general lt lieutenant sgt sergeant maj
major adm admiral
uncle aunt auntie grandma grandpa coach chef queen king prince princess pope herr frau monsieur madame señor señora don
doña`)

// abbreviations end with a dot that does not end a sentence.
var abbreviations = set(`st mt ft jr sr inc corp ltd co bros no vs dept univ`)

// firmEndings follow "&" at the end of the name of a firm.
var firmEndings = set(`co company sons daughters brothers bros partners associates`)

// starters begin names of institutions that continue with "for".
var starters = set(`society center centre institute association organization organisation council foundation office
	committee campaign
department school fund academy alliance coalition agency`)

// likeDerived are names that have the ending of a derived word.
var likeDerived = set(`beijing boeing nanjing chongqing sterling fleming browning harding manning golding reading
	hemingway
alfred mohammed muhammad ahmed united kimberly beverly emily italy sicily`)

// contractions follow the apostrophe in a contraction or a possessive.
var contractions = set(`s m d t ll re ve em`)

// componentEndings end the names of program components.
var componentEndings = set(`api web gateway worker service server client db vec cli sdk ui bot lib proxy plugin auth
	backend frontend daemon
operator controller scheduler queue cache store dashboard`)

// models are product families whose members have numbers.
var models = set(
	`iphone ipad pixel galaxy playstation xbox apollo gpt claude llama gemini rtx boeing airbus formula fallout halo route
		highway interstate level`)

// ambiguous are names that are also ordinary words.
var ambiguous = set(`
go rust swift make spring react express flask zed dart julia ruby crystal elm elixir pony nim perl basic scratch chef
puppet salt ansible
vault consul nomad packer vagrant kite atlas echo gin fiber chi buffalo beam spark storm flink drill hive pig oozie
impala presto
mark will bill rob jack pat sue drew art frank rose grace hope faith joy may april june august dawn eve ivy lily daisy
iris violet olive user rest windows apache envoy sentry postman pip nats pandas solidity scala java bash
amber jade pearl ruby crystal sky summer autumn robin jay martin chase hunter mason taylor carter cooper baker miller
page reed
wade grant lane dale glen clay cliff miles max dean earl duke king prince bishop guy gene ray rich buddy chip chuck dick
harry josh nick
tom victor angel destiny harmony melody carol holly ginger sage basil rusty sandy misty stormy sunny star luna
apple amazon shell gap target visa square stripe slack notion linear zoom box buffer meta oracle discord signal teams
drive word excel
outlook access edge safari chrome opera brave arc cursor bolt lens snap pin medium patch compass helm pods flow wave
bing ask
reading nice cork bath mobile buffalo phoenix orange china turkey chad jordan georgia paris orlando florence sydney
`)

// germanWords indicate a language that capitalises nouns.
var germanWords = set(`der die das und ist nicht ein eine einen einem einer ich du er sie wir ihr mit auf für von zu den
	dem des im am auch
sich wie war sind habe hat haben bei aus nach wird werden nur noch aber oder wenn dass als kann`)

// fileExtensions make a word a file name.
var fileExtensions = set(`go py js ts jsx tsx mjs cjs java kt kts scala rb rs c h cc cpp hpp cs php swift m mm lua pl pm
	sh bash zsh fish ps1 bat
sql html htm css scss less vue svelte md mdx rst txt adoc tex pdf doc docx odt xls xlsx ods csv tsv ppt pptx odp
json jsonl yaml yml toml ini cfg conf env lock xml plist properties tf tfvars hcl proto graphql gradle mod sum
log db sqlite sqlite3 parquet ipynb png jpg jpeg gif svg webp ico mp3 mp4 wav mov zip tar gz tgz bz2 xz 7z rar jar war
whl deb rpm exe dll so
dylib dmg iso wasm bin pem crt key pub patch diff tmpl golden txtar r jl ex exs erl hs ml clj dart zig nim`)

// topDirectories begin paths within a project.
var topDirectories = set(`src cmd pkg internal lib libs test tests docs scripts bin dist assets public vendor
	node_modules migrations testdata
tools packages crates .github .ci`)

// configExtensions are extensions of configuration files.
var configExtensions = set(`json yaml yml toml ini cfg conf env xml plist properties tf tfvars hcl lock mod`)
