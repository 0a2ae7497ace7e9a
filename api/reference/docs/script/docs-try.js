import { bodyField, fieldOf, keyField } from './docs-fields.js'
import { documentOf, here } from './docs-ids.js'
import { make } from './docs-make.js'
import { authorization, token, tokenAdvice } from './docs-token.js'

// A form for each call, created when it is first opened. Calls are sent from the page itself, to its own origin.

/** What a form sends: method, address, headers and body. */
function requestOf(form, method, path) {
  const values = (place) =>
    [...form.querySelectorAll(`[data-in="${place}"]`)]
      .map((field) => [field.name, field.value])
      .filter(([, value]) => value !== '')
  const filled = values('path').reduce(
    (url, [name, value]) => url.replace(`{${name}}`, encodeURIComponent(value)),
    path,
  )
  const named = [...form.querySelectorAll('[data-pair]')]
    .map((pair) => [...pair.querySelectorAll('input')].map(({ value }) => value))
    .filter(([name, value]) => name !== '' && value !== '')
    .map(([name, value]) => [`field.${name}`, value])
  const query = new URLSearchParams([...values('query'), ...named]).toString()
  const body = form.querySelector('[data-in="body"]')?.value.trim()
  return {
    method: method.toUpperCase(),
    url: query ? `${filled}?${query}` : filled,
    headers: {
      ...Object.fromEntries(values('header')),
      ...(body && { 'Content-Type': 'application/json' }),
    },
    body: body || undefined,
  }
}

const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`

function curlOf({ method, url, headers, body }) {
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(location.origin + url)}`,
    // The token itself would stay in the history of the shell.
    '-H "Authorization: Bearer $TOKEN"',
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body ? [`-d ${quoted(body)}`] : []),
  ]
  return lines.join(' \\\n  ')
}

async function send(request, shown) {
  shown.replaceChildren(make('p', { class: 'note' }, 'Waiting for the answer…'))
  const started = performance.now()
  try {
    const response = await fetch(request.url, {
      method: request.method,
      headers: { ...request.headers, ...authorization() },
      body: request.body,
      redirect: 'error',
    })
    const bytes = await response.blob()
    const ms = Math.round(performance.now() - started)
    shown.replaceChildren(...(await answerOf(response, bytes, ms)))
    return response
  } catch (error) {
    shown.replaceChildren(
      make('p', { class: 'status bad' }, 'No answer'),
      make('p', {}, `${error.message}. It is safe to send the same call again with the same key.`),
    )
    return undefined
  }
}

async function answerOf(response, bytes, ms) {
  const type = response.headers.get('content-type') ?? ''
  const status = [response.status, response.statusText].filter(Boolean).join(' ')
  const replayed = response.headers.get('idempotent-replayed')
    ? ', the answer of an earlier call'
    : ''
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n')
  return [
    make(
      'p',
      { class: `status ${response.ok ? 'good' : 'bad'}` },
      make('b', {}, status),
      ` in ${ms} ms${replayed}`,
    ),
    make('details', {}, make('summary', {}, 'Headers'), make('pre', { tabindex: '0' }, headers)),
    ...(response.ok ? [] : advised(await bytes.text())),
    /json/.test(type) || bytes.size === 0
      ? make('pre', { class: 'body', tabindex: '0' }, pretty(await bytes.text()))
      : make(
          'p',
          {},
          make(
            'a',
            { href: URL.createObjectURL(bytes), download: 'file' },
            `Keep the ${bytes.size} bytes`,
          ),
          ` (${type})`,
        ),
  ]
}

/** What to do about a refusal: a sentence if the token is the problem, otherwise a link to the explanation. */
function advised(text) {
  const code = codeOf(text)
  if (!code) return []
  const about = tokenAdvice(code)
  const link = about
    ? make('a', { href: '#token' }, 'To the token')
    : make('a', { href: `#error-${code}` }, `What to do about ${code}`)
  return [make('p', { class: 'advice', role: 'alert' }, about ? `${about} ` : '', link)]
}

function codeOf(text) {
  try {
    return JSON.parse(text).code
  } catch {
    return undefined
  }
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text || 'No body'
  }
}

/** The form of one call, created when it is first opened. */
async function fill(details) {
  const { method, path } = details.dataset
  const { paths } = await documentOf(path)
  const operation = paths[path][method]
  const form = make('form', { 'aria-label': `Try ${method.toUpperCase()} ${path}` })
  const id = (name) => `${operation.operationId}-${name}`
  const parameters = operation.parameters
    .filter(({ in: place }) => place !== 'header')
    .map((parameter) => fieldOf(parameter, id(parameter.name)))
  const body = operation.requestBody?.content['application/json']
  const shown = make('div', { class: 'answer', 'aria-live': 'polite' })
  const copied = make(
    'button',
    {
      type: 'button',
      async onclick() {
        await navigator.clipboard.writeText(curlOf(requestOf(form, method, path)))
        copied.textContent = 'Copied'
        setTimeout(() => (copied.textContent = 'Copy as curl'), 1500)
      },
    },
    'Copy as curl',
  )
  form.append(
    ...parameters,
    ...(method === 'get' ? [] : [keyField(id('key'), form)]),
    ...(body ? [bodyField(id('body'), body, form)] : []),
    make('div', { class: 'actions' }, make('button', { class: 'send' }, 'Send'), copied),
  )
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const button = form.querySelector('.send')
    button.disabled = true
    await send(requestOf(form, method, path), shown)
    form.dataset.sent = 'yes'
    button.disabled = false
  })
  details.append(form, shown)
  const fields = [...form.querySelectorAll('[data-in="path"], [data-in="body"]')]
  const examples = fields.map((field) => field.value)
  // What the reader has written stays; examples are replaced by things of the workspace.
  const shownNow = [...examples]
  const settle = () =>
    Promise.all(
      fields.map(async (field, i) => {
        const text = await here(examples[i])
        if (field.value === shownNow[i]) field.value = shownNow[i] = text
      }),
    )
  token.onChange(settle)
  await settle()
  form.dataset.filled = 'yes'
}

/** Gives each call its form. */
export function tryable() {
  for (const details of document.querySelectorAll('details.try')) {
    details.hidden = false
    details.addEventListener(
      'toggle',
      () => details.open && !details.querySelector('form') && fill(details),
    )
  }
}
