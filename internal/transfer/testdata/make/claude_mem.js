// Writes claude-mem.db: npm pack claude-mem; npm install bun; bun claude_mem.js SessionStore.js OUT.db
// SessionStore.js is plugin/sqlite/SessionStore.js of the package.
const { SessionStore } = require(process.argv[2]);
const s = new SessionStore(process.argv[3]);
const at = (m, d) => Date.UTC(2026, m - 1, d, 9);
const id = s.createSDKSession("content-1", "clockshop", "How do I oil the escapement of the tower clock?");
s.updateMemorySessionId(id, "memory-1");
s.saveUserPrompt("content-1", 1, "How do I oil the escapement of the tower clock?");
s.saveUserPrompt("content-1", 2, "And how often?");
s.storeObservation("memory-1", "clockshop", {
  type: "discovery", title: "The escapement takes one drop of oil", subtitle: "More oil collects dust",
  facts: ["One drop of oil per pallet", "The pallets are oiled twice a year"],
  narrative: "The notes of the workshop say how the escapement of the tower clock is oiled.",
  concepts: ["how-it-works"], files_read: ["notes/oil.md"], files_modified: [] }, 1, 0, at(4, 2));
s.storeObservation("memory-1", "clockshop", {
  type: "decision", title: "The pendulum stays wooden", subtitle: null, facts: [], narrative: "Wood hardly expands.",
  concepts: ["trade-off"], files_read: [], files_modified: ["notes/pendulum.md"] }, 2, 0, at(4, 3));
s.storeSummary("memory-1", "clockshop", {
  request: "Oil the tower clock", investigated: "The notes about oil", learned: "One drop is enough",
  completed: "The pallets are oiled", next_steps: "Look at the strike train", notes: null }, 2, 0, at(4, 3));
s.close();
