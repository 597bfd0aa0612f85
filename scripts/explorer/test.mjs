// Does at the page of explore what a person would do, in a headless Chromium, and checks each view with axe-core.
// Usage: node test.mjs PROGRAM MODULES CHROMIUM [DIRECTORY FOR SCREENSHOTS]
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { hostile, texts } from './hostile.mjs'
import { aPersonDecides } from './corrections.mjs'
import { call, people } from './seed.mjs'

const [program, modules, chromium, shots] = process.argv.slice(2)
const require = createRequire(join(modules, 'x.js'))
const playwright = require('playwright-core')
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')
const work = mkdtempSync(join(tmpdir(), 'explore-'))

/** explore fills a database and opens its page. */
async function explore(browser, name, list, extra = {}) {
  const env = { PATH: process.env.PATH, HOME: join(work, 'home'), XDG_CACHE_HOME: process.env.XDG_CACHE_HOME ?? '',
    MEMORY_GRAPH_DB: join(work, name + '.db'), MEMORY_GRAPH_EMBEDDER: 'none', ...extra }
  await call(program, env, list)
  const server = spawn(program, ['explore', '--no-open'], { env, stdio: ['ignore', 'pipe', 'ignore'] })
  const { value: link } = await createInterface({ input: server.stdout })[Symbol.asyncIterator]().next()
  const context = await browser.newContext({ viewport: { width: 1280, height: 850 }, bypassCSP: false, locale: 'en-GB' })
  const page = await context.newPage()
  const wrong = []
  page.on('pageerror', e => wrong.push('error: ' + e.message))
  page.on('console', m => m.type() === 'error' && !/40[134]/.test(m.text()) && wrong.push('console: ' + m.text()))
  page.on('dialog', d => { wrong.push('dialog: ' + d.message()); d.dismiss() })
  page.on('request', r => new URL(r.url()).origin === new URL(link).origin || wrong.push('request: ' + r.url()))
  await page.goto(link)
  await page.waitForSelector('main h2')
  assert.equal(new URL(page.url()).search, '', 'the key stays in the address')
  const base = new URL('/explore/', link).href
  const open = async path => { await page.goto(base + '#/' + path); await settled(page) }
  const end = async () => { server.kill('SIGINT'); await new Promise(r => server.on('exit', r)); await context.close() }
  return { page, open, wrong, end }
}

const settled = page => page.waitForFunction(() => !document.querySelector('.loading') && document.querySelector('h1')).catch(async e => { throw new Error(page.url() + ' does not settle: ' + await page.evaluate(() => document.body.innerText.slice(0, 400)), { cause: e }) })
const told = async (page, pattern) => {
  await page.waitForFunction(p => new RegExp(p).test(document.querySelector('.told')?.textContent ?? ''), pattern)
}

/** accessible fails for violations that axe-core finds, in light and dark. axe runs as a script of the test itself. */
async function accessible(page, what) {
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme })
    const { violations } = await page.evaluate(`{const module = undefined; ${axe}}; axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })`)
    assert.deepEqual(violations.map(v => `${v.id}: ${v.nodes.map(n => n.html.slice(0, 200)).join(' | ')}`), [],
      `${what}, ${colorScheme}`)
    if (shots) await page.screenshot({ path: join(shots, `${what.replaceAll(' ', '-')}-${colorScheme}.png`), fullPage: true })
  }
}

/** fits fails if a view is wider than a phone. */
async function fits(page, what) {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'light' })
  const [inside, outside] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
  assert.ok(inside <= outside, `${what} is ${inside} px wide on a phone of ${outside} px`)
  if (shots) await page.screenshot({ path: join(shots, `${what.replaceAll(' ', '-')}-phone.png`), fullPage: true })
  await page.setViewportSize({ width: 1280, height: 850 })
}

async function aPersonLooksAndCorrects(browser) {
  const { page, open, wrong, end } = await explore(browser, 'people', people)
  await settled(page)
  await accessible(page, 'start')
  await fits(page, 'start')

  // search with the keyboard alone
  await page.keyboard.press('/')
  await page.keyboard.type('ann l')
  await page.waitForSelector('[role=option]')
  await accessible(page, 'proposals')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForSelector('h1:has-text("Ann Lee")')
  await settled(page)
  await accessible(page, 'entity')
  await fits(page, 'entity')
  assert.equal(await page.locator('table.facts').first().locator('tr', { hasText: 'works at' }).count(), 1)

  // an earlier day, and the same address again: it shows now
  const day = page.getByLabel('True at, as a date')
  const none = page.getByText('No facts at the chosen time')
  await day.fill('2001-01-01')
  await none.waitFor()
  await page.evaluate(() => { location.hash = location.hash.replace(/\?.*/, '') })
  await none.waitFor({ state: 'detached' })
  await day.fill('2001-01-01')
  await none.waitFor()
  await day.fill('')
  await none.waitFor({ state: 'detached' })
  await settled(page)

  // merge two names, and undo it
  await page.getByRole('button', { name: 'Merge…' }).click()
  await page.getByLabel('The other entity').fill('anne')
  await page.locator('.choices button', { hasText: 'Anne Lee' }).click()
  await accessible(page, 'merge')
  await page.getByRole('button', { name: 'Merge', exact: true }).click()
  await told(page, 'Merged Anne Lee')
  await page.waitForSelector('.aliases:has-text("anne lee")')
  await page.locator('.told').getByRole('button', { name: 'Undo' }).click()
  await told(page, 'Undone: ')
  await page.waitForFunction(() => !document.querySelector('.aliases')?.textContent.includes('anne lee'))

  // a fact with its evidence: end it, and undo that
  await page.locator('table.facts').first().getByRole('link', { name: 'works at' }).click()
  await page.waitForSelector('mark')
  await settled(page)
  await accessible(page, 'fact')
  await fits(page, 'fact')
  await page.getByRole('button', { name: 'Edit…' }).click()
  await page.getByLabel('How sure it is').fill('7')
  await page.getByRole('button', { name: 'Save' }).click()
  assert.ok(await page.getByLabel('How sure it is').isVisible(), 'a confidence of 7 was sent')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'End…' }).click()
  await page.getByLabel('Why, for the history').fill('a test')
  await page.getByRole('button', { name: 'End it' }).click()
  await told(page, 'has ended')
  await page.waitForSelector('.top .chip:has-text("ended")')
  await page.waitForSelector('.history:has-text("a test")')
  await page.locator('.told').getByRole('button', { name: 'Undo' }).click()
  await page.waitForFunction(() => !document.querySelector('.top .chip'))

  // a question
  await page.getByRole('combobox').fill('Where does Ann Lee work?')
  await page.keyboard.press('Enter')
  await page.waitForSelector('.turn')
  await settled(page)
  await accessible(page, 'search')
  await fits(page, 'search')

  // let a turn out of quarantine, and put it back
  await open('quarantine')
  await accessible(page, 'quarantine')
  await page.getByRole('button', { name: 'Release…' }).click()
  await accessible(page, 'release')
  await page.getByRole('button', { name: 'Release', exact: true }).click()
  await told(page, 'Released')
  await page.waitForSelector('text=No turn looks like an attack.')
  await page.locator('.told').getByRole('button', { name: 'Undo' }).click()
  await page.waitForSelector('.turn')

  // forget a turn, after it was counted
  await open('turn/t9')
  await accessible(page, 'turn')
  await page.getByRole('button', { name: 'Forget…' }).click()
  await page.waitForSelector('dialog:has-text("1 turn")')
  await accessible(page, 'forget')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.waitForSelector('dialog', { state: 'detached' })
  await page.getByRole('button', { name: 'Forget…' }).click()
  await page.waitForSelector('dialog:has-text("1 turn")')
  await page.getByRole('button', { name: 'Forget for good' }).click()
  await told(page, 'Forgot .*1 turn. This is final')
  await page.waitForSelector('h1:has-text("What changed")')
  await open('turn/t9')
  await page.waitForSelector('.notice:has-text("There is no turn t9")')
  assert.equal(await page.locator('[role=alert]').count(), 0, 'what is forgotten is no failure')

  for (const view of ['facts', 'changes', 'conflicts', 'communities', 'nothing']) {
    await open(view)
    await accessible(page, view)
    await fits(page, view)
  }
  assert.deepEqual(wrong, [])
  await end()
}

async function aPersonDecidesAll(browser) {
  await aPersonDecides(await explore(browser, 'decides', [...people, ['store_episode', { content: 'We met everybody.', role: 'user',
    relations: Array.from({ length: 60 }, (_, i) => ({ head: 'Tomás Dias', relation: 'knows', tail: 'Guest ' + i })) }],
    ['merge_entities', { into: 'Ann Lee', from: 'Anne Lee' }],
    ['retain', { content: 'Everything about deploying the routing service.', title: 'Deploying the routing service', layer: 1 }],
    ['retain', { content: 'Deploying the routing service needs approvals.', title: 'Approvals for deploying the routing service', layer: 2 }],
  ]), { settled, told, accessible, fits })
}

async function aHostileStoreIsShownAsText(browser) {
  const { page, open, wrong, end } = await explore(browser, 'hostile', hostile, { MEMORY_GRAPH_LIMITS_NAME_BYTES: '4096' })
  await page.addInitScript(() => addEventListener('securitypolicyviolation', e => console.error('policy: ' + e.violatedDirective)))
  for (const view of ['', 'entity/e1', 'fact/r1', 'fact/r3', 'turn/t1', 'turn/t2', 'entity/e4', 'changes', 'search?q=%3Cscript%3E', 'quarantine',
    'entity/' + encodeURIComponent('<img src=x onerror=alert(8)>')]) {
    await open(view)
    await page.reload()
    await settled(page)
    await fits(page, 'hostile ' + view.replace(/\W+/g, ' ').trim())
    const found = await page.evaluate(() => ({
      scripts: document.querySelectorAll('script').length,
      foreign: [...document.querySelectorAll('#app *')].filter(e => /^(SCRIPT|IFRAME|IMG|STYLE|OBJECT|EMBED)$/.test(e.tagName)).length,
      handlers: [...document.querySelectorAll('#app *')].filter(e => [...e.attributes].some(a => a.name.startsWith('on'))).length,
      links: [...document.links].map(a => a.getAttribute('href')).filter(h => !h.startsWith('#/')),
      hidden: (document.body.innerText.match(/[\u202a-\u202e\u2066-\u2069\u200b]/g) ?? []).length,
    }))
    assert.deepEqual(found, { scripts: 1, foreign: 0, handlers: 0, links: [], hidden: 0 }, 'view ' + view)
  }
  await open('entity/e1')
  await page.waitForSelector('.turn')
  const shown = await page.evaluate(() => document.body.innerText)
  for (const text of texts) assert.ok(shown.includes(text), `${text} is not shown as it is`)
  assert.ok(shown.includes('U+202E'), 'the character that reverses text is not shown')
  await accessible(page, 'hostile')
  assert.deepEqual(wrong, [])
  await end()
}

async function theTokenOpensThePageForReading(browser) {
  const token = 'a-token-of-this-test-0123456789'
  const env = { PATH: process.env.PATH, HOME: join(work, 'home'), XDG_CACHE_HOME: process.env.XDG_CACHE_HOME ?? '',
    MEMORY_GRAPH_DB: join(work, 'people.db'), MEMORY_GRAPH_EMBEDDER: 'none', MEMORY_GRAPH_TOKEN: token }
  const server = spawn(program, ['serve', '--http', '127.0.0.1:0'], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const { value: line } = await createInterface({ input: server.stderr })[Symbol.asyncIterator]().next()
  const base = line.match(/http:\/\/[\d.:]+/)[0] + '/explore/'
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 850 } })).newPage()
  await page.goto(base + '#/entity/Ann%20Lee')
  await page.getByLabel('Token').fill('wrong')
  await accessible(page, 'sign in')
  await fits(page, 'sign in')
  await page.getByRole('button', { name: 'Open' }).click()
  await page.waitForSelector('[role=alert]')
  await page.getByLabel('Token').fill(token)
  await page.keyboard.press('Enter')
  await page.waitForSelector('h1:has-text("Ann Lee")')
  await settled(page)
  await page.waitForSelector('.foot:has-text("This page only reads.")')
  assert.equal(await page.getByRole('button', { name: /Edit|Merge|Forget|Undo/ }).count(), 0, 'it offers corrections')
  const kept = await page.evaluate(() => [document.cookie, ...Object.values(localStorage), ...Object.values(sessionStorage)].join())
  assert.equal(kept, '', 'a script can read the key')
  server.kill('SIGINT')
  await new Promise(r => server.on('exit', r))
  await page.context().close()
}

const browser = await playwright.chromium.launch({ executablePath: chromium, args: ['--no-sandbox'] })
try {
  for (const test of [aPersonLooksAndCorrects, aPersonDecidesAll, aHostileStoreIsShownAsText, theTokenOpensThePageForReading]) {
    await test(browser)
    console.log('ok  ' + test.name)
  }
} finally {
  await browser.close()
  rmSync(work, { recursive: true, force: true })
}
