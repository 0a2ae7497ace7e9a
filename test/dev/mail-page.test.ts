import { deepEqual, equal, match, notEqual } from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { startMailPage } from '../../dev/stack/mail-page.ts'
import { openStore } from '../../dev/stack/mail-store.ts'
import { testBrowser } from '../support/browser.ts'

describe('the mail page', () => {
  let folder: string
  let server: Server
  let page: Page
  let url: string

  before(async function () {
    folder = mkdtempSync(join(tmpdir(), 'postroom-mail-page-'))
    const store = await openStore(folder)
    const letter = (subject: string) =>
      Buffer.from(
        `Subject: ${subject}\r\nDate: Mon, 23 Nov 2026 09:00:00 +0000\r\n\r\n<b>Hello</b>\r\n`,
      )
    await store.add({ from: 'ana@halden.example', to: ['ines@client.example'] }, letter('One'))
    await store.add({ from: 'ana@halden.example', to: ['rosa@client.example'] }, letter('Two <i>'))
    const back = [
      ...['Subject: Back', 'MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=b', ''],
      ...['--b', 'Content-Type: text/html', ''],
      '<p>Good day</p><script>document.body.className = "run"</script>',
      ...['--b', 'Content-Type: text/csv', 'Content-Disposition: attachment; filename=list.csv'],
      ...['Content-Transfer-Encoding: base64', '', 'YSxi', '--b--', ''],
    ]
    await store.add(
      { from: 'ines@client.example', to: ['ana@halden.example'], isGuest: true },
      Buffer.from(back.join('\r\n')),
    )
    server = await startMailPage(store, 0)
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    page = await (await testBrowser(this)).newPage()
    await page.goto(url)
  })
  after(async () => {
    await page?.close()
    server?.closeAllConnections()
    server?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('has a main part, a named article for each letter, and a name for each link', async () => {
    equal(await page.getByRole('main').count(), 1)
    await page.getByRole('article', { name: 'Two <i>' }).getByText('<b>Hello</b>').waitFor()
    const names = await page.getByRole('link').allTextContents()
    equal(new Set(names).size, names.length, names.join(', '))
    deepEqual(
      names.filter((name) => name.startsWith('Source')),
      ['Source of “Two <i>” to rosa@client.example', 'Source of “One” to ines@client.example'],
    )
  })

  it("shows the letter's own time and that of its arrival", async () => {
    const text = (await page.getByRole('article', { name: 'One' }).textContent()) ?? ''
    match(text, /dated 23 Nov 2026, 09:00 UTC; arrived .* UTC by the clock of this machine/)
    equal(await page.locator('time').count(), 4)
  })

  it('shows the letters to one person', async () => {
    await page.getByLabel('Only letters to').fill('INES@client.example')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByText('One letter to ines@client.example').waitFor()
    equal(await page.getByRole('article').count(), 1)
    await page.getByRole('link', { name: 'Show all' }).click()
    await page.getByText('2 letters').waitFor()
  })

  it('shows what others wrote to us apart, with its HTML in a frame without scripts, and its files', async () => {
    await page.getByRole('link', { name: 'Sent to us' }).click()
    await page.getByText('One letter, newest first').waitFor()
    const article = page.getByRole('article', { name: 'Back' })
    await article.getByText('list.csv').waitFor()
    const frame = article.frameLocator('iframe')
    await frame.getByText('Good day').waitFor()
    equal(await frame.locator('body').getAttribute('class'), null)
    const { messages } = (await (await fetch(`${url}messages.json`)).json()) as {
      messages: Record<string, unknown>[]
    }
    deepEqual(
      messages.map(({ direction, attachments }) => [direction, attachments]),
      [
        ['sent', []],
        ['sent', []],
        ['received', [{ name: 'list.csv', type: 'text/csv', size: 3 }]],
      ],
    )
    await page.getByRole('link', { name: 'Sent by us' }).click()
    await page.getByText('2 letters').waitFor()
  })

  it('is dark where the machine is, and fits a narrow screen', async () => {
    const colour = () =>
      page.evaluate('getComputedStyle(document.querySelector(".about")).color') as Promise<string>
    const light = await colour()
    await page.emulateMedia({ colorScheme: 'dark' })
    notEqual(await colour(), light)
    await page.setViewportSize({ width: 320, height: 640 })
    equal(await page.evaluate('document.documentElement.scrollWidth'), 320)
  })
})
