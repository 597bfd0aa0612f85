// What the memory's terms mean in plain words. The term itself stands in a title, for those who know it.

const methods: Record<string, string> = {
  supplied: 'given as a fact', rule: 'read by a rule in what was said', hedged_rule: 'read by a rule, said with doubt',
  model: 'read by a language model', rule_and_model: 'read by a rule and by a language model',
  similarity: 'the two look alike', mention: 'named together', metadata: 'from labels',
}
/** methodWords says how a fact came to be known. */
export const methodWords = (m: string | undefined): string => methods[m ?? ''] ?? plainWords(m)

const classes: Record<string, string> = {
  causal: 'cause and effect', temporal: 'order in time', semantic: 'meaning', co_occurrence: 'named together',
  hierarchical: 'whole and part',
}
/** classWords says what kind of link a fact is. */
export const classWords = (c: string | undefined): string => classes[c ?? ''] ?? plainWords(c)

const causes: Record<string, string> = {
  created: 'first stored', observed: 'heard of again', reinforced: 'said again', superseded: 'replaced', ended: 'ended',
  scheduled: 'its end was set', restored: 'holds again', expired: 'its end came', updated: 'edited', merged: 'merged',
  named: 'a speaker got a name', unmerged: 'taken apart', undone: 'undone',
}
/** causeWords says why a version was written. */
export const causeWords = (c: string): string => causes[c] ?? plainWords(c)

const layers = ['a whole field', 'an idea', 'a single fact', 'one event']
/** layerWords says how broad a memory is. */
export const layerWords = (n: number): string => layers[n] ?? String(n)

const matches: Record<string, string> = {
  text: 'the same words', vector: 'a similar meaning', neighbour: 'next to what was found', replacement: 'replaces what was found',
  walk: 'linked to what was found', seed: 'named in the question', graph_expansion: 'linked to what is named',
  joins: 'joins two that are named', evidence: 'said in what was found', metadata: 'the same labels', entity: 'about the entity',
  instruction: 'a standing wish of yours', expanded: 'linked to what was found',
}
/** matchWords says by what something was found. */
export const matchWords = (m: string): string => matches[m] ?? plainWords(m)

const strategies: Record<string, string> = {
  auto: 'by words, meaning and facts', text: 'by words', vector: 'by meaning', fused: 'by words and meaning',
  newest: 'as the newest', ids: 'by their ids', bfs: 'step by step from what is named', hybrid: 'by facts',
  synapse: 'by facts that lead on', walk: 'by turns that name the same', hybrid_graph: 'by words, meaning and facts',
  baseline: 'by words and meaning',
}
/** strategyWords says how the memory searched. */
export const strategyWords = (s: string | undefined): string => strategies[s ?? ''] ?? plainWords(s)

const strengths: Record<string, string> = { strong: 'a good match', weak: 'a weak match', none: 'no match' }
/** strengthWords says how well an answer matches. */
export const strengthWords = (m: string | undefined): string => strengths[m ?? ''] ?? plainWords(m)

function plainWords(name: string | undefined): string { return (name ?? '').replaceAll('_', ' ') }

/** Numbers are how many objects of each kind a call changed. */
export interface Numbers { facts: number; entities: number; turns: number }

/** totals counts facts, entities and turns, without those that are none. */
export function totals(n: Numbers): string {
  const all: [number, string, string][] = [[n.facts, 'fact', 'facts'], [n.entities, 'entity', 'entities'], [n.turns, 'turn', 'turns']]
  return all.filter(([c]) => c > 0).map(([c, one, many]) => `${c.toLocaleString()} ${c === 1 ? one : many}`).join(', ')
}

const deeds: Record<string, string> = {
  added: 'added', edited: 'edited', ended: 'ended', superseded: 'replaced', planned: 'set the end of', restored: 'brought back',
  retracted: 'took back', merged: 'merged', split: 'took apart', forgotten: 'forgot',
}
/** deedWords says what was done to an object. */
export const deedWords = (d: string): string => deeds[d] ?? plainWords(d)

const actions: Record<string, string> = {
  undo: 'undid a change:', release: 'released a turn:', expire: 'an end came:', link: 'found links:', extract: 'read a turn:',
  reflect: 'put in place:', heal: 'repaired:', vault: 'edits of pages:',
}

/** leadWords says what a call was, before the objects that it changed. */
export function leadWords(c: { action: string; actor?: string | undefined; reason?: string | undefined }, shown: { did: string }[]): string {
  if (imports(c)) return c.reason ? 'import of' : 'import'
  const [first] = shown
  if (!first) return actions[c.action] ?? plainWords(c.action)
  return actions[c.action] ?? (shown.every(i => i.did === first.did) ? deedWords(first.did) : 'changed')
}

/** imports reports whether a call was an import. Its reason is then the name of the file. */
export function imports(c: { action: string; actor?: string | undefined }): boolean {
  return c.actor === 'import' || c.action === 'import'
}

/** learns reports whether a call only added to the memory. */
export function learns(c: { action: string; first: { object: string; did: string }[] }): boolean {
  const facts = c.first.filter(i => i.object[0] === 'r')
  const told = facts.length ? facts : c.first // a new fact may also say more of an entity that was known
  return c.action !== 'undo' && c.action !== 'release' && told.length > 0 && told.every(i => i.did === 'added')
}

/** shownOf chooses which of the first objects of a call a row names. What took the place of another one is named there,
 * a merge and a memory stand for the facts that follow, and facts for their entities and turns. */
export function shownOf<T extends { object: string; did: string; by?: string }>(first: T[]): T[] {
  const by = new Set(first.map(i => i.by))
  const list = first.filter(i => !by.has(i.object) || i.did !== 'added')
  const joined = list.filter(i => i.did === 'merged' || i.did === 'split')
  if (joined.length) return joined
  const memories = list.filter(i => i.object[0] === 'm'), facts = list.filter(i => i.object[0] === 'r')
  return memories.length ? memories : facts.length ? facts : list
}
