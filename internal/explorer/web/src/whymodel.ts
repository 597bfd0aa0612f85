// What a replay of a question computes for its bars: pure functions.

export interface Feature { name: string; value: number; weight: number; reason?: string }
export interface WhyItem {
  id: string; kind: 'turn' | 'fact' | 'entity'; text: string; score: number; strength: number
  fate: 'kept' | 'gate' | 'uninformative' | 'untrusted' | 'limit'; why?: { matched_by: string[]; features: Feature[] | null }
}

/** Share is what one feature adds to a score, or takes from it. */
export interface Share { name: string; share: number; reason: string }

/** shares are the parts of a score that are not 0, the largest first. */
export function shares(features: Feature[] | null | undefined): Share[] {
  return (features ?? []).map(f => ({ name: f.name, share: f.value * f.weight, reason: f.reason ?? '' }))
    .filter(s => Math.abs(s.share) >= 5e-4).sort((a, b) => Math.abs(b.share) - Math.abs(a.share))
}

/** justBelow are the candidates that the host does not get, the strongest first. */
export function justBelow(items: WhyItem[]): WhyItem[] {
  return items.filter(c => c.fate !== 'kept').sort((a, b) => b.strength - a.strength)
}

/** coloured are the features with the largest parts over all candidates; the others share one colour. */
export function coloured(items: WhyItem[], most: number): string[] {
  const total = new Map<string, number>()
  for (const it of items) for (const s of shares(it.why?.features)) total.set(s.name, (total.get(s.name) ?? 0) + Math.abs(s.share))
  return [...total].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0])).slice(0, most).map(([name]) => name)
}

/** Part is a piece of a stacked bar: from and to are shares of its whole width. */
export interface Part { name: string; share: number; from: number; to: number }

/** stacked lays the shares of each candidate side by side on a common scale: what is negative left of zero. */
export function stacked(items: WhyItem[], order: string[]): { zero: number; rows: Part[][] } {
  const all = items.map(it => shares(it.why?.features))
  const plus = Math.max(1e-9, ...all.map(l => l.reduce((n, s) => n + Math.max(0, s.share), 0)))
  const minus = Math.max(0, ...all.map(l => l.reduce((n, s) => n - Math.min(0, s.share), 0)))
  const zero = minus / (plus + minus), unit = 1 / (plus + minus)
  const place = (name: string) => { const i = order.indexOf(name); return i < 0 ? order.length : i }
  const rows = all.map(list => {
    let right = zero, left = zero
    return [...list].sort((a, b) => place(a.name) - place(b.name)).map(s => {
      const wide = Math.abs(s.share) * unit
      if (s.share >= 0) { right += wide; return { ...s, from: right - wide, to: right } }
      left -= wide
      return { ...s, from: left, to: left + wide }
    })
  })
  return { zero, rows }
}
