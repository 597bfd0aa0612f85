import { useContext, useState } from 'preact/hooks'
import { act, type Entity, type Member, type Relation } from './api'
import { Dialog, Field, Pick, Writes } from './acts'
import { place } from './route'
import { Name, words } from './text'

const types = ['person', 'organization', 'project', 'tool', 'technology', 'language', 'concept', 'decision', 'event', 'location',
  'file', 'config']

/** CreateEntity adds a person or a thing. */
export function CreateEntity() {
  if (!useContext(Writes)) return null
  return <Dialog label="New entity…" title="Add a person or a thing" submit="Add" onSubmit={async form => {
    const given = (name: string) => String(form.get(name) ?? '').trim()
    const aliases = given('aliases').split('\n').map(s => s.trim()).filter(Boolean)
    const { body, call } = await act<{ id: string; created: boolean; entity: Entity }>('create_entity', { name: given('name'),
      type: given('type'), ...(given('description') && { description: given('description') }), ...(aliases.length && { aliases }) })
    return { text: body.created ? `Added ${body.entity.name ?? body.id}.` : `${body.entity.name ?? body.id} was known already.`,
      call, to: place(body.id) }
  }}>
    <Field name="name" label="Name" required />
    <Field name="type" label="Kind" value="person" choices={types} required hint="One of these, or a word of your own." />
    <Field name="description" label="What it is, in a sentence" area />
    <Field name="aliases" label="Other names, one in each line" area />
  </Dialog>
}

/** CreateFact adds a fact about an entity. */
export function CreateFact({ entity }: { entity: Entity }) {
  const [other, setOther] = useState<Member | null>(null)
  const [typed, setTyped] = useState('')
  if (!useContext(Writes)) return null
  return <Dialog label="Add a fact…" title={`A fact about ${entity.name ?? entity.id}`} submit="Add" ready={!!other || !!typed.trim()}
    onOpen={() => { setOther(null); setTyped('') }} onSubmit={async form => {
      const given = (name: string) => String(form.get(name) ?? '').trim()
      const { body, call } = await act<{ relation: Relation }>('create_relation', { head: entity.id, relation: given('relation'),
        tail: other?.id ?? typed.trim(), create_missing: true, ...(given('valid_from') && { valid_from: given('valid_from') }),
        ...(given('fact') && { fact: given('fact') }) })
      const r = body.relation
      return { text: `Added: ${r?.head ?? entity.name} ${words(r?.relation ?? given('relation'))} ${r?.tail ?? typed}.`, call }
    }}>
    <Field name="relation" label={`${entity.name ?? entity.id} …`} hint="A verb: works at, lives in, uses, likes." required />
    <Pick label="… whom or what" chosen={other} onChoose={setOther} onType={setTyped} hint="Choose a known name, or type a new one." />
    <Field name="valid_from" label="Since" hint="A date, a month or a year. Left empty: now." />
    <Field name="fact" label="The fact as a sentence, if you like" area />
  </Dialog>
}

/** Unmerge takes an entity apart that was merged into another one. */
export function Unmerge({ merged, into }: { merged: Member; into: string | undefined }) {
  if (!useContext(Writes)) return null
  return <Dialog label="Take apart…" title={`Is ${merged.name} another one?`} submit="Take apart" onSubmit={async () => {
    const { body, call } = await act<{ objects: string[] }>('unmerge', { entity: merged.id })
    return { text: `${merged.name} stands for itself again. ${body.objects.length.toLocaleString()} changes were taken back.`, call }
  }}><p><Name text={merged.name} /> gets back the name and the facts that it had before it was merged
    into <Name text={into} />.</p></Dialog>
}
