import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

// Stored text is hostile. It reaches the page as text nodes only, in its own direction, and characters that hide or
// reorder other text are shown by their number.
const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu

/** revealed splits a text at characters that hide or reorder other text. */
export function revealed(text: string): ComponentChildren[] {
  const out: ComponentChildren[] = []
  let from = 0, name = '', times = 0
  const mark = () => {
    if (times) out.push(<span class="mark">{times > 1 ? `${name} ×${times}` : name}</span>)
    times = 0
  }
  for (const m of text.matchAll(hidden)) {
    const found = 'U+' + m[0].codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
    if (m.index > from || found !== name) mark()
    if (m.index > from) out.push(text.slice(from, m.index))
    name = found
    times++
    from = m.index + m[0].length
  }
  mark()
  if (from < text.length) out.push(text.slice(from))
  return out
}

/** plain is revealed for places that hold no elements, such as a canvas. */
export function plain(text: string): string {
  return text.replace(hidden, c => '⟨U+' + c.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0') + '⟩')
}

/** cut shortens a text to about most characters, at the end of a character. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text
  const end = /[\ud800-\udbff]/.test(text[most - 1] ?? '') ? most - 1 : most
  return text.slice(0, end).trimEnd() + '…'
}

/** Name shows a stored name in one line. */
export function Name({ text, most = 90 }: { text: string | undefined; most?: number }) {
  if (!text) return <span class="faint">no name</span>
  return <bdi title={text.length > most ? cut(text, 600) : undefined}>{revealed(cut(text.replace(/\s+/g, ' '), most))}</bdi>
}

/** Prose shows a stored text with its line breaks. A long one is cut until the reader asks for all of it. */
export function Prose({ text, marks = [], most = 1500 }: { text: string; marks?: [number, number][]; most?: number }) {
  const [all, setAll] = useState(false)
  const shown = all ? text : cut(text, most)
  const parts: ComponentChildren[] = []
  let at = 0
  for (const [start, stop] of marks) {
    if (start >= shown.length) break
    if (start > at) parts.push(...revealed(shown.slice(at, start)))
    parts.push(<mark>{revealed(shown.slice(start, Math.min(stop, shown.length)))}</mark>)
    at = Math.min(stop, shown.length)
  }
  parts.push(...revealed(shown.slice(at)))
  return <>
    <p class="prose" dir="auto">{parts}</p>
    {!all && text.length > most &&
      <button class="quiet" onClick={() => setAll(true)}>Show all {text.length.toLocaleString()} characters</button>}
  </>
}

const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' })
const dayInYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })
const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium' })

/** startOfToday is the local midnight. */
export function startOfToday(now = new Date()): Date { return new Date(now.getFullYear(), now.getMonth(), now.getDate()) }

const dateAndTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** instant writes an instant with its date, for a sentence. */
export function instant(at: string): string { return dateAndTime.format(new Date(at)) }

/** When shows an instant, a date, a month or a year as precisely as it is known. */
export function When({ at, none = '' }: { at: string | undefined; none?: string }) {
  if (!at) return <span class="faint">{none}</span>
  if (/^\d{4}(-\d\d)?$/.test(at)) return <time dateTime={at}>{at.length === 4 ? at : month(at)}</time>
  const t = new Date(at)
  if (Number.isNaN(t.getTime())) return <>{revealed(at)}</>
  const midnight = /^\d{4}-\d\d-\d\d(T00:00:00(\.000)?Z)?$/.test(at) // a date without a time of day, in UTC
  if (midnight) {
    const local = new Date(t.getUTCFullYear(), t.getUTCMonth(), t.getUTCDate())
    return <time dateTime={at.slice(0, 10)} title={at.slice(0, 10)}>{day.format(local)}</time>
  }
  const now = new Date()
  let shown = day.format(t)
  if (t >= startOfToday(now) && t <= now) shown = clock.format(t)
  else if (t.getFullYear() === now.getFullYear()) shown = dayInYear.format(t) + ', ' + clock.format(t)
  return <time dateTime={at} title={exact.format(t)}>{shown}</time>
}

function month(at: string): string {
  const [y, m] = at.split('-').map(Number)
  return new Intl.DateTimeFormat(undefined, { month: 'short', year: 'numeric' }).format(new Date(y!, m! - 1, 1))
}

/** words writes a snake_case name as words. */
export function words(name: string | undefined): string { return (name ?? '').replaceAll('_', ' ') }

/** counted is a number with its noun. */
export function counted(n: number, one: string, many = one + 's'): string {
  return `${n.toLocaleString()} ${n === 1 ? one : many}`
}
