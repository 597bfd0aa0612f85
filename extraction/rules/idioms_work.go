package rules

// idiomsOfWork say who works where and on what.
const idiomsOfWork = `
^ employer|workplace|company : e:employer -> self works_at e
p:anyone ~get|find|land|have|take|start^ a|the? new? #job|position|role|internship at|with e:employer -> p works_at e
p:anyone ~have a new? #job|position|role|internship at|with e:employer -> p works_at e
p:anyone ~get^ hired|employed|recruited|poached by|at e:employer -> p works_at e
p:anyone accepted|took|signed a|an|the? job? #offer|job|position|role|contract from|at|with e:employer -> p works_at e
p:anyone signed with|for e:employer -> p works_at e
p:anyone ~start^ as #job|engineer|tester|developer|designer|nurse|analyst|manager|teacher at|with e:employer -> p works_at e
p:anyone got|was|were|have|has been? promoted at|by e:employer -> p works_at e
p:anyone ~run|lead|manage|head x:thing at e:employer $ -> p works_at e
p:anyone ~be part|member of the|our #team|squad|crew|group at e:employer -> p works_at e
p:anyone ~be on|in the #team|squad|crew|group at e:employer -> p works_at e
p:anyone have|has|'ve been at|with e:employer for|since -> p works_at e
p:anyone rejoined e:employer -> p works_at e
p:anyone am|is|are|'s back at|with e:employer for|full|full-time|now|again|as|since -> p works_at e
p:anyone am|is|are|'s back in t:town for good|ever -> p located_in t
p:anyone never left e:employer , and|but|that|it|this -> p works_at e
p:anyone never left e:employer after|$ -> p works_at e
p:anyone did|have|has not leave|left e:employer after all -> p works_at e
^ hired|employed at|by e:employer : p:anyone -> p works_at e
^ got hired|employed|recruited at|by e:employer -> self works_at e
^ employed at|by|with e:employer $ -> self works_at e
^ j:thing , employed|working at|by|with|for e:employer -> self works_at e
^ head|senior|lead|junior? j:thing at e:employer here -> self works_at e
p:anyone , a|an|the j:thing at|with e:employer $ -> p works_at e
p:anyone ( a|an|the? j:thing at|with e:employer ) -> p works_at e
^ now|currently? working at|for e:employer -> self works_at e
^@ works at|for e:employer -> self works_at e
^@ joined e:employer -> self works_at e
^@ left e:employer -> not self works_at e
my#job|gig : j:thing at e:employer -> self works_at e
my#job|gig ~be as? j:thing at e:employer -> self works_at e
my#company|firm|startup|employer ~be called? e:employer $ -> self works_at e
the #company|firm|startup|place i|we work for|at ~be called? e:employer -> self works_at e
i|we work at|for a #company|startup|firm|studio|agency|bank|shop called|named e:employer -> self works_at e
i|we am|are? at|with e:employer these days -> self works_at e

p:anyone ~quit|leave^ a|my|the|his|her|their? #job|position|role|post at|with e:employer -> not p works_at e
p:anyone ~quit|resign^ at|from e:employer -> not p works_at e
p:anyone has|have|'ve just? gone over to e:employer -> p works_at e
p:anyone ~switch|change^ jobs|job|employer|employers|companies :|,? from e:employer to f:employer -> p works_at f; not p works_at e
p:anyone ~be+ let|laid|fired go|off from|by|at e:employer -> not p works_at e
p:anyone got|was|were laid off by|from|at e:employer -> not p works_at e
p:anyone got|was|were fired|sacked|dismissed by|from|at e:employer -> not p works_at e
^ got laid|let off|go by|from|at e:employer -> not self works_at e
^ got fired|sacked by|from|at e:employer -> not self works_at e
e:employer let p:anyone go -> not p works_at e
e:employer laid p:anyone off -> not p works_at e
e:employer laid off p:anyone -> not p works_at e
e:employer fired|sacked p:anyone -> not p works_at e
p:anyone handed|gave in? my|his|her|their|in? #notice|resignation|badge|keys|pass|laptop at e:employer -> not p works_at e
my#day|shift|week at e:employer was|is -> not self works_at e
p:anyone's last #day|shift|week at e:employer was -> not p works_at e
my#time|days|years|stint|chapter at|with e:employer is|are|was|were|ended|came over|behind|done|history|in|to? -> not self works_at e
my#time|days|years|stint|chapter at|with e:employer ended|came -> not self works_at e
p:anyone's #time|days|years|stint|contract|job at|with e:employer ended|is|are|came|ran over|out|done|to|in? -> not p works_at e
my#contract with|at e:employer ended|expired|ran -> not self works_at e
before that , p:anyone was|worked at|with|for e:employer -> not p works_at e
before that p:anyone was|worked at|with|for e:employer -> not p works_at e
p:anyone ~retire^ from e:employer -> not p works_at e
after n:thing at|with e:employer , i|we joined|moved|switched|went|left to|for? f:employer -> not self works_at e; self works_at f
after n:thing at|with e:employer i|we joined|moved|switched|went|left to|for? f:employer -> not self works_at e; self works_at f
after n:thing at|with e:employer , p:anyone joined|moved|switched|went|left to|for? f:employer -> not p works_at e; p works_at f
after n:thing at|with e:employer p:anyone joined|moved|switched|went|left to|for? f:employer -> not p works_at e; p works_at f
after n:thing at|with e:employer , i handed|gave|put in? my? #notice|resignation|two weeks? -> not self works_at e
after n:thing at|with e:employer i handed|gave|put in? my? #notice|resignation|two weeks? -> not self works_at e

p:anyone ~run|have|take point on|for w:project -> p works_on w
p:anyone ~head|run up|down w:project -> p works_on w
p:anyone inherited|inherits w:work from q:anyone -> p works_on w; not q works_on w
p:anyone have|has|'ve inherited w:work from q:anyone -> p works_on w; not q works_on w
p:anyone ~take^ over as the? lead|maintainer|owner|head|manager|chair|editor|coordinator of|for w:work -> p works_on w
p:anyone stepped|steps down|back|aside as lead|maintainer|owner|head|manager|chair|editor|coordinator of|for w:work -> not p works_on w
p:anyone have|has stepped down|back|aside as lead|maintainer|owner|head|manager|chair|editor|coordinator of|for w:work -> not p works_on w
p:anyone ~quit|leave^ w:built -> not p works_on w
w:work ~be now? in p:anyone's #hands|care -> p works_on w
w:work has|got|gets a new #maintainer|lead|owner|boss|head|manager , p:anyone $ -> p works_on w
w:work has|got|gets a new #maintainer|lead|owner|boss|head|manager : p:anyone $ -> p works_on w
p:anyone keeps w:work alive|running|afloat -> p works_on w
p:anyone co-maintains|co-maintain|co-leads|co-lead|co-owns|co-own w:work with me|us -> p works_on w; self works_on w
p:anyone ~take^ the #reins|helm|wheel|baton of|on|for|at w:work from q:anyone -> p works_on w; not q works_on w
p:anyone ~take^ the #reins|helm|wheel|baton of|on|for|at w:work -> p works_on w
q:anyone ~give|hand|pass|leave^ w:it over|on|off? to p:anyone $ -> p works_on w; not q works_on w
q:anyone ~pass|hand|give^ w:it on|over|up|away $|to|after|because|when|in -> not q works_on w
p:anyone ~have w:it now -> p works_on w
p:anyone ~take^ w:it over|on from q:anyone -> p works_on w; not q works_on w
p:anyone ~take^ w:it over $ -> p works_on w
w:work ~be p:anyone's now -> p works_on w
p:anyone , a|the|our main|lead|current? maintainer|owner|lead of|behind|for w:work , -> p works_on w
p:anyone ~take^ over w:work from q:anyone -> p works_on w; not q works_on w
p:anyone ~take^ w:work over from q:anyone -> p works_on w; not q works_on w
q:anyone ~hand|pass|give|turn|sign^ w:work over|on|off to p:anyone -> p works_on w; not q works_on w
q:anyone ~hand|pass|turn|sign^ over|on|off w:work to p:anyone -> p works_on w; not q works_on w
w:work was|got|has|is been? handed|passed|turned|signed over|on|off? from q:anyone to p:anyone -> p works_on w; not q works_on w
w:work was|got|has|is been? handed|passed|turned|signed over|on|off to p:somebody -> p works_on w
w:work ~go|pass|move^ over? from q:somebody to p:somebody -> p works_on w; not q works_on w
p:anyone ~take^ over|on w:project $ -> p works_on w
p:user have|has|'ve been on t:brand since|for -> p uses t
p:anyone ~be on|onto w:named $ -> p works_on w
p:anyone ~be on|onto w:named with me|us -> p works_on w; self works_on w
p:anyone ~be on|at? it's? the? w:project this|these week|month|sprint|quarter|days -> p works_on w
p:anyone ~be busy|occupied|swamped with|on|by w:project -> p works_on w
p:anyone ~be heads down? on|in w:project -> p works_on w
p:anyone ~be knee|neck deep? in w:project -> p works_on w
p:anyone ~be responsible|accountable|answerable for w:project -> p works_on w
p:anyone ~be the|our? main|lead|sole|primary|only? #person|contact|maintainer|dev|developer|owner|lead|engineer|pm for|on|behind|of w:project -> p works_on w
p:anyone ~spend* a|the|all|most|half|my|his|her|their|our? whole|entire|last|past? of? the|my|his|her? #week|weeks|day|days|time|morning|afternoon|evening|evenings|weekend|weekends|month|months|sprint on|with w:project -> p works_on w
^ spent all|the|my|most|half|a? whole|entire|last|past? of? my|the? #week|day|time|morning|afternoon|evening|weekend|month|sprint on|with w:project -> self works_on w
p:anyone pair|pairs|collaborate|collaborates|pair-program|pair-programs|team|teams up? on w:project -> p works_on w
p:anyone pair|pairs|collaborate|collaborates|teamed|tag-team together|up? on w:project -> p works_on w
p:anyone are|is pairing|collaborating together? on w:project -> p works_on w
p:anyone ~lead|drive|own|manage|run|handle the? #development|work|maintenance|effort|design of|on|for w:project -> p works_on w
p:anyone do|does the? #development|work|maintenance|design|qa|ops of|on|for w:project -> p works_on w
p:anyone ~put #time|work|effort|hours|evenings|weekends into w:project -> p works_on w
p:anyone pour|pours #time|work|effort|hours|evenings|weekends into w:project -> p works_on w
p:anyone ~help with|on out? with|on? w:named -> p works_on w
p:anyone ~call the shots on w:project -> p works_on w
p:anyone ~keep w:project alive|running|going|afloat -> p works_on w
p:anyone ~have w:project on|in my|his|her|their #plate|desk|hands|radar -> p works_on w
w:project ~be p:anyone's #responsibility|job|turf|domain|area|task|problem|department -> p works_on w
w:project ~be on|in|under p:anyone's #plate|desk|hands|list|care|wing|responsibility -> p works_on w
w:project ~be my#responsibility|job|turf|domain|area|task|problem|department -> self works_on w
w:project ~be under|in p:somebody $ -> p works_on w
^ responsible|accountable for w:project : p:anyone -> p works_on w
^ in charge|control of w:project : p:anyone -> p works_on w
^ on w:project : p:anyone -> p works_on w
^ behind w:project : p:anyone -> p works_on w
^ working on w:project : p:anyone -> p works_on w
^ on p:anyone's #plate|desk|list|table : w:project -> p works_on w
^ now|currently on p:anyone's #plate|desk|list|table : w:project -> p works_on w
^ owner|owners|maintainer|maintainers|lead|leads|pm|developer|developers|devs|dev|manager|contact|team|author-in-chief of|for|on|behind w:project : p:anyone -> p works_on w
^ tech|technical|team|project|product lead|owner|manager of|for|on w:project : p:anyone -> p works_on w
^ tech|technical|team|project|product lead|owner|manager of|for|on w:project is p:anyone -> p works_on w
^ w:project owner|owners|maintainer|maintainers|lead|pm : p:anyone -> p works_on w
the #people|person|folks|ones|devs|developers|engineers|guys|one on|for w:project ~be p:anyone -> p works_on w
the #people|folks|ones|devs|developers|engineers|guys behind w:project ~be p:anyone -> p works_on w
the #people|person|folks|ones|devs|developers|engineers|guys|one who|that ~work|maintain|run|own|build on? w:project ~be p:anyone -> p works_on w
still|currently|now|mostly? busy|working|hacking|heads-down with|on w:project $ -> self works_on w
^ still|currently|now|mostly|been? working|hacking|tinkering on|with w:project $ -> self works_on w
^ still|currently|now|mostly|been? building|maintaining|leading|developing w:named $ -> self works_on w
^ still|currently|now|mostly? busy with w:project -> self works_on w
^ been working|hacking on w:project -> self works_on w
w:work , my#app|project|tool|game|library|bot|site|website|blog|plugin|crate|package|script|tracker , -> self works_on w
^ side|hobby|pet|current|weekend|main? #project|projects : w:named -> self works_on w
`

// idiomsOfTasks say who has which ticket.
const idiomsOfTasks = `
p:anyone grabbed|claimed|snagged|nabbed|accepted|took|got t:task -> t assigned_to p
p:anyone has|have grabbed|claimed|snagged|nabbed|accepted|taken t:task -> t assigned_to p
p:anyone ~pick^ t:task up -> t assigned_to p
p:anyone ~take^ t:task over|on -> t assigned_to p
p:anyone ~be handling|looking|working|tackling|doing|fixing|on|debugging|investigating into|on|at? t:task -> t assigned_to p
p:anyone has|have been working|looking on|into|at t:task -> t assigned_to p
p:anyone ~be on|assigned to? t:task -> t assigned_to p
p:anyone ~be+ to? t:task -> t assigned_to p
p:anyone ~handle|cover t:task -> t assigned_to p
p:anyone tackle|tackles|do|does t:task -> t assigned_to p
p:anyone ~be the? #assignee|owner of|for|on t:task -> t assigned_to p
p:anyone ~have t:task on my|his|her|their #plate|desk|list|board -> t assigned_to p
p:anyone was|were|got given|handed|assigned t:task -> t assigned_to p
t:task ~be on p:anyone's #plate|desk|list|board|queue|table -> t assigned_to p
t:task ~be on|with p:anyone $ -> t assigned_to p
t:task ~be in p:anyone's #hands|queue|court|list -> t assigned_to p
t:task ~be p:anyone's -> t assigned_to p
t:task ~be mine $ -> t assigned_to self
t:task ~be my#ticket|task|issue|job|problem -> t assigned_to self
t:task ~be on my#plate|desk|list|board|queue -> t assigned_to self
t:task ~belong to p:anyone $ -> t assigned_to p
t:task ~land|end^ up? on|with|at p:anyone's #plate|desk|list|table|queue -> t assigned_to p
t:task ~land|end^ up? on|with p:anyone $ -> t assigned_to p
t:task ~be+ to p:anyone -> t assigned_to p
t:task was|is|got|has been? given|handed|passed|transferred|delegated|assigned|reassigned|moved over|on? to p:anyone $ -> t assigned_to p
t:task was|got|has been? reassigned|moved|handed|passed|transferred over? from q:anyone to p:anyone -> t assigned_to p; not t assigned_to q
t:task moved|went|passed over? from q:anyone to p:anyone -> t assigned_to p; not t assigned_to q
p:anyone ~take^ t:task over? from q:anyone -> t assigned_to p; not t assigned_to q
p:anyone ~take^ over t:task from q:anyone -> t assigned_to p; not t assigned_to q
t:task : assigned to p:anyone -> t assigned_to p
t:task , assigned to p:anyone -> t assigned_to p
t:task ( assigned to p:anyone -> t assigned_to p
t:task ( assignee|owner : p:anyone -> t assigned_to p
^ assignee|owner of|for|on t:task : p:anyone -> t assigned_to p
^ t:task assignee|owner : p:anyone -> t assigned_to p
^ assigned to p:anyone : t:task -> t assigned_to p
^ on p:anyone's #plate|desk|list|table : t:task -> t assigned_to p
t:task's #assignee|owner ~be p:anyone -> t assigned_to p
we|i assigned|put p:anyone to|on t:task -> t assigned_to p
q:anyone assigned|put p:anyone to|on t:task -> t assigned_to p
p:anyone ~hand|pass|give^ t:task over|off|on? to q:anyone -> t assigned_to q
p:anyone ~be no longer on t:task -> not t assigned_to p
p:anyone ~be off t:task -> not t assigned_to p
p:anyone ~drop|return^ t:task $ -> not t assigned_to p
t:task ~be no longer with p:anyone -> not t assigned_to p
`
