// Package llm asks a language model: any endpoint that speaks OpenAI's /v1/chat/completions, such as OpenAI itself,
// Ollama, LM Studio, vLLM or llama.cpp. Client puts one question and gives back an answer of a Go type, whole and
// checked, or an error that says of what kind it is; Extractor asks it for the entities and relations of turns.
//
// Nothing is read from the environment: what is asked goes where the options say and nowhere else.
// Nothing is tried again here where the same question could only get the same answer later: that is for the queue.
package llm
