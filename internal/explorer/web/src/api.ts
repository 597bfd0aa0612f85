// The HTTP interface of memory-graph as this page uses it. /api/v1/openapi.json describes all of it.

export interface Session { namespace: string; namespaces: string[]; writes: boolean; as?: 'user' | 'agent' }

export interface Entity {
  id: string; name?: string; type?: string; description?: string; aliases?: string[]; confidence?: number
  valid_from?: string; valid_until?: string; last_seen?: string; parent?: string; layer?: number; canonical?: string
  kind?: string; origin?: string; observations?: number; created_at?: string; updated_at?: string; merged_into?: string
  truncated?: boolean; facts?: number
}

export interface Relation {
  id: string; head?: string; head_id?: string; relation?: string; tail?: string; tail_id?: string; edge_class?: string
  fact?: string; confidence?: number; stored_confidence?: number; strength?: number; valid_from?: string
  valid_until?: string; expires_at?: string; superseded_by?: string; origin?: string; method?: string
  evidence: string[]; evidence_count?: number; created_at?: string; expired_at?: string; last_observed?: string
  head_type?: string; tail_type?: string
}

export interface Fact extends Relation { status: 'active' | 'scheduled' | 'ended'; trust: number }

export interface Turn {
  id: string; role?: string; speaker?: string; content?: string; truncated?: boolean; occurred_at?: string
  session_id?: string; status?: string; source?: string; project?: string; user?: string; origin?: string
  created_at?: string; superseded_by?: string[]
}

export interface Clash { reason: string; facts: Fact[] }
export interface Member { id: string; name: string }
export interface MemoryState { pending: number; failed: number; degraded: string[] }

export interface Node {
  entity: Entity; trust: number; facts: Fact[]; fact_count: number; ended: Fact[]; ended_count: number
  conflicts: Clash[]; parent?: Member; children: Member[]; child_count: number; community?: Member; merged: Member[]; mentions: Turn[]
  memory_state: MemoryState
}

export interface Evidence extends Turn {
  methods: string[]; trust: number; cut?: 'start' | 'end' | 'both'; highlights: [number, number][]
}

export interface FactPage {
  fact: Fact; evidence: Evidence[]; evidence_count: number; superseded_by?: Fact; supersedes: Fact[]; conflicts: Clash[]
}

export interface TurnPage { turn: Turn; trust: number; facts: Fact[] }

export interface Change {
  at: string; action: string; object?: string; what?: string; reason?: string; episode?: string; actor?: string
  client?: string; call_id?: string; undone_by?: string
}

export interface Changed { object: string; what?: string; did: string; by?: string; by_what?: string }
export interface Call {
  at: string; began: string; action: string; reason?: string; actor?: string; client?: string; call_id?: string
  undone_by?: string; facts: number; entities: number; turns: number; first: Changed[]
}
export interface Orphan extends Entity { candidates: (Member & { score?: number })[] }

export interface Version {
  version: number; cause: string; created_at: string; expired_at?: string; entity?: Entity; relation?: Relation
  event?: Change
}

export interface Found { match: string; episodes: Turn[]; relations: Relation[]; entities: Entity[] }
export interface Quarantined extends Turn { reasons: string[] }
export interface Community { id: string; name?: string; summary?: string; size?: number; stale?: boolean; members?: Member[] }

export interface Stats { [key: string]: unknown }

/** Failed is an answer of the server that says why it did not do what was asked. */
export class Failed extends Error {
  constructor(readonly status: number, readonly code: string, message: string, readonly hint: string,
    readonly candidates: Member[]) { super(message) }
}

type Value = string | number | boolean | undefined
type Query = Record<string, Value | Value[]>

let namespace = ''

/** useNamespace selects the namespace of all further requests; '' is the server's default. */
export function useNamespace(name: string) { namespace = name }

/** get asks a path below /api/v1. */
export async function get<T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> {
  const params = new URLSearchParams()
  for (const [name, given] of Object.entries(namespace ? { ...query, namespace } : query)) {
    for (const v of Array.isArray(given) ? given : [given]) if (v !== undefined && v !== '') params.append(name, String(v))
  }
  const rest = params.toString()
  return (await send<T>(path + (rest ? '?' + rest : ''), signal ? { signal } : {})).body
}

/** act changes the memory. call is the id under which the change can be undone. */
export async function act<T>(tool: string, args: object): Promise<{ body: T; call: string }> {
  return send<T>('act/' + tool, {
    method: 'POST', headers: { 'Content-Type': 'application/json', 'X-Memory-Graph': 'explore' },
    body: JSON.stringify(namespace ? { ...args, namespace } : args),
  })
}

/** signIn shows the server's token once, for a cookie that reads. */
export async function signIn(token: string): Promise<void> {
  const answer = await fetch('/explore/sign-in', {
    method: 'POST', headers: { Authorization: 'Bearer ' + token, 'X-Memory-Graph': 'explore' },
  })
  if (!answer.ok) throw new Failed(answer.status, 'refused', 'The server does not know this token.', '', [])
}

/** Transport answers a path below /api/v1 where the page has no server of its own. */
export type Transport = (path: string, body: string | undefined) => Promise<{ status: number; body: unknown; call?: string }>
let transport: Transport | undefined

/** useTransport makes all further requests through another way than HTTP. */
export function useTransport(t: Transport) { transport = t }

/** id makes an id or a name safe as one part of a path. */
export const part = encodeURIComponent

async function send<T>(path: string, init: RequestInit): Promise<{ body: T; call: string }> {
  let status: number, body: unknown, call: string
  try {
    if (transport) {
      const reply = await transport(path, init.body as string | undefined)
      init.signal?.throwIfAborted()
      status = reply.status
      body = reply.body
      call = reply.call ?? ''
    } else {
      const answer = await fetch('/api/v1/' + path, { credentials: 'same-origin', ...init })
      status = answer.status
      body = await answer.json()
      call = answer.headers.get('Memory-Graph-Call') ?? ''
    }
  } catch (e) {
    if (e instanceof DOMException && e.name === 'AbortError') throw e
    if (transport) throw new Failed(0, 'refused', String(e instanceof Error ? e.message : e), '', [])
    throw new Failed(0, 'unreachable', 'memory-graph does not answer.', 'It may have ended: run memory-graph explore again.', [])
  }
  if (status >= 400) {
    const e = (body as { error?: { code?: string; message?: string; hint?: string; candidates?: Member[] } } | null)?.error
    throw new Failed(status, e?.code ?? '', e?.message ?? `The answer was ${status}.`, e?.hint ?? '', e?.candidates ?? [])
  }
  return { body: body as T, call }
}
