import { useState } from 'preact/hooks'
import { get, part, type Call, type Changed } from './api'
import { Undo } from './acts'
import { Origin } from './facts'
import { Pages, usePages } from './load'
import { place } from './route'
import { deedWords, imports, leadWords, shownOf, totals } from './say'
import { Name, When, words } from './text'

const most = 3 // facts, or other objects, that a row names

/** Calls lists what calls changed, the newest first, with a way to undo each. One call is one row. */
export function Calls({ ns, calls }: { ns: string; calls: Call[] }) {
  if (!calls.length) return <p class="faint">Nothing has changed yet.</p>
  return <ul class="rows calls">{calls.map((c, i) => <li key={(c.call_id ?? c.at) + i} class={c.undone_by ? 'undone' : ''}>
    <div><Row ns={ns} call={c} />
      {c.reason && !imports(c) && <p class="faint"><Name text={c.reason} most={160} /></p>}</div>
    <span class="meta">{/^(cli|explore)$/.test(c.actor ?? '') ? <Origin of="user" />
      : c.client && <span class="faint"><Name text={c.client} most={30} /></span>}
      <When at={c.at} />{c.call_id && !c.undone_by && c.action !== 'forget' && <Undo call={c.call_id} />}</span>
  </li>)}</ul>
}

function Row({ ns, call: c }: { ns: string; call: Call }) {
  const [open, setOpen] = useState(false)
  const undone = c.undone_by ? <span class="chip">undone</span> : null
  const shown = imports(c) ? c.first : shownOf(c.first)
  const few = /^(merged|split)$/.test(shown[0]?.did ?? '') || (c.facts > 0 ? c.facts <= most : c.facts + c.entities + c.turns <= most)
  const lead = <><span class="act" title={c.action}>{leadWords(c, shown)}</span>{' '}{imports(c) && c.reason && <Name text={c.reason} />}</>
  if (few && !imports(c) && leadWords(c, shown) === 'changed') return <><Items list={shown} lead="" /> {undone}</>
  if (few && !imports(c)) return <>{lead}<Items list={shown} lead={leadWords(c, shown)} /> {undone}</>
  return <details onToggle={e => setOpen(e.currentTarget.open)}>
    <summary>{lead}{imports(c) && ': '}{totals(c)} {undone}</summary>
    {open && c.call_id ? <AllItems ns={ns} call={c.call_id} /> : open && <Items list={shown} lead="" />}
  </details>
}

function Items({ list, lead }: { list: Changed[]; lead: string }) {
  return <>{list.map((it, i) => <span key={it.object}>{i > 0 && ', '}<Item of={it} plain={deedWords(it.did) === lead ||
    lead.endsWith(':') && /^(added|edited)$/.test(it.did)} /></span>)}</>
}

/** Item names an object that a call changed, and what took its place. */
function Item({ of: it, plain }: { of: Changed; plain: boolean }) {
  const named = (id: string, what: string | undefined) => what
    ? <a href={place(id)}><Name text={id[0] === 'r' ? words(what) : what} most={70} /></a> : <span class="id faint">{id}</span>
  return <>{!plain && <span class="act">{deedWords(it.did)} </span>}{named(it.object, it.what)}
    {it.by && <> <span class="act">{it.did === 'merged' ? 'into' : 'by'}</span> {named(it.by, it.by_what)}</>}</>
}

function AllItems({ ns, call }: { ns: string; call: string }) {
  const list = usePages(`call ${ns} ${call}`, (cursor, s) =>
    get<{ changed: Changed[]; next_cursor?: string }>('calls/' + part(call), { limit: 50, cursor }, s), r => r.changed)
  return <Pages of={list}>{items => <ul class="plain items">{items.map(it =>
    <li key={it.object}><Item of={it} plain={false} /></li>)}</ul>}</Pages>
}
