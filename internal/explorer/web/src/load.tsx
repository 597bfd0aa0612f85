import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Failed } from './api'
import { instant, Name } from './text'
import { href, place } from './route'

type Loading<T> = { data?: T; error?: unknown; busy: boolean; again: () => void }

let generation = 0
const listeners = new Set<() => void>()

/** changed makes every view read again what it shows. */
export function changed() { generation++; for (const l of listeners) l() }

/** useLoad reads data, and reads it again when key changes or the memory was changed. The old data stays until then. */
export function useLoad<T>(key: string, read: (signal: AbortSignal) => Promise<T>): Loading<T> {
  const [state, set] = useState<{ key: string; data?: T; error?: unknown }>({ key: '' })
  const [turn, again] = useState(generation)
  useEffect(() => {
    const l = () => again(n => n + 1)
    listeners.add(l)
    return () => { listeners.delete(l) }
  }, [])
  useEffect(() => {
    const stop = new AbortController()
    const show = (now: { data: T } | { error: unknown }) => { if (!stop.signal.aborted) set({ key, ...now }) }
    read(stop.signal).then(data => show({ data }), error => show({ error }))
    return () => stop.abort()
  }, [key, turn])
  const mine = state.key === key ? state : { key }
  return { ...mine, busy: state.key !== key, again: () => again(n => n + 1) }
}

type Paged<T> = { list?: T[]; error?: unknown; more: boolean; next: () => void }

/** usePages reads a list page by page. A change of the memory begins it again. */
export function usePages<T, R extends { next_cursor?: string }>(key: string,
  read: (cursor: string, signal: AbortSignal) => Promise<R>, items: (answer: R) => T[]): Paged<T> {
  const first = useLoad(key, s => read('', s))
  const [rest, set] = useState<{ of: R | undefined; list: T[]; cursor: string | undefined; error?: unknown }>(
    { of: undefined, list: [], cursor: undefined })
  if (!first.data) return { error: first.error, more: false, next: first.again }
  const mine = rest.of === first.data ? rest : { of: first.data, list: [], cursor: first.data.next_cursor }
  const next = () => {
    if (mine.cursor) read(mine.cursor, new AbortController().signal).then(
      r => set({ of: mine.of, list: [...mine.list, ...items(r)], cursor: r.next_cursor }),
      error => set({ ...mine, error }))
  }
  return { list: [...items(first.data), ...mine.list], more: !!mine.cursor, next, error: (mine as { error?: unknown }).error }
}

/** Pages shows a list that usePages reads, and a button for what follows. */
export function Pages<T>({ of, children }: { of: Paged<T>; children: (list: T[]) => ComponentChildren }) {
  return <>
    {of.list ? children(of.list) : of.error === undefined && <p class="faint loading" role="status">Loading…</p>}
    {of.error !== undefined && <Problem error={of.error} again={of.next} />}
    {of.more && <p class="more"><button onClick={of.next}>More</button></p>}
  </>
}

/** Loaded shows data once it is there, or why it is not. title heads a view that has no other heading then. */
export function Loaded<T>({ of, title, children }: {
  of: Loading<T>; title?: string; children: (data: T) => ComponentChildren
}) {
  if (of.error !== undefined) return <>{title && <h1><Name text={title} /></h1>}<Problem error={of.error} again={of.again} /></>
  if (of.data === undefined) return <p class="faint loading" role="status">Loading…</p>
  return <>{children(of.data)}</>
}

/** Problem says what failed and what to do next. */
export function Problem({ error, again }: { error: unknown; again?: () => void }) {
  const e = error instanceof Failed ? error : new Failed(0, '', error instanceof Error ? error.message : String(error), '', [])
  if (e.status === 404) return <Nothing error={e} />
  return <div class="problem" role="alert">
    <p>{e.message} {e.hint}</p>
    {e.candidates.length > 0 && <ul>{e.candidates.map(c =>
      <li key={c.id}><a href={place(c.id)}><Name text={c.name} /></a> <span class="faint">{c.id}</span></li>)}</ul>}
    {again && <button onClick={again}>Try again</button>}
  </div>
}

/** Nothing says that something is not in the memory, and the ways back. That is no failure. */
function Nothing({ error: e }: { error: Failed }) {
  return <div class="notice" role="status">
    <p>{e.message.replace(/ in namespace "[^"]*"/, '').replace(/\d{4}-\d\d-\d\dT[\d:]+Z/, instant)}
      {!e.candidates.length && ' It may have been forgotten or undone.'}</p>
    {e.candidates.length > 0 && <ul>{e.candidates.map(c => <li key={c.id}><a href={place(c.id)}><Name text={c.name} /></a></li>)}</ul>}
    <p class="actions"><a href={href('')}>To what is new</a> <a href={href('changes')}>To all changes</a></p>
  </div>
}
