// What a person corrects and decides at the page, beside what test.mjs does: each is one step that one undo takes back.
import assert from 'node:assert/strict'

/** aPersonDecides walks through corrections at a page that test.mjs has opened. */
export async function aPersonDecides({ page, open, wrong, end }, { settled, told, accessible, fits }) {
  const button = name => page.getByRole('button', { name, exact: true })
  const undo = async () => {
    await page.locator('.told').getByRole('button', { name: 'Undo' }).click()
    await told(page, 'Undone: ')
  }

  // a call that changed much is one row, which opens to its objects page by page
  await open('changes')
  const much = page.locator('.calls > li', { hasText: '60 facts' })
  assert.equal(await much.count(), 1)
  await much.locator('summary').click()
  await much.locator('.items li').nth(49).waitFor()
  await much.getByRole('button', { name: 'More' }).click()
  await much.locator('.items li').nth(60).waitFor()
  await accessible(page, 'call')
  await fits(page, 'call')

  // a fact that is replaced names what took its place, once
  await open('entity/Ann%20Lee')
  assert.equal(await page.title(), 'Ann Lee – memory-graph')
  await page.locator('table.facts').first().getByRole('link', { name: 'prefers' }).click()
  await button('Replace…').click()
  await page.getByLabel('What is true instead').fill('Scottish English')
  await button('Replace').click()
  await told(page, 'Replaced by: Ann Lee prefers Scottish English')
  await page.locator('.history a', { hasText: 'Ann Lee prefers Scottish English' }).waitFor()
  assert.equal(await page.locator('.history td', { hasText: /^replaced by/ }).count(), 1)
  await page.waitForSelector('.top .chip:has-text("replaced")')
  await accessible(page, 'replaced')
  await open('changes')
  await page.locator('.calls > li', { hasText: 'replaced Ann Lee prefers British English by Ann Lee prefers Scottish English' }).waitFor()

  // what a person edits is the person's; the version before keeps its origin
  await open('entity/Ann%20Lee')
  await page.locator('table.facts').first().getByRole('link', { name: 'likes' }).first().click()
  await button('Edit…').click()
  await page.getByLabel('Sentence').fill('Ann likes the tiles of Lisbon.')
  await button('Save').click()
  await told(page, 'Saved')
  await page.locator('.history tbody tr').nth(1).waitFor()
  assert.deepEqual(await page.locator('.history .origin').allTextContents(), ['you', 'agent'])
  assert.equal(await page.locator('aside .origin').textContent(), 'you')
  await undo()
  await page.locator('aside .origin', { hasText: 'agent' }).waitFor()

  // take a merge apart
  await open('entity/Ann%20Lee')
  await button('Take apart…').click()
  await accessible(page, 'take apart')
  await button('Take apart').click()
  await told(page, 'Anne Lee stands for itself again')
  await page.waitForFunction(() => !document.querySelector('.merged'))
  await undo()
  await page.waitForSelector('.merged:has-text("Anne Lee")')

  // before the memory knew somebody, it says so
  await open('entity/Ann%20Lee?known_at=2020-01-01')
  await page.waitForSelector('text=The memory did not know this before')
  assert.equal(await page.locator('[role=alert]').count(), 0)
  await accessible(page, 'not known yet')
  await fits(page, 'not known yet')
  await button('Show it as it is now').click()
  await page.waitForSelector('table.facts')

  // add somebody, and a fact
  await open('')
  await button('New entity…').click()
  await page.getByLabel('Name', { exact: true }).fill('Zoe Park')
  await accessible(page, 'new entity')
  await button('Add').click()
  await page.waitForSelector('h1:has-text("Zoe Park")')
  await told(page, 'Added Zoe Park')
  await settled(page)
  await button('Add a fact…').click()
  await page.getByLabel('Zoe Park …').fill('works at')
  await page.getByLabel('… whom or what').fill('northw')
  await page.locator('.choices button', { hasText: 'Northwind Maps' }).click()
  await accessible(page, 'new fact')
  await button('Add').click()
  await told(page, 'Added: Zoe Park works at Northwind Maps')
  await page.locator('table.facts').getByText('Northwind Maps').waitFor()
  await undo()
  await page.waitForFunction(() => !document.querySelector('table.facts'))

  // put a memory where it belongs
  await open('proposals')
  await accessible(page, 'proposals')
  await fits(page, 'proposals')
  await page.locator('.rows li', { hasText: 'Approvals' }).getByRole('button', { name: 'Put it there' }).click()
  await told(page, 'It belongs under Deploying the routing service now')
  await page.waitForSelector('text=There is nothing to decide.')
  await undo()
  await page.locator('.rows li', { hasText: 'Approvals' }).waitFor()

  // what goes with a turn is named before it goes
  await open('turn/t5')
  await button('Forget…').click()
  await page.locator('.gone li', { hasText: 'Wayfinder depends on PostGIS' }).waitFor()
  await page.locator('.gone li', { hasText: 'The service is called Wayfinder.' }).waitFor()
  await accessible(page, 'what is forgotten')
  await button('Cancel').click()
  assert.deepEqual(wrong, [])
  await end()
}
