import type { Theme } from './picture'

// The colours can be told apart with each form of colour blindness, and have a contrast of 3 : 1 with the background.
// They follow Okabe and Ito, darker on light paper.
const light = { groups: ['#0067a5', '#c4540c', '#007a58', '#a8407a', '#7a6000', '#5b4bb0'], other: '#77808a',
  classes: { semantic: '#6b7684', causal: '#c4540c', temporal: '#0067a5', hierarchical: '#007a58', co_occurrence: '#a8407a' },
  theme: { ink: '#1d2126', soft: '#5b636d', paper: '#fcfcfa', raised: '#ffffff', accent: '#1f6358', dim: '#e4e4df' } }
const dark = { groups: ['#56b4e9', '#f0874a', '#34c39a', '#e08fbd', '#e3b93c', '#a99df2'], other: '#8f99a3',
  classes: { semantic: '#8d97a3', causal: '#f0874a', temporal: '#56b4e9', hierarchical: '#34c39a', co_occurrence: '#e08fbd' },
  theme: { ink: '#e6e8ea', soft: '#a0a8b1', paper: '#15181b', raised: '#1c2024', accent: '#7cc7b8', dim: '#2a2f34' } }

export type Colours = { groups: string[]; other: string; classes: Record<string, string>; theme: Theme }

export function colours(isDark: boolean): Colours { return isDark ? dark : light }

/** mixed is a colour on a background, with a share of 0 to 1. */
export function mixed(colour: string, on: string, share: number): string {
  const part = (hex: string, i: number) => parseInt(hex.slice(1 + 2 * i, 3 + 2 * i), 16)
  return '#' + [0, 1, 2].map(i => Math.round(part(on, i) + (part(colour, i) - part(on, i)) * share)
    .toString(16).padStart(2, '0')).join('')
}
