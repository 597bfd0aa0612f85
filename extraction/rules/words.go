package rules

import "memory-graph/internal/text"

// Closed classes of English words. What stands in them ends a noun phrase.
var (
	prepositions = set(`of at by for with about against between into through during before after above below to from up down in out on off over under
within without along among across behind beside beyond despite except inside outside near toward towards upon via per like unlike than onto around
instead rather since until till as because than versus vs including plus minus regarding`)
	conjunctions  = set(`and or but nor so yet & then`)
	subordinators = set(`if unless whether when whenever until till before after once because since as while whereas although though that so where lest which who whom whose
how why what`)
	auxiliaries = set(`am is are was were be been being have has had do does did will would can could shall should may might must 'd ought`)
	pronouns    = set(`i we me us you he she him they them it myself yourself himself herself itself ourselves themselves who whom which that this these those there here
mine yours ours theirs hers what whatever everything nothing something anything everybody everyone nobody none anyone anybody someone somebody one ones`)
	possessives = set(`your his her their its whose`)
	articles    = set(`the a an`)
	// vague determiners and quantities: a phrase behind one names nothing in particular.
	vague = set(`no any some every each few many most several all both either neither another other such what which whatever more less fewer enough various much
hardly half certain`)

	// adverbs may stand between a subject and its verb or behind the verb without changing what is said.
	adverbs = set(`also now currently mostly mainly usually always still just really actually already recently finally both personally generally often only primarily
typically officially basically heavily happily exclusively too even quite very today nowadays lately simply fully directly mainly locally internally since
initially originally first eventually successfully definitely certainly absolutely certainly remotely permanently temporarily again together strongly away much
instead gladly proudly proper properly right back completely entirely solely long ago daily everywhere honestly truly clearly obviously thankfully luckily
sadly unfortunately anyway btw fulltime full-time part-time freelance straight pretty so far ourselves myself himself herself themselves partly largely
predominantly constantly regularly normally ultimately initially quietly formally jointly kindly immediately soon later early suddenly gradually slowly quickly greatly vastly far absolutely totally somewhere`)
	// hedges say that the speaker is not quite sure.
	hedges = set(`probably likely presumably seemingly`)
	// negations within a verb group.
	negations = set(`almost nearly not never hardly barely rarely seldom scarcely neither nor`)
	modals    = set(`will would can could shall should may might must 'd ought`)

	// doubts anywhere before a statement make it none: what follows is supposed, wished, asked or told by others.
	doubts = set(`if unless whether imagine suppose supposing assuming assume pretend wish wished wishes hope hopes hoping hoped hypothetically maybe perhaps possibly
allegedly apparently supposedly reportedly rumor rumors rumour rumours rumored says say said saying tells told tell claims claimed claim thinks believes believed
asked asks ask asking wonder wonders wondering wondered dream dreamed dreamt dreaming according pretending provided e.g eg example hear heard hears unsure unclear doubt doubts doubtful
joked jokes pretended pretends lied lying unlikely suggests suggested suggest proposes proposed propose recommends recommended recommend insists denies denied deny false untrue wrong joke joking kidding
quote quotes fiction fictional novel imaginary theoretically theory supposed consider considering considers considered debating evaluating might
promised promises promise threatened remind reminds quoting mean means meant implies implied expects expected predicts predicted fear fears afraid worried
writes read reads mistakenly wrongly falsely incorrectly`)
	// opinions of the speaker hedge what follows.
	opinions = set(`think believe guess suspect reckon feel figure`)

	// openers may stand before a statement without being part of it.
	openers = set(`hi hello hey ok okay yes yeah yep no nope well so and but also oh ah btw anyway actually honestly fyi update ps thanks thx great good perfect sure right now
please sorry hm hmm alright fine lol haha cool nice first second finally lastly besides plus then still though`)
	// questionWords begin questions.
	questionWords = set(`who what which whose whom why how where when do does did is are was were can could will would should shall may might must have has had am any anyone
anybody isn't aren't don't doesn't didn't can't couldn't won't wouldn't shouldn't`)
	whWords = set(`who what which whose whom why how where`)
)

// roles are what people are to each other: "my colleague Ines", "Zoe is my manager".
var roles = set(`gf bf hubby bro sis bestfriend boss manager colleague coworker co-worker friend wife husband partner sister brother mother father mom mum dad mama papa son daughter cousin aunt
uncle niece nephew neighbour neighbor roommate flatmate housemate teammate mentor mentee supervisor advisor adviser lead cto ceo cfo coo vp director
girlfriend boyfriend fiancé fiancee fiance fiancée grandmother grandfather grandma grandpa granny buddy bestie mate flatmate landlord landlady therapist doctor dentist
physio trainer coach teacher tutor professor lawyer accountant assistant intern apprentice trainee student pupil client customer co-founder cofounder owner
designer developer engineer architect analyst tester pm po recruiter report subordinate predecessor successor ex ex-colleague ex-boss ex-girlfriend ex-boyfriend ex-partner ex-flatmate ex-neighbour ex-neighbor ex-manager ex-coworker ex-wife ex-husband stepfather stepmother stepson
stepdaughter stepbrother stepsister half-brother half-sister brother-in-law sister-in-law mother-in-law father-in-law son-in-law daughter-in-law godmother godfather
godson goddaughter twin nanny babysitter cleaner gardener plumber electrician vet nurse midwife pastor priest rabbi imam instructor contact counterpart sidekick
reviewer maintainer admin administrator sysadmin secretary deputy chief head captain principal headmaster headmistress classmate pal acquaintance
buddy guardian carer caregiver spouse sibling parent child kid grandson granddaughter grandchild`)

// several are roles of more than one: "my parents Doina and Ion".
var several = set(`parents sisters brothers siblings sons daughters kids children twins cousins grandparents friends colleagues neighbours neighbors flatmates roommates housemates teammates mates bosses coworkers
in-laws nieces nephews aunts uncles buddies`)

// kinRoles are roles that a bare "my" makes a person of one's own life, whoever it is; others may be of a company.
var leadRoles = set(`lead developer maintainer owner author creator architect designer manager engineer founder co-founder cofounder lead director head admin coordinator
pm po contributor tester programmer product-owner`)

// projectNouns head phrases that name something that people make or run.
var projectNouns = set(`service services app application project gateway api platform portal dashboard workflow pipeline module component client server backend frontend website site
webapp bot worker daemon library framework tool engine system redesign rewrite migration refactor refactoring rollout launch integration upgrade export import feature job cron
script scripts scheduler exporter resizer limiter handler parser plugin extension package repo repository sdk cli game editor compiler tracker planner summarizer app
monorepo codebase stack layer cluster loader crawler scraper importer processor checkout onboarding product prototype firmware driver proxy cache queue broker
controller operator renderer generator converter validator checker linter formatter indexer search ranking widget microservice endpoint page store shop webshop
catalog catalogue ledger registry catalog notifier watcher simulator emulator launcher installer viewer browser calculator calendar reader writer storefront chatbot
assistant theme deck campaign report thesis paper book novel magazine newsletter course site blog podcast album documentary study survey proposal roadmap
consumer producer subscriber listener router balancer balancer dispatcher aggregator collector agent receiver sender mailer resolver adapter wrapper bridge connector
builder bundler packager deployer runner executor orchestrator coordinator manager monitor analyzer profiler debugger logger uploader downloader streamer encoder
decoder transcoder compressor optimizer trainer model classifier recommender predictor detector recognizer tokenizer lexer
hub bus suite mesh console form flow funnel feed inbox panel wizard wiki forum kiosk overhaul revamp cleanup backoffice intranet basket cart modal toolbar sidebar navbar homepage
subsystem toolchain playground sandbox marketplace storefront paywall mailer newsletter helper robot`)

// machineNouns head phrases of what may use or need technology without being anybody's project by name.
var machineNouns = set(`ci team squad company startup database db laptop desktop computer machine phone pc infrastructure infra build builds deployment deployments staging production prod
website code tests docs documentation setup environment network home office crew group department org organization organisation firm studio lab agency club band
school class course university hospital clinic tests suite e2e cd ci/cd devops ops front-end back-end ui ux lake warehouse`)

// wrapNouns stand behind the name that they say the kind of: "the payments-api repo" is payments-api.
var wrapNouns = set(`repo repository package packages library lib libs project framework database databases db dbs cluster clusters instance instances tool tools editor ide language stores store ones
dashboards module modules plugin plugins crate gem sdk codebase monorepo platform browser app client server backend company startup software program toolkit docs containers container
images image queue queues cache broker account accounts setup files file extension extensions tables table bucket buckets service services job stack distro distribution os
suite board boards workspace group offices office firm corporation bindings driver api endpoint product subscription license runtime compiler engine`)

// productNouns say in "X is a …" that X is made by people.
var productNouns = projectNouns

// monthNames and such are parts of times.
var (
	monthNames = text.Words(text.Months, text.ShortMonths)
	dayNames   = text.Words(text.Weekdays, text.ShortWeekdays)
	timeUnits  = set(`second seconds minute minutes hour hours day days week weeks month months year years decade decades quarter quarters weekend weekends sprint sprints
semester term`)
	timeNouns = set(`morning afternoon evening night noon midnight weekend week month year spring summer autumn fall winter holidays holiday christmas easter vacation
quarter semester term century decade day time moment past beginning end start today yesterday tomorrow tonight`)
	timeWords  = set(`today yesterday tomorrow tonight now currently nowadays lately recently ages`)
	futureTime = set(`tomorrow next soon tonight upcoming coming later`)
)
