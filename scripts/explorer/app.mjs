// Shows the page as an MCP App in a small host: a frame without an origin, which speaks with the host alone. It checks
// the handshake, reading, a correction as the agent, and that the page asks for nothing outside. The first argument is
// the program, the second a directory for the memory. PLAYWRIGHT is the module playwright-core, SHOTS a directory.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import assert from 'node:assert/strict'
import { call, people } from './seed.mjs'

const [program, dir] = process.argv.slice(2)
const { chromium } = await import(process.env.PLAYWRIGHT ?? 'playwright-core')
const env = { PATH: process.env.PATH, HOME: dir, MEMORY_GRAPH_DB: dir + '/memory.db', MEMORY_GRAPH_EMBEDDER: 'none' }
await call(program, env, people)

// The connection of the host with the server.
const server = spawn(program, ['--toolsets', 'all'], { env, stdio: ['pipe', 'pipe', 'ignore'] })
const waiting = new Map()
let last = 0
createInterface({ input: server.stdout }).on('line', line => {
  const m = JSON.parse(line)
  waiting.get(m.id)?.(m)
  waiting.delete(m.id)
})
const ask = (method, params) => new Promise(done => {
  const id = ++last
  waiting.set(id, done)
  server.stdin.write(JSON.stringify({ jsonrpc: '2.0', id, method, params }) + '\n')
})
await ask('initialize', { protocolVersion: '2025-11-25', clientInfo: { name: 'small-host', version: '1' },
  capabilities: { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } } })
server.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
const tools = (await ask('tools/list', {})).result.tools
const uri = tools.find(t => t.name === 'explore')._meta.ui.resourceUri
const { text } = (await ask('resources/read', { uri })).result.contents[0]
const opened = (await ask('tools/call', { name: 'explore', arguments: { query: 'Ann' } })).result

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'] })
try {
  const page = await (await browser.newContext({ viewport: { width: 1000, height: 900 } })).newPage()
  const outside = [], seen = []
  page.on('request', r => { if (!/^(about|data|blob):/.test(r.url())) outside.push(r.url()) })
  page.on('pageerror', e => seen.push('error: ' + e.message))
  page.on('console', m => { if (m.type() === 'error') seen.push('console: ' + m.text()) })
  await page.exposeFunction('forward', (method, params) => { seen.push(method); return ask(method, params) })
  await page.setContent(`<body style="margin:0"><iframe sandbox="allow-scripts" style="width:100%;height:880px;border:0"></iframe>
    <script>
      const frame = document.querySelector('iframe')
      addEventListener('message', async e => {
        if (e.source !== frame.contentWindow) return
        const m = e.data, say = x => frame.contentWindow.postMessage({ jsonrpc: '2.0', ...x }, '*')
        window.heard = [...window.heard ?? [], m.method]
        if (m.method === 'ui/initialize') say({ id: m.id, result: { protocolVersion: '2026-01-26', hostInfo: { name: 'small-host', version: '1' },
          hostCapabilities: { serverTools: {} }, hostContext: { theme: 'dark', containerDimensions: { height: 880 } } } })
        else if (m.method === 'ui/notifications/initialized') say({ method: 'ui/notifications/tool-result', params: window.opened })
        else if (m.method === 'tools/call') { const a = await forward(m.method, m.params); say(a.error ? { id: m.id, error: a.error } : { id: m.id, result: a.result }) }
      })
    </script>`)
  await page.evaluate(([html, opened]) => { window.opened = opened; document.querySelector('iframe').srcdoc = html }, [text, opened])
  const frame = page.frameLocator('iframe')
  await frame.locator('h1', { hasText: 'Graph of Ann' }).waitFor().catch(async e => {
    console.error('the page heard', await page.evaluate(() => window.heard), 'and asked', seen)
    console.error('it shows', await frame.locator('body').innerText().catch(String))
    throw e
  })
  await frame.locator('[data-settled]').waitFor({ timeout: 20_000 })
  assert.equal(await frame.locator('html').getAttribute('data-theme'), 'dark')
  if (process.env.SHOTS) await page.screenshot({ path: process.env.SHOTS + '/app.png' })
  await frame.locator('.picks button', { hasText: 'Ann Lee' }).first().click()
  await frame.locator('.side h2 a').click()
  await frame.locator('h1', { hasText: 'Ann Lee' }).waitFor()
  await frame.getByRole('button', { name: 'Edit…' }).click()
  await frame.locator('dialog textarea, dialog input[name=description]').first().fill('Corrected inside a host')
  await frame.locator('dialog .main-button').click()
  await frame.locator('.told').waitFor()
  await frame.locator('header .prose', { hasText: 'Corrected inside a host' }).waitFor()
  await frame.locator('.told button', { hasText: 'Undo' }).click()
  await frame.locator('header .prose', { hasText: 'Engineer at Northwind Maps' }).waitFor()
  assert.match(await frame.locator('footer').textContent(), /as your agent/)
  assert.deepEqual(outside, [], 'the page asked for something outside')
  assert.deepEqual(seen.filter(s => s !== 'tools/call'), [])
  assert.ok((await page.evaluate(() => window.heard)).includes('ui/initialize'))
  console.log('the page works inside a host')
} finally {
  await browser.close()
  server.stdin.end()
}
