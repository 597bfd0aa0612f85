// The page inside a host, as an MCP App: it asks the host's server through the host, and shows what the host's tool
// call asks for. https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx
import { useTransport } from './api'
import { inMemory, open, withoutForms } from './route'

interface Message { jsonrpc: '2.0'; id?: number | string; method?: string; params?: any; result?: any; error?: { message?: string } }
interface HostContext { theme?: 'light' | 'dark'; containerDimensions?: { height?: number; maxHeight?: number } }
interface Reply { status: number; body: unknown; call?: string }

const waiting = new Map<number, { done: (result: any) => void; failed: (e: Error) => void }>()
let last = 0
let context: HostContext = {}

function send(message: object) { parent.postMessage({ jsonrpc: '2.0', ...message }, '*') }

function request(method: string, params: object): Promise<any> {
  const id = ++last
  return new Promise((done, failed) => { waiting.set(id, { done, failed }); send({ id, method, params }) })
}

/** connect starts the conversation with the host. It must run before the page is drawn. */
export function connect() {
  inMemory()
  withoutForms()
  addEventListener('message', e => {
    if (e.source !== parent || (e.data as Message | null)?.jsonrpc !== '2.0') return
    receive(e.data as Message)
  })
  const ready = request('ui/initialize', { protocolVersion: '2026-01-26', appInfo: { name: 'memory-graph', version: '1' },
    appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] } }).then(result => {
    become(result?.hostContext ?? {})
    send({ method: 'ui/notifications/initialized', params: {} })
  })
  useTransport(async (path, body) => {
    await ready
    const [name, args] = path.startsWith('act/')
      ? ['explore_act', { tool: path.slice(4), arguments: JSON.parse(body ?? '{}') }] as const
      : ['explore_read', { path }] as const
    const result = await request('tools/call', { name, arguments: args })
    const reply = result.structuredContent as Reply | undefined
    if (!reply) throw new Error(result.content?.[0]?.text ?? 'The host gave no answer.')
    return reply
  })
  new ResizeObserver(sized).observe(document.documentElement)
}

function receive(m: Message) {
  if (m.method === undefined) {
    const call = waiting.get(Number(m.id))
    waiting.delete(Number(m.id))
    if (m.error) call?.failed(new Error(m.error.message ?? 'The host refused.'))
    else call?.done(m.result)
    return
  }
  if (m.id !== undefined) send({ id: m.id, result: {} }) // ping and ui/resource-teardown
  if (m.method === 'ui/notifications/host-context-changed') become(m.params ?? {})
  const view = m.method === 'ui/notifications/tool-result' ? m.params?.structuredContent?.view : undefined
  if (typeof view === 'string' && view.startsWith('#/')) open(view)
}

/** become takes over what the host says of itself. The colours follow its theme, not that of the system. */
function become(changed: HostContext) {
  context = { ...context, ...changed }
  const { theme } = context
  if (theme !== 'light' && theme !== 'dark') return
  document.documentElement.dataset.theme = theme
  document.documentElement.style.colorScheme = theme
  for (const sheet of document.styleSheets) for (const rule of sheet.cssRules) {
    if (rule instanceof CSSMediaRule && /prefers-color-scheme|^all$|^not all$/.test(rule.media.mediaText)) {
      rule.media.mediaText = theme === 'dark' ? 'all' : 'not all'
    }
  }
  dispatchEvent(new Event('themechange'))
}

function sized() {
  const box = context.containerDimensions
  if (box && 'height' in box) return
  const height = Math.ceil(document.documentElement.getBoundingClientRect().height)
  send({ method: 'ui/notifications/size-changed', params: { width: innerWidth, height: Math.min(height, box?.maxHeight ?? 900) } })
}
