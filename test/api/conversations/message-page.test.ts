import { deepEqual, equal, match, ok } from 'node:assert/strict'
import type { Context } from 'mocha'
import type { Request } from 'playwright-core'
import { safePage } from '../../../rules/mail/html/page.ts'
import { testBrowser } from '../../support/browser.ts'
import { givenSender } from '../../support/inbound.ts'
import { startService, type TestService } from '../../support/service.ts'
import { tricks } from '../../support/tricks.ts'

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const forbidden =
  /^on\w+$|^<(?:script|style|iframe|object|embed|form|input|button|meta|link|base|svg|math)$|^(?:srcset|action|background)$|^\s*(?:java|vb)script:|url\(/i
const policy = (images: string) =>
  `sandbox; default-src 'none'; img-src ${images}; style-src 'unsafe-inline'`

describe('GET /messages/{id}/html', function () {
  this.timeout(60_000)
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  type Files = Parameters<Awaited<ReturnType<typeof givenSender>>['receive']>[0] & object
  async function page(html: string | null, query = '', more: Files = {}) {
    const sender = await givenSender(service)
    const { message } = await sender.receive({ html, ...more })
    const url = `${service.url}/api/v1/messages/${message}/html${query}`
    const headers = { authorization: `Bearer ${sender.token}` }
    const answer = await fetch(url, { headers })
    return {
      ...sender,
      url,
      message,
      headers: answer.headers,
      status: answer.status,
      text: await answer.text(),
    }
  }

  it('answers a page under a policy that allows nothing to run or load', async () => {
    const { status, text, headers } = await page(
      '<html><body bgcolor="#eee"><p style="color: red; background: url(http://x.example/)">Hello <b>you</b></p><script>alert(1)</script></body></html>',
    )
    equal(status, 200)
    equal(
      text,
      '<!doctype html>\n<div bgcolor="#eee"><p style="color:red">Hello <b>you</b></p></div>',
    )
    deepEqual(
      ['content-type', 'content-security-policy', 'x-content-type-options', 'referrer-policy'].map(
        (name) => headers.get(name),
      ),
      ['text/html; charset=utf-8', policy('data:'), 'nosniff', 'no-referrer'],
    )
    match(headers.get('cache-control') ?? '', /^private/)
  })

  it('sends links out without telling where they were', async () => {
    const { text } = await page(
      '<a href="https://x.example/?a=1&b=2" target="_top">one</a><a href="javascript:x()">two</a><a href="/people">three</a><a href="mailto:a@b.example">four</a>',
    )
    const outward = 'rel="noopener noreferrer nofollow" target="_blank"'
    equal(
      text,
      `<!doctype html>\n<a href="https://x.example/?a=1&amp;b=2" ${outward}>one</a><a>two</a><a>three</a><a href="mailto:a@b.example" ${outward}>four</a>`,
    )
  })

  it('shows images from the web only when asked', async () => {
    const html = '<img src="http://x.example/1.png" alt="one"><img src="//x.example/2.png">'
    const without = await page(html)
    equal(without.text, '<!doctype html>\n<img alt="one" /><img alt="" />')
    const shown = await page(html, '?images=true')
    equal(
      shown.text,
      '<!doctype html>\n<img alt="one" src="http://x.example/1.png" /><img alt="" src="https://x.example/2.png" />',
    )
    equal(shown.headers.get('content-security-policy'), policy('data: https: http:'))
    equal((await page(html, '?images=false')).text, without.text)
    for (const query of ['?images=1', '?images', '?image=true'])
      equal((await page(html, query)).status, 400, query)
  })

  it('shows backgrounds and further sizes of images from the web only when asked', async () => {
    const html = [
      '<body background="http://x.example/b.png">',
      '<table background="//x.example/t.png"><tr><td background="javascript:x" style="color:red;background:#fff url(\'https://x.example/a;b(1).png\') no-repeat">x</td></tr></table>',
      '<p style="background-image: url( &quot;http://x.example/p.png?a=1&amp;b=2&quot; ), url(/here.png)">y</p>',
      '<p style="list-style-image:url(http://x.example/l.png);background:url(ftp://x.example/f.png)">z</p>',
      '<img srcset="http://x.example/w_1,h_2/s.png 1x,//x.example/2.png 2.5x, /here.png 3x" src="http://x.example/s.png">',
      '</body>',
    ].join('')
    const without = await page(html)
    equal(
      without.text,
      '<!doctype html>\n<div><table><tr><td style="color:red;background:#fff  no-repeat">x</td></tr></table><p>y</p><p>z</p><img alt="" /></div>',
    )
    const shown = await page(html, '?images=true')
    equal(
      shown.text,
      '<!doctype html>\n<div style="background-image:url(http://x.example/b.png)"><table style="background-image:url(https://x.example/t.png)"><tr><td style="color:red;background:#fff url(https://x.example/a%3bb%281%29.png) no-repeat">x</td></tr></table><p style="background-image:url(http://x.example/p.png?a=1&amp;b=2), none">y</p><p>z</p><img alt="" src="http://x.example/s.png" srcset="http://x.example/w_1%2ch_2/s.png 1x, https://x.example/2.png 2.5x" /></div>',
    )
  })

  it("shows the message's own images as backgrounds too", async () => {
    const { text } = await page(
      '<table background="cid:a"><tr><td style="background:red url(\'cid:a\')">x</td></tr></table><p style="background:url(cid:none)">y</p>',
      '',
      { files: [{ name: 'a.png', type: 'image/png', cid: 'a', content: pixel }] },
    )
    const shown = `url(data:image/png;base64,${pixel.toString('base64')})`
    equal(
      text,
      `<!doctype html>\n<table style="background-image:${shown}"><tr><td style="background:red ${shown}">x</td></tr></table><p>y</p>`,
    )
  })

  it("shows the message's own images, and no other files", async () => {
    const large = Buffer.alloc(700_001, pixel)
    const file = (name: string, type: string, cid: string | null, content = pixel) => ({
      name,
      type,
      cid,
      content,
    })
    const { text, headers } = await page(
      ['a@b', 'large', 'b%20c.gif', 'vector', 'page', 'none']
        .map((cid) => `<img src="cid:${cid}">`)
        .join(''),
      '',
      {
        files: [
          file('a.png', 'image/png; name=a.png', 'a@b'),
          file('large.bin', 'application/octet-stream', 'large', large),
          file('b c.gif', 'image/gif', null),
          file('v.svg', 'image/svg+xml', 'vector', Buffer.from('<svg onload="alert(1)"/>')),
          file('p.html', 'text/html', 'page', Buffer.from('<script>alert(1)</script>')),
        ],
      },
    )
    const shown = (type: string, content: Buffer) =>
      `<img alt="" src="data:${type};base64,${content.toString('base64')}" />`
    equal(
      text,
      `<!doctype html>\n${shown('image/png', pixel)}${shown('image/png', large)}${shown('image/gif', pixel)}${'<img alt="" />'.repeat(3)}`,
    )
    // It was compressed on its way.
    equal(headers.get('content-length'), null)
    equal(headers.get('content-encoding'), 'gzip')
  })

  it('shows an image as often as fits into the bytes that a page may have', async () => {
    const content = Buffer.alloc(5 * 1024 * 1024, pixel)
    const { text } = await page('<img src="cid:a">'.repeat(50), '', {
      files: [{ name: 'a.png', type: 'image/png', cid: 'a', content }],
    })
    deepEqual([text.split('data:image/png').length - 1, text.split('<img').length - 1], [5, 50])
  })

  it('is 404 for a message without HTML, and for one of another workspace', async () => {
    const { status, text } = await page(null)
    deepEqual([status, JSON.parse(text).code], [404, 'not_found'])
    const [theirs, ours] = [await page('<p>Hello</p>'), await givenSender(service)]
    const headers = { authorization: `Bearer ${ours.token}` }
    equal((await fetch(theirs.url, { headers })).status, 404)
  })

  it('refuses HTML that takes too long, while others are served', async () => {
    const [hostile, plain] = await Promise.all([page('<x>'.repeat(340_000)), page('<p>Hello</p>')])
    deepEqual([hostile.status, JSON.parse(hostile.text).code], [422, 'unreadable_file'])
    equal(plain.status, 200)
  })

  /** What a browser does with a page, without the policy of the answer: the page alone has to be safe. */
  async function inBrowser(test: Context, text: string) {
    const browser = await testBrowser(test)
    const context = await browser.newContext()
    try {
      const shown = await context.newPage()
      const [asked, said]: [Request[], string[]] = [[], []]
      await shown.route('**', (route) => {
        asked.push(route.request())
        return asked.length === 1
          ? route.fulfill({ contentType: 'text/html; charset=utf-8', body: text })
          : route.abort()
      })
      shown.on('dialog', (dialog) => {
        said.push(dialog.message())
        return dialog.dismiss()
      })
      await shown.goto('http://page.example/')
      await shown.mouse.move(100, 100)
      await shown.mouse.click(100, 100)
      await shown.waitForTimeout(500)
      const left: string[] = await shown.evaluate(
        `[...document.querySelectorAll('body *')].flatMap((it) =>
          ['<' + it.localName, ...[...it.attributes].flatMap(({ name, value }) => [name, value])])`,
      )
      return { asked: asked.slice(1), said, left }
    } finally {
      await context.close()
    }
  }

  // One by one, because what is cut off in one would hide the next.
  const safeTricks = (images: boolean) =>
    tricks
      .map((html) => safePage({ html, images, files: [], marker: 'none' }).html.join(''))
      .map((safe) => `<div>${safe}</div>`)

  it('leaves nothing of known tricks that a browser would run or load', async function () {
    ok(tricks.length >= 40)
    const all = await page(tricks.join('\n'))
    const { asked, said, left } = await inBrowser(this, [...safeTricks(false), all.text].join('\n'))
    deepEqual([asked.map((one) => one.url()), said], [[], []])
    deepEqual(
      left.filter((it) => forbidden.test(it)),
      [],
    )
  })

  it('lets a browser load nothing but images where those are asked for', async function () {
    const { asked, said, left } = await inBrowser(this, safeTricks(true).join('\n'))
    deepEqual([[...new Set(asked.map((one) => one.resourceType()))], said], [['image'], []])
    deepEqual(
      left.filter(
        (it) => forbidden.test(it) && !/^srcset$|^[^;]*background[^;]*url\(http/.test(it),
      ),
      [],
    )
  })
})
