import { useEffect, useState } from 'preact/hooks'
import { cut, plain } from './text'

/**
 * Route is the address of a view: the parts after #/, and the parameters. ~name selects a namespace. visit counts the
 * addresses that were opened: an address that is opened again is a new visit.
 */
export interface Route { namespace: string; parts: string[]; query: URLSearchParams; visit?: number }

export function parse(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?')
  const parts = path.split('/').filter(Boolean).map(decode)
  const namespace = parts[0]?.startsWith('~') ? parts.shift()!.slice(1) : ''
  return { namespace, parts, query: new URLSearchParams(query) }
}

function decode(s: string): string {
  try { return decodeURIComponent(s) } catch { return s }
}

let memory = false
let hash = location.hash
let current = parse(hash)
let visits = 0

/** inMemory keeps the address of the view in the page, for a host that shows the page in a frame without an address. */
export function inMemory() {
  memory = true
  addEventListener('click', e => {
    const link = (e.target as Element).closest?.('a[href^="#"]')
    if (!link || e.defaultPrevented) return
    e.preventDefault()
    open(link.getAttribute('href')!)
  })
}

/** withoutForms sends forms where the frame may not: a host's sandbox blocks them before the page hears of it. */
export function withoutForms() {
  const send = (e: Event, form: HTMLFormElement) => {
    e.preventDefault()
    if (form.reportValidity()) form.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true }))
  }
  addEventListener('click', e => {
    const button = (e.target as Element).closest?.('button')
    if (button?.form && button.type === 'submit' && !e.defaultPrevented) send(e, button.form)
  })
  addEventListener('keydown', e => {
    const input = e.target
    if (e.key === 'Enter' && !e.defaultPrevented && input instanceof HTMLInputElement && input.form &&
      !input.form.querySelector('button:not([type=button])')) send(e, input.form)
  })
}

/** open shows the view of an address. */
export function open(to: string) {
  if (!memory) { location.hash = to; return }
  hash = to
  current = parse(to) // a host may ask for a view before the page listens
  dispatchEvent(new Event('hashchange'))
}

/** replace changes the address of the view that is shown. */
export function replace(to: string) {
  if (memory) hash = to
  else history.replaceState(null, '', to)
}

/** where is the address of the view. */
export function where(): string { return memory ? hash : location.hash }

/** href is the address of a view in the current namespace. */
export function href(path: string, query: Record<string, string | undefined> = {}): string {
  const given = Object.entries(query).filter((e): e is [string, string] => !!e[1])
  const rest = new URLSearchParams(given).toString()
  return '#/' + (current.namespace ? '~' + encodeURIComponent(current.namespace) + '/' : '') + path + (rest ? '?' + rest : '')
}

export function go(path: string, query: Record<string, string | undefined> = {}) { open(href(path, query)) }

/** useRoute is the current view; it changes with the address. */
export function useRoute(): Route {
  const [route, set] = useState(current)
  useEffect(() => {
    const changed = () => { current = { ...parse(where()), visit: ++visits }; set(current) }
    addEventListener('hashchange', changed)
    set(current)
    return () => removeEventListener('hashchange', changed)
  }, [])
  return route
}

/** title names the tab of the browser. */
export function title(text: string | undefined) {
  const shown = plain(text ?? '').replace(/\s+/g, ' ').trim()
  document.title = (shown ? cut(shown, 60) + ' – ' : '') + 'memory-graph'
}

/** useTitle names the tab after what a view shows, once that is known. */
export function useTitle(text: string | undefined) { useEffect(() => { if (text) title(text) }, [text]) }

const places: Record<string, string> = { e: 'entity/', m: 'entity/', r: 'fact/', t: 'turn/', c: 'community/' }

/** place is the address of the view of an object by its id. */
export function place(id: string): string { return href((places[id[0] ?? ''] ?? 'entity/') + encodeURIComponent(id)) }

/** timesOf are the instants that an address asks for. */
export function timesOf(route: Route): { valid_at?: string; known_at?: string } {
  const valid_at = route.query.get('valid_at'), known_at = route.query.get('known_at')
  return { ...(valid_at && { valid_at }), ...(known_at && { known_at }) }
}
