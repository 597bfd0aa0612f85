// Instants as days, for sliders and for bars: pure functions.

export interface Times { valid_at?: string | undefined; known_at?: string | undefined }

const ms = 86_400_000

/** dayOf is the number of a day since 1970, in UTC. A month or a year is its first day. NaN for what is no date. */
export function dayOf(at: string): number {
  const m = /^(\d{4})(?:-(\d\d))?(?:-(\d\d))?(T.*)?$/.exec(at)
  if (!m) return NaN
  const t = m[4] ? Date.parse(at) : Date.UTC(Number(m[1]), Number(m[2] ?? 1) - 1, Number(m[3] ?? 1))
  return Math.floor(t / ms)
}

/** isoDay writes a day as 2026-03-01. */
export function isoDay(day: number): string { return new Date(day * ms).toISOString().slice(0, 10) }

/** endOf is the last second of a day that isoDay wrote. */
export function endOf(day: string): string { return day + 'T23:59:59Z' }

/** today is the number of the current day. */
export function today(now = Date.now()): number { return Math.floor(now / ms) }

/** firstDay is the earliest of some dates, at least a month before a day. */
export function firstDay(dates: Iterable<string | undefined>, before: number): number {
  let first = before - 30
  for (const d of dates) {
    const day = d ? dayOf(d) : NaN
    if (day < first) first = day
  }
  return first
}

/** Life is the bar of a fact on an axis: 0 is its beginning and 1 its end. */
export interface Life { id: string; from: number; to: number; begun: boolean; ended: boolean }
export interface Axis { first: number; last: number; now: number; ticks: { at: number; label: string }[] }

export interface Lived { id: string; valid_from?: string; valid_until?: string; expires_at?: string }

/** lives places facts on a common axis. Without a known beginning a bar begins at the edge, and its end is open. */
export function lives(facts: Lived[], day: number): { axis: Axis; bars: Life[] } {
  const dates = facts.flatMap(f => [f.valid_from, f.valid_until ?? f.expires_at]).map(d => d ? dayOf(d) : NaN)
    .filter(d => !Number.isNaN(d))
  let first = Math.min(day - 30, ...dates), last = Math.max(day, ...dates)
  const margin = Math.max(10, Math.round((last - first) * .04))
  first -= margin
  last += margin
  const place = (d: number) => Math.min(1, Math.max(0, (d - first) / (last - first)))
  const bars = facts.map(f => {
    const from = f.valid_from ? dayOf(f.valid_from) : NaN, end = f.valid_until ?? f.expires_at
    const to = end ? dayOf(end) : NaN
    return { id: f.id, from: Number.isNaN(from) ? 0 : place(from), to: Number.isNaN(to) ? Math.max(place(day), Number.isNaN(from) ? 0 : place(from) + .01) : place(to),
      begun: !Number.isNaN(from), ended: !Number.isNaN(to) }
  })
  return { axis: { first, last, now: place(day), ticks: ticks(first, last - margin).map(t => ({ ...t, at: place(t.at) })) }, bars }
}

/** ticks are up to seven round dates between two days. */
export function ticks(first: number, last: number): { at: number; label: string }[] {
  const months = [1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200].find(m => (last - first) / (m * 30.44) <= 7) ?? 2400
  const d = new Date(first * ms)
  const out: { at: number; label: string }[] = []
  let month = Math.ceil((d.getUTCFullYear() * 12 + d.getUTCMonth() + 1) / months) * months
  for (;; month += months) {
    const at = Date.UTC(Math.floor(month / 12), month % 12, 1) / ms
    if (at > last) return out
    const label = months >= 12 ? String(Math.floor(month / 12)) : isoDay(at).slice(0, 7)
    if (at >= first) out.push({ at, label })
  }
}
