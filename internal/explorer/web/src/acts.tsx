import { createContext, type ComponentChildren } from 'preact'
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import { act, get, type Entity, type Fact, type Member } from './api'
import { changed, Problem } from './load'
import { place } from './route'
import { counted, Name, words } from './text'

/** Writes says whether this page may change the memory. */
export const Writes = createContext(false)

/** Told is what the last change did, and the call that undoes it. */
export interface Told { text: string; call?: string }
let tell: (told: Told | null) => void = () => {}

/** Notices shows what the last change did, with a way to undo it. */
export function Notices() {
  const [told, set] = useState<Told | null>(null)
  useEffect(() => {
    const leave = () => set(null)
    tell = set
    addEventListener('hashchange', leave)
    return () => { tell = () => {}; removeEventListener('hashchange', leave) }
  }, [])
  return <div class="notices" role="status" aria-live="polite">{told && <div class="told">
    <span>{told.text}</span>{told.call && <Undo call={told.call} />}
    <button class="quiet" aria-label="Close this message" onClick={() => set(null)}>✕</button></div>}</div>
}

interface Undone { call_id: string; undone_by: string; action: string; objects: string[]; changes?: string[] }

/** Undo reverts a call. */
export function Undo({ call }: { call: string }) {
  const [busy, set] = useState(false)
  if (!useContext(Writes)) return null
  const undo = async () => {
    set(true)
    try {
      const { body } = await act<Undone>('undo', { call_id: call })
      tell({ text: `Reverted ${words(body.action)}: ${counted(body.objects.length, 'change')}.`, call: body.undone_by })
      changed()
    } catch (e) {
      tell({ text: e instanceof Error ? e.message : String(e) })
    }
    set(false)
  }
  return <button class="quiet" disabled={busy} onClick={undo}>Undo</button>
}

/** Release lets a turn out of quarantine. */
export function Release({ turn }: { turn: string }) {
  if (!useContext(Writes) || 'app' in document.documentElement.dataset) return null // an agent releases nothing
  return <Dialog label="Release…" title="Release this turn?" submit="Release" onSubmit={async () => {
    const { body, call } = await act<{ relations: string[] }>('release', { episode: turn })
    return { text: `Released ${turn}. ${counted(body.relations.length, 'fact')} found.`, call }
  }}><p>It becomes a normal turn, and the facts that it states become part of the memory. Read it first.</p></Dialog>
}

/** Dialog is a button that opens a form. The form says why it failed, or closes. */
function Dialog({ label, title, submit, danger, children, onSubmit, onOpen, ready = true }: {
  label: string; title: string; submit: string; danger?: boolean; children: ComponentChildren; ready?: boolean
  onSubmit: (form: FormData) => Promise<Told>; onOpen?: () => void
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [open, setOpen] = useState(false)
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  useEffect(() => { if (open) dialog.current?.showModal() }, [open])
  const send = async (e: Event) => {
    e.preventDefault()
    setBusy(true)
    setError(undefined)
    try {
      const told = await onSubmit(new FormData(e.target as HTMLFormElement))
      dialog.current?.close()
      tell(told)
      changed()
    } catch (e) { setError(e) }
    setBusy(false)
  }
  return <>
    <button class={danger ? 'danger' : ''} onClick={() => { setError(undefined); setOpen(true); onOpen?.() }}>{label}</button>
    {open && <dialog ref={dialog} aria-label={title} onClose={() => setOpen(false)}>
      <form onSubmit={send}>
        <h2>{title}</h2>
        {children}
        {error !== undefined && <Problem error={error} />}
        <div class="buttons"><button type="button" onClick={() => dialog.current?.close()}>Cancel</button>
          <button class={danger ? 'danger' : 'main-button'} disabled={busy || !ready}>{submit}</button></div>
      </form>
    </dialog>}
  </>
}

function Field({ name, label, value = '', hint, area }: {
  name: string; label: string; value?: string | undefined; hint?: string; area?: boolean
}) {
  const id = 'f-' + name
  return <div class="field"><label for={id}>{label}</label>
    {area ? <textarea id={id} name={name} rows={3} defaultValue={value} dir="auto" />
      : <input id={id} name={name} defaultValue={value} dir="auto" autocomplete="off" />}
    {hint && <p class="faint">{hint}</p>}</div>
}

/** differing returns the fields of a form whose value is not the one before. */
function differing(form: FormData, before: Record<string, string | undefined>): Record<string, string> {
  const out: Record<string, string> = {}
  for (const [name, old] of Object.entries(before)) {
    const now = String(form.get(name) ?? '').trim()
    if (now !== (old ?? '')) out[name] = now
  }
  return out
}

/** EditEntity changes the name, the type, the description and the aliases of an entity. */
export function EditEntity({ entity }: { entity: Entity }) {
  if (!useContext(Writes)) return null
  const before = { name: entity.name, type: entity.type, description: entity.description }
  const aliases = entity.aliases ?? []
  return <Dialog label="Edit…" title={'Edit ' + entity.id} submit="Save" onSubmit={async form => {
    const now = String(form.get('aliases') ?? '').split('\n').map(s => s.trim()).filter(Boolean)
    const add = now.filter(a => !aliases.includes(a)), gone = aliases.filter(a => !now.includes(a))
    const { call } = await act('update_entity', { entity: entity.id, ...differing(form, before),
      ...(add.length && { add_aliases: add }), ...(gone.length && { remove_aliases: gone }) })
    return { text: 'Saved.', call }
  }}>
    <Field name="name" label="Name" value={entity.name} hint="The old name stays as another name." />
    <Field name="type" label="Type" value={entity.type} />
    <Field name="description" label="Description" value={entity.description} area />
    <Field name="aliases" label="Other names, one in each line" value={aliases.join('\n')} area />
  </Dialog>
}

/** Merge joins another entity into this one. */
export function Merge({ entity }: { entity: Entity }) {
  const [other, setOther] = useState<Member | null>(null)
  if (!useContext(Writes)) return null
  return <Dialog label="Merge…" title={`Merge another entity into ${entity.name ?? entity.id}`} submit="Merge" ready={!!other}
    onOpen={() => setOther(null)} onSubmit={async () => {
      const { body } = await act<{ moved: number; call_id: string }>('merge_entities', { into: entity.id, from: other!.id })
      return { text: `Merged ${other!.name}: ${counted(body.moved, 'fact')} moved.`, call: body.call_id }
    }}>
    <p>Its facts and names become those of <Name text={entity.name} />.</p>
    <Pick label="The other entity" except={entity.id} chosen={other} onChoose={setOther} />
  </Dialog>
}

/** Proposal asks whether two entities are one: the program saw only that they are similar. */
export function Proposal({ fact, of }: { fact: Fact; of: string }) {
  const writes = useContext(Writes)
  const other = fact.head_id === of ? { id: fact.tail_id!, name: fact.tail! } : { id: fact.head_id!, name: fact.head! }
  const [error, setError] = useState<unknown>()
  const reject = async () => {
    try {
      const { call } = await act('supersede', { relationship_id: fact.id, reason: 'they are not the same' })
      tell({ text: 'Noted: they are not the same.', call })
      changed()
    } catch (e) { setError(e) }
  }
  return <li><div><a href={place(other.id)}><Name text={other.name} /></a>
    <span class="faint"> similarity {fact.strength?.toFixed(2)}</span>
    {error !== undefined && <Problem error={error} />}</div>
    {writes && <span class="meta">
      <Dialog label="The same…" title="Merge the two?" submit="Merge" onSubmit={async () => {
        const { body } = await act<{ moved: number; call_id: string }>('merge_entities', { into: of, from: other.id })
        return { text: `Merged ${other.name}: ${counted(body.moved, 'fact')} moved.`, call: body.call_id }
      }}><p>The facts and names of <Name text={other.name} /> become those of this entity.</p></Dialog>
      <button onClick={reject}>Not the same</button></span>}
  </li>
}

/** Pick chooses an entity by its name. */
function Pick({ label, except, chosen, onChoose }: {
  label: string; except: string; chosen: Member | null; onChoose: (e: Member | null) => void
}) {
  const [typed, setTyped] = useState('')
  const [found, setFound] = useState<Entity[]>([])
  useEffect(() => {
    if (!typed.trim() || chosen) { setFound([]); return }
    const stop = new AbortController()
    get<{ entities: Entity[] }>('find', { query: typed, limit: 8 }, stop.signal)
      .then(r => setFound(r.entities.filter(e => e.id !== except)), () => {})
    return () => stop.abort()
  }, [typed, chosen])
  return <div class="field"><label for="f-pick">{label}</label>
    {chosen ? <p class="picked"><Name text={chosen.name} /> <span class="faint">{chosen.id}</span>
      <button type="button" class="quiet" onClick={() => onChoose(null)}>Choose another</button></p>
      : <input id="f-pick" value={typed} autocomplete="off" onInput={e => setTyped(e.currentTarget.value)} />}
    {found.length > 0 && <ul class="choices">{found.map(e => <li key={e.id}>
      <button type="button" onClick={() => onChoose({ id: e.id, name: e.name ?? e.id })}>
        <Name text={e.name} /> <span class="type">{words(e.type)}</span> <span class="faint">{e.id},{' '}
          {counted(e.facts ?? 0, 'fact')}</span></button></li>)}</ul>}
  </div>
}

/** EditFact corrects, ends or replaces a fact. */
export function EditFact({ fact }: { fact: Fact }) {
  if (!useContext(Writes)) return null
  const before = { fact: fact.fact, valid_from: fact.valid_from, valid_until: fact.valid_until ?? fact.expires_at,
    confidence: fact.stored_confidence?.toFixed(2) }
  return <>
    <Dialog label="Edit…" title={'Edit ' + fact.id} submit="Save" onSubmit={async form => {
      const { confidence, ...rest } = differing(form, before)
      const { call } = await act('update_relation', { relationship_id: fact.id, ...rest,
        ...(confidence && { confidence: Number(confidence) }) })
      return { text: 'Saved.', call }
    }}>
      <Field name="fact" label="Sentence" value={before.fact} area />
      <Field name="valid_from" label="Since" value={before.valid_from} hint="A date, a month or a year: 2026-03-18, 2026-03, 2026." />
      <Field name="valid_until" label="Until" value={before.valid_until} hint="Empty if it holds now." />
      <Field name="confidence" label="Confidence, 0 to 1" value={before.confidence} />
    </Dialog>
    {fact.status !== 'ended' && <>
      <Dialog label="End…" title="This fact has ended" submit="End it" onSubmit={async form => {
        const { call } = await act('supersede', { relationship_id: fact.id, ...differing(form, { valid_until: '', reason: '' }) })
        return { text: 'The fact has ended.', call }
      }}>
        <Field name="valid_until" label="When" hint="Left empty: now." />
        <Field name="reason" label="Why, for the history" />
      </Dialog>
      <Dialog label="Replace…" title="Another fact took its place" submit="Replace" onSubmit={async form => {
        const given = differing(form, { tail: '', valid_from: '', fact: '', reason: '' })
        const { reason, ...replacement } = given
        const { call } = await act('supersede', { relationship_id: fact.id, replacement, ...(reason && { reason }) })
        return { text: 'The fact was replaced.', call }
      }}>
        <p><Name text={fact.head} /> {words(fact.relation)} …</p>
        <Field name="tail" label="New value" hint="A name or an id." />
        <Field name="valid_from" label="Since" hint="Left empty: now." />
        <Field name="fact" label="Sentence" area />
        <Field name="reason" label="Why, for the history" />
      </Dialog>
    </>}
  </>
}

interface Forgotten { episodes: number; relations: number; entities: number; objects: string[] }

/** Forget deletes something for good, after it has counted what goes with it. */
export function Forget({ id, what }: { id: string; what: string }) {
  const [count, setCount] = useState<Forgotten | null>(null)
  const [error, setError] = useState<unknown>()
  if (!useContext(Writes)) return null
  const rehearse = () => {
    setCount(null)
    setError(undefined)
    act<Forgotten>('forget', { ids: [id] }).then(r => setCount(r.body), setError)
  }
  return <Dialog label="Forget…" title="Forget for good?" submit="Forget for good" danger ready={!!count} onOpen={rehearse}
    onSubmit={async () => {
      const { body } = await act<Forgotten>('forget', { ids: [id], confirm: true })
      return { text: `Forgot ${total(body)}.` }
    }}>
    {error !== undefined ? <Problem error={error} /> : count ? <>
      <p>This deletes <Name text={what} />: {total(count)}. Nothing brings it back, not even undo.</p>
      {count.objects.length > 0 && <p class="faint ids">{count.objects.join(' ')}</p>}
    </> : <p class="faint">Counting…</p>}
  </Dialog>
}

function total(f: Forgotten): string {
  return [counted(f.episodes, 'turn'), counted(f.relations, 'fact'), counted(f.entities, 'entity', 'entities')].join(', ')
}
