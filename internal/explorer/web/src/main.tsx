import { render } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Notices, Writes } from './acts'
import { Failed, get, signIn, useNamespace, type Entity, type Session } from './api'
import { GraphView } from './graph'
import { changed, Problem, useLoad } from './load'
import { go, href, open as show, place, timesOf, title, useRoute, where as address, type Route } from './route'
import { Proposals } from './proposals'
import { Start } from './start'
import { Name, words } from './text'
import { Changes, Communities, CommunityView, Conflicts, EntityView, FactsView, FactView, Quarantine, Search, TurnView } from './views'
import { Traces, Why } from './why'

function App() {
  const route = useRoute()
  useNamespace(route.namespace)
  const session = useLoad('session ' + route.namespace, s => get<Session>('session', {}, s))
  const main = useRef<HTMLElement>(null)
  const where = address()
  useEffect(() => { // a new view begins at its top, and the keyboard begins there too
    scrollTo(0, 0)
    if (where) main.current?.focus({ preventScroll: true })
  }, [where])
  if (session.error instanceof Failed && session.error.status === 401) return <SignIn hint={session.error.hint} />
  return <Writes.Provider value={session.data?.writes ?? false}>
    <header class="bar-top">
      <a class="skip" href={where || '#/'} onClick={e => { e.preventDefault(); main.current?.focus() }}>To the content</a>
      <a class="home" href={href('')}>memory<span>-</span>graph</a>
      <SearchBox route={route} />
      <nav aria-label="Views">
        <Tab route={route} to="" label="New" /><Tab route={route} to="changes" label="Changes" />
        <Tab route={route} to="conflicts" label="Conflicts" /><Tab route={route} to="quarantine" label="Quarantine" />
        <Tab route={route} to="communities" label="Communities" />
        <Tab route={route} to="graph" label="Graph" /><Tab route={route} to="why" label="Why" />
      </nav>
    </header>
    <main ref={main} tabIndex={-1}>
      {session.error !== undefined ? <Problem error={session.error} again={session.again} />
        : <View route={route} key={route.visit ?? 0} />}
    </main>
    <footer class="foot">{session.data && <>
      <Namespaces session={session.data} />
      <span>{session.data.writes ? session.data.as === 'agent' ? 'Corrections are made as your agent.' : 'Corrections are made as you.' : 'This page only reads.'}</span></>}
    </footer>
    <Notices />
  </Writes.Provider>
}

function Tab({ route, to, label }: { route: Route; to: string; label: string }) {
  const here = (route.parts[0] ?? '') === to
  return <a href={href(to)} aria-current={here ? 'page' : undefined}>{label}</a>
}

/** titles of views; a view of one object is named after it. */
const titles: Record<string, string> = {
  '': 'What is new', changes: 'What changed', conflicts: 'In conflict', quarantine: 'In quarantine', graph: 'Graph', why: 'Why this answer',
  traces: 'Answers that hosts got', communities: 'Communities', facts: 'Facts', proposals: 'To decide',
}

function View({ route }: { route: Route }) {
  const [view = '', id = ''] = route.parts
  const ns = route.namespace
  const asked = route.query.get('q') ?? ''
  useEffect(() => title(asked ? titles[view] ? `${asked} – ${titles[view]}` : asked : titles[view]), [view, id, asked])
  switch (view) {
    case '': return <Start ns={ns} />
    case 'search': return <Search ns={ns} query={route.query.get('q') ?? ''} />
    case 'entity': return <EntityView ns={ns} id={id} at={timesOf(route)} />
    case 'fact': return <FactView ns={ns} id={id} />
    case 'facts': return <FactsView ns={ns} id={id} status={route.query.get('status') ?? 'active'} />
    case 'turn': return <TurnView ns={ns} id={id} />
    case 'community': return <CommunityView ns={ns} id={id} />
    case 'changes': return <Changes ns={ns} />
    case 'conflicts': return <Conflicts ns={ns} />
    case 'quarantine': return <Quarantine ns={ns} />
    case 'graph': return <GraphView ns={ns} query={route.query.get('q') ?? ''} times={timesOf(route)}
      entities={(route.query.get('e') ?? '').split(',').filter(Boolean)} />
    case 'why': return <Why ns={ns} message={route.query.get('q') ?? ''} />
    case 'traces': return <Traces ns={ns} id={id} />
    case 'proposals': return <Proposals ns={ns} />
    case 'communities': return <Communities ns={ns} />
  }
  return <><h1>There is no such view</h1><p><a href={href('')}>To what is new</a></p></>
}

/** SearchBox searches, and proposes entities while a name is being typed. */
function SearchBox({ route }: { route: Route }) {
  const asked = route.parts[0] === 'search' ? route.query.get('q') ?? '' : ''
  const [typed, setTyped] = useState(asked)
  const [found, setFound] = useState<Entity[]>([])
  const [at, setAt] = useState(-1)
  const [open, setOpen] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => setTyped(asked), [asked])
  useEffect(() => {
    const key = (e: KeyboardEvent) => {
      const t = e.target as HTMLElement
      if (e.key === '/' && !/^(INPUT|TEXTAREA|SELECT)$/.test(t.tagName) && !e.ctrlKey && !e.metaKey && !e.altKey) {
        e.preventDefault()
        input.current?.focus()
        input.current?.select()
      }
    }
    addEventListener('keydown', key)
    return () => removeEventListener('keydown', key)
  }, [])
  useEffect(() => {
    setAt(-1)
    if (!open || typed.trim().length < 1) { setFound([]); return }
    const stop = new AbortController()
    get<{ entities: Entity[] }>('find', { query: typed, limit: 8 }, stop.signal).then(r => setFound(r.entities), () => {})
    return () => stop.abort()
  }, [typed, open])
  const choose = (e: Entity) => { setOpen(false); setTyped(''); show(place(e.id)) }
  const keys = (e: KeyboardEvent) => {
    if (e.key === 'ArrowDown' || e.key === 'ArrowUp') {
      e.preventDefault()
      const n = found.length + 1
      setAt(a => (a + 1 + (e.key === 'ArrowDown' ? 1 : -1) + n) % n - 1)
    } else if (e.key === 'Escape') setOpen(false)
  }
  const shown = open && found.length > 0
  return <form role="search" class="search" onSubmit={e => {
    e.preventDefault()
    setOpen(false)
    const chosen = found[at]
    if (shown && chosen) choose(chosen)
    else if (typed.trim()) go('search', { q: typed.trim() })
  }}>
    <input ref={input} list={undefined} value={typed} placeholder="Search the memory" aria-label="Search the memory"
      role="combobox" aria-expanded={shown} aria-controls="proposals" aria-autocomplete="list"
      aria-activedescendant={at >= 0 ? 'p-' + at : undefined} autocomplete="off" enterkeyhint="search" spellcheck={false} dir="auto"
      onInput={e => { setTyped(e.currentTarget.value); setOpen(true) }} onKeyDown={keys} onBlur={() => setOpen(false)} />
    <kbd aria-hidden="true">/</kbd>
    <ul id="proposals" role="listbox" aria-label="Entities" hidden={!shown}>{found.map((e, i) =>
      <li key={e.id} id={'p-' + i} role="option" aria-selected={i === at} onMouseDown={ev => { ev.preventDefault(); choose(e) }}>
        <Name text={e.name} most={60} /> <span class="type">{words(e.type)}</span>
        <span class="end faint">{(e.facts ?? 0).toLocaleString()}</span></li>)}</ul>
  </form>
}

function Namespaces({ session }: { session: Session }) {
  const list = [...new Set([session.namespace, ...session.namespaces])].sort()
  if (list.length < 2) return <span>Namespace <Name text={session.namespace} /></span>
  return <label>Namespace <select value={session.namespace} onChange={e => {
    show('#/~' + encodeURIComponent(e.currentTarget.value) + '/')
  }}>{list.map(n => <option key={n} value={n}>{n}</option>)}</select></label>
}

/** SignIn asks for the token of `serve --http`. The page of explore has no use for it: its link is the key. */
function SignIn({ hint }: { hint: string }) {
  const [error, setError] = useState<unknown>()
  return <main class="sign-in"><h1>memory-graph</h1>
    <p>This server shows its memory to those who have its token. <code>memory-graph token show</code> prints it. If you came
      from <code>memory-graph explore</code>, run it again: its link works once. {hint}</p>
    <form onSubmit={async e => {
      e.preventDefault()
      try {
        await signIn(String(new FormData(e.currentTarget).get('token') ?? '').trim())
        changed()
      } catch (e) { setError(e) }
    }}>
      <label for="token">Token</label>
      <input id="token" name="token" type="password" autocomplete="off" required />
      <button class="main-button">Open</button>
    </form>
    {error !== undefined && <Problem error={error} />}
  </main>
}

render(<App />, document.getElementById('app')!)
