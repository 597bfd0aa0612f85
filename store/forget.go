package store

// forgetAction is what the event log calls forgetting.
const forgetAction = "forget"
