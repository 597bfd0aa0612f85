import type { ComponentChildren } from 'preact'
import { useContext, useState } from 'preact/hooks'
import { act, get, part, type Fact, type Member, type Node, type Orphan, type Relation } from './api'
import { Dialog, done, Pick, Writes } from './acts'
import { Section } from './facts'
import { Problem, useLoad } from './load'
import { href, place } from './route'
import { counted, Name } from './text'

/** alike reports whether a fact only says that two entities may be one. */
export function alike(f: Relation): boolean {
  return f.relation === 'similar_to' && f.method === 'similarity' && f.head_id?.[0] === 'e' && f.tail_id?.[0] === 'e'
}

/** newer reports whether a fact only says that a memory may be a new version of another one. */
export function newer(f: Relation): boolean {
  return f.relation === 'supersedes' && f.method === 'similarity' && f.head_id?.[0] === 'm' && f.tail_id?.[0] === 'm'
}

/** ToDecide lists what the memory has noticed, and only a person can decide. It is empty if there is nothing. */
export function ToDecide({ ns, most, all = false }: { ns: string; most: number; all?: boolean }) {
  const list = (relations: string) => (s: AbortSignal) =>
    get<{ relations: Relation[] }>('relations', { relations, limit: 50, detail: 'full' }, s)
  const similar = useLoad('similar ' + ns + most, list('similar_to'))
  const versions = useLoad('versions ' + ns + most, list('supersedes'))
  const orphans = useLoad('orphans ' + ns + most, s => get<{ orphans: Orphan[] }>('orphans', { limit: 50 }, s))
  const same = similar.data?.relations.filter(alike) ?? [], next = versions.data?.relations.filter(newer) ?? []
  const loose = orphans.data?.orphans.filter(o => o.candidates.length) ?? []
  const n = same.length + next.length + loose.length
  if (!n) return all && similar.data && versions.data && orphans.data ? <p class="faint">There is nothing to decide.</p> : null
  const left = (taken: number) => Math.max(0, most - taken)
  return <Section title="To decide" n={n} action={!all && n > most && <a class="quiet" href={href('proposals')}>All of them</a>}>
    <ul class="rows">
      {same.slice(0, most).map(f => <Same key={f.id} fact={f} />)}
      {next.slice(0, left(same.length)).map(f => <NewVersion key={f.id} fact={f} />)}
      {loose.slice(0, left(same.length + next.length)).map(o => <li key={o.id}><div>
        <a href={place(o.id)}><Name text={o.name} /></a> <span class="faint">may belong under</span>{' '}
        <a href={place(o.candidates[0]!.id)}><Name text={o.candidates[0]!.name} /></a></div>
        <Place memory={o.id} parent={o.candidates[0]!} /></li>)}
    </ul></Section>
}

/** Same asks whether two entities are one: the program saw only that they are alike. of is the one that stays. */
export function Same({ fact, of = fact.head_id! }: { fact: Relation; of?: string }) {
  const head = { id: fact.head_id!, name: fact.head! }, tail = { id: fact.tail_id!, name: fact.tail! }
  const [kept, other] = fact.tail_id === of ? [tail, head] : [head, tail]
  return <li><div><a href={place(kept.id)}><Name text={kept.name} /></a> <span class="faint">may be the same as</span>{' '}
    <a href={place(other.id)}><Name text={other.name} /></a> <Alike of={fact} /></div>
    <span class="meta">
      <Act label="The same…" title={`Merge ${other.name} into ${kept.name}?`} submit="Merge" tool="merge_entities"
        args={{ into: kept.id, from: other.id }} told={`Merged ${other.name} into ${kept.name}.`}>
        <p>The facts and names of <Name text={other.name} /> become those of <Name text={kept.name} />.</p></Act>
      <Reject fact={fact} reason="they are not the same" text="Noted: they are not the same." label="Not the same" /></span></li>
}

function Alike({ of }: { of: Relation }) {
  return <span class="faint" title={`similarity ${of.strength?.toFixed(2)}`}>{Math.round(100 * (of.strength ?? 0))} % alike</span>
}

/** NewVersion asks whether a memory says anew what an older one says. */
export function NewVersion({ fact }: { fact: Relation }) {
  return <li><div><a href={place(fact.head_id!)}><Name text={fact.head} /></a> <span class="faint">may replace</span>{' '}
    <a href={place(fact.tail_id!)}><Name text={fact.tail} /></a> <Alike of={fact} /></div>
    <span class="meta"><Replace fact={fact} />
      <Reject fact={fact} reason="it is not a new version" text="Noted: both stay." label="Keep both" /></span></li>
}

function Replace({ fact }: { fact: Relation }) {
  if (!useContext(Writes)) return null
  return <Dialog label="Replaces it…" title="Does it replace the older one?" submit="Replace" onSubmit={async () => {
    const { entity } = await get<Node>('entities/' + part(fact.head_id!), { limit: 1 })
    const { call } = await act('retain', { content: entity.description ?? entity.name, updates: fact.tail_id })
    return { text: `${fact.tail} was replaced by ${fact.head}.`, call, to: place(fact.tail_id!) }
  }}><p><Name text={fact.tail} /> gets the text of <Name text={fact.head} />, which ends. The old text stays in the
    history.</p></Dialog>
}

/** Parents asks under which broader memory one belongs. */
export function Parents({ ns, id }: { ns: string; id: string }) {
  const [other, setOther] = useState<Member | null>(null)
  const list = useLoad(`orphan ${ns} ${id}`, s => get<{ orphans: Orphan[] }>('orphans', { memory: id }, s))
  const writes = useContext(Writes)
  const mine = list.data?.orphans[0]
  if (!mine || !mine.candidates.length && !writes) return null
  return <Section title="Where it belongs" n={mine.candidates.length || undefined}>
    {mine.candidates.length > 0 && <ul class="rows">{mine.candidates.map(c => <li key={c.id}>
      <div><a href={place(c.id)}><Name text={c.name} /></a></div><Place memory={id} parent={c} /></li>)}</ul>}
    {writes && <Dialog label="Put under another…" title="What does it belong under?" submit="Put there" ready={!!other}
      onOpen={() => setOther(null)} onSubmit={() => assign(id, other!)}>
      <Pick label="The broader memory" except={id} chosen={other} onChoose={setOther} /></Dialog>}
  </Section>
}

function Place({ memory, parent }: { memory: string; parent: Member }) {
  const [error, setError] = useState<unknown>()
  if (!useContext(Writes)) return null
  return <span class="meta">{error !== undefined && <Problem error={error} />}
    <button onClick={() => { assign(memory, parent).then(done, setError) }}>Put it there</button></span>
}

async function assign(memory: string, parent: Member) {
  const { body, call } = await act<{ errors: { message: string }[] }>('reflect',
    { assign: [{ memory, parent: parent.id }], limit: 1 })
  if (body.errors[0]) throw new Error(body.errors[0].message)
  return { text: `It belongs under ${parent.name} now.`, call }
}

function Reject({ fact, reason, text, label }: { fact: Relation | Fact; reason: string; text: string; label: string }) {
  const [error, setError] = useState<unknown>()
  if (!useContext(Writes)) return null
  return <>{error !== undefined && <Problem error={error} />}<button onClick={() => {
    act('supersede', { relationship_id: fact.id, reason }).then(({ call }) => done({ text, call }), setError)
  }}>{label}</button></>
}

function Act({ label, title, submit, tool, args, told, children }: {
  label: string; title: string; submit: string; tool: string; args: object; told: string; children: ComponentChildren
}) {
  if (!useContext(Writes)) return null
  return <Dialog label={label} title={title} submit={submit} onSubmit={async () => {
    const { body, call } = await act<{ moved?: number; call_id?: string }>(tool, args)
    return { text: body.moved === undefined ? told : `${told} ${counted(body.moved, 'fact')} moved.`, call: body.call_id ?? call }
  }}>{children}</Dialog>
}

/** Proposals is the view of all that is to decide. */
export function Proposals({ ns }: { ns: string }) {
  return <><h1>To decide</h1><p class="faint">The memory noticed these by itself and changed nothing. You decide.</p>
    <ToDecide ns={ns} most={200} all /></>
}
