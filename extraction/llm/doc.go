// Package llm asks a language model at any endpoint with OpenAI's /v1/chat/completions, such as OpenAI itself, Ollama,
// LM Studio, vLLM or llama.cpp, or through a command of the user such as `claude -p`. Client sends one question and
// returns a complete, checked answer as a Go value, or an error with a Kind. Extractor asks a Client for the entities
// and relations of turns.
//
// The package reads nothing from the environment: requests go only where the options say. It does not retry if the same
// request could only succeed later. The queue does that.
package llm
