package memory

// HookSource is the prefix of the source of every turn that a host's hook stored. The host's id follows it.
const HookSource = "hook:"

// OnceKey is the prefix of an idempotency key that only prevents storing one delivery twice. Unlike a key that a caller
// chose, it does not mean that two turns differ.
const OnceKey = HookSource + "once:"
