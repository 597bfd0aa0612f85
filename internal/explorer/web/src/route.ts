import { useEffect, useState } from 'preact/hooks'

/** Route is the address of a view: the parts after #/, and the parameters. ~name selects a namespace. */
export interface Route { namespace: string; parts: string[]; query: URLSearchParams }

export function parse(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?')
  const parts = path.split('/').filter(Boolean).map(decode)
  const namespace = parts[0]?.startsWith('~') ? parts.shift()!.slice(1) : ''
  return { namespace, parts, query: new URLSearchParams(query) }
}

function decode(s: string): string {
  try { return decodeURIComponent(s) } catch { return s }
}

let current = parse(location.hash)

/** href is the address of a view in the current namespace. */
export function href(path: string, query: Record<string, string | undefined> = {}): string {
  const given = Object.entries(query).filter((e): e is [string, string] => !!e[1])
  const rest = new URLSearchParams(given).toString()
  return '#/' + (current.namespace ? '~' + encodeURIComponent(current.namespace) + '/' : '') + path + (rest ? '?' + rest : '')
}

export function go(path: string, query: Record<string, string | undefined> = {}) { location.hash = href(path, query) }

/** useRoute is the current view; it changes with the address. */
export function useRoute(): Route {
  const [route, set] = useState(current)
  useEffect(() => {
    const changed = () => { current = parse(location.hash); set(current) }
    addEventListener('hashchange', changed)
    return () => removeEventListener('hashchange', changed)
  }, [])
  return route
}

const places: Record<string, string> = { e: 'entity/', m: 'entity/', r: 'fact/', t: 'turn/', c: 'community/' }

/** place is the address of the view of an object by its id. */
export function place(id: string): string { return href((places[id[0] ?? ''] ?? 'entity/') + encodeURIComponent(id)) }

/** timesOf are the instants that an address asks for. */
export function timesOf(route: Route): { valid_at?: string; known_at?: string } {
  const valid_at = route.query.get('valid_at'), known_at = route.query.get('known_at')
  return { ...(valid_at && { valid_at }), ...(known_at && { known_at }) }
}
