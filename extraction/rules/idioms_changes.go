package rules

// idiomsOfChoice say what was decided to be used.
const idiomsOfChoice = `
c:component ~be getting|going t:tech $ -> c decided_to_use t
c:component ~be going to|with use|get? t:tech -> c decided_to_use t
c:component gets t:tech , -> c decided_to_use t
c:component will get|use|run|be on|with? t:tech , that is|'s? -> c decided_to_use t
it is official|decided|settled|final : t:tech won|wins|it|is -> self decided_to_use t
it is official|decided|settled|final : t:tech $ -> self decided_to_use t
it is official|decided|settled|final : we go|use|are going? with? t:tech -> self decided_to_use t
t:tech won|wins|prevailed over|against|out|the|, -> self decided_to_use t
t:tech won|wins $ -> self decided_to_use t
t:tech got|gets the #nod|job|vote|green|light|contract|pick -> self decided_to_use t
t:tech got|gets the green light -> self decided_to_use t
t:tech got|was|were|is|has been? picked|chosen|selected|voted|approved|adopted in|for over? c:component -> c decided_to_use t
t:tech got|was|were|has been? picked|chosen|selected|voted|approved|adopted $ -> self decided_to_use t
t:tech got|was|were|has been? picked|chosen|selected over -> self decided_to_use t
^ verdict|outcome|result|conclusion|resolution|consensus|resolved|agreed|decided|settled|final|chosen|winner|pick on? decision|choice|call|answer|verdict? : we? go|use|adopt|with|is? with? t:method for|in c:component -> c decided_to_use t
^ decision on? : t:method for|in c:component -> c decided_to_use t
^ verdict|outcome|result|conclusion|resolution|consensus|resolved|agreed|decided|settled|final|chosen|winner|pick on? decision|choice|call|answer|verdict? : we? go|use|adopt|with|is? with? t:tech -> self decided_to_use t
^ decision|choice : t:tech -> self decided_to_use t
^ agreed|decided|settled on|upon|for t:method for|in c:component -> c decided_to_use t
^ agreed|decided|settled on|upon|for t:method $ -> self decided_to_use t
^ agreed|decided|settled on|upon|for t:tech -> self decided_to_use t
^ agreed|decided to use|adopt|go|pick|choose with|for? t:method for|in c:component -> c decided_to_use t
^ chose|picked|selected|adopted|going|went with|for? t:tech for|in c:component -> c decided_to_use t
^ chose|picked|selected|adopted t:tech -> self decided_to_use t
^ going with|for t:tech $ -> self decided_to_use t
^ going with|for t:tech for|over|then|after|instead -> self decided_to_use t
^ adr : use|adopt? t:tech -> self decided_to_use t
^ rfc|adr|verdict|resolution|outcome|a:task : use|adopt|go|choose|pick with|for? t:tech -> self decided_to_use t
the|our|my final|obvious|clear|official? #winner|choice|pick|verdict|call|answer ~be t:tech $ -> self decided_to_use t
the|our|my final|obvious|clear|official? #winner|choice|pick|verdict|call for|in c:component ~be t:tech -> c decided_to_use t
for c:component , we|i chose|picked|selected|adopted|went with? t:tech -> c decided_to_use t
for c:component we|i chose|picked|selected|adopted|went with? t:tech -> c decided_to_use t
the #choice|vote|decision fell|fell|went on|for|to t:tech -> self decided_to_use t
everybody|everyone|all|we|majority all? voted|opted|went for t:method $ -> self decided_to_use t
u:user all|both|finally|unanimously? agreed|settled|decided on|upon t:method $ -> u decided_to_use t
u:user went for t:tech -> u decided_to_use t
u:user ~be going for|with t:tech -> u decided_to_use t
u:user ended up with t:tech $ -> u decided_to_use t
u:user ended up with t:tech for|in c:component -> c decided_to_use t
u:user ended up choosing|using|picking|adopting|going|settling|taking with|for|on? t:tech -> u decided_to_use t
u:user have|has|'ve? decided|voted|opted|come|came down? in favour|favor of t:tech -> u decided_to_use t
u:user have|has|'ve? signed off on t:tech -> u decided_to_use t
u:user have|has|'ve? made the? #call|decision|choice : t:tech -> u decided_to_use t
u:user have|has|'ve? made the? #call|decision|choice to use|adopt|go|move|switch with|to|for? t:tech -> u decided_to_use t
u:user am|are|is going to use|adopt t:tech for|in|as|with -> u decided_to_use t
let us do|take|pick|try|stick|have with? t:tech then|, -> self decided_to_use t
let us do t:tech $ -> self decided_to_use t
^ t:tech it is|shall be? $ -> self decided_to_use t
t:tech it is then? $ -> self decided_to_use t
t:tech is what|the we are going|go|picked|chose|decided with|on|for? -> self decided_to_use t
t:tech is the #way to go , agreed|decided|settled -> self decided_to_use t
`

// idiomsOfChange say what has ended and what has taken its place.
const idiomsOfChange = `
^ dropped|ditched|abandoned|left|swapped|traded|replaced|exchanged|dumped t:tech for|with|by u:tech in|on c:component -> c uses u; not c uses t
^ dropped|ditched|abandoned|swapped|traded|exchanged|dumped t:tech for|with|by u:tech -> self uses u; not self uses t
^ replaced t:tech with|by u:tech in|for c:component -> c uses u; not c uses t; t replaced_by u
^ replaced t:tech with|by u:tech -> self uses u; not self uses t; t replaced_by u
^ switched|moved|migrated|changed|went|converted over? from t:tech over? to u:tech -> self uses u; not self uses t
^ switched|moved|migrated over? to t:tech -> self uses t
p:anyone went|switched|moved|changed over? from t:tech over? to u:tech and|, then|right? back again|to? t:tech? $ -> p uses t; not p uses u
^ went|switched|moved|changed over? from t:tech over? to u:tech and|, then|right? back again|to? t:tech? $ -> self uses t; not self uses u
p:anyone ~be|get|grow* tired|sick|weary|fed of|up with? t:tech and|so|, so|and? i|we|he|she? ~go|switch|move|change|return^ back|over? to u:tech -> p uses u; not p uses t
p:anyone ~be|get|grow* tired|sick|weary|fed of|up with? t:tech $ -> p dislikes t
p:anyone ~give^ up on? t:tech and|so|, so|and? i|we|he|she? ~go|switch|move|change|return^ back|over? to u:tech -> p uses u; not p uses t
p:anyone had|have|'ve had? enough of t:tech and|so|, so|and? i|we|he|she? ~go|switch|move|change|return^ back|over? to u:tech -> p uses u; not p uses t
p:user went from t:tech to u:tech -> p uses u; not p uses t
p:anyone ~go^ from e:employer to f:employer -> p works_at f; not p works_at e
p:anyone ~go^ from t:tech to u:tech -> p uses u; not p uses t
c:component ~go|move|switch|migrate^ over? from t:tech over? to u:tech -> c uses u; not c uses t
my#data|notes|files|tasks|logs|mails|photos|docs|code|repos|metrics|backups|passwords|builds|deployments went|moved|migrated|switched|have|has|are|were moved|gone|migrated? over? from t:tech over? to u:tech -> self uses u; not self uses t
p:user ~go|be|come^ back to t:tech $ -> p uses t
p:user ~go|come|switch|move^ back to t:tech after|again|because|since|last -> p uses t
no more t:tech $ -> not self uses t
p:anyone ~be back|now? on|to|with t:tech after a|an|one|two|three|some|few|many? few? year|years|month|months|week|weeks with|on|of u:tech -> p uses t; not p uses u
p:anyone ~be back|now on|to|with t:tech -> p uses t
^ instead of t:tech ,? p:user ~use|run|have u:brand now -> p uses u; not p uses t
^ instead of t:tech ,? p:user now ~use|run|have u:brand -> p uses u; not p uses t
p:anyone now? ~use|run|have now? t:tech instead|rather|in of|than|place of? u:tech -> p uses t; not p uses u
c:component now? ~use now? t:tech instead|in|rather of|place|than of? u:tech -> c uses t; not c uses u
c:component now? ~have now? t:tech instead|in|rather of|place|than of? u:tech -> c uses t; not c uses u; u replaced_by t
c:component now? ~run|be|live|sit|work on|with|in|under t:tech instead|in|rather of|place|than of? u:tech -> c uses t; not c uses u
p:user ~be off t:tech -> not p uses t
p:user ~move^ off|away from? t:tech $ -> not p uses t
p:user ~get|come^ off t:tech -> not p uses t
p:anyone ~go|switch|change|move^ from t:drug to u:drug -> p uses u; not p uses t
p:anyone ~take t:drug -> p uses t
p:anyone ~be on t:drug -> p uses t
p:anyone ~be off t:drug -> not p uses t
p:anyone came|got|come off t:drug -> not p uses t
x:thing took|taken|takes me off t:drug -> not self uses t
x:thing put|puts me on t:drug -> self uses t
p:user ~be now? on t:brand now|nowadays|these -> p uses t
everything|it all? is|'s|lives|runs now? on|in t:brand now -> self uses t
^ no more t:brand for me|us -> not self uses t
^ no more t:tech for|in|here|from|on|$ -> not self uses t
my t:tech #days|era|times|years is|are over|behind|gone|history|done -> not self uses t
my t:tech days|era|times|years is|are over|behind|gone|history|done -> not self uses t
my t:tech subscription|account|licence|license is|was|got|has|expired|ran cancelled|canceled|closed|gone|over|out -> not self uses t
p:user said|waved|kissed goodbye|farewell|bye to t:tech -> not p uses t
^ said|waved goodbye|farewell|bye to t:tech -> not self uses t
p:anyone deleted|uninstalled|cancelled|canceled|quit|dropped my? t:tech subscription|account|app? $ -> not p uses t
^ deleted|uninstalled|cancelled|canceled|quit my? t:tech subscription|account|app? $ -> not self uses t
^ ditched|dropped|removed|retired|killed t:tech $ -> not self uses t
p:user turned my|our back on t:tech -> not p uses t
p:anyone ~be+ of t:tech -> not p uses t
p:user have|has|am|are|is outgrown|rid of? t:tech -> not p uses t
t:tech has|have|was|were|got been? removed|dropped|purged|ripped|stripped|deleted|thrown out? from|of|in c:component -> not c uses t
t:tech has|have|was|were|got been? removed|dropped|purged|ripped|stripped|deleted|thrown out? from|of|in the #project|codebase|repo|stack|app -> not self uses t
t:tech is|are no longer|not used|part|needed|in by|in|of|for use? c:component -> not c uses t
t:tech is|are no longer in use -> not self uses t
t:tech is|are gone|out from|of c:component -> not c uses t
p:anyone ~take|rip|pull|throw|kick^ t:tech out of c:component -> not c uses t
p:anyone have|has|'ve? removed|dropped|ripped|stripped|deleted|threw|kicked|purged out? t:tech out? from|of c:component -> not c uses t
^ removed|dropped|ripped|stripped|purged out? t:tech from|of c:component -> not c uses t
c:component used to be|run|live on|with|in|under|use t:tech -> not c uses t
c:component used to run on t:brand -> not c uses t
c:component used to use t:tech -> not c uses t
a:needed has|have|was|were|is|got been? retired|dropped|removed|abandoned|sunset|deprecated|decommissioned|ditched|scrapped in favour|favor of b:needed -> a replaced_by b
a:needed was|were|got|has|have|is been? replaced|superseded|succeeded|supplanted|displaced|followed|swapped out? by|with|for b:needed -> a replaced_by b
a:needed had|has|have to? make|made|given|gave|give way to|for b:needed -> a replaced_by b
a:needed made|gave|makes|gives way to|for b:needed -> a replaced_by b
b:needed took|takes|has|have taken? the #place|role|job of a:needed -> a replaced_by b
b:needed took|takes|has|have taken? a:needed's #place|role|job -> a replaced_by b
b:needed is|are|was the|our|a new|official|direct|drop-in? #replacement|successor|heir for|of|to a:needed -> a replaced_by b
a:needed's #replacement|successor ~be b:needed -> a replaced_by b
^ replacement|successor for|of|to a:needed : b:needed -> a replaced_by b
the new? #replacement|successor for|of|to a:needed ~be b:needed -> a replaced_by b
a:tech is out , and? b:tech is in -> a replaced_by b
a:tech is out and b:tech is in -> a replaced_by b
my#shoes|bike|gear|kit|setup|tools|editor|camera|lenses|skis|boots : out with the|my? a:brand , in with the|my|a? b:brand -> self uses b; not self uses a
out with a:tech , in with b:tech -> a replaced_by b
`

// idiomsOfMaking say what is part of what, who made it, and what came of what.
const idiomsOfMaking = `
a:artefact ~be one|a|an|another|the single|small|core|central|key|major|separate? #piece|part|component|module|submodule|subsystem|block|element|subproject|subcomponent|package|subpackage|layer|library|plugin of|in|within|inside|from b:artefact $ -> a part_of b
a:artefact ~be one of the #pieces|parts|components|modules|submodules|subsystems|packages|services|plugins|libraries of|in|inside|within b:artefact -> a part_of b
a:artefact forms|makes|is up? a? #part of b:artefact $ -> a part_of b
a:artefact ~live|sit|reside|be in|inside|within|under the|our? b:named repo|repository|monorepo|project|codebase|package|suite|module -> a part_of b
a:component ~live|sit|reside|be inside|within|in b:project $ -> a part_of b
a:component ~come|ship bundled|delivered|included|packaged? with|in b:project $ -> a part_of b
a:component ~be bundled|delivered|included|packaged with|in b:project $ -> a part_of b
b:component is|are made|composed|built up? of|out|from of? a:artefact -> a part_of b
b:component ~ship|come with a:component -> a part_of b
^ part of b:artefact : a:artefact -> a part_of b
^ parts|components|modules|pieces of b:artefact : a:artefact -> a part_of b
b:component ~have|contain|include a|an|the #module|component|part|package|subsystem called|named a:artefact -> a part_of b

a:artefact ~be* p:anyone's #baby|work|creation|brainchild|invention|handiwork|masterpiece|doing|design|project -> a created_by p
a:artefact ~be my#creation|brainchild|invention|baby|handiwork|work -> a created_by self
most|much|all|half|lots|parts of a:artefact ~write|build|make|develop+ by p:anyone -> a created_by p
most|much|all|half|lots|parts of a:artefact was|were|is written|built|made|coded|developed by p:anyone -> a created_by p
a:artefact ~be* by p:anyone $ -> a created_by p
a:artefact comes|came|originated from|with p:somebody $ -> a created_by p
a:artefact , written|built|made|created|designed|developed|coded|authored by p:anyone -> a created_by p
a:artefact ( written|built|made|created|designed|developed|coded|authored|by by? p:anyone -> a created_by p
#credit|credits|kudos for a:artefact goes|go|belongs to p:anyone -> a created_by p
p:anyone wrote|built|made|created|designed|coded|did|authored most|all|much|large|the|almost parts|all|bulk|first|original|initial? version|draft|prototype? of a:named -> a created_by p
p:anyone ~be* the? #brain|brains|mind|author|creator|inventor|founder|person|one|man|woman|original|developer behind|of a:named -> a created_by p
the #person|one|mind|brain|brains|man|woman|guy behind a:artefact ~be p:anyone -> a created_by p
p:anyone , the|its original? author|creator|inventor|founder of|behind a:named , -> a created_by p
p:anyone ~be* the? #one|person|guy|woman|man who|that wrote|built|made|created|designed|started|founded|authored|invented a:artefact -> a created_by p
it was p:anyone who|that wrote|built|made|created|designed|started|founded|authored|invented a:artefact -> a created_by p
p:anyone authored|co-authored|hand-built|coded a:artefact -> a created_by p
p:anyone founded|co-founded|cofounded|hacked|kicked|launched|started|bootstrapped together|off? a:named -> a created_by p
p:anyone hacked|put|cobbled|threw a:artefact together -> a created_by p
^ author|authors|creator|creators|inventor|founder|founders|written|built|created|designer|made of|for|by? by? a:artefact : p:anyone -> a created_by p
^ a:artefact author|authors|creator|creators|inventor|founder : p:anyone -> a created_by p
^ author|authors|creator|written of|by? a:artefact : p:anyone -> a created_by p

^ the|root|actual|likely|underlying|real? root|actual|real? #cause|reason|culprit|trigger|explanation of|for|behind a:thing : b:thing -> a caused_by b
b:thing ~be* behind a:trouble $ -> a caused_by b
b:thing ~be* responsible|blame for a:trouble $ -> a caused_by b
b:thing ~be* to blame for a:trouble $ -> a caused_by b
b:thing ~be* at the root|bottom|heart of a:trouble $ -> a caused_by b
b:thing ~be* the root|actual|real|main|underlying? #cause|reason|culprit|trigger of|for|behind a:thing $ -> a caused_by b
a:trouble ~be* down to b:thing $ -> a caused_by b
a:trouble turned|boiled|came|comes|boils|proved out|down? to be? b:thing $ -> a caused_by b
a:trouble stemmed|stems|resulted|results|arose|originated|came|comes from|out of? b:thing $ -> a caused_by b
a:thing ~be* a|the direct? #result|consequence|effect|fault of b:thing -> a caused_by b
we|i|p:anyone traced|tracked|pinned|attributed|narrowed|blamed a:thing back|down? to|on b:thing $ -> a caused_by b
what made|makes a:thing fail|break was|is b:thing $ -> a+failure caused_by b
what made|makes a:thing crash was|is b:thing $ -> a+crash caused_by b
b:whole took|brought down a:component $ -> a+failure caused_by b
b:whole broke|killed|crashed a:component $ -> a+failure caused_by b
what broke|killed a:thing was|is b:thing $ -> a+failure caused_by b
what caused a:thing was|is b:thing $ -> a caused_by b
b:thing made|makes a:thing fail|break $ -> a+failure caused_by b
b:thing made|makes a:thing crash $ -> a+crash caused_by b
a:thing keeps|kept failing because|due of|to b:thing $ -> a+failure caused_by b
a:thing keeps|kept crashing because|due of|to b:thing $ -> a+crash caused_by b
`

// idiomsOfNotes say of the user what notes say in brief.
const idiomsOfNotes = `
^@ role : j:thing at e:employer -> self works_at e
`
