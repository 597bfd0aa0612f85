// Package config is every setting of memory-graph in one struct: its default, its allowed range, its meaning, and the
// loading of flags over environment over file over defaults.
//
// The struct's tags are the one table that flags, environment variables, validation, `config show` and
// docs/configuration.md are made from:
//
//	key      the path below [memory.graph]; the variable and the flag follow from it
//	default  as it would be written in the environment
//	range    of a number or duration, as an interval: [0,1], (0,1], [1,)
//	oneof    the words allowed, a blank between
//	format   the shape of a string: see formats
//	help     one line
//	secret   "true": never a flag, masked in every listing
//	common   "true": shown in --help; the rest by `config keys`
//	unused   "true": nothing reads it in this version; of a table: of all its keys
//	group    the heading of the settings from here on
package config

//go:generate go test -run TestDocs_AreCurrent -update .

import (
	"cmp"
	"slices"
	"time"

	"memory-graph/internal/memory"
)

// Config is what is in force. Load makes it; Default gives the defaults for tests and tools.
type Config struct {
	// Paths are the directories of this user. They are found, not set.
	Paths Paths
	// File is the configuration file that was read, "" where there is none.
	File string

	DB          string        `key:"db" group:"Database" format:"path" common:"true" help:"The database file; empty is memory.db in the data directory"`
	ReadOnly    bool          `key:"read_only" default:"false" common:"true" help:"Offer the read tools only and open the database read-only"`
	Synchronous string        `key:"synchronous" default:"normal" oneof:"normal full" help:"What an acknowledged turn survives: normal is a killed process (power loss may take the last moments, never the file's integrity), full is also power loss, at one disk flush a turn"`
	BusyTimeout time.Duration `key:"busy_timeout" default:"10s" range:"[100ms,5m]" help:"How long a write waits for another process that holds the database"`

	Namespace string `key:"namespace" group:"Scope" default:"default" format:"scope" common:"true" help:"Namespace of calls that name none; namespaces are isolated from each other"`
	Project   string `key:"project" format:"scope" common:"true" help:"Project of calls that name none"`
	User      string `key:"user" format:"scope" common:"true" help:"Who \"I\" is in turns of calls that name no user"`

	Toolsets     []string `key:"toolsets" group:"Server" default:"core" oneof:"core temporal manage context hierarchy communities reference single all" common:"true" help:"Tools to offer, a comma between"`
	HTTP         string   `key:"http" format:"hostport" common:"true" help:"Serve streamable HTTP at /mcp of this address instead of stdio, such as 127.0.0.1:8765"`
	SSE          bool     `key:"sse" default:"false" common:"true" help:"With http: serve the older SSE transport at /sse too"`
	HTTPPublic   bool     `key:"http_public" default:"false" help:"Allow http to listen beyond this machine; the traffic is not encrypted, so put a TLS proxy in front"`
	Token        string   `key:"token" format:"token" secret:"true" help:"Bearer token of HTTP clients, at least 16 characters; empty: made at the first start and kept in the data directory"`
	LogLevel     string   `key:"log_level" default:"info" oneof:"debug info warn error" common:"true" help:"The least severe message that is logged"`
	LogFile      string   `key:"log_file" format:"path" common:"true" help:"Log to this file instead of stderr"`
	BudgetTokens int      `key:"budget_tokens" default:"500" range:"[0,100000]" help:"Tokens of the rendered context of calls that give no budget; 0 renders none"`
	ContextStyle string   `key:"context_style" default:"memory_context" oneof:"memory_context knowledge_graph" help:"Form of the rendered context"`

	Embedder            string        `key:"embedder" group:"Embedding" default:"builtin" oneof:"builtin openai none" common:"true" help:"Who makes vectors: the model inside the program, an OpenAI-compatible endpoint, or nobody (text search only)"`
	EmbeddingBaseURL    string        `key:"embedding_base_url" format:"url" help:"Endpoint for embeddings, up to and with /v1"`
	EmbeddingModel      string        `key:"embedding_model" format:"line" help:"Model to ask the endpoint for"`
	EmbeddingAPIKey     string        `key:"embedding_api_key" format:"token" secret:"true" help:"Key of the embedding endpoint; local servers need none"`
	EmbeddingDimensions int           `key:"embedding_dimensions" default:"0" range:"[0,8192]" help:"Length of the endpoint's vectors; 0 is the model's own"`
	EmbeddingTimeout    time.Duration `key:"embedding_timeout" default:"30s" range:"[1s,10m]" help:"Longest wait for one request to the embedding endpoint"`

	LLMBaseURL string `key:"llm_base_url" group:"Language model" format:"url" help:"OpenAI-compatible endpoint for extraction, up to and with /v1; empty: supplied facts and rules only"`
	LLMModel   string `key:"llm_model" format:"line" help:"Model to ask the endpoint for"`
	LLMAPIKey  string `key:"llm_api_key" format:"token" secret:"true" help:"Key of the endpoint; local servers need none"`

	LLMConcurrency int     `key:"llm_concurrency" default:"2" range:"[1,64]" help:"Requests to the endpoint at once, in one process"`
	LLMInputPrice  float64 `key:"llm_input_price" default:"0" range:"[0,10000]" help:"Price of a million tokens sent, in any currency; counts cost in stats; 0: unknown"`
	LLMOutputPrice float64 `key:"llm_output_price" default:"0" range:"[0,10000]" help:"Price of a million tokens received"`

	Enabled               bool    `key:"enabled" group:"Extraction" default:"true" help:"Extract entities and relations; without it turns are stored and found, and the graph stays as it is"`
	ExtractModel          string  `key:"extract_model" format:"line" help:"Model for extraction where it differs from llm_model"`
	MaxEntitiesPerMessage int     `key:"max_entities_per_message" default:"10" range:"[1,100]" help:"Entities taken from one turn"`
	MaxEdgesPerMessage    int     `key:"max_edges_per_message" default:"15" range:"[1,200]" help:"Relations taken from one turn"`
	ExtractionTimeoutSecs int     `key:"extraction_timeout_secs" default:"15" range:"[1,600]" help:"Longest extraction of one turn by the model, in seconds"`
	Rules                 bool    `key:"rules" default:"true" help:"Take what is said explicitly by built-in rules (English), when a turn is stored"`
	ExtractBytes          int     `key:"extract_bytes" default:"16384" range:"[256,1048576]" help:"How much of a turn's beginning extraction reads, in bytes; the turn is stored whole"`
	ExtractToolTurns      bool    `key:"extract_tool_turns" default:"false" help:"Take facts from what tools returned too, at their lower trust; otherwise only mentions"`
	TrustRoles            bool    `key:"trust_roles" default:"true" help:"Believe the role a host gives a turn; false: nothing from a tool call counts as said by the user"`
	ConfidenceMinimum     float64 `key:"confidence_minimum" default:"0.4" range:"[0,1]" help:"Facts below are not stored"`
	ConfidenceThreshold   float64 `key:"confidence_threshold" default:"0.7" range:"[0,1]" help:"Facts from here on count as full" unused:"true"`

	Scan                bool    `key:"scan" group:"Safety" default:"true" help:"Look for attacks in turns; what looks like one is stored and neither extracted nor injected"`
	QuarantineScoreUser float64 `key:"quarantine_score_user" default:"3" range:"(0,100]" help:"Score from which a user's turn is quarantined"`
	QuarantineScore     float64 `key:"quarantine_score" default:"2" range:"(0,100]" help:"Score from which any other turn is quarantined"`

	UseEmbeddingResolution    bool    `key:"use_embedding_resolution" group:"Entity resolution" default:"false" help:"Also match names by the similarity of their vectors"`
	EntitySimilarityThreshold float64 `key:"entity_similarity_threshold" default:"0.85" range:"[0,1]" help:"Cosine from which two names are one entity"`
	EntityAmbiguousThreshold  float64 `key:"entity_ambiguous_threshold" default:"0.7" range:"[0,1]" help:"Cosine from which two names may be one entity: they stay two, and a similar_to fact proposes it"`

	MaxHops           int     `key:"max_hops" group:"Graph retrieval" default:"2" range:"[1,8]" help:"Depth of strategy bfs and of graph_traverse where the call gives none; at most limits.search_hops and limits.traverse_hops"`
	RecallLimit       int     `key:"recall_limit" default:"10" range:"[0,200]" help:"Facts in an injected context"`
	TemporalDecayRate float64 `key:"temporal_decay_rate" default:"0" range:"[0,10]" help:"How much recent facts gain, per day of age; 0: nothing"`
	EdgeHistoryLimit  int     `key:"edge_history_limit" default:"100" range:"[1,10000]" help:"Versions listed of one fact" unused:"true"`

	RelationDecayRate     float64 `key:"relation_decay_rate" group:"Upkeep" default:"0.01" range:"[0,10]" help:"How fast the confidence of a relation without a rate of its own fades, per day since it was last observed"`
	EntityConfidenceFloor float64 `key:"entity_confidence_floor" default:"0.05" range:"[0,1]" help:"Fading leaves an entity at least this confidence"`
	RetentionDays         int     `key:"expired_edge_retention_days" default:"90" range:"[1,36500]" help:"Days after which ended facts and entities nothing refers to are archived" unused:"true"`
	MaxEntities           int     `key:"max_entities" default:"0" range:"[0,100000000]" help:"Entities kept in a namespace before the oldest are archived; 0: no limit" unused:"true"`
	CommunityRefresh      int     `key:"community_refresh_interval" default:"100" range:"[1,1000000]" help:"Turns between two detections of communities" unused:"true"`
	CommunityConcurrency  int     `key:"community_summary_concurrency" default:"4" range:"[1,64]" help:"Summaries of communities written side by side" unused:"true"`
	EdgeChunkSize         int     `key:"lpa_edge_chunk_size" default:"10000" range:"[0,10000000]" help:"Relations read at a time while communities are detected; 0: all in one stream" unused:"true"`

	NoteLinking         NoteLinking         `key:"note_linking" group:"Note linking"`
	SpreadingActivation SpreadingActivation `key:"spreading_activation" group:"Spreading activation"`
	Heartbeat           Heartbeat           `key:"heartbeat" group:"Heartbeat"`
	Limits              Limits              `key:"limits" group:"Limits"`
}

// Heartbeat is [memory.graph.heartbeat]: upkeep that one process does for all on the same file (F14, decision 20).
type Heartbeat struct {
	Enabled    bool          `key:"enabled" default:"true" help:"Let this process do upkeep; what one process does is done for all on the file, so one is enough"`
	Retry      time.Duration `key:"retry" default:"15m" range:"[1s,24h]" help:"How often background work that gave up, such as extraction whose model failed, is tried again"`
	Expiry     time.Duration `key:"expiry" default:"1h" range:"[1s,24h]" help:"How often scheduled ends that are due are written"`
	Reembed    time.Duration `key:"reembed" default:"5m" range:"[1s,24h]" help:"How often turns and entities without a vector are looked for: a process without an embedder stored them, or the embedder changed"`
	EntityFade time.Duration `key:"entity_fade" default:"24h" range:"[1s,720h]" help:"How often the confidence of entities that nothing was heard of for a week is multiplied by 0.9"`
}

// NoteLinking is [memory.graph.note_linking]: edges between what is alike or contradicts, and how their use fades (Z23,
// Z54, M5, M12-M15).
type NoteLinking struct {
	Enabled             bool    `key:"enabled" default:"false" help:"Link similar entities after extraction; similar memories are always linked"`
	SimilarityThreshold float64 `key:"similarity_threshold" default:"0.85" range:"[0,1]" help:"Cosine from which two are linked"`
	TopK                int     `key:"top_k" default:"10" range:"[1,1000]" help:"Links made for one entity"`
	TimeoutSecs         int     `key:"timeout_secs" default:"5" range:"[1,600]" help:"Longest pass, in seconds"`
	DecayLambda         float64 `key:"link_weight_decay_lambda" default:"0.95" range:"(0,1]" help:"What is left of an edge's count of uses after each interval; 1: everything"`
	DecayIntervalSecs   int     `key:"link_weight_decay_interval_secs" default:"86400" range:"[1,31536000]" help:"That interval, in seconds"`
	LLMEnabled          bool    `key:"llm_enabled" default:"false" help:"Ask the language model too: which memories contradict or refine each other, and what causes, specializes or conditions what"`
	AmbiguousMin        float64 `key:"ambiguous_similarity_min" default:"0.7" range:"[0,1]" help:"Cosine from which two memories are shown to the model"`
	AmbiguousMax        float64 `key:"ambiguous_similarity_max" default:"0.9" range:"[0,1]" help:"Cosine up to which two memories are shown to the model"`
	RelationshipMinimum float64 `key:"relationship_confidence_threshold" default:"0.7" range:"[0,1]" help:"Least confidence of the model's contradicts and refines"`
	SemanticContext     int     `key:"semantic_context_limit" default:"20" range:"[1,200]" help:"Recent memories shown with a new one"`
	SemanticMinimum     float64 `key:"semantic_confidence_threshold" default:"0.6" range:"[0,1]" help:"Least confidence of the model's other edges between memories"`
	SemanticMinChars    int     `key:"semantic_min_chars" default:"20" range:"[1,10000]" help:"Shorter memories are not shown to the model"`
}

// SpreadingActivation is [memory.graph.spreading_activation]: the strategy synapse (Z26-Z33).
type SpreadingActivation struct {
	Enabled              bool    `key:"enabled" default:"false" help:"Let strategy auto choose synapse"`
	DecayLambda          float64 `key:"decay_lambda" default:"0.85" range:"(0,1]" help:"What one hop leaves of an activation"`
	MaxHops              int     `key:"max_hops" default:"3" range:"[1,8]" help:"Depth where the call gives none; at most limits.search_hops"`
	ActivationThreshold  float64 `key:"activation_threshold" default:"0.1" range:"[0,1]" help:"Nodes below are left out; must be below inhibition_threshold"`
	InhibitionThreshold  float64 `key:"inhibition_threshold" default:"0.8" range:"[0,1]" help:"A node receives no more from here on"`
	MaxActivatedNodes    int     `key:"max_activated_nodes" default:"50" range:"[1,10000]" help:"Nodes in an answer"`
	SeedStructuralWeight float64 `key:"seed_structural_weight" default:"0.4" range:"[0,1]" help:"Share of an entity's place in the graph in the choice of seeds; the rest is the text's"`
	SeedCommunityCap     int     `key:"seed_community_cap" default:"3" range:"[0,1000]" help:"Seeds of one community; 0: no limit"`
}

// Limits is [memory.graph.limits]: what one call may bring and what one answer may carry. Over a limit is an error,
// never a silent cut of what is stored.
type Limits struct {
	ContentBytes    int `key:"content_bytes" default:"262144" range:"[1,16777216]" help:"Content of one turn, in bytes"`
	NameBytes       int `key:"name_bytes" default:"512" range:"[16,4096]" help:"Name of an entity, in bytes"`
	ScopeBytes      int `key:"scope_bytes" default:"200" range:"[1,200]" help:"Name of a namespace, project, user or session, in bytes"`
	Entities        int `key:"entities" default:"100" range:"[1,10000]" help:"Entities supplied in one call"`
	Relations       int `key:"relations" default:"200" range:"[1,10000]" help:"Relations supplied in one call"`
	Results         int `key:"results" default:"50" range:"[1,1000]" help:"Largest limit a call may ask for"`
	DefaultResults  int `key:"default_results" default:"10" range:"[1,1000]" help:"Limit of calls that give none; at most limits.results"`
	SearchHops      int `key:"search_hops" default:"4" range:"[1,8]" help:"Largest max_hops of search_graph"`
	TraverseHops    int `key:"traverse_hops" default:"6" range:"[1,12]" help:"Largest max_hops of graph_traverse"`
	AnswerBytes     int `key:"answer_bytes" default:"32768" range:"[4096,16777216]" help:"One answer, in bytes; the rest is under next_cursor"`
	FullAnswerBytes int `key:"full_answer_bytes" default:"262144" range:"[4096,16777216]" help:"One answer where detail is full, in bytes; at least limits.answer_bytes"`
	BodyBytes       int `key:"body_bytes" default:"4194304" range:"[65536,67108864]" help:"Body of one HTTP request, in bytes; more than limits.content_bytes"`
}

// Default gives the settings of an empty environment, with no paths resolved: DB is "".
func Default() *Config {
	c := &Config{}
	for _, s := range Settings() {
		if v, err := s.parseText(s.Default); err == nil { // a test parses every default
			s.set(c, v)
		}
	}
	return c
}

// ReadingModel is the language model that reads turns; "" where none is set.
func (c *Config) ReadingModel() string { return cmp.Or(c.ExtractModel, c.LLMModel) }

// Models are the language models that the endpoint is asked for: the one that reads turns, and the one that does the
// rest.
func (c *Config) Models() []string {
	return slices.Compact([]string{c.ReadingModel(), cmp.Or(c.LLMModel, c.ExtractModel)})
}

// refuse words a setting that cannot be used: which, with which value, from where, and what is allowed.
func refuse(s Setting, value, source, allowed string) *memory.Error {
	if s.Secret {
		value = "(hidden)"
	}
	return memory.Errorf(memory.InvalidArgument, "%s = %s (%s) is not allowed: it takes %s.", s.Key, value, source,
		allowed).
		WithHint("Correct it there; `memory-graph config keys` lists every setting with its range.")
}
