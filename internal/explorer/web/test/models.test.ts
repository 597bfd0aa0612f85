import assert from 'node:assert/strict'
import test from 'node:test'
import { bundled, choices, difference, empty, filtered, colourOf, groups, merged, nothingHidden, started, towards,
  type GraphEdge, type GraphNode, type Hood } from '../src/graphmodel.ts'
import { layout, roundsFor } from '../src/layout.ts'
import { leadWords, learns, shownOf, totals } from '../src/say.ts'
import { dayOf, firstDay, isoDay, lives, ticks } from '../src/times.ts'
import { coloured, justBelow, shares, stacked, type WhyItem } from '../src/whymodel.ts'

const node = (id: string, more: Partial<GraphNode> = {}): GraphNode =>
  ({ id, name: id, type: 'concept', confidence: 1, origin: 'user', hop: 1, facts: 1, cut: 0, ...more })
const edge = (id: string, head: string, tail: string, more: Partial<GraphEdge> = {}): GraphEdge =>
  ({ id, head, tail, relation: 'uses', edge_class: 'semantic', confidence: .9, strength: 1, origin: 'user', ...more })
const hood = (nodes: GraphNode[], edges: GraphEdge[]): Hood => ({ nodes, edges, communities: [], cut: false })

test('a graph grows by neighbourhoods, and counts what it leaves out', () => {
  const one = merged(empty, hood([node('a', { facts: 10_000, hop: 0 }), node('b')], [edge('1', 'a', 'b')]))
  assert.equal(one.nodes.get('a')!.cut, 9_999)
  const two = merged(one, hood([node('a', { facts: 10_000, hop: 1 }), node('c')], [edge('2', 'c', 'a'), edge('1', 'a', 'b')]))
  assert.deepEqual([...two.nodes.keys()], ['a', 'b', 'c'])
  assert.equal(two.nodes.get('a')!.cut, 9_998)
  assert.equal(two.nodes.get('a')!.hop, 0)
  assert.equal(one.edges.size, 1, 'the graph before is unchanged')
})

test('filters hide values, and the nodes that lose their facts by that', () => {
  const g = merged(empty, hood([node('a'), node('b', { type: 'person' }), node('c')],
    [edge('1', 'a', 'b'), edge('2', 'a', 'c', { relation: 'knows', projects: ['x', 'y'], edge_class: 'causal' })]))
  const keys = (h: Partial<typeof nothingHidden>, keep: string[] = []) =>
    [...filtered(g, { ...nothingHidden, ...h }, new Set(keep)).nodes.keys()].join('')
  assert.equal(keys({}), 'abc')
  assert.equal(keys({ relation: new Set(['knows']) }), 'ab')
  assert.equal(keys({ type: new Set(['person']) }), 'ac')
  assert.equal(keys({ type: new Set(['person']) }, ['b']), 'abc')
  assert.equal(keys({ project: new Set(['x']) }), 'abc', 'another project still says it')
  assert.equal(keys({ project: new Set(['x', 'y']) }), 'ab')
  assert.deepEqual(choices(g, 'project'), [['', 1], ['x', 1], ['y', 1]])
  assert.deepEqual(choices(g, 'type'), [['concept', 2], ['person', 1]])
})

test('facts between the same two nodes are one arrow', () => {
  const list = bundled([edge('1', 'a', 'b'), edge('2', 'a', 'b'), edge('3', 'b', 'a')])
  assert.deepEqual(list.map(b => [b.id, b.edges.length]), [['a>b', 2], ['b>a', 1]])
})

test('colours are for communities, or for types while there are none', () => {
  const types = merged(empty, hood([node('a'), node('b', { type: 'person' }), node('c')], []))
  assert.deepEqual(groups(types, 1), { by: 'type', list: [{ key: 'concept', name: 'concept', n: 2, colour: 0 }], rest: 1 })
  const found = merged(empty, { ...hood([node('a', { community: 'c1' }), node('b')], []), communities: [{ id: 'c1', name: 'Maps' }] })
  const g = groups(found, 6)
  assert.deepEqual(g, { by: 'community', list: [{ key: 'c1', name: 'Maps', n: 1, colour: 0 }], rest: 1 })
  assert.equal(colourOf(node('b'), g), -1)
})

test('a group keeps its colour while others come, grow and go', () => {
  const of = (...types: string[]) => merged(empty, hood(types.map((type, i) => node('n' + i, { type })), []))
  const first = groups(of('place', 'place', 'person'), 2)
  assert.deepEqual(first.list.map(g => [g.key, g.colour]), [['place', 0], ['person', 1]])
  const next = groups(of('person', 'person', 'tool'), 2, first)
  assert.deepEqual(next.list.map(g => [g.key, g.colour]), [['person', 1], ['tool', 0]])
})

test('new nodes start near a neighbour, the old ones stay, and no two are at one place', () => {
  const g = merged(empty, hood([node('a', { hop: 0 }), node('b'), node('c')], [edge('1', 'a', 'b'), edge('2', 'a', 'c')]))
  const at = started(g, new Map([['a', { x: 100, y: 100 }]]))
  assert.deepEqual(at.get('a'), { x: 100, y: 100 })
  assert.ok(Math.hypot(at.get('b')!.x - 100, at.get('b')!.y - 100) < 10)
  assert.notDeepEqual(at.get('b'), at.get('c'))
})

test('arrow keys lead to the next node in their direction', () => {
  const at = new Map([['a', { x: 0, y: 0 }], ['right', { x: 5, y: 1 }], ['up', { x: 1, y: 5 }], ['far', { x: 50, y: 0 }]])
  assert.equal(towards(at, 'a', 1, 0), 'right')
  assert.equal(towards(at, 'a', 0, 1), 'up')
  assert.equal(towards(at, 'a', -1, 0), undefined)
})

test('the difference of two instants', () => {
  const d = difference([edge('1', 'a', 'b'), edge('2', 'a', 'c')], [edge('2', 'a', 'c'), edge('3', 'a', 'd')])
  assert.deepEqual([d.began.map(e => e.id), d.ended.map(e => e.id), d.stayed], [['3'], ['1'], 1])
})

test('the layout pulls neighbours together and gives finite places', () => {
  const job = { places: Float32Array.from([0, 0, 5, 1, 0, 5, 0, 1, 5, 1, 1, 5]), ends: Uint32Array.from([0, 1, 2, 3]),
    weights: Float32Array.from([1, 1]), rounds: 0 }
  const p = layout(job)(200)
  assert.ok([...p].every(Number.isFinite))
  const far = (a: number, b: number) => Math.hypot(p[2 * a]! - p[2 * b]!, p[2 * a + 1]! - p[2 * b + 1]!)
  assert.ok(far(0, 1) < far(0, 2) && far(2, 3) < far(1, 3))
  assert.ok(roundsFor(10) === 400 && roundsFor(5000) === 60)
})

test('days', () => {
  assert.equal(isoDay(dayOf('2024-03-15')), '2024-03-15')
  assert.equal(isoDay(dayOf('2025-01')), '2025-01-01')
  assert.equal(isoDay(dayOf('2026-03-18T23:59:59Z')), '2026-03-18')
  assert.ok(Number.isNaN(dayOf('soon')))
  assert.equal(isoDay(firstDay(['2024-03-15', undefined, 'never'], dayOf('2026-01-31'))), '2024-03-15')
  assert.deepEqual(ticks(dayOf('2024-01-15'), dayOf('2026-03-01')).map(t => t.label), ['2024-07', '2025-01', '2025-07', '2026-01'])
})

test('lives are bars on one axis: what still holds ends now, what began before all records begins at the edge', () => {
  const { axis, bars } = lives([{ id: '1', valid_from: '2024-01-01', valid_until: '2025-01-01' }, { id: '2', valid_from: '2025-01-01' },
    { id: '3' }], dayOf('2026-01-01'))
  assert.ok(Math.abs(bars[0]!.to - bars[1]!.from) < 1e-9)
  assert.equal(bars[1]!.to, axis.now)
  assert.deepEqual([bars[2]!.from, bars[2]!.begun, bars[2]!.ended], [0, false, false])
})

test('bars of features add up to the score, and what counts against it stands left of zero', () => {
  const item = (features: [string, number, number][]): WhyItem => ({ id: 't1', kind: 'turn', text: '', score: 0, strength: 0,
    fate: 'kept', why: { matched_by: [], features: features.map(([name, value, weight]) => ({ name, value, weight })) } })
  const items = [item([['text', 1, 2], ['short', 1, -1], ['nothing', 0, 5]]), item([['session', .5, 2]])]
  assert.deepEqual(shares(items[0]!.why!.features).map(s => s.name), ['text', 'short'])
  assert.deepEqual(coloured(items, 1), ['text'])
  const { zero, rows } = stacked(items, ['text', 'session'])
  assert.ok(Math.abs(zero - 1 / 3) < 1e-9)
  assert.deepEqual(rows[0]!.map(p => [p.name, p.from >= zero - 1e-9]), [['text', true], ['short', false]])
  assert.ok(Math.abs(rows[0]![0]!.to - 1) < 1e-9)
})

test('what is just below is in the order of strength', () => {
  const item = (id: string, strength: number, fate: WhyItem['fate']): WhyItem => ({ id, kind: 'turn', text: '', score: 0, strength, fate })
  assert.deepEqual(justBelow([item('t1', .2, 'gate'), item('t2', 2, 'kept'), item('t3', .9, 'limit')]).map(c => c.id), ['t3', 't1'])
})

test('a call is said in few words: how much, and what it did', () => {
  assert.equal(totals({ facts: 312, entities: 1, turns: 0 }), '312 facts, 1 entity')
  assert.equal(leadWords({ action: 'store_episode', actor: 'import', reason: 'notes.md' }, []), 'import of')
  const replaced = [{ object: 'r2', did: 'added' }, { object: 'r1', did: 'superseded', by: 'r2' }, { object: 'e1', did: 'edited' }]
  assert.deepEqual(shownOf(replaced).map(i => i.object), ['r1'], 'what took its place is named there')
  assert.equal(leadWords({ action: 'supersede' }, shownOf(replaced)), 'replaced')
  assert.equal(leadWords({ action: 'supersede' }, [{ did: 'ended' }]), 'ended')
  assert.equal(leadWords({ action: 'store_episode' }, [{ did: 'added' }, { did: 'ended' }]), 'changed')
  assert.equal(leadWords({ action: 'forget' }, [{ did: 'forgotten' }]), 'forgot')
})

test('what only adds is learnt, whatever it says more of', () => {
  const call = (action: string, ...first: [string, string][]) => learns({ action, first: first.map(([object, did]) => ({ object, did })) })
  assert.ok(call('store_episode', ['r1', 'added'], ['e1', 'edited']))
  assert.ok(call('create_entity', ['e1', 'added']))
  assert.ok(!call('create_relation', ['r1', 'superseded'], ['r2', 'added']))
  assert.ok(!call('undo', ['r1', 'added']))
  assert.ok(!call('update_entity', ['e1', 'edited']))
  assert.ok(!call('forget'))
})
