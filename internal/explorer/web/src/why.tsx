import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { get, part } from './api'
import { Section } from './facts'
import { Loaded, useLoad } from './load'
import { go, href, place } from './route'
import { matchWords, strategyWords, strengthWords } from './say'
import { counted, Name, revealed, When, words } from './text'
import { coloured, justBelow, shares, stacked, type WhyItem } from './whymodel'

interface WhyPage {
  context: string; tokens: number; reason?: string; class?: string; class_confidence?: number; match?: string
  particular: number; personal: number; classes: { class: string; probability: number }[]
  words: { word: string; stop: boolean }[]; searched: boolean; strategy?: string; budget?: number; cut: string[]
  gate?: { best: number; least: number; each: number; share: number; open: boolean }
  candidates: WhyItem[]; standing: WhyItem[]; below_threshold: number; best_below?: number
}

/** Why replays a question stage by stage. */
export function Why({ ns, message }: { ns: string; message: string }) {
  return <>
    <h1>Why this answer</h1>
    <p class="lead faint">What a host gets before it answers a message, and how it came to be.</p>
    <form class="ask" onSubmit={e => {
      e.preventDefault()
      const q = String(new FormData(e.currentTarget).get('message') ?? '').trim()
      if (q) go('why', { q })
    }}>
      <label class="sr" for="message">Message</label>
      <textarea id="message" name="message" rows={2} dir="auto" placeholder="A message, as a person would write it" required
        onKeyDown={e => { if (e.key === 'Enter' && !e.shiftKey) { e.preventDefault(); e.currentTarget.form?.querySelector('button')?.click() } }}>{message}</textarea>
      <div class="buttons"><a class="quiet" href={href('traces')}>Answers that hosts got</a>
        <button class="main-button">Replay</button></div>
    </form>
    {message && (encodeURIComponent(message).length > longest
      ? <p class="notice" role="status">This message is too long to be replayed here. Replay its beginning.</p>
      : <Replay ns={ns} message={message} />)}
  </>
}

/** longest is how long a message may be in an address, in bytes: the server reads headers of at most 64 KiB. */
const longest = 60_000

const reasons: Record<string, string> = {
  conversational: 'This is small talk, which needs no memory. Nothing was searched.',
  empty_message: 'The message is empty.', no_budget: 'The budget is 0 tokens.',
  nothing_found: 'The memory has nothing about this message that passes the gate.',
  nothing_fits: 'What was found is longer than the budget.',
}

function Replay({ ns, message }: { ns: string; message: string }) {
  const page = useLoad(`why ${ns} ${message}`, s => get<WhyPage>('why', { message }, s))
  return <Loaded of={page}>{w => {
    const kept = w.candidates.filter(c => c.fate === 'kept')
    const below = justBelow(w.candidates)
    return <ol class="stages">
      <Stage title="Class" said={w.class ? `${words(w.class)}, ${percent(w.class_confidence)}` : 'left open'}>
        <ul class="meters">{w.classes.map(c => <li key={c.class}><span>{words(c.class)}</span>
          <Bar of={c.probability} /><span class="num">{percent(c.probability)}</span></li>)}
          <li class="apart"><span>about something particular</span><Bar of={w.particular} /><span class="num">{percent(w.particular)}</span></li>
          <li><span>depends on who asks</span><Bar of={w.personal} /><span class="num">{percent(w.personal)}</span></li></ul>
      </Stage>
      <Stage title="Words" said={counted(w.words.filter(x => !x.stop).length, 'word') + ' to look for'}>
        <p class="words">{w.words.map((x, i) => <span key={i} class={x.stop ? 'stop' : ''}>
          {x.stop ? <s><bdi>{revealed(x.word)}</bdi></s> : <bdi>{revealed(x.word)}</bdi>}</span>)}</p>
        {w.words.some(x => x.stop) && <p class="faint">Words that are struck out are too common to look for.</p>}
      </Stage>
      {!w.searched ? <Stage title="Search" said="not done"><p>{reasons[w.reason ?? ''] ?? w.reason}</p></Stage> : <>
        <Stage title="Candidates" said={`${w.candidates.length} found ${strategyWords(w.strategy)}: ${strengthWords(w.match)}`}>
          {(['turn', 'fact', 'entity'] as const).map(kind =>
            <Candidates key={kind} kind={kind} items={w.candidates.filter(c => c.kind === kind)} />)}
          {w.standing.length > 0 && <Candidates kind="turn" title="Standing facts about you" items={w.standing} />}
        </Stage>
        {w.gate && <Stage title="Gate" said={w.gate.open ? `open: ${counted(kept.length, 'candidate')} passed` : 'closed'}>
          <Gate gate={w.gate} /></Stage>}
        <Stage title="Budget" said={`${w.tokens} of ${w.budget} tokens`}>
          <Bar of={w.budget ? w.tokens / w.budget : 0} wide />
          {w.cut.length ? <><p>The budget cut or shortened {counted(w.cut.length, 'line')}:</p>
            <ul class="cut">{w.cut.slice(0, 20).map(l => <li key={l}><bdi>{revealed(l.replace(/^- /, ''))}</bdi></li>)}</ul></>
            : <p class="faint">Everything that passed fits.</p>}
        </Stage>
        <Stage title="Just below" said={counted(below.length, 'candidate') + (w.below_threshold ? `, ${w.below_threshold} under the threshold` : '')}>
          {below.length ? <ul class="rows">{below.slice(0, 8).map(c => <li key={c.id}>
            <div><Item of={c} /></div><span class="meta"><span class={'fate fate-' + c.fate}>{fates[c.fate]}</span>
              <span>strength {c.strength.toFixed(2)}</span></span></li>)}</ul>
            : <p class="faint">Nothing was left out.</p>}
          {w.below_threshold > 0 && <p class="faint">{counted(w.below_threshold, 'more turn')} had a score under the threshold
            {w.best_below !== undefined && <>; the best of them {w.best_below.toFixed(2)}</>}.</p>}
        </Stage>
      </>}
      <Stage title="The block" said={w.context ? `${w.tokens} tokens` : 'none'}>
        {w.context ? <pre class="block" dir="auto" tabIndex={0} aria-label="The block as the host receives it">{revealed(w.context)}</pre>
          : <p>The host gets no block. {reasons[w.reason ?? ''] ?? w.reason}</p>}
      </Stage>
    </ol>
  }}</Loaded>
}

function Stage({ title, said, children }: { title: string; said: string; children: ComponentChildren }) {
  const id = 'stage-' + title.toLowerCase().replace(/\W+/g, '-')
  return <li><section aria-labelledby={id}><h2 id={id}>{title} <span class="count">{said}</span></h2>{children}</section></li>
}

function Bar({ of, wide = false }: { of: number; wide?: boolean }) {
  return <span class={wide ? 'meter wide-meter' : 'meter'} aria-hidden="true"><i style={{ width: Math.round(100 * Math.min(1, of)) + '%' }} /></span>
}

const percent = (v: number | undefined) => v === undefined ? '' : Math.round(100 * v) + ' %'

const fates: Record<WhyItem['fate'], string> =
  { kept: 'kept', gate: 'too weak', uninformative: 'tells nothing new', untrusted: 'from a tool or a file', limit: 'others were better' }

function Item({ of: c }: { of: WhyItem }) { return <a href={place(c.id)}><Name text={c.kind === 'fact' ? words(c.text) : c.text} most={110} /></a> }

const kinds = { turn: 'Turns', fact: 'Facts', entity: 'Entities' }

/** Candidates shows the score of each as a bar of its features, and as a table. */
function Candidates({ kind, items, title = kinds[kind] }: { kind: WhyItem['kind']; items: WhyItem[]; title?: string }) {
  const [all, setAll] = useState(false)
  if (!items.length) return null
  const order = coloured(items, 6)
  const shown = items.slice(0, all ? 100 : 6)
  const { zero, rows } = stacked(shown, order)
  const look = (name: string) => { const i = order.indexOf(name); return 'part part-' + (i < 0 ? 'other' : i + 1) }
  const has = rows.some(r => r.length)
  return <div class="candidates"><h3>{title} <span class="count">{items.length}</span></h3>
    {has && <p class="legend">{order.map(name => <span key={name} title={meaning(shown, name)}><i class={'dot ' + look(name)} aria-hidden="true" />{words(name)}</span>)}
      {rows.some(r => r.some(p => !order.includes(p.name))) && <span><i class="dot part part-other" aria-hidden="true" />others</span>}</p>}
    <ol class="bars">{shown.map((c, i) => <li key={c.id} class={c.fate === 'kept' ? '' : 'left'}>
      <div class="bar-head"><Item of={c} />{c.fate !== 'kept' && <span class={'fate fate-' + c.fate}>{fates[c.fate]}</span>}
        <span class="end">score {c.score.toFixed(2)}</span></div>
      {has && <div class="stack" aria-hidden="true">{zero > 0 && <i class="zero" style={{ left: 100 * zero + '%' }} />}
        {rows[i]!.map(p => <i key={p.name} class={look(p.name)} title={`${words(p.name)} ${p.share.toFixed(3)}`}
          style={{ left: 100 * p.from + '%', width: 100 * (p.to - p.from) + '%' }} />)}</div>}
      {!!rows[i]!.length && <Features of={c} />}
    </li>)}</ol>
    {!all && items.length > shown.length && <button class="quiet" onClick={() => setAll(true)}>Show all {items.length}</button>}
  </div>
}

/** meaning is why a feature counts, in the words of the first candidate that has it. */
function meaning(items: WhyItem[], name: string): string | undefined {
  for (const it of items) for (const f of it.why?.features ?? []) if (f.name === name && f.reason) return f.reason
  return undefined
}

function Features({ of: c }: { of: WhyItem }) {
  return <details><summary>{c.why?.matched_by?.length ? `found by: ${c.why.matched_by.map(matchWords).join(', ')}` : 'how it was scored'}</summary>
    <table class="features"><caption class="sr">Features of the score</caption>
      <thead><tr><th scope="col">Feature</th><th scope="col" class="num">Value</th><th scope="col" class="num">Weight</th>
        <th scope="col" class="num">Share</th><th scope="col">Why it counts</th></tr></thead>
      <tbody>{shares(c.why?.features).map(s => {
        const f = c.why!.features!.find(f => f.name === s.name)!
        return <tr key={s.name}><th scope="row">{words(s.name)}</th><td class="num">{f.value.toFixed(3)}</td>
          <td class="num">{f.weight.toFixed(2)}</td><td class="num">{s.share.toFixed(3)}</td><td class="faint">{s.reason}</td></tr>
      })}</tbody></table></details>
}

function Gate({ gate: g }: { gate: NonNullable<WhyPage['gate']> }) {
  const most = Math.max(g.best, g.least, .01) * 1.15
  return <>
    <div class="gate" role="img" aria-label={`The strongest candidate has ${g.best.toFixed(2)}; ${g.least.toFixed(2)} was needed`}>
      <i class={g.open ? 'open' : 'closed'} style={{ width: 100 * g.best / most + '%' }} />
      <b style={{ left: 100 * g.least / most + '%' }} /></div>
    <p>The gate asks for strength: how close a candidate's words and meaning are. The score only orders them. The strongest
      candidate has {g.best.toFixed(2)}; {g.least.toFixed(2)} was needed.{' '}
      {g.open && <>Each of the others had to be at least {Math.round(100 * g.share)} % as strong as the strongest; what an assistant
        said, and facts, even more.</>}
      {g.each > 0 && <> Beside standing facts, each turn needed {g.each.toFixed(2)} by itself.</>}</p>
  </>
}

interface TraceItem { id: string; name?: string; score: number; tier?: string; matched_by?: string[]; features?: { name: string; value: number; weight: number }[] }
interface Trace {
  id: number; at: string; took_us: number
  request: { asked: string; query: string; strategy: string; limit: number; valid_at?: string; known_at?: string }
  answer: { strategy: string; match: string; fallback?: string; cause?: string; rollout?: string; seeds: TraceItem[]
    expansions: TraceItem[]; episodes: TraceItem[]; relations: TraceItem[]; entities: TraceItem[]; below_threshold: number
    degraded: string[]; timings: { step: string; us: number }[] }
}

const took = (us: number) => us < 1000 ? `${us} µs` : `${(us / 1000).toFixed(us < 10_000 ? 1 : 0)} ms`

/** Traces lists how questions were answered, or shows one of them. */
export function Traces({ ns, id }: { ns: string; id: string }) {
  const list = useLoad(`traces ${ns} ${id}`, s => get<{ traces: Trace[] }>(id ? 'traces/' + part(id) : 'traces', id ? {} : { limit: 50 }, s))
  return <Loaded of={list}>{({ traces }) => id && traces[0] ? <OneTrace t={traces[0]} /> : <>
    <h1>Answers that hosts got</h1>
    {traces.length ? <ul class="rows">{traces.map(t => <li key={t.id}><div>
      <a href={href('traces/' + t.id)}><Name text={t.request.query || 'the newest turns'} most={110} /></a>{' '}
      <span class="type">{words(t.request.asked)}</span></div>
      <span class="meta"><span>{strengthWords(t.answer.match)}</span><span>{took(t.took_us)}</span><When at={t.at} /></span></li>)}</ul>
      : <p class="faint">None are kept. With <code>MEMORY_GRAPH_TRACES_ENABLED=true</code> the memory keeps how it answered.</p>}
  </>}</Loaded>
}

function OneTrace({ t }: { t: Trace }) {
  const a = t.answer
  const items = (list: TraceItem[], kind: WhyItem['kind']): WhyItem[] => list.map(x => ({ id: x.id, kind, text: x.name ?? x.id,
    score: x.score, strength: 0, fate: 'kept', why: { matched_by: x.matched_by ?? [], features: x.features ?? [] } }))
  const most = Math.max(1, ...a.timings.map(x => x.us))
  return <>
    <header class="top"><p class="kind">{words(t.request.asked)} · <When at={t.at} /></p>
      <h1><Name text={t.request.query || 'The newest turns'} most={200} /></h1>
      <div class="actions">{t.request.query && <a class="quiet" href={href('why', { q: t.request.query })}>Replay it now</a>}
        <a class="quiet" href={href('traces')}>All answers</a></div></header>
    <p class="notice">Searched {strategyWords(a.strategy)}: {strengthWords(a.match)}, in {took(t.took_us)}.
      {a.fallback && ` Fell back: ${words(a.fallback)}.`}{a.below_threshold > 0 && ` ${a.below_threshold} were under the threshold.`}</p>
    {a.cause && <p class="problem"><Name text={a.cause} most={600} /></p>}
    {([['Seeds', a.seeds], ['Expansions', a.expansions]] as const).map(([title, list]) => list.length > 0 &&
      <Section key={title} title={title} n={list.length}><Candidates kind="entity" title="" items={items(list, 'entity')} /></Section>)}
    <Section title="Answer" n={a.episodes.length + a.relations.length + a.entities.length}>
      <Candidates kind="turn" items={items(a.episodes, 'turn')} /><Candidates kind="fact" items={items(a.relations, 'fact')} />
      <Candidates kind="entity" items={items(a.entities, 'entity')} /></Section>
    <Section title="Times"><ul class="meters">{a.timings.map(x => <li key={x.step}><span>{words(x.step)}</span>
      <Bar of={x.us / most} /><span class="num">{took(x.us)}</span></li>)}</ul></Section>
  </>
}
