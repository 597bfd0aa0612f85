import { useEffect, useRef, useState } from 'preact/hooks'
import { get, type Call, type Fact } from './api'
import { Calls } from './calls'
import { Section } from './facts'
import { difference, type Hood } from './graphmodel'
import { Loaded, useLoad } from './load'
import { place } from './route'
import { cut, Name, words } from './text'
import { dayOf, endOf, firstDay, isoDay, lives, today, type Times } from './times'

/** TimeBar selects when facts were true, and when they were known. */
export function TimeBar({ times, from, known = from, onChange }: {
  times: Times; from: number; known?: number; onChange: (times: Times) => void
}) {
  return <div class="timebar" role="group" aria-label="Time">
    <Axis label="True at" hint="valid at: show what was true on this day" first={from} at={times.valid_at}
      onChange={valid_at => onChange({ ...times, valid_at })} />
    <Axis label="Known at" hint="known at: show what the memory knew at the end of this day" first={known} at={times.known_at}
      onChange={known_at => onChange({ ...times, known_at: known_at && endOf(known_at) })} />
  </div>
}

function Axis({ label, hint, first, at, onChange }: {
  label: string; hint: string; first: number; at: string | undefined; onChange: (at: string | undefined) => void
}) {
  const now = today()
  const [day, setDay] = useState(at ? dayOf(at) : now)
  const timer = useRef(0)
  useEffect(() => setDay(at ? dayOf(at) : now), [at])
  useEffect(() => () => clearTimeout(timer.current), [])
  const move = (d: number, soon: boolean) => {
    setDay(d)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => onChange(d === now ? undefined : isoDay(d)), soon ? 0 : 150)
  }
  const id = label.replace(/\W/g, '').toLowerCase()
  const least = Math.min(first, day)
  return <div class="axis" title={hint}>
    <label for={id}>{label}</label>
    <input id={id} type="range" min={least} max={Math.max(now, day)} step={1} value={day}
      aria-valuetext={day === now ? 'now' : isoDay(day)} onInput={e => move(Number(e.currentTarget.value), false)} />
    <input type="date" aria-label={label + ', as a date'} value={isoDay(day)} onChange={e => {
      const d = e.currentTarget.value ? dayOf(e.currentTarget.value) : now
      if (!Number.isNaN(d)) move(d, true)
    }} />
    <button class="quiet" disabled={day === now} onClick={() => move(now, true)}
      aria-label={`${label}: go to now`}>now</button>
  </div>
}

/** Lives shows when facts held, as bars on a common axis, with a text for each. */
export function Lives({ facts, of }: { facts: Fact[]; of?: string }) {
  const { axis, bars } = lives(facts, today())
  const row = 26, left = 0, width = 1000, top = 22, height = top + facts.length * row
  const x = (v: number) => left + v * (width - left)
  return <figure class="lives">
    <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`When ${facts.length} facts held; the table has the dates`}
      preserveAspectRatio="none" style={{ height: height + 'px' }}>
      {axis.ticks.map(t => <line key={t.label} class="tick" x1={x(t.at)} x2={x(t.at)} y1={16} y2={height} />)}
      {bars.map((b, i) => <g key={b.id} class={b.ended ? 'was' : 'is'}>
        <rect x={x(b.from)} y={top + i * row + 18} width={Math.max(3, x(b.to) - x(b.from))} height={5} rx={2} /></g>)}
      <line class="now" x1={x(axis.now)} x2={x(axis.now)} y1={14} y2={height} />
    </svg>
    <div class="lives-text" aria-hidden="true">
      {axis.ticks.map(t => <span key={t.label} class="tick-label" style={{ left: 100 * t.at + '%' }}>{t.label}</span>)}
      {facts.map((f, i) => <a key={f.id} href={place(f.id)} tabIndex={-1} class={bars[i]!.from > .6 ? 'life to-left' : 'life'}
        style={{ top: top + i * row - 1 + 'px', ...(bars[i]!.from > .6
          ? { right: 100 * (1 - bars[i]!.to) + '%' } : { left: 100 * bars[i]!.from + '%' }) }}>
        <Name text={told(f, of)} most={70} /> <span class="faint">{spanOf(f)}</span></a>)}
    </div>
  </figure>
}

function told(f: Fact, of: string | undefined): string {
  const relation = words(f.relation)
  if (f.head_id === of) return `${relation} ${f.tail ?? ''}`
  if (f.tail_id === of) return `${cut(f.head ?? '', 40)} ${relation}`
  return `${cut(f.head ?? '', 40)} ${relation} ${f.tail ?? ''}`
}

function spanOf(f: Fact): string {
  const end = f.valid_until ?? f.expires_at
  return (f.valid_from?.slice(0, 10) ?? 'unknown') + ' – ' + (end?.slice(0, 10) ?? 'now')
}

/** Between tells what changed between two instants: the facts that began and ended, and the calls that wrote. */
export function Between({ ns, entities, of }: { ns: string; entities: string[]; of?: string }) {
  const now = today()
  const [range, set] = useState<[string, string]>([isoDay(now - 365), isoDay(now)])
  const [since, until] = range
  const key = `${ns} ${entities.join()} ${since} ${until}`
  const ok = dayOf(since) < dayOf(until)
  const hoods = useLoad('between ' + key, async s => {
    if (!ok || !entities.length) return null
    const ask = (valid_at: string | undefined) => get<Hood>('neighbourhood', { entities, per_node: 200, valid_at }, s)
    const [a, b] = await Promise.all([ask(since), ask(until === isoDay(now) ? undefined : until)])
    const names = new Map([...a.nodes, ...b.nodes].map(n => [n.id, n.name]))
    return { names, cut: a.cut || b.cut, ...difference(a.edges, b.edges) }
  })
  const calls = useLoad('calls ' + key, s => ok ? get<{ calls: Call[] }>('calls',
    { since, until: isoDay(dayOf(until) + 1), limit: 12, entity: of }, s) : Promise.resolve({ calls: [] }))
  const date = (i: 0 | 1, label: string) => <label>{label} <input type="date" value={range[i]}
    onChange={e => { const v = e.currentTarget.value; if (v) set(i ? [since, v] : [v, until]) }} /></label>
  return <Section title="What changed" action={<span class="range">{date(0, 'from')} {date(1, 'to')}</span>}>
    {!ok && <p class="notice">The first day must be before the second one.</p>}
    {entities.length > 0 && <Loaded of={hoods}>{d => d && <div class="changed">
      {([['Began', d.began], ['Ended', d.ended]] as const).map(([title, list]) => <div key={title}>
        <h3>{title} <span class="count">{list.length}</span></h3>
        {list.length ? <ul class="plain">{list.slice(0, 30).map(e => <li key={e.id} class="sentence">
          <a href={place(e.head)}><Name text={d.names.get(e.head)} most={50} /></a>{' '}
          <a class="verb" href={place(e.id)}>{words(e.relation)}</a>{' '}
          <a href={place(e.tail)}><Name text={d.names.get(e.tail)} most={50} /></a></li>)}</ul>
          : <p class="faint">No facts.</p>}
        {list.length > 30 && <p class="faint">and {(list.length - 30).toLocaleString()} more</p>}
      </div>)}
      <p class="faint">{d.stayed.toLocaleString()} {d.stayed === 1 ? 'fact' : 'facts'} held at both times.
        {d.cut && ' Of entities with many facts, only the surest ones are compared.'}</p>
    </div>}</Loaded>}
    <h3>Written in this time</h3>
    <Loaded of={calls}>{({ calls }) => calls.length ? <Calls ns={ns} calls={calls} />
      : <p class="faint">Nothing was written between these days.</p>}</Loaded>
  </Section>
}

/** useFirst is the day of the first turn of the memory, for the axis of knowledge. */
export function useFirst(ns: string): number {
  const stats = useLoad('first ' + ns, s => get<{ oldest_episode?: string }>('stats', {}, s))
  return stats.data ? firstDay([stats.data.oldest_episode], today()) : today() - 365
}

