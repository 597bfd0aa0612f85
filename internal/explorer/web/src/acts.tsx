import { createContext, type ComponentChildren } from 'preact'
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import { act, Failed, get, type Entity, type Fact, type Member } from './api'
import { changed, Problem } from './load'
import { href, open as show, where } from './route'
import { totals } from './say'
import { counted, Name, words } from './text'
import { dayOf, today } from './times'

/** Writes says whether this page may change the memory. */
export const Writes = createContext(false)

/** Told is what the last change did, the call that undoes it, and the view that is right now. */
export interface Told { text: string; call?: string; to?: string }
let tell: (told: Told | null) => void = () => {}

/** done says what a change did, and makes the views read again. */
export function done(told: Told) {
  tell(told)
  if (told.to && told.to !== where()) show(told.to) // a view of what is gone would only say so
  else changed()
}

/** Notices shows what the last change did, with a way to undo it. */
export function Notices() {
  const [told, set] = useState<Told | null>(null)
  useEffect(() => {
    const leave = () => set(t => t?.to && t.to === where() ? { ...t, to: '' } : null) // it is said in the view that it opened
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
      done({ text: `Undone: ${counted(body.objects.length, 'change')} taken back.`, call: body.undone_by })
    } catch (e) {
      tell({ text: e instanceof Error ? e.message + (e instanceof Failed && e.hint ? ' ' + e.hint : '') : String(e) })
    }
    set(false)
  }
  return <button class="quiet" disabled={busy} onClick={undo}>Undo</button>
}

/** inHost reports whether the page stands inside a host, where an agent corrects. */
const inHost = () => 'app' in document.documentElement.dataset

/** Release lets a turn out of quarantine. */
export function Release({ turn }: { turn: string }) {
  if (!useContext(Writes) || inHost()) return null // an agent releases nothing
  return <Dialog label="Release…" title="Release this turn?" submit="Release" onSubmit={async () => {
    const { body, call } = await act<{ relations: string[] }>('release', { episode: turn })
    return { text: `Released ${turn}. ${counted(body.relations.length, 'fact')} found.`, call }
  }}><p>It becomes a normal turn, and the facts that it states become part of the memory. Read it first.</p></Dialog>
}

/** Dialog is a button that opens a form. The form says why it failed, or closes. */
export function Dialog({ label, title, submit, danger, children, onSubmit, onOpen, ready = true }: {
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
      done(told)
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

/** Field is a labelled input of a dialog. */
export function Field({ name, label, value = '', hint, area, share, required, choices }: {
  name: string; label: string; value?: string | undefined; hint?: string; area?: boolean; share?: boolean
  required?: boolean; choices?: string[]
}) {
  const id = 'f-' + name
  return <div class="field"><label for={id}>{label}</label>
    {area ? <textarea id={id} name={name} rows={3} defaultValue={value} dir="auto" />
      : share ? <input id={id} name={name} type="number" min={0} max={1} step="any" defaultValue={value} />
      : <input id={id} name={name} defaultValue={value} dir="auto" autocomplete="off" required={!!required}
        list={choices && id + '-list'} />}
    {choices && <datalist id={id + '-list'}>{choices.map(c => <option key={c} value={c} />)}</datalist>}
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
  return <Dialog label="Edit…" title={`Edit ${entity.name ?? entity.id}`} submit="Save" onSubmit={async form => {
    const now = String(form.get('aliases') ?? '').split('\n').map(s => s.trim()).filter(Boolean)
    const add = now.filter(a => !aliases.includes(a)), gone = aliases.filter(a => !now.includes(a))
    const { call } = await act('update_entity', { entity: entity.id, ...differing(form, before),
      ...(add.length && { add_aliases: add }), ...(gone.length && { remove_aliases: gone }) })
    return { text: 'Saved.', call }
  }}>
    <Field name="name" label="Name" value={entity.name} hint="The old name stays as another name." />
    <Field name="type" label="Kind" value={entity.type} hint="person, project, tool, or a word of your own." />
    <Field name="description" label="What it is" value={entity.description} area />
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

/** Pick chooses an entity by its name. */
export function Pick({ label, except, chosen, onChoose, onType, hint }: {
  label: string; except?: string; chosen: Member | null; onChoose: (e: Member | null) => void
  onType?: (typed: string) => void; hint?: string
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
      : <input id="f-pick" value={typed} autocomplete="off" dir="auto" onInput={e => {
        setTyped(e.currentTarget.value)
        onType?.(e.currentTarget.value)
      }} />}
    {hint && !chosen && <p class="faint">{hint}</p>}
    {found.length > 0 && <ul class="choices">{found.map(e => <li key={e.id}>
      <button type="button" onClick={() => onChoose({ id: e.id, name: e.name ?? e.id })}>
        <Name text={e.name} /> <span class="type">{words(e.type)}</span> <span class="faint">{e.id},{' '}
          {counted(e.facts ?? 0, 'fact')}</span></button></li>)}</ul>}
  </div>
}

/** EditFact corrects, ends or replaces a fact. */
export function EditFact({ fact }: { fact: Fact }) {
  if (!useContext(Writes)) return null
  const over = fact.status === 'ended'
  const before = { fact: fact.fact, valid_from: fact.valid_from, confidence: fact.stored_confidence?.toFixed(2),
    ...(!over && { valid_until: fact.valid_until ?? fact.expires_at }) }
  return <>
    <Dialog label="Edit…" title="Correct this fact" submit="Save" onSubmit={async form => {
      const { confidence, ...rest } = differing(form, before)
      const { call } = await act('update_relation', { relationship_id: fact.id, ...rest,
        ...(confidence && { confidence: Number(confidence) }) })
      return { text: 'Saved.', call }
    }}>
      <Field name="fact" label="Sentence" value={before.fact} area />
      <Field name="valid_from" label="Since" value={before.valid_from} hint="A date, a month or a year: 2026-03-18, 2026-03, 2026." />
      {!over && <Field name="valid_until" label="Until" value={before.valid_until} hint="Empty if it holds now." />}
      <Field name="confidence" label="How sure it is, from 0 to 1" value={before.confidence} share />
      {!inHost() && <p class="faint">What you correct counts as your own word from now on. The version before it stays in the
        history.</p>}
    </Dialog>
    {!over && <>
      <Dialog label="End…" title="This fact has ended" submit="End it" onSubmit={async form => {
        const given = differing(form, { valid_until: '', reason: '' })
        const { call } = await act('supersede', { relationship_id: fact.id, ...given })
        return { text: dayOf(given.valid_until ?? '') > today() ? 'The fact will end.' : 'The fact has ended.', call }
      }}>
        <Field name="valid_until" label="When" hint="Left empty: now." />
        <Field name="reason" label="Why, for the history" />
      </Dialog>
      <Dialog label="Replace…" title="Another fact took its place" submit="Replace" onSubmit={async form => {
        const given = differing(form, { tail: '', valid_from: '', fact: '', reason: '' })
        const { reason, ...replacement } = given
        const { call } = await act('supersede', { relationship_id: fact.id, replacement, ...(reason && { reason }) })
        return { text: `Replaced by: ${fact.head} ${words(fact.relation)} ${given.tail ?? fact.tail}.`, call }
      }}>
        <p><Name text={fact.head} /> {words(fact.relation)} …</p>
        <Field name="tail" label="What is true instead" hint="A name." />
        <Field name="valid_from" label="Since" hint="Left empty: now." />
        <Field name="fact" label="Sentence" area />
        <Field name="reason" label="Why, for the history" />
      </Dialog>
    </>}
  </>
}

interface Forgotten { episodes: number; relations: number; entities: number; objects: string[]; shown?: { id: string; text?: string }[]; ends_taken_back?: string[] }

const gone: [string, string][] = [['t', 'Turns'], ['r', 'Facts'], ['em', 'Entities that nothing else tells of']]

/** Forget deletes something for good, after it has said what goes with it. */
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
      return { text: `Forgot ${total(body)}. This is final.`, to: href('changes') }
    }}>
    {error !== undefined ? <Problem error={error} /> : count ? <>
      <p>This deletes <Name text={what} />: {total(count)}. Nothing brings it back, not even undo.</p>
      <Gone of={count} id={id} />
    </> : <p class="faint">Looking what goes with it…</p>}
  </Dialog>
}

/** Gone lists what forgetting deletes, by name. */
function Gone({ of, id }: { of: Forgotten; id: string }) {
  const shown = of.shown ?? of.objects.map(id => ({ id, text: '' }))
  const more = of.episodes + of.relations + of.entities - of.objects.length
  return <div class="gone" tabIndex={0} role="region" aria-label="What is deleted">{gone.map(([kind, title]) => {
    const list = shown.filter(o => kind.includes(o.id[0]!))
    const heading = kind === 'em' && kind.includes(id[0]!) ? 'Entities' : title
    return list.length > 0 && <div key={kind}><h3>{heading} <span class="count">{list.length}</span></h3>
      <ul class="plain">{list.map(o => <li key={o.id}>{o.text
        ? <Name text={o.id[0] === 'r' ? words(o.text) : o.text} most={120} /> : <span class="id">{o.id}</span>}</li>)}</ul></div>
  })}{more > 0 && <p class="faint">and {more.toLocaleString()} more</p>}
    {!!of.ends_taken_back?.length && <p>{counted(of.ends_taken_back.length, 'fact')} that ended because of this:
      the end is taken back.</p>}</div>
}

function total(f: Forgotten): string {
  return totals({ facts: f.relations, entities: f.entities, turns: f.episodes }) || 'nothing'
}
