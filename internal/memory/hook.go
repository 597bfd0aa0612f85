package memory

// HookSource begins the source of every turn that a host's hook stored; the host's id follows.
const HookSource = "hook:"

// OnceKey begins an idempotency key that only keeps one delivery from being stored twice. Unlike a key that a caller
// chose it does not say that two turns differ.
const OnceKey = HookSource + "once:"
