package rules

// idiomsOfPeople say where somebody is, whom the user knows and is called, and what is liked.
const idiomsOfPeople = `
p:anyone ~be a #resident|citizen|inhabitant of l:place -> p located_in l
p:anyone ~have my|his|her|their|a #home|house|base|flat|place in l:place -> p located_in l
p:anyone ~make my|his|her|their #home in l:place -> p located_in l
p:anyone ~live|reside in|with a|an|the|my|his|her x:thing in|near l:place -> p located_in l
p:anyone stay|stays in l:place now|nowadays -> p located_in l
p:anyone ~be based|living|working out of l:place -> p located_in l
p:anyone ~call l:place home -> p located_in l
p:anyone's #home|hometown|base|residence|place|location ~be in? l:place $ -> p located_in l
p:anyone's home town|base|city ~be l:place -> p located_in l
my#home|hometown|base|residence|location ~be in? l:place -> self located_in l
my#town|city|base ~be l:place -> self located_in l
home is|= now|currently? l:place -> self located_in l
l:place is my#home|base|town|city -> self located_in l
l:place is home now? $ -> self located_in l
l:place is where i|we live -> self located_in l
l:place is where p:anyone lives -> p located_in l
p:anyone ~move|return^ back|over|out|up|down? to l:town $ -> p located_in l
p:anyone ~relocate^ back|over|out|up|down? to l:place $ -> p located_in l
p:anyone ~be+ to|into our|the|their|his|her? l:place office|branch|site -> p located_in l
p:anyone got|was|were|has|have been? transferred|relocated|moved|posted|sent to our|the|their? l:place office|branch|site|team|hq -> p located_in l
p:anyone transferred|moved|relocated to our|the? l:place office|branch|site|hq -> p located_in l
^ got transferred|relocated|moved|posted to our|the? l:place office|branch|site|team|hq -> self located_in l
^ based|living|residing|located|stationed in|near|at l:place $ -> self located_in l
^ moved back|over? to l:town $ -> self located_in l
^ relocated back|over? to l:place $ -> self located_in l
^@ lives|resides|based in|near l:place -> self located_in l
^ location|city|home|hometown|residence|based|lives|town in? : in? l:place -> self located_in l
my#location|city|residence|home|town : l:place -> self located_in l
p:anyone ( based|living|located|lives|located in l:place -> p located_in l
p:anyone , now|currently? based|living|located in l:place , -> p located_in l
p:anyone ( l:place ) -> p located_in l
p:anyone found|bought|rented|rents|rent|got|has|have a #flat|apartment|house|place|room in l:place and|where moved|lives|live -> p located_in l
p:anyone no longer lives|live in l:place -> not p located_in l
p:anyone gave|given up my|our|the|his|her|their #flat|apartment|room|house|place in|near l:place -> not p located_in l
p:anyone used to live|be in|based in? l:place -> not p located_in l
p:anyone swapped|traded|left l:town for m:place -> p located_in m; not p located_in l
p:anyone ~move^ out of|from|away from? l:place $ -> not p located_in l

p:anyone ~sit next|opposite|across|beside|behind to|from? me|us -> self knows p
p:anyone ~sit|work at|in the? #desk|room|office next|opposite to|from? me|mine -> self knows p
p:anyone and i|me ~go way back -> self knows p
p:anyone and i ~know each other -> self knows p
p:anyone and i ~go^ to #school|university|college|uni together -> self knows p
p:anyone and i work|worked|study|studied|live|lived|grew|grow together|up -> self knows p
p:anyone and i are|were|'re|have been? #friends|colleagues|teammates|neighbours|neighbors|flatmates|roommates|classmates|siblings|cousins|buddies|partners|mates|coworkers|married|engaged -> self knows p
p:anyone ~report to me|us -> self knows p
i ~report to p:anyone -> self knows p
i ~be married|engaged|related to p:anyone -> self knows p
@ p:anyone ~be married|engaged to q:anyone -> p knows q
i ~share an|a|my|the #office|desk|flat|room|house|apartment with p:anyone -> self knows p
i met p:anyone at|in|on|through|during|when|last|while -> self knows p
i ~know p:anyone from|through|since|well|personally -> self knows p
i ~be friends|colleagues|neighbours|neighbors|roommates|flatmates with p:anyone -> self knows p
i ~have a|an|one|my little|big|older|younger|twin|good|close? #sister|brother|son|daughter|friend|colleague|boss|cousin|neighbour|neighbor|manager|wife|husband|partner , called|named? p:anyone -> self knows p
p:anyone , a|an old|good|close|dear? #friend|colleague|buddy|mate|coworker|neighbour|neighbor|cousin of mine|ours -> self knows p
p:anyone is a|an old|good|close|dear? #friend|colleague|buddy|mate|coworker|neighbour|neighbor|cousin of mine|ours -> self knows p
p:anyone from|on|in my|our #team|squad|office|department|class|course|school|group|floor|crew -> self knows p
my#boss|manager|friend|wife|husband|partner|sister|brother|colleague|lead|mentor|neighbour|neighbor|supervisor|advisor|daughter|son|flatmate|roommate|mother|father|mom|mum|dad|teammate|intern|doctor|landlord|coach|teacher|girlfriend|boyfriend|assistant|buddy|cto|ceo|owner|pm|designer : p:anyone -> self knows p
my#boss|manager|friend|wife|husband|partner|sister|brother|colleague|lead|mentor|neighbour|neighbor|supervisor|advisor|daughter|son|flatmate|roommate|mother|father|teammate|intern|doctor|landlord|coach|teacher|girlfriend|boyfriend|assistant|buddy|designer ~be called|named? p:anyone $ -> self knows p
^@ manager|boss|wife|husband|partner|supervisor|mentor|sister|brother|daughter|son|spouse|colleague|lead : p:anyone -> self knows p

^@ user goes|go by p:anyone -> self same_as p
^@ user is called|named|nicknamed p:anyone -> self same_as p
^@ user's? user #name|nickname : p:anyone -> self same_as p
my#name|nickname|handle : p:anyone -> self same_as p
my#name|nickname ~be p:anyone $ -> self same_as p
^ name 's|is p:anyone $ -> self same_as p
^ the name is|'s p:anyone $ -> self same_as p
^@ name|nickname : p:anyone -> self same_as p
^ this is p:anyone here|speaking|again|from|, -> self same_as p
^ p:anyone speaking|writing -> self same_as p
i|user go|goes|am|is known by|as the? #name? of? p:anyone -> self same_as p
i|user prefer|prefers to be called p:anyone -> self same_as p

between a:thing , p:anyone ~go|prefer|pick|choose|like for? x:thing $ -> p prefers x
between a:thing p:anyone ~go|prefer|pick|choose|like for? x:thing $ -> p prefers x
^ give me x:thing over y:thing -> self prefers x
^ x:thing over y:thing any|every day|time -> self prefers x
^@ prefers x:thing -> self prefers x
^@ likes|favours|favors|wants|loves x:thing -> self prefers x
^ #preference|preferences : x:thing -> self prefers x
^ favourite|favorite|preferred #thing|editor|language|tool|framework|database|shell|browser|ide|os|distro|terminal|library|stack|theme|food|drink|music|color|colour|band|book|game|film|movie|city : x:thing -> self prefers x
my#editor|tool|language|database|shell|framework|browser|distro|ide|weapon of choice ~be x:tech -> self prefers x
p:anyone ~be fond|partial of|to x:thing $ -> p prefers x
p:anyone ~be a big|huge|great|real|massive|long-time? #fan|lover|admirer|supporter of x:thing $ -> p prefers x
p:anyone ~be more of a x:tech person|guy|girl|gal|man|woman|user|fan -> p prefers x
p:anyone ~be a x:tech person|guy|girl|gal|fan|fanboy|lover|enthusiast -> p prefers x
p:anyone ~be in love with x:tech $ -> p prefers x
p:anyone ~have a #preference|weakness|fondness for x:thing $ -> p prefers x
p:anyone ~prefer working|coding|writing|using|developing|programming with|in|on? x:tech -> p prefers x
p:anyone ~choose|pick|take x:thing over y:thing any|every day|time -> p prefers x
nothing beats x:tech -> self prefers x
x:tech beats y:tech for me -> self prefers x
x:tech ~be my#favourite|favorite|preference|fave|jam -> self prefers x
x:named ~be my#favourite|favorite|preference|fave|jam -> self prefers x
@ user likes|wants|favours|favors x:thing $ -> self prefers x

x:tech ~drive me|us crazy|mad|nuts|insane|bonkers|batty|up -> self dislikes x
x:tech ~drive p:anyone crazy|mad|nuts|insane|bonkers|up -> p dislikes x
x:tech ~get on my|our #nerves|nerve -> self dislikes x
x:tech annoys|bugs|irritates|frustrates|infuriates me|us -> self dislikes x
x:tech annoys|bugs|irritates|frustrates|infuriates p:anyone -> p dislikes x
x:tech makes me|us angry|cry|sad|want|furious|mad -> self dislikes x
x:tech is|are the #worst $ -> self dislikes x
^ not|no a|an|really|exactly|much? big|huge|great? #fan of x:thing $ -> self dislikes x
p:anyone ~be no #fan|friend|admirer of x:thing $ -> p dislikes x
p:anyone ~be- fond|keen of|on x:thing $ -> p dislikes x
p:anyone ~be sick|tired|weary|fed of|up with? x:tech $ -> p dislikes x
i|we have|had|'ve had it|enough with|of x:tech -> self dislikes x
p:anyone have|has? never liked|loved|enjoyed x:thing $ -> p dislikes x
p:anyone never liked|warmed up? to? x:thing $ -> p dislikes x
p:anyone ~find x:thing annoying|unbearable|horrible|terrible|awful|painful|frustrating|ugly|tedious|unpleasant|insufferable|unusable|clunky|dreadful|confusing -> p dislikes x
p:anyone ~have a|an strong? #dislike|aversion|hatred|distaste|loathing of|for|to x:thing $ -> p dislikes x
p:anyone ~have no #love|patience for x:thing $ -> p dislikes x
p:anyone ~be allergic|averse to x:tech -> p dislikes x
p:anyone steer|steers clear of x:tech -> p dislikes x
p:anyone complain|complains about x:tech -> p dislikes x
p:anyone can|could not stand|bear|abide|tolerate x:thing $ -> p dislikes x
^@ dislikes|hates|avoids|loathes|detests x:thing -> self dislikes x
^ dislikes|hates|avoids|pet : x:thing -> self dislikes x
^ pet #peeve|peeves : x:thing -> self dislikes x
my#peeve ~be x:thing -> self dislikes x
`
