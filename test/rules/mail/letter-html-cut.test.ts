import { deepEqual, equal } from 'node:assert/strict'
import { readSendable } from '../../../rules/mail/html/letter.ts'

// What editors of mails write, and old tricks: what a letter can do without is left out, and the rest stays as it was given.

const google = 'https://fonts.googleapis.com/css2?family=Open+Sans:wght@400;700&amp;display=swap'
const style = (css: string) => `<style type="text/css">${css}</style>`
const p = (css: string) => `<p style="${css}">Hello</p>`

const pages: Record<string, [given: string, sent: string]> = {
  'fonts as MJML adds them': [
    `<!--[if !mso]><!-->\n<link href="${google}" rel="stylesheet" type="text/css">\n${style(`\n@import url(${google});\n`)}\n<!--<![endif]--><p>Hello</p>`,
    `<!--[if !mso]><!-->\n\n${style('\n\n')}\n<!--<![endif]--><p>Hello</p>`,
  ],
  'a font as Stripo and Beefree add it': [
    `<!--[if !mso]><!-- --><link href='${google}' rel='stylesheet'><!--<![endif]-->`,
    '<!--[if !mso]><!-- --><!--<![endif]-->',
  ],
  'a font as Mailchimp adds it': [
    `<!--[if !mso]><!--><link href="${google}" rel="stylesheet"><!--<![endif]--><p>Hello</p>`,
    '<!--[if !mso]><!--><!--<![endif]--><p>Hello</p>',
  ],
  'fonts by @import in every form': [
    style(
      `@import "a.css";@IMPORT 'b.css' screen;\n@import url("${google}") screen and (min-width: 1px);p { color: red }`,
    ),
    style('\np { color: red }'),
  ],
  'an @import that ends with its sheet': [style(`p{}@import url('a.css')`), style('p{}')],
  'what Word adds': [
    '<link rel=File-List href="cid:filelist.xml@01D0"><link rel=Edit-Time-Data href="cid:editdata.mso"><p>Hello</p>',
    '<p>Hello</p>',
  ],
  'VML as Outlook knows it': [
    `<!--[if gte mso 9]>${style('v\\:* { behavior: url(#default#VML); display: inline-block; }')}<![endif]-->`,
    `<!--[if gte mso 9]>${style('v\\:* { display: inline-block; }')}<![endif]-->`,
  ],
  'a base for the targets of links': [
    '<head><base target="_blank" /></head><p>Hello</p>',
    '<head></head><p>Hello</p>',
  ],
  'a base in capitals, with its end': ['<BASE HREF=//x.example></BASE>a', 'a'],
  'an address with a sign of its own': ['<link href="a>b">a', 'a'],
  'a page that goes elsewhere': [
    `<meta charset=utf-8><meta content="0;url=//x.example" http-equiv='refresh'>a`,
    '<meta charset=utf-8>a',
  ],
  'heads of answers': [
    `<meta http-equiv=Link content="<//x.example>; rel=stylesheet"><meta http-equiv="Set-Cookie" content="a=b">a`,
    'a',
  ],
  'a behaviour': [p('color:red;behavior:url(x.htc);margin:0'), p('color:red;margin:0')],
  'a binding': [p("-moz-binding:url('//x.example/a.xml#b')"), p('')],
  'an expression': [p('width:expression(alert(1));height:1px'), p('height:1px')],
  'an expression with a comment within': [p('a:b;width:exp/* ; */ression(1)'), p('a:b')],
  'an expression in references': [p('width:&#101;xpression(1);a:b'), p('a:b')],
  'an expression in escapes': [p('width:\\65 xpression(1);a:b'), p('a:b')],
  'an expression beside names of fonts': [
    p('font-family:&quot;A B&quot;,sans-serif;width:expression(1)'),
    p('font-family:&quot;A B&quot;,sans-serif'),
  ],
  'an expression beside a picture within': [
    p('background:url(data:image/png;base64,AA);width:expression(1)'),
    p('background:url(data:image/png;base64,AA)'),
  ],
  'an expression in a sheet': [
    style('p{width:expression(1);color:red} b{color:blue}'),
    style('p{color:red} b{color:blue}'),
  ],
}

describe('what a letter can do without', () => {
  for (const [what, [given, sent]] of Object.entries(pages))
    it(`is left out: ${what}`, () => {
      const { html, leftOut, findings } = readSendable(given)
      deepEqual([html.replace(/\{ +/g, '{ '), findings], [sent, []])
      equal(leftOut.length > 0, true)
    })

  it('is named', () => {
    deepEqual(readSendable(`<base href=x><link href=y>${style('@import "z";')}`).leftOut, [
      '<base>, which changes what its addresses lead to',
      '<link>, which fetches something when it is opened',
      '@import in a style',
    ])
  })

  const hidden: Record<string, [given: string, code: string]> = {
    '@import in escapes': [style('@\\69mport "x.css";'), 'style'],
    'an attribute without quotation marks': ['<p style=behavior:url(x.htc)>x</p>', 'style'],
    'a tag that stands open': ['<link rel=stylesheet href=x', 'link'],
    'a tag within an attribute that is read otherwise': [
      '<svg><style><b title="</style><base href=x">',
      'base',
    ],
  }
  for (const [what, [given, code]] of Object.entries(hidden))
    it(`is refused where it is hidden: ${what}`, () => {
      const { findings } = readSendable(given)
      deepEqual([...new Set(findings.map((finding) => finding.code))], [code])
    })

  it('makes no script by what is left out', () => {
    const { findings } = readSendable('<base><scr<link>ipt>alert(1)</script>')
    equal(findings[0]?.code, 'script')
  })

  const fine = [
    '<p>A <b>link</b> and a base: @import "x"; behavior: calm</p>',
    style('html { scroll-behavior: smooth } @media screen { a { color: red } }'),
    '<!--[if mso]><xml><o:OfficeDocumentSettings><o:AllowPNG/></o:OfficeDocumentSettings></xml><![endif]-->',
    style('@font-face { font-family: A; src: url(https://x.example/a.woff2) format("woff2") }'),
    '<img src="data:image/png;base64,AA" alt="<link>"><img src="data:image/svg+xml;base64,AA">',
  ]
  for (const html of fine)
    it(`is nothing of ${html.slice(0, 50)}`, () =>
      deepEqual([readSendable(html).html, readSendable(html).leftOut], [html, []]))
})

describe('what would run in a letter', () => {
  const svg = (inner: string) => `<svg xmlns="http://www.w3.org/2000/svg">${inner}</svg>`
  const tricks: Record<string, string> = {
    'a script in a drawing': svg('<script>x()</script>'),
    'a handler of a drawing': '<svg/onload=x()>',
    'a page in a drawing': svg(
      '<foreignObject><iframe src="//x.example"></iframe></foreignObject>',
    ),
    'a form in a drawing': svg('<foreignObject><form action=x></form></foreignObject>'),
    'a link of a drawing': svg('<a xlink:href="javascript:x()">x</a>'),
    'an animation of a link': svg('<a><animate attributeName=href values="javascript:x()"/></a>'),
    'a value that is set': svg('<set attributeName=onmouseover to=x() />'),
    'a link of a formula': '<math><maction xlink:href="javascript:x()">x</maction></math>',
    'a page as data with a tab within': '<a href="da\tta:text/html,x">x</a>',
    'a page of XML as data': '<a href=" data:text/xml;base64,AA">x</a>',
    'a drawing as data that is opened': '<a href="data:image/svg+xml,x">x</a>',
    'an address of an old language': '<a href="livescript:x()">x</a>',
    'a picture in an old language': '<img src="mocha:x()">',
    'a page as data': '<a href="data:text/html;base64,PHNjcmlwdD4=">x</a>',
    'an address with a tab within': '<a href="java\tscript:x()">x</a>',
    'an address in references': '<a href="&#106;avascript:x()">x</a>',
    'an address with a blank before it': '<a href=" &#1;javascript:x()">x</a>',
    'an old picture': '<img dynsrc="javascript:x()">',
    'a background': '<body background="javascript:x()">',
    'a refreshing page that runs': '<meta http-equiv=refresh content="0;url=javascript:x()">',
    'an address of a style': p("background:url('javascript:x()')"),
    'an address of a style in references': p('background:url(&#106;avascript:x())'),
    'an address of a style in escapes': p('background:url(\\6a avascript:x())'),
    'an @import of a script': style('@import "javascript:x()";'),
    'an address of a list': style('li{list-style-image:url("vbscript:x()")}'),
    'an object': '<object data="x.swf"></object>',
    'a frame of its own words': '<iframe srcdoc="<script>x()</script>"></iframe>',
    'a comment for Outlook': '<!--[if mso]><img src=x onerror=x()><![endif]-->',
    'what stands behind <noscript>': '<noscript><p title="</noscript><img src=x onerror=x()>">',
  }
  for (const [what, html] of Object.entries(tricks))
    it(`is refused: ${what}`, () => {
      const { findings } = readSendable(html)
      equal(findings.length > 0, true)
      equal(
        findings.every(({ code }) =>
          ['script', 'event_handler', 'form', 'javascript'].includes(code),
        ),
        true,
        findings.map(({ what: found }) => found).join(),
      )
    })
})
