// Measures the page of explore on a large memory: 100,000 facts with a hub of 10,000, and 100,000 turns. It makes the
// memory through the product, and prints medians of ten runs. The first argument is the program, the second a directory
// for the memory, which is made once. FACTS, HUB and TURNS change the size. PLAYWRIGHT is the module playwright-core,
// CHROMIUM the browser.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { loadavg } from 'node:os'
import { call } from './seed.mjs'

const [program, dir] = process.argv.slice(2)
const { chromium } = await import(process.env.PLAYWRIGHT ?? 'playwright-core')
const db = dir + '/memory.db'
const env = { PATH: process.env.PATH, HOME: dir, MEMORY_GRAPH_DB: db, MEMORY_GRAPH_EMBEDDER: 'none' }
const facts = Number(process.env.FACTS ?? 100_000), hub = Number(process.env.HUB ?? 10_000)
const turns = Number(process.env.TURNS ?? 100_000)

if (!existsSync(dir + '/made')) {
  mkdirSync(dir, { recursive: true })
  const names = ['uses', 'depends_on', 'part_of', 'works_on', 'knows', 'caused_by', 'written_in']
  const list = [], most = 150
  for (let i = 0; i < facts; i += most) {
    const relations = []
    for (let n = i; n < Math.min(i + most, facts); n++) {
      if (n % Math.round(facts / hub) === 0) relations.push({ head: `Part ${n} of it`, relation: 'depends_on', tail: 'Central ledger' })
      else relations.push({ head: `Module ${n % 20011}`, relation: names[n % names.length], tail: `Library ${(n * 7919) % 15013}` })
    }
    list.push(['store_episode', { content: `Inventory ${i / most}: the modules were read again.`, role: 'assistant', relations }])
  }
  for (let i = list.length; i < turns; i++) {
    list.push(['store_episode', { content: `Shift ${i}: line ${i % 41} ran ${i % 97} batches, and crate ${i * 31 % 9973} is full.`,
      role: i % 2 ? 'assistant' : 'user', session_id: `shift-${Math.floor(i / 40)}` }])
  }
  console.log(`making ${list.length} turns …`)
  await call(program, env, list)
  execFileSync('touch', [dir + '/made'])
}

const explore = spawn(program, ['explore', '--no-open'], { env, stdio: ['ignore', 'pipe', 'ignore'] })
const url = (await createInterface({ input: explore.stdout })[Symbol.asyncIterator]().next()).value
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'] })
const median = list => list.sort((a, b) => a - b)[Math.floor(list.length / 2)]
const shown = list => `${Math.round(median(list))} ms (${Math.round(Math.min(...list))} to ${Math.round(Math.max(...list))})`
try {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage()
  page.on('pageerror', e => console.log('error', e.message))
  await page.goto(url)
  await page.waitForSelector('h2')
  const base = page.url().replace(/#.*/, '')
  const devtools = await page.context().newCDPSession(page)
  const heap = async () => {
    await devtools.send('HeapProfiler.collectGarbage')
    return ((await devtools.send('Runtime.getHeapUsage')).usedSize / 1e6).toFixed(1) + ' MB'
  }
  const paints = [], complete = []
  for (let i = 0; i < 10; i++) {
    await page.goto('about:blank')
    const began = performance.now()
    await page.goto(base, { waitUntil: 'commit' })
    await page.waitForSelector('h2')
    complete.push(performance.now() - began)
    await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length)
    paints.push(await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0].startTime))
  }
  console.log(`load ${loadavg().map(l => l.toFixed(1)).join(' ')}`)
  console.log(`first contentful paint ${shown(paints)}; first data ${shown(complete)}; heap ${await heap()}`)
  const searches = []
  for (let i = 0; i < 10; i++) {
    const began = performance.now()
    await page.evaluate(i => { location.hash = '#/search?q=' + encodeURIComponent(`What does Module ${100 + i} depend on?`) }, i)
    await page.waitForFunction(i => document.querySelector('h1')?.textContent.includes(`Module ${100 + i} `) &&
      (document.querySelector('main h2') || document.querySelector('.notice')), i)
    searches.push(performance.now() - began)
  }
  console.log(`search ${shown(searches)}; heap ${await heap()}`)
  const opened = []
  for (let i = 0; i < 5; i++) {
    await page.evaluate(() => { location.hash = '#/' })
    await page.waitForSelector('.columns')
    const began = performance.now()
    await page.evaluate(() => { location.hash = '#/graph?q=Central%20ledger' })
    await page.waitForFunction(() => document.querySelectorAll('.side .picks li').length > 10)
    opened.push(performance.now() - began)
  }
  console.log(`graph of the hub ${shown(opened)}`)
  await page.waitForSelector('[data-settled]', { timeout: 30_000 }).catch(() => console.log('not settled'))
  await page.evaluate(() => { location.hash = '#/' })
  await page.waitForSelector('.columns')
  await page.evaluate(() => { location.hash = '#/graph?e=Central%20ledger' })
  await page.waitForSelector('.side-more button')
  console.log('hub:', (await page.textContent('.side-more')).trim())
  for (let i = 0; i < 3; i++) {
    const before = await page.locator('.graph-top [role=status]').textContent()
    const began = performance.now()
    const button = page.locator('.side-more button')
    if (!await button.count()) break
    await button.click()
    await page.waitForFunction(b => { const t = document.querySelector('.graph-top [role=status]').textContent; return t !== b && t !== 'Loading…' }, before)
    const drawn = performance.now() - began
    await page.waitForSelector('[data-settled]', { timeout: 30_000 }).catch(() => console.log('not settled'))
    console.log(`expand: ${Math.round(drawn)} ms, at rest after ${Math.round(performance.now() - began)} ms: ${
      (await page.textContent('.graph-top [role=status]')).trim()}; heap ${await heap()}`)
  }
  if (process.env.SHOT) await page.screenshot({ path: process.env.SHOT })
} finally {
  await browser.close()
  explore.kill('SIGINT')
}
