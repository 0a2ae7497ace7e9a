import { deepEqual, equal, match, ok } from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { errorCodes } from '../../../rules/problem.ts'
import { testBrowser } from '../../support/browser.ts'
import { givenRoom, type Room } from '../../support/samples.ts'
import { startService, type TestService } from '../../support/service.ts'

for (const variant of ['full', 'reduced'] as const)
  describe(`the reference page of the ${variant} deployment, in a browser`, function () {
    // A browser on a busy machine takes its time.
    this.timeout(120_000)
    let service: TestService
    let room: Room
    let browser: Browser
    let page: Page
    const trouble: string[] = []

    before(async function () {
      browser = await testBrowser(this)
      service = await startService({ variant })
      room = await givenRoom(service)
      // It is made when it is first asked for.
      equal((await fetch(`${service.url}/docs`)).status, 200)
    })
    after(() => service?.close())

    beforeEach(async () => {
      const context = await browser.newContext({ viewport: { width: 390, height: 800 } })
      page = await context.newPage()
      page.on('console', (message) => message.type() === 'error' && trouble.push(message.text()))
      page.on('pageerror', (error) => trouble.push(error.message))
      page.on('request', (request) => {
        if (!request.url().startsWith(`${service.url}/`)) trouble.push(request.url())
      })
      await page.goto(`${service.url}/docs`)
    })
    afterEach(() => page.context().close())

    const enter = (token: string) => page.getByLabel('Try the calls from here').fill(token)
    async function open(operation: string) {
      const article = page.locator(`#${operation}`)
      await article.getByText('Try it').click()
      const status = async () => {
        await article.locator('.status').waitFor()
        return (await article.locator('.status').textContent()) ?? ''
      }
      const send = () => article.getByRole('button', { name: 'Send' }).click()
      const body = async () => JSON.parse((await article.locator('.body').textContent()) ?? '')
      return { article, status, send, body }
    }

    it('sends a call with the token and shows the answer', async () => {
      await enter(room.token)
      const { article, send, status, body } = await open('listPeople')
      await article.getByLabel('limit').fill('2')
      await send()
      match(await status(), /^200 OK in \d+ ms$/)
      equal((await body()).people.length, 2)
      match((await article.locator('.answer details pre').textContent()) ?? '', /x-request-id: /)
    })

    it('sends a change under a key of its own, and the same call again as a repeat', async () => {
      await enter(room.token)
      const { article, send, status, body } = await open('updatePerson')
      const id = article.getByRole('textbox', { name: 'id', exact: true })
      await page.locator('#updatePerson form[data-filled]').waitFor()
      // An id of this workspace stands there already; which person it is does not matter.
      match(await id.inputValue(), /^per_/)
      await id.fill(room.person)
      const key = await article.getByLabel('Idempotency-Key').inputValue()
      match(key, /^[\da-f-]{36}$/)
      await article.getByLabel('Body').fill('{"city": "Porto"}')
      // By the keyboard alone.
      await article.getByLabel('Body').press('Control+Enter')
      match(await status(), /^200 OK/)
      equal((await body()).city, 'Porto')
      await send()
      await article.getByText('the answer of an earlier call').waitFor()
      await article.getByLabel('Body').fill('{"city": "Lisbon"}')
      ok((await article.getByLabel('Idempotency-Key').inputValue()) !== key)
    })

    it('shows refusals unchanged', async () => {
      const { send, status, body } = await open('getIdentity')
      await send()
      match(await status(), /^401 Unauthorized/)
      equal((await body()).code, 'token_missing')
    })

    it('keeps the token only in its tab, and puts no call into an address', async () => {
      await enter(room.token)
      await page.getByRole('button', { name: 'Who am I?' }).click()
      await page.getByText(`This token belongs to ${room.member} of ${room.id}`).waitFor()
      await page.reload()
      equal(await page.getByLabel('Try the calls from here').inputValue(), room.token)
      equal(page.url(), `${service.url}/docs`)
      const other = await (await browser.newContext()).newPage()
      await other.goto(`${service.url}/docs`)
      equal(await other.getByLabel('Try the calls from here').inputValue(), '')
      await other.context().close()
    })

    it('says what to do about a token that is missing or wrong', async () => {
      const { article, send } = await open('getIdentity')
      await send()
      await article.getByText('Enter an access token at the top of this page').waitFor()
      await enter('prm_wrong')
      await page.getByRole('button', { name: 'Who am I?' }).click()
      await page.locator('#token .bad').getByText('This token is not valid').waitFor()
    })

    it('fills a call with ids from the workspace', async () => {
      await enter(room.token)
      await page.getByRole('button', { name: 'Who am I?' }).click()
      for (const operation of ['getConversation', 'getPerson', 'listAttachments']) {
        const { send, status } = await open(operation)
        await page.locator(`#${operation} form[data-filled]`).waitFor()
        await send()
        match(await status(), /^200 OK/, operation)
      }
      const { article } = await open('createDeal')
      await page.locator('#createDeal form[data-filled]').waitFor()
      const body = JSON.parse(await article.getByLabel('Body').inputValue())
      equal(body.label, room.product)
      equal(body.agent, room.agent)
      deepEqual(new Set([body.seller, body.buyer]).size, 2)
    })

    it('has a menu that is closed at first', async () => {
      const links = page.locator('nav li a:visible')
      equal(await links.count(), 0)
      await page.getByRole('button', { name: 'Menu' }).click()
      ok((await links.count()) > 40)
    })

    it('finds what guides, descriptions, members and values say, titles first', async () => {
      const found = async (text: string) => {
        await page.getByLabel('Find').fill(text)
        await page.locator('#found a').first().waitFor()
        const all = page.locator('#found a')
        return await all.evaluateAll((links) => links.map((link) => link.getAttribute('href')))
      }
      ok((await found('edit conv')).slice(0, 2).includes('#updateConversation'))
      ok((await found('snoozeUntil')).includes('#updateConversation'))
      ok((await found('pagination')).includes('#start-lists-and-pages'))
      ok((await found('recipient_suppressed')).includes('#error-recipient_suppressed'))
      for (const text of variant === 'full' ? ['unsubscribe', 'attachment', 'bounced'] : [])
        ok((await found(text)).length > 0, text)
      if (variant === 'full') {
        ok((await found('message.received')).slice(0, 3).includes('#event-message.received'))
        ok((await found('webhook signature')).includes('#guide-events-what-is-sent'))
      }
      // By the keyboard alone.
      await page.getByLabel('Find').fill('')
      await page.getByLabel('Find').blur()
      await page.keyboard.press('/')
      await page.keyboard.type('edit conv')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.waitForURL(/#updateConversations?$/)
    })

    it('shows a call in three languages, and goes on in the one that was chosen', async () => {
      const shown = (operation: string) =>
        page.locator(`#${operation} .samples pre:visible`).textContent()
      match((await shown('addNote')) ?? '', /^curl -X POST /)
      await page.locator('#addNote').getByRole('button', { name: 'Python', exact: true }).click()
      match((await shown('addNote')) ?? '', /postroom\.add_note\(/)
      match((await shown('listPeople')) ?? '', /for one in postroom\.list_people\(\)/)
      await page
        .locator('#addNote')
        .getByRole('button', { name: 'TypeScript', exact: true })
        .click()
      match((await shown('addNote')) ?? '', /await postroom\.addNote\("cnv_/)
    })

    if (variant === 'full')
      it('takes a field of the callers own and its value', async () => {
        await enter(room.token)
        const { article, send, body } = await open('listPeople')
        await article.getByLabel('field, name').fill('tier')
        await article.getByLabel('field, value').fill('none has this')
        await send()
        await article.locator('.status').waitFor()
        deepEqual((await body()).people, [])
      })

    if (variant === 'full')
      it('has the guides and the kinds of events, with links that lead within the page', async () => {
        equal((await page.locator('[id^="event-"] h3').count()) > 80, true)
        match(
          (await page.locator('[id="event-message.received"]').textContent()) ?? '',
          /A message came in/,
        )
        await page.locator('#guide-tour').waitFor({ state: 'attached' })
        deepEqual(
          await page.evaluate(
            `[...document.querySelectorAll('.guide a')].map((a) => a.getAttribute('href')).filter((href) => !/^(#|https?:\\/\\/)/.test(href))`,
          ),
          ['/admin/openapi.json'],
        )
      })

    it('lists the most frequent calls of a group first', async () => {
      const names = (group: string) => page.locator(`#${group} article h3`).allTextContents()
      deepEqual((await names('deals')).slice(0, 4), [
        ...['Create a deal', 'List deals', 'Read a deal', 'Edit a deal'],
      ])
    })

    it('says what every error code means and what to do about it', async () => {
      for (const code of errorCodes)
        match(
          (await page.locator(`#error-${code} dd`).textContent()) ?? '',
          /^[A-Z].{20,}\.$/s,
          code,
        )
      const dead = await page.evaluate(
        `[...document.querySelectorAll('a[href^="#"]')].map((a) => a.hash.slice(1)).filter((id) => !document.getElementById(id))`,
      )
      deepEqual(dead, [])
    })

    it('distinguishes links from the text around them by more than colour', async () => {
      const bare = await page.evaluate(
        `[...document.querySelectorAll('main p a, main dd a')].filter((a) => !getComputedStyle(a).textDecorationLine.includes('underline')).length`,
      )
      equal(bare, 0)
    })

    it('shows every member with its type and its sentence, and a sample of each call', async () => {
      const mute = await page.evaluate(
        `[...document.querySelectorAll('.members > li > .type')].filter((type) => !type.parentElement.querySelector(':scope > p')?.textContent).length`,
      )
      equal(mute, 0)
      const bare = await page.evaluate(
        `[...document.querySelectorAll('article')].filter((article) => !article.querySelector('pre.sample')).length`,
      )
      equal(bare, 0)
    })

    it('copies a call as curl without the token', async () => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await enter(room.token)
      const { article } = await open('addNote')
      await article.getByLabel('Body').fill(`{"text": "it's"}`)
      await article.getByRole('button', { name: 'Copy as curl' }).click()
      await article.getByText('Copied').waitFor()
      const copied = await page.evaluate('navigator.clipboard.readText()')
      match(
        String(copied),
        /^curl -X POST 'http[^']+\/notes' \\\n {2}-H "Authorization: Bearer \$TOKEN"/,
      )
      ok(String(copied).endsWith(`-d '{"text": "it'\\''s"}'`))
    })

    it('fits a narrow screen, violates no content policy and loads nothing from elsewhere', async () => {
      equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0)
      const policy = (await fetch(`${service.url}/docs`)).headers.get('content-security-policy')
      ok(policy?.includes("script-src 'self'") && !policy.includes('unsafe'))
      deepEqual(
        trouble.filter((text) => !text.includes('401')),
        [],
      )
    })
  })
