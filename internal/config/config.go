// Package config defines and loads the settings of memory-graph. A flag overrides the environment, which overrides the
// configuration file, which overrides the default.
//
// Config holds all settings. Flags, environment variables, validation, `config show` and docs/configuration.md come
// from the tags of its fields:
//
//	key      the path below [memory.graph]; the variable and the flag are derived from it
//	default  the default, as written in the environment
//	range    the range of a number or duration, as an interval: [0,1], (0,1], [1,)
//	oneof    the allowed words, separated by spaces
//	format   the form of a string; see formats
//	help     the description, in one line
//	secret   "true": has no flag, and is masked in every listing
//	alias    another name of the flag, which --help shows
//	common   "true": shown in --help; `config keys` shows the others
//	own      "true": from a file it is read only in the user's own config.toml, not in one named by --config
//	group    the heading of this setting and the following ones
package config

//go:generate go test -run TestDocs_AreCurrent -update .

import (
	"cmp"
	"slices"
	"time"

	"memory-graph/internal/command"
	"memory-graph/internal/memory"
)

// Config holds the settings. Load returns the configured ones, Default the defaults.
type Config struct {
	// Paths are the directories of this user, derived from the environment.
	Paths Paths
	// File is the configuration file that was read, or "" if there is none.
	File string
	// Env is the environment for llm_command; nil if it is not set.
	Env []string
	// Warnings are sentences about settings that were ignored.
	Warnings []string

	DB          string        `key:"db" group:"Database" format:"path" common:"true" help:"Database file; empty: memory.db in the data directory"`
	ReadOnly    bool          `key:"read_only" default:"false" common:"true" help:"Offer only tools that read, and open the database read-only"`
	Synchronous string        `key:"synchronous" default:"normal" oneof:"normal full" help:"What a stored turn survives. normal: a killed process (a power loss may lose the last moments, but never damages the file); full: a power loss too, at one disk flush per turn"`
	BusyTimeout time.Duration `key:"busy_timeout" default:"10s" range:"[100ms,5m]" help:"How long a write waits while another process holds the database"`

	Namespace string `key:"namespace" group:"Scope" default:"default" format:"scope" common:"true" help:"Namespace of calls that name none; namespaces are isolated from each other"`
	Project   string `key:"project" format:"scope" common:"true" help:"Project of calls that name none"`
	User      string `key:"user" format:"scope" common:"true" help:"User of calls that name none: who \"I\" is in a turn"`
	Routes    Routes `key:"routes" own:"true" help:"Namespaces of the repositories of an owner, or of those that match an owner/name pattern; other repositories use the setting namespace"`

	Toolsets     []string `key:"toolsets" group:"Server" default:"core" oneof:"core temporal manage context hierarchy communities reference single all" common:"true" help:"Toolsets to offer, separated by commas"`
	HTTP         string   `key:"http" format:"hostport" common:"true" help:"Serve streamable HTTP at /mcp of this address instead of stdio, such as 127.0.0.1:8765"`
	SSE          bool     `key:"sse" default:"false" common:"true" help:"With http: also serve the older SSE transport at /sse"`
	HTTPPublic   bool     `key:"http_public" default:"false" help:"Allow http to listen beyond this machine; traffic is not encrypted, so put a TLS proxy in front"`
	Token        string   `key:"token" format:"token" secret:"true" help:"Bearer token of HTTP clients, at least 16 characters; empty: created at the first start and kept in the data directory"`
	LogLevel     string   `key:"log_level" default:"info" oneof:"debug info warn error" common:"true" help:"Lowest level of messages that are logged"`
	LogFile      string   `key:"log_file" format:"path" common:"true" help:"Log to this file instead of stderr"`
	BudgetTokens int      `key:"budget_tokens" default:"500" range:"[0,100000]" help:"Tokens of the rendered context in calls that set no budget; 0: no context"`
	ContextStyle string   `key:"context_style" default:"memory_context" oneof:"memory_context knowledge_graph" help:"Form of the rendered context"`

	Embedder            string        `key:"embedder" group:"Embedding" default:"builtin" oneof:"builtin openai none" common:"true" help:"What makes vectors: the built-in model, an OpenAI-compatible endpoint, or nothing (text search only)"`
	EmbeddingBaseURL    string        `key:"embedding_base_url" format:"url" help:"Base URL of the embedding endpoint, including /v1"`
	EmbeddingModel      string        `key:"embedding_model" format:"line" help:"Model name for the embedding endpoint"`
	EmbeddingAPIKey     string        `key:"embedding_api_key" format:"token" secret:"true" help:"API key of the embedding endpoint; local servers need none"`
	EmbeddingDimensions int           `key:"embedding_dimensions" default:"0" range:"[0,8192]" help:"Length of the endpoint's vectors; 0: the model's default"`
	EmbeddingTimeout    time.Duration `key:"embedding_timeout" default:"30s" range:"[1s,10m]" help:"Longest wait for one request to the embedding endpoint"`

	LLMBaseURL string `key:"llm_base_url" group:"Language model" format:"url" help:"Base URL of an OpenAI-compatible endpoint for extraction, including /v1; empty: only supplied facts and rules"`
	LLMModel   string `key:"llm_model" format:"line" help:"Model name for the endpoint"`
	LLMAPIKey  string `key:"llm_api_key" format:"token" secret:"true" help:"API key of the endpoint; local servers need none"`

	LLMCommand        string        `key:"llm_command" format:"command" own:"true" help:"Command that reads a prompt on stdin and answers on stdout, such as claude -p, instead of llm_base_url; run without a shell. Not read from a file named by --config"`
	LLMCommandTimeout time.Duration `key:"llm_command_timeout" default:"90s" range:"[1s,30m]" help:"Longest run of llm_command, for up to 8 turns; then it is killed"`
	LLMCommandGather  time.Duration `key:"llm_command_gather" default:"20s" range:"[0s,1h]" help:"How long a turn waits for others, up to 8, before llm_command is run for all of them; 0s: not at all"`
	LLMDailyCalls     int           `key:"llm_daily_calls" default:"0" range:"[0,1000000]" help:"Most requests to the model a day (UTC), of all processes on the file together; 0: 300 for llm_command, no limit for llm_base_url"`
	LLMDailyTokens    int           `key:"llm_daily_tokens" default:"0" range:"[0,1000000000]" help:"Most tokens sent to and received from the model a day (UTC), counted like llm_daily_calls; 0: 2000000 for llm_command, no limit for llm_base_url"`

	LLMConcurrency int     `key:"llm_concurrency" default:"2" range:"[1,64]" help:"Concurrent requests to the endpoint, per process"`
	LLMInputPrice  float64 `key:"llm_input_price" default:"0" range:"[0,10000]" help:"Price of a million input tokens, in any currency; stats uses it for cost; 0: unknown"`
	LLMOutputPrice float64 `key:"llm_output_price" default:"0" range:"[0,10000]" help:"Price of a million output tokens; 0: unknown"`

	Enabled               bool    `key:"enabled" group:"Extraction" default:"true" alias:"graph-memory" help:"Extract entities and relations; if false, turns are stored and found, and the graph does not change"`
	ExtractModel          string  `key:"extract_model" format:"line" help:"Model for extraction, if not llm_model"`
	MaxEntitiesPerMessage int     `key:"max_entities_per_message" default:"10" range:"[1,100]" help:"Most entities taken from one turn, without concepts such as dates and roles"`
	MaxEdgesPerMessage    int     `key:"max_edges_per_message" default:"15" range:"[1,200]" help:"Most relations taken from one turn"`
	ExtractionTimeoutSecs int     `key:"extraction_timeout_secs" default:"15" range:"[1,600]" help:"Longest extraction of one turn by the model, in seconds"`
	Rules                 bool    `key:"rules" default:"true" help:"Extract explicit statements with built-in rules (English) when a turn is stored"`
	ExtractBytes          int     `key:"extract_bytes" default:"16384" range:"[256,1048576]" help:"Bytes at the start of a turn that extraction reads; the whole turn is stored"`
	ExtractToolTurns      bool    `key:"extract_tool_turns" default:"false" help:"Also extract facts from turns of tools, at their lower trust; otherwise only mentions"`
	TrustRoles            bool    `key:"trust_roles" default:"true" help:"Trust the role that a host gives a turn; false: nothing in a tool call counts as said by the user"`
	ConfidenceMinimum     float64 `key:"confidence_minimum" default:"0.4" range:"[0,1]" help:"Facts and entities with a lower confidence are not stored"`
	ConfidenceThreshold   float64 `key:"confidence_threshold" default:"0.7" range:"[0,1]" help:"Facts with at least this stored confidence are full. The others are raw: answers mark them. A context block has those from 0.6 on, last and marked, and never a fact below 0.6"`

	Scan                bool    `key:"scan" group:"Safety" default:"true" help:"Scan turns for attacks; a suspicious turn is stored, but neither extracted nor injected"`
	QuarantineScoreUser float64 `key:"quarantine_score_user" default:"3" range:"(0,100]" help:"Score from which a turn of the user is quarantined"`
	QuarantineScore     float64 `key:"quarantine_score" default:"2" range:"(0,100]" help:"Score from which any other turn is quarantined"`

	UseEmbeddingResolution    bool    `key:"use_embedding_resolution" group:"Entity resolution" default:"false" help:"Also match names by the similarity of their vectors"`
	EntitySimilarityThreshold float64 `key:"entity_similarity_threshold" default:"0.85" range:"[0,1]" help:"Cosine from which two names are one entity"`
	EntityAmbiguousThreshold  float64 `key:"entity_ambiguous_threshold" default:"0.7" range:"[0,1]" help:"Cosine from which two names may be one entity: both stay, and a similar_to fact proposes it"`

	MaxHops           int     `key:"max_hops" group:"Graph retrieval" default:"2" range:"[1,8]" help:"Depth of strategy bfs and of graph_traverse in calls that set none; at most limits.search_hops and limits.traverse_hops"`
	RecallLimit       int     `key:"recall_limit" default:"10" range:"[0,200]" help:"Most facts in an injected context"`
	TemporalDecayRate float64 `key:"temporal_decay_rate" default:"0" range:"[0,10]" help:"Bonus for recent facts, per day of age; 0: none"`
	EdgeHistoryLimit  int     `key:"edge_history_limit" default:"100" range:"[1,10000]" help:"Most versions or facts that history lists of one object, over all pages"`

	RelationDecayRate     float64 `key:"relation_decay_rate" group:"Upkeep" default:"0.01" range:"[0,10]" help:"Decay of confidence per day since the last observation, for relations without a rate of their own"`
	EntityConfidenceFloor float64 `key:"entity_confidence_floor" default:"0.05" range:"[0,1]" help:"Lowest confidence that decay leaves an entity"`
	RetentionDays         int     `key:"expired_edge_retention_days" default:"90" range:"[1,36500]" help:"Days after which ended facts are archived, and entities without active facts that were not seen"`
	MaxEntities           int     `key:"max_entities" default:"0" range:"[0,100000000]" help:"Entities of a namespace above which the longest unseen without active facts are archived; 0: no limit"`
	CommunityRefresh      int     `key:"community_refresh_interval" default:"100" range:"[1,1000000]" help:"Stored turns between two refreshes of the communities"`
	CommunityConcurrency  int     `key:"community_summary_concurrency" default:"4" range:"[1,64]" help:"Community summaries that a model writes at the same time"`
	EdgeChunkSize         int     `key:"lpa_edge_chunk_size" default:"10000" range:"[0,10000000]" help:"Relations read at a time during community detection; 0: all in one stream"`

	NoteLinking         NoteLinking         `key:"note_linking" group:"Note linking"`
	SpreadingActivation SpreadingActivation `key:"spreading_activation" group:"Spreading activation"`
	HybridGraph         HybridGraph         `key:"hybrid_graph" group:"Graph expansion"`
	Traces              Traces              `key:"traces" group:"Traces"`
	Heartbeat           Heartbeat           `key:"heartbeat" group:"Heartbeat"`
	Limits              Limits              `key:"limits" group:"Limits"`
}

// Heartbeat is [memory.graph.heartbeat]: periodic upkeep, which one process does for all on the same file.
type Heartbeat struct {
	Enabled    bool          `key:"enabled" default:"true" help:"Run periodic upkeep in this process; one process per file is enough, since upkeep serves all of them"`
	Retry      time.Duration `key:"retry" default:"15m" range:"[1s,24h]" help:"How often failed background work is retried, such as extraction after an error of the model"`
	Expiry     time.Duration `key:"expiry" default:"1h" range:"[1s,24h]" help:"How often due scheduled ends are written"`
	Reembed    time.Duration `key:"reembed" default:"5m" range:"[1s,24h]" help:"How often turns and entities without a vector are looked for: a process without an embedder stored them, or the embedder changed"`
	EntityFade time.Duration `key:"entity_fade" default:"24h" range:"[1s,720h]" help:"How often the confidence of entities that were not observed for a week is multiplied by 0.9"`
	Archive    time.Duration `key:"archive" default:"24h" range:"[1s,720h]" help:"How often ended facts and unseen entities are archived: see expired_edge_retention_days and max_entities"`
}

// NoteLinking is [memory.graph.note_linking]: links between similar or contradicting memories, and the decay of their
// use counts.
type NoteLinking struct {
	Enabled             bool    `key:"enabled" default:"false" help:"Link similar entities after extraction; similar memories are always linked"`
	SimilarityThreshold float64 `key:"similarity_threshold" default:"0.85" range:"[0,1]" help:"Cosine from which two are linked"`
	TopK                int     `key:"top_k" default:"10" range:"[1,1000]" help:"Most links made for one entity"`
	MemoryCandidates    int     `key:"memory_candidates" default:"20" range:"[1,1000]" help:"Nearest memories or turns that one is compared with"`
	MemoryLinks         int     `key:"memory_links" default:"5" range:"[1,1000]" help:"Most links made for one memory or turn"`
	TimeoutSecs         int     `key:"timeout_secs" default:"5" range:"[1,600]" help:"Longest pass, in seconds"`
	DecayLambda         float64 `key:"link_weight_decay_lambda" default:"0.95" range:"(0,1]" help:"Share of an edge's use count that remains after each interval; 1: all of it"`
	DecayIntervalSecs   int     `key:"link_weight_decay_interval_secs" default:"86400" range:"[1,31536000]" help:"Interval of that decay, in seconds"`
	LLMEnabled          bool    `key:"llm_enabled" default:"false" help:"Also ask the language model which memories contradict or refine each other, and which causes, specializes or conditions which"`
	LLMModel            string  `key:"llm_model" format:"line" help:"Model for links, if not llm_model of the endpoint"`
	AmbiguousMin        float64 `key:"ambiguous_similarity_min" default:"0.7" range:"[0,1]" help:"Cosine from which two memories are shown to the model"`
	AmbiguousMax        float64 `key:"ambiguous_similarity_max" default:"0.9" range:"[0,1]" help:"Cosine up to which two memories are shown to the model"`
	RelationshipMinimum float64 `key:"relationship_confidence_threshold" default:"0.7" range:"[0,1]" help:"Lowest confidence accepted of the model's contradicts and refines"`
	SemanticContext     int     `key:"semantic_context_limit" default:"20" range:"[1,200]" help:"Recent memories shown with a new one"`
	SemanticMinimum     float64 `key:"semantic_confidence_threshold" default:"0.6" range:"[0,1]" help:"Lowest confidence accepted of the model's other edges between memories"`
	SemanticMinChars    int     `key:"semantic_min_chars" default:"20" range:"[1,10000]" help:"Shorter memories are not shown to the model"`
}

// SpreadingActivation is [memory.graph.spreading_activation]: the strategy synapse.
type SpreadingActivation struct {
	Enabled              bool    `key:"enabled" default:"false" help:"Let strategy auto choose synapse"`
	DecayLambda          float64 `key:"decay_lambda" default:"0.85" range:"(0,1]" help:"Share of activation that remains after one hop"`
	MaxHops              int     `key:"max_hops" default:"3" range:"[1,8]" help:"Depth in calls that set none; at most limits.search_hops"`
	ActivationThreshold  float64 `key:"activation_threshold" default:"0.1" range:"[0,1]" help:"Nodes with less activation are left out; must be below inhibition_threshold"`
	InhibitionThreshold  float64 `key:"inhibition_threshold" default:"0.8" range:"[0,1]" help:"A node receives no more activation from this value on"`
	MaxActivatedNodes    int     `key:"max_activated_nodes" default:"50" range:"[1,10000]" help:"Most nodes in an answer"`
	SeedStructuralWeight float64 `key:"seed_structural_weight" default:"0.4" range:"[0,1]" help:"Weight of an entity's place in the graph when seeds are chosen; the rest is the text match"`
	SeedCommunityCap     int     `key:"seed_community_cap" default:"3" range:"[0,1000]" help:"Most seeds of one community; 0: no limit"`
}

// HybridGraph is [memory.graph.hybrid_graph]: the strategy hybrid_graph.
type HybridGraph struct {
	Enabled bool          `key:"enabled" default:"true" help:"Let strategy hybrid_graph use the graph where the rollout of the namespace allows it (memory-graph rollout); false: it answers with its baseline"`
	Depth   int           `key:"depth" default:"2" range:"[0,4]" help:"Hops of an expansion in calls that set none; 0: nothing is expanded"`
	Timeout time.Duration `key:"timeout" default:"1s" range:"[1ms,1m]" help:"Longest expansion; after that the answer is the baseline"`
}

// Traces is [memory.graph.traces]: records of how questions were answered.
type Traces struct {
	Enabled       bool `key:"enabled" default:"false" help:"Record how each question is answered, for memory-graph trace: the masked question, ids, names, scores and times, but no content of turns"`
	RetentionDays int  `key:"retention_days" default:"7" range:"[1,365]" help:"Days after which a trace is deleted"`
}

// Limits is [memory.graph.limits]: the limits of one call and one answer. A call above a limit fails; content is never
// truncated silently.
type Limits struct {
	ContentBytes    int `key:"content_bytes" default:"262144" range:"[1,16777216]" help:"Longest content of one turn, in bytes"`
	NameBytes       int `key:"name_bytes" default:"512" range:"[16,4096]" help:"Longest name of an entity, in bytes"`
	ScopeBytes      int `key:"scope_bytes" default:"200" range:"[1,200]" help:"Longest name of a namespace, project, user or session, in bytes"`
	Entities        int `key:"entities" default:"100" range:"[1,10000]" help:"Most entities supplied in one call"`
	Relations       int `key:"relations" default:"200" range:"[1,10000]" help:"Most relations supplied in one call"`
	Results         int `key:"results" default:"50" range:"[1,1000]" help:"Highest limit that a call may ask for"`
	DefaultResults  int `key:"default_results" default:"10" range:"[1,1000]" help:"Limit of calls that set none; at most limits.results"`
	SearchHops      int `key:"search_hops" default:"4" range:"[1,8]" help:"Highest max_hops of search_graph"`
	TraverseHops    int `key:"traverse_hops" default:"6" range:"[1,12]" help:"Highest max_hops of graph_traverse"`
	AnswerBytes     int `key:"answer_bytes" default:"32768" range:"[4096,16777216]" help:"Longest answer, in bytes; next_cursor continues it"`
	FullAnswerBytes int `key:"full_answer_bytes" default:"262144" range:"[4096,16777216]" help:"Longest answer with detail full, in bytes; at least limits.answer_bytes"`
	BodyBytes       int `key:"body_bytes" default:"4194304" range:"[65536,67108864]" help:"Longest body of one HTTP request, in bytes; more than limits.content_bytes"`
}

// Default returns the settings of an empty environment. Paths are not resolved: DB is "".
func Default() *Config {
	c := &Config{}
	for _, s := range Settings() {
		if v, err := s.parseText(s.Default); err == nil { // a test parses every default
			s.set(c, v)
		}
	}
	return c
}

// UsesModel reports whether a language model is configured, as an endpoint or as a command.
func (c *Config) UsesModel() bool { return c.LLMBaseURL != "" || c.LLMCommand != "" }

// ReadingModel returns the name of the language model that reads turns, or "" if none is set. A command without a name
// for its model is called by the program's name.
func (c *Config) ReadingModel() string {
	return cmp.Or(c.ExtractModel, c.LLMModel, c.CommandName())
}

// CommandName returns the name of the program of llm_command, or "" if it is not set. Its arguments may hold a key.
func (c *Config) CommandName() string {
	args, err := command.Split(c.LLMCommand)
	if err != nil {
		return ""
	}
	return command.Name(args[0])
}

// Daily budgets of llm_command if none are set.
const (
	commandCalls  = 300
	commandTokens = 2_000_000
)

// Budget returns the most requests and tokens a day; 0 is no limit.
func (c *Config) Budget() (calls, tokens int64) {
	calls, tokens = int64(c.LLMDailyCalls), int64(c.LLMDailyTokens)
	if c.LLMCommand != "" {
		calls, tokens = cmp.Or(calls, commandCalls), cmp.Or(tokens, commandTokens)
	}
	return calls, tokens
}

// Models returns the configured language models: the one that reads turns, and the one for other work.
func (c *Config) Models() []string {
	usual := cmp.Or(c.LLMModel, c.ExtractModel)
	models := slices.Compact([]string{c.ReadingModel(), usual})
	if m := cmp.Or(c.NoteLinking.LLMModel, usual); c.NoteLinking.LLMEnabled && !slices.Contains(models, m) {
		models = append(models, m)
	}
	return models
}

// refuse returns the error for an invalid value: it names the setting, the value, its source and the allowed values.
func refuse(s Setting, value, source, allowed string) *memory.Error {
	if value != `""` && (s.Secret || formats[s.format].keys) {
		value = "(hidden)"
	}
	return memory.Errorf(memory.InvalidArgument, "%s = %s (%s) is not allowed: it must be %s.", s.Key, value, source,
		allowed).
		WithHint("Correct it there; `memory-graph config keys` lists every setting with its range.")
}
