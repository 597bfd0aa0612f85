package rules

// ordinaryWords are small words that name no software and no component where such a name could stand alone: "uses force",
// "needs sleep", "everything depends on luck".
var ordinaryWords = set(`
breakfast lunch supper brunch meals soup bread sushi pancakes dessert
preference preferences employer location manager workplace residence hometown candidate candidates alternative alternatives options verdict outcome conclusion
ability access account action activity advice age air alcohol alternative amount analysis anger animal answer apple approach area arm art aspect attention attitude
authority average awareness baby back background bag balance ball bank base bath battery bean bed beer belief benefit bike bill bird birth bit blame blood board boat body
book boss bottle bottom box brain branch brand bread breath brick bridge brush bucket budget bus business butter button cake call camera camp cancer candle capital car card
care career case cash cat cause cell center cereal chain chair challenge chance change character charge chat cheese chest child choice church circle citizen city class clay
clock cloth clothes cloud club coal coat code coffee cold color colour comfort command comment common company comparison complaint concept concern condition confidence conflict
consent context contract control copy corn corner cost cotton couch country courage course cover cream credit cup curve custom cycle dairy damage dance danger dark data date
dates death debt deal debate degree delay demand depth desk detail device diet difference dinner dirt discount disease distance dog door doubt draft drama dream dress drink
drive driver drop drug duck dust duty ear earth ease east economy edge effect effort egg eggs elbow email end energy engine english entry environment error essay event everyone
evidence exam example exercise experience expert eye face fact failure faith fall family farm fashion fat father fear feature fee feedback feeling feet fence fiber fiction field
fight file film fire fish flat floor flour flow flower focus food foot force form fortune frame freedom friday friend fruit fuel fun function fund future game garage garden
garlic gas gate gift girl glass glasses goal gold good grade grain grammar grass ground group growth guard guess guest guide gun gut habit hair half hall hand hands hardware hat
health heart heat height help herb high history hobby hole home honey hope horse hospital host hotel hour house human humor humour humidity husband ice idea image impact
income indoors industry ink insight instance interest internet iron island item job joke joy juice jury justice key keyboard kid kitchen knife knowledge label lack lake lamp
land language laptop law layer lead leaf leather leave leg lemon lemons length letter level life light limit line link lip list load loan local location lock logic look loss lot
love luck lunch machine magic mail makeup male man manual map margin mark market mass master match material math matter meal meaning measure meat media medicine meeting member
memory menu mercy message metal method middle milk mind minute mirror mistake mobile mode model mom moment money month mood moon morning motion mouse mouth move movie mud muscle
music nail name nature neck need nerve network news night noise noodles north nose note notes notice novel null number nurse oil onion opinion option orange order oven owner pace
package page pain paint pair pants paper parent park part partner party pasta path patience pattern pause pay peace peak pen pencil penny people pepper percent person phase phone
photo phrase piece pillow pin pipe pizza place plan plane plant plastic plate play player pleasure plenty poem poet point police policy pool position post pot potato power practice
praise prayer pressure price pride print prize problem process profit program progress promise proof property protein public pull pump purpose push quality question quiet race
radio rain range rate ratio reach reader reality reason recipe record red reference region relief rent reply report request rescue research resource respect rest result return
review reward rhythm rice ring risk river road rock role roof room root rope routine row rubber rule run safety salad salary salt sample sand sauce scale scene schedule scheme school
science scissors score screen sea seal search season seat secret self sense series server session set sex shade shadow shame shape share sheet ship shirt shock shoe shop show shower
side sight sign signal silence silver sin sink site size skill skin sky sleep slice smell smile smoke snow soap society sock soda soft soil song soul sound soup south space speech
speed spell spice spirit split spoon sport spot spring square staff stage star start state steam steel step stick stock stone storage store storm story strategy stream street
strength stress string structure student style subject success sugar suit sum summer sun supply support surface surprise sweat swim symbol sympathy system table tail talent tale
talk tape target task taste tax tea teacher team tear technique technology temperature term test text thanks theme theory thread threat throat ticket tie time tip tissue title toast
today toe tone tongue tool tooth top topic total touch tour town track trade tradition traffic train transport trash travel treat tree trend trial trick trip trouble truck trust truth try
tune turn type union unit update use user value van variety vegetable vehicle version video view vinegar violence virtue vision visit voice volume vote wage walk wall war warmth
waste water wave way weak wealth weather web week weight west wheel white wife wifi will wind window wine wing winter wire wisdom wish woman wonder wood wool word words work
worker world worry worth wound writing yard year youth zone
alone better best both common cool correct easy fast fine free great happy hard late less little long low main many more most much nice open other own perfect poor possible private
quick ready real right sad safe same sick simple slow small special strong such sure tired true warm well whole wrong young
ai api apis app apps async auth backend bash batch binary bits blob bug bugs bytes cache caches caching caps cert certs chunk cli client clients code cookie cookies cors cpu crud css csv
daemon dashboard database databases db ddl debug defaults deploy desktop dev diff disk dns docs driver email emoji emojis emojis endpoint env errors events export field fields flags float folder
fork form frontend func gpu hash header headers heap hook hooks html http https icon id ide index infra input int ints json kernel key keys lib linter linters loop loops macro macros
markdown merge metadata method mock mocks module monolith mutex naming native node nodes nosql null oauth object objects offset orm orms output package packages parser password passwords patch
pixel pixels plugin plugins pointer port ports prod prompt prompts proxy query queue queues ram rebase refs regex regexes repo repos request rest root route routes router runtime schema schemas script scripts
sdk secret secrets shell slug snippet socket spaces spec specs sprint sprints sql ssh ssl stack staging storage string strings struct stubs sudo syntax tab tabs tag tags template templates
terminal tests thread threads tls toggle token tokens tool tools ui unit url urls user users utf uuid uuids validation variable variables vm vms vpn webhook webhooks widget xml yaml
he she it they him her them anyone reality tradition everything honesty someone anything context
`)
