package rules

// idiomsOfUse say what somebody or something uses.
const idiomsOfUse = `
^ tech|technology|our|my|current? #stack|toolchain|toolbox|setup|tooling : t:tech -> self uses t
the|our|my tech|current|whole? #stack|toolchain|tooling ~be mostly|basically|all|just|simply? t:tech -> self uses t
the|our|my tech|current|whole? #stack|toolchain|tooling consists|is of|built? around|on|of? t:tech -> self uses t
^ tech? #stack|toolchain|tooling of|for|behind c:component : t:tech -> c uses t
the|our|my? tech? #stack|toolchain|tooling of|for|behind c:component ~be t:tech -> c uses t
^ c:component #stack|toolchain|tooling : t:tech -> c uses t
^ c:named : t:tech $ -> c uses t
c:component's tech? #stack|toolchain|tooling ~be t:tech -> c uses t
^ database|db|editor|ide|hosting|host|ci|language|languages|framework|frameworks|frontend|backend|shell|os|browser|cache|queue|orm|bundler|monitoring|logging|terminal|runtime|search|auth|storage|deployment|cloud|provider|distro|tools|tool|linter|formatter|testing|tests|styling|payments|email|analytics|broker|caching|infrastructure|infra|build|builds : t:tech -> self uses t

^ now|currently|still|already|mostly? using t:tech for|as|in|on|at|since|now|everywhere|here|$ -> self uses t
^ been using|running t:tech since|for|in -> self uses t
^ running t:tech in|on|at|since -> self uses t
^@ uses|runs t:tech -> self uses t
^@ develops|works|codes|programs|writes on|in|with t:tech -> self uses t
p:anyone ~rely|depend on|upon t:tech for|daily|every|at|in -> p uses t
@ user relies on t:tech -> self uses t
p:anyone daily-drive|daily-drives|daily|dailies drive? t:tech -> p uses t
p:anyone daily-drive|daily-drives t:tech -> p uses t
my#driver ~be t:tech -> self uses t
p:anyone ~be a|an t:tech #shop|house|team|company|user|developer|dev|programmer|family|household -> p uses t
p:anyone ~be a|an t:tech shop|house|team|company|user|developer|dev|programmer|engineer -> p uses t
most|half|much of my#day|days|week|time|work|job is|are in|with? t:tech -> self uses t
my#day|days|week|work|job is|are|involves|revolves mostly|all|in|with|around? t:tech -> self uses t
my#day|days is|are spent? in|with t:tech -> self uses t
p:anyone ~spend all|most|half? of? my|his|her|their|the #day|days|time|week|weeks|hours in|with t:tech -> p uses t
t:tech all day long? $ -> self uses t
every day|morning|evening|week|time i|we open|start|use|launch t:tech -> self uses t
i|we open|start|launch|use t:tech every|each|daily -> self uses t
p:anyone reach|reaches for t:tech -> p uses t
p:anyone ~go to t:tech when|for|whenever|first -> p uses t
p:anyone turn|turns to t:tech when|for|whenever|first -> p uses t
p:anyone do|does t:tech -> p uses t
p:anyone ~keep|store|track|manage|plan|have x:thing in|on|with t:tech and|, y:thing in|on|with u:software -> p uses t; p uses u
p:anyone organise|organises|organize|organizes x:thing in|on|with t:tech and|, y:thing in|on|with u:software -> p uses t; p uses u
p:anyone ~take my|his|her|their|our? #notes|minutes in|with t:tech -> p uses t
p:anyone ~take|keep|write|store|track|manage|plan|edit|make|draw #notes|todos|tasks|passwords|recipes|bookmarks|mail|photos|files|diagrams|slides|backups|accounts|books|everything in|with|on|using t:tech -> p uses t
p:anyone organise|organises|organize|organizes|do|does #notes|todos|tasks|passwords|recipes|bookmarks|mail|photos|files|diagrams|slides|backups|accounts|books|everything in|with|on|using t:tech -> p uses t
p:anyone ~keep|store|track|manage|plan x:thing in|on|with t:tech -> p uses t
p:anyone organise|organises|organize|organizes x:thing in|on|with t:tech -> p uses t
all|most|half? of? my#notes|calendar|brain|recipes|life|data|files|tasks|passwords|photos|logs|metrics|mails|mail|emails|payments|docs|documents|tickets|todos|secrets|images|assets|backups|builds|deploys|deployments|events|messages|sessions|traces|alerts|errors|tests|jobs|services|pods|code|repos live|lives|are|is|sit|sits|go|goes|end|ends|run|runs|happen|happens|come|comes|reside|all|out|up? out|up|all? in|to|on|through|via|with|from|into|behind t:tech $ -> self uses t
payments|mails|emails|logs|deployments|builds|backups|deploys|secrets|metrics|alerts|messages|events|notifications go|run|happen|live|are|end|flow|pass out|up|done|sent|handled? through|via|to|on|with|in|over t:tech $ -> self uses t
deployment|building|hosting|rendering|indexing|tracing|alerting|provisioning|monitoring|logging|caching|testing|styling|routing|validation|infrastructure|packaging|scheduling is|are|happens|runs done|handled|all|covered|managed|provided? with|by|via|on|in|through? t:tech $ -> self uses t
c:area is|are|happens done|handled|covered|managed|provided? with|by|via|through t:tech $ -> c uses t
everything|everything's|anything|it all? here|else|important? hangs|runs|lives|sits|rests|depends|is|goes|builds on|in|with|through|upon t:tech $ -> self uses t
p:anyone ~have|get* t:tech for|in|behind|on|running|set|as|at|under -> p uses t
p:anyone ~build|deploy|test|run|write|host|manage|monitor|ship|draw|compile everything|all|most|it all? of? it? with|in|on|to|using t:tech -> p uses t
p:anyone style|styles|do|does everything|all|most|it all? of? it? with|in|on|to|using t:tech -> p uses t
p:anyone ~swear by t:tech -> p uses t
p:anyone read|reads|type|types|shoot|shoots|sew|sews|knit|knits|scan|scans on|with a|an|the|my|his|her|our? t:brand -> p uses t
p:anyone write|writes|cook|cooks|brew|brews|paint|paints|draw|draws|record|records|film|films|climb|climbs|ski|skis|sleep|sleeps|bank|banks|solder|solders|carve|carves|bake|bakes|grind|grinds|roast|roasts|fly|flies with|on a|an|the|my|his|her|our? t:brand $ -> p uses t
my#bike|car|aids|shoes|runners|trainers|sneakers|glasses|headphones|earbuds|keyboard|mouse|monitor|fridge|dishwasher|vacuum|backpack|rucksack|knives|pans|skates|wetsuit|board|paddle|lens|lenses|razor|phone|laptop|camera|watch|printer|guitar|amp|tent|stove|oven|kettle|grinder|pen|racket|skis|boots|saddle|car|van|tablet|headset|mower|kayak|canoe|bow|loom|wheel|drill|saw|scope|mixer|synth ~be now? a|an|the|all? t:brand $ -> self uses t
p:anyone's new|old? bike|phone|laptop|camera|watch|printer|guitar|amp|tent|stove|oven|kettle|grinder|pen|racket|skis|boots|saddle|car|van|tablet|headset|mower|kayak|canoe ~be now? a|an|the t:brand $ -> p uses t
p:anyone ~drive|wear|play|fly a|an|the|my|his|her t:brand any|anymore -> p uses t
p:anyone now? ride|rides|wear|wears|drive|drives|play|plays|fly|flies|sail|sails|shoot|shoots a|an t:brand $ -> p uses t
p:anyone ride|rides|wear|wears|drive|drives|play|plays a|an t:brand now -> p uses t
c:component ~go out with|through|via t:brand $ -> c uses t
c:component ~be now? on t:brand now|since|these -> c uses t
p:anyone shave|shaves|brush|brushes|wash|washes|clean|cleans|cut|cuts|fish|fishes|knit|knits|row|rows|run|runs|hike|hikes|train|trains|measure|measures|track|tracks|print|prints with|on a|an|the|my|his|her|our? t:brand $ -> p uses t
p:anyone climb|climbs|run|runs|hike|hikes|ski|skis|skate|skates|dance|dances|train|trains|sleep|sleeps|walk|walks in t:ware -> p uses t
p:anyone ~swear by t:brand -> p uses t
i|we back up|everything? with|using? t:tech -> self uses t
p:anyone ~live in t:tech all|most|$ -> p uses t

in|for|within|inside c:component , we|i ~use|have|run t:tech -> c uses t
in|for|within|inside c:component we|i ~use|have|run t:tech -> c uses t
in|for|within|inside c:component , x:thing is|are done|handled|managed with|by|in|through t:tech -> c uses t
x:thing in|of|for|on c:component is|are|gets drawn|rendered|served|stored|generated|done|handled|managed|provided|powered|built|implemented|written with|by|in|through|via|on t:tech -> c uses t
for x:thing p:anyone ~have t:tech -> p uses t
t:tech ~use+ by|in|for|inside|within|throughout c:component -> c uses t
t:tech ~be+ by|in|for|inside c:component -> c uses t
c:component ~get|pull|read|take|receive|draw its|the|all|their? #prices|data|content|config|configuration|secrets|images|events|texts|translations|settings|rates|assets|jobs|messages|metrics|information|input from|out|via|through of? t:tech -> c uses t
c:component fetch|fetches|load|loads its|the|all|their? #prices|data|content|config|configuration|secrets|images|events|texts|translations|settings|rates|assets|jobs|messages|metrics|information|input from|out|via|through of? t:tech -> c uses t
c:component authenticate|authenticates|validate|validates|check|checks against|with|via|through t:tech -> c uses t
c:component authenticates|speaks|listens|subscribes|posts|reports|writes|connects against|with|via|through|to|on t:tech -> c uses t
c:component ~make heavy|extensive|good? use of t:tech -> c uses t
c:component ~be plain|pure|simple|vanilla|all|mostly? t:tech and|plus|with a|some #bit|lot|touch|pinch of u:tech -> c uses t; c uses u
c:component ~be plain|pure|simple|vanilla|all|mostly? t:tech $ -> c uses t
c:component ~be t:tech under|all|through|inside|underneath|and|with|on -> c uses t
c:component ~be in|on t:tech $ -> c uses t
c:component , written|built|implemented|made|coded|developed|done in|with|on t:tech -> c uses t
c:component ( written|built|implemented|made|in|uses in|with|on? t:tech -> c uses t
c:component , a|an|our|the|my x:thing in|on t:tech $ -> c uses t
c:component , a|an|our|the|my x:thing written|built|made|coded|developed in|with|on t:tech -> c uses t
c:component ~be a|an|our|the|my x:thing written|built|made|coded|developed|based|powered in|with|on|by t:tech -> c uses t
c:component ~be a|an|our|the|my x:thing in t:tech -> c uses t
c:component ~be a|an t:tech app|project|service|application|site|tool|cli|binary|program|script|library|plugin|bot|server|website|game|backend|frontend|codebase|job|function|module -> c uses t
c:component runs|lives|sits|is off|on|behind|atop|under top|of? of? t:tech $ -> c uses t
p:anyone ~work|hack|tinker on c:named , a|an|my|our x:thing in|on|with|using t:tech -> p works_on c; c uses t
p:anyone ~work|hack|tinker on c:named , a|an|my|our x:thing written|built|made|coded|developed in|with|on|using t:tech -> p works_on c; c uses t
p:anyone ~build|develop|write|make|maintain|create c:named , a|an|my|our x:thing in|on|with t:tech -> p works_on c; c uses t
p:anyone ~build|develop|write|make|maintain|create c:named , a|an|my|our x:thing written|built|made|coded|developed in|with|on|using t:tech -> p works_on c; c uses t
my side|hobby|pet|weekend|thesis|current|own|little? #project|tool|app|game|thesis|library|bot|site , c:named , ~be just|basically|plain|pure|mostly|all? t:tech and|plus|with a|some #bit|lot|touch of u:tech -> self works_on c; c uses t; c uses u
my side|hobby|pet|weekend|thesis|current|own|little? #project|tool|app|game|thesis|library|bot|site , c:named , ~be just|basically|plain|pure|mostly|all|written|built? in|with|on? t:tech -> self works_on c; c uses t
my side|hobby|pet|weekend|thesis|current|own|little? #project|tool|app|game|thesis|library|bot|site , c:named , -> self works_on c
`

// idiomsOfNeed say what something needs.
const idiomsOfNeed = `
c:component dropped|removed|lost|shed its|the #dependency on|upon n:needed -> not c depends_on n
without n:needed , c:component ~run|work|start|build|compile|launch- -> c depends_on n
without n:needed c:component ~run|work|start|build|compile|launch- -> c depends_on n
without n:needed , c:component is|breaks|fails|dies|falls|crashes -> c depends_on n
without n:needed c:component is|breaks|fails|dies|falls|crashes -> c depends_on n
c:component can|could|will|would|does|do not run|work|start|build|function|boot|compile|launch|exist|do|operate|live|survive up|at|all? without n:needed -> c depends_on n
c:component ~be nothing|useless|dead|broken|unusable|lost|toast without n:needed -> c depends_on n
c:component breaks|fails|dies|crashes|stops without n:needed -> c depends_on n
c:component leans|hinges|lean|hinge|counts|relies|depends heavily|strongly|a|entirely|fully|lot? lot? on|upon n:needed -> c depends_on n
c:component ~be dependent|reliant|contingent on|upon n:needed -> c depends_on n
c:component ~have a|an|one|just|hard|strong|direct|its|runtime|the? hard|strong|direct|single|only|runtime? #dependency|dependencies|requirement on|upon|: n:needed -> c depends_on n
c:component ~need|require|want at least|a|an|some|the? least|running|recent|working|local? n:needed $ -> c depends_on n
c:component expect|expects|assume|assumes at least|a|an|some|the? least|running|recent|working|local? n:needed $ -> c depends_on n
c:component ~need|require|want at least|a|an|some|the? least|running|recent|working|local? n:needed or|to|for|in|and|at -> c depends_on n
c:component expect|expects|assume|assumes at least|a|an|some|the? least|running|recent|working|local? n:needed or|to|for|in|and|at -> c depends_on n
c:component requires|needs : n:needed -> c depends_on n
c:component expects|assumes n:tech to|is|in|running|at -> c depends_on n
c:component is|are built|based on top|of? of? n:named $ -> c depends_on n
you|we|one|they|i will? need|require n:tech for|to run|use|build|start|compile|work|with|on? c:component -> c depends_on n
to run|use|build|start|compile|deploy|develop|work with|on? c:component , you|we|one|i will? need|require n:needed -> c depends_on n
to run|use|build|start|compile|deploy|develop|work with|on? c:component you|we|one|i will? need|require n:needed -> c depends_on n
for c:component , you|we|one will? need|require n:tech -> c depends_on n
for c:component you|we|one will? need|require n:tech -> c depends_on n
for c:component , n:needed ~be a|an|the hard|strict|firm|absolute|only|key? #requirement|prerequisite|must|dependency|necessity|must-have -> c depends_on n
for c:component , n:needed ~be required|needed|mandatory|necessary -> c depends_on n
n:tech ~be a|an|the|another|one hard|strict|firm|absolute|only|key|runtime|direct? #requirement|prerequisite|must|dependency|must-have of|for|in c:component -> c depends_on n
n:tech ~be required|needed|mandatory|necessary|indispensable|essential by|for|to run|build|in? c:component -> c depends_on n
n:tech ~need|require+ by|for|to run|build|in? c:component -> c depends_on n
^ dependencies|dependency|requirements|prerequisites|requirement|prerequisite|deps of|for c:component : n:needed -> c depends_on n
^ c:component dependencies|requirements|deps|prerequisites : n:needed -> c depends_on n
c:component's only|main|hard|biggest|one|sole|runtime|direct? #dependency|requirement|dependencies ~be n:needed -> c depends_on n
c:component's #dependencies|requirements|deps : n:needed -> c depends_on n
`
