import {
  AssignTag,
  CaptureTag,
  type Context,
  EchoTag,
  type Emitter,
  evalToken,
  Output,
  type Template,
  type Token,
  toValue,
  toValueSync,
  type Value,
} from 'liquidjs'
import { roots } from './variables.ts'

// What Liquid prints is watched: a variable without a value that reaches the text, whichever way, is noted by its name. Testing
// one in a condition is no use of it, and `default` gives it a value. Blanks that are left where something printed nothing are
// told from those that the template has itself.

/** What a template is for: values stand in HTML as text. */
export type Mode = 'plain' | 'html'

/** What one letter has come across. */
export type Seen = {
  missing: Set<string>
  /** In place of a missing value its name is printed, in brackets. */
  named: boolean
}

type Watch = Seen & {
  /** Variables of the template that were made of missing values, and which. */
  aliases: Map<string, string[]>
  /** Variables that hold what the template has printed: in HTML, that is escaped already. */
  captured: Set<string>
}

const watches = new WeakMap<Context, Watch>()

export function watched(context: Context, seen: Seen): Context {
  const { missing, named } = seen
  watches.set(context, { missing, named, aliases: new Map(), captured: new Set() })
  return context
}

const watchOf = (context: Context) => watches.get(context) as Watch

// Characters that no text may have (Unicode, 23.7) stand for the template's own blanks until the letter is complete.
const ownBlank = '\ufdd0'
const ownBreak = '\ufdd1'
const ownSign = '\ufdd2'
const marks = /[\ufdd0-\ufdd2]/g

export const unmarked = (text: string): string => text.replace(marks, '')

const literal = (text: string) =>
  unmarked(text)
    .replace(/ {2,}/g, (blanks) => ownBlank.repeat(blanks.length))
    .replace(/(?:\r?\n){3,}/g, (breaks) => ownBreak.repeat(breaks.replaceAll('\r', '').length))
    .replace(/^(?=[,.;:!?](?:\s|$))/, ownSign)

/** A text without the blanks that are left where a template printed nothing. */
export const settled = (text: string): string =>
  text
    .replace(/ {2,}/g, ' ')
    .replaceAll(` ${ownSign}`, ownSign)
    .replaceAll(ownSign, '')
    .replace(/\n{3,}/g, '\n\n')
    .replaceAll(ownBlank, ' ')
    .replaceAll(ownBreak, '\n')

/** Has parsed templates tell what they print. */
export function patched(templates: Template[], mode: Mode): Template[] {
  for (const template of templates) {
    if (isLiteral(template)) {
      const text = literal(template.str)
      template.render = (context, emitter) => print(context, emitter, text)
    } else if (template instanceof Output || template instanceof EchoTag) {
      const { value } = template as unknown as { value?: Value }
      template.render = function* (context: Context, emitter: Emitter): Generator<unknown> {
        if (value) print(context, emitter, (yield printed(value, context, mode)) as string)
      }
    } else if (template instanceof AssignTag) patchAssign(template)
    else if (template instanceof CaptureTag) patchCapture(template)
    patched(childrenOf(template), mode)
  }
  return templates
}

/** The templates within one. */
export const childrenOf = (template: Template): Template[] =>
  template.children ? (toValueSync(template.children(false, true) as never) as Template[]) : []

type Literal = Template & { str: string }
const isLiteral = (template: Template): template is Literal =>
  'str' in template && typeof template.str === 'string'

function print(context: Context, emitter: Emitter, text: string) {
  context.memoryLimit.use(text.length)
  emitter.write(text)
}

function patchAssign(tag: AssignTag) {
  const { key, value } = tag as unknown as { key: string; value: Value }
  tag.render = function* (context: Context): Generator<unknown> {
    const found = (yield evaluated(value, context)) as Found
    const bottom = context.bottom() as Record<string, unknown>
    bottom[key] = found.value
    const { aliases, captured } = watchOf(context)
    captured.delete(key)
    if (found.missing.length > 0) aliases.set(key, found.missing)
    else aliases.delete(key)
  } as AssignTag['render']
}

function patchCapture(tag: CaptureTag) {
  const { render } = tag
  const { variable } = tag as unknown as { variable: string }
  tag.render = function* (this: CaptureTag, context: Context): Generator<unknown> {
    yield render.call(this, context)
    const { aliases, captured } = watchOf(context)
    aliases.delete(variable)
    captured.add(variable)
  } as CaptureTag['render']
}

const escapes = ['escape', 'escape_once', 'xml_escape']

/** What an output prints. */
function* printed(value: Value, context: Context, mode: Mode): Generator<unknown> {
  const last = value.filters.at(-1)?.name ?? ''
  const breaks = mode === 'html' && last === 'newline_to_br'
  const found = (yield evaluated(value, context, breaks ? -1 : undefined)) as Found
  const { missing, named } = watchOf(context)
  if (found.missing.length > 0) {
    for (const name of found.missing) missing.add(name)
    return named ? `[${found.missing.join(', ')}]` : ''
  }
  const text = textOf(found.value)
  if (mode === 'plain' || escapes.includes(last) || isCaptured(value, context)) return text
  const escaped = text.replace(/[&<>"']/g, (sign) => entities[sign] as string)
  return breaks ? escaped.replace(/\r?\n/g, '<br />\n') : escaped
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
}

function isCaptured({ initial, filters }: Value, context: Context): boolean {
  const [token] = initial.postfix
  const path = token && propertiesOf(token)
  return (
    filters.length === 0 &&
    initial.postfix.length === 1 &&
    path?.length === 1 &&
    watchOf(context).captured.has(String(contentOf(path[0])))
  )
}

type Found = { value: unknown; missing: string[] }

/** The value of an expression with its filters, and which missing values it was made of. */
function* evaluated(value: Value, context: Context, upTo?: number): Generator<unknown> {
  const { initial } = value
  const filters = value.filters.slice(0, upTo)
  let result: unknown = toValue(yield initial.evaluate(context, false))
  const named = tokensIn(initial.postfix).flatMap((token) => lookUp(token, context))
  let missing = named.filter(isMissing)
  let chosen = false
  for (const filter of filters) {
    const args = filter.args.flatMap((arg) =>
      tokensIn([Array.isArray(arg) ? arg[1] : arg]).flatMap((token) => lookUp(token, context)),
    )
    const lacking = args.filter(isMissing)
    if (filter.name === 'default') {
      chosen = true
      if (isNothing(result)) missing = lacking.length > 0 ? [...missing, ...lacking] : []
    } else missing = [...missing, ...lacking]
    named.push(...args)
    result = toValue(yield filter.render(result, context))
  }
  // Filters may leave nothing of a value.
  if (missing.length === 0 && !chosen && textOf(result).trim() === '') missing = named
  return { value: result, missing: [...new Set(missing.map(({ name }) => name))] }
}

type Named = { name: string; lacks: boolean }
const isMissing = ({ lacks }: Named) => lacks

/** What a variable of a letter is called, and whether it has no value; nothing for the template's own. */
function lookUp(token: Token, context: Context): Named[] {
  const path = propertiesOf(token)
  if (!path) return []
  const root = contentOf(path[0])
  const alias = watchOf(context).aliases.get(String(root))
  if (alias) return alias.map((name) => ({ name, lacks: true }))
  if (typeof root !== 'string' || !Object.hasOwn(roots, root)) return []
  const value = toValueSync(evalToken(token, context) as never)
  const name = path
    .map((part) => contentOf(part) ?? toValueSync(evalToken(part, context) as never))
    .join('.')
  return [{ name, lacks: textOf(value).trim() === '' }]
}

const tokensIn = (tokens: unknown[]): Token[] =>
  tokens.filter(
    (token): token is Token =>
      typeof token === 'object' && token !== null && propertiesOf(token as Token) !== undefined,
  )

const propertiesOf = (token: Token): Token[] | undefined =>
  'props' in token && Array.isArray(token.props) ? token.props : undefined

const contentOf = (token: Token | undefined): string | number | undefined =>
  token && 'content' in token ? (token.content as string | number) : undefined

/** What `default` replaces. */
const isNothing = (value: unknown) =>
  value === undefined ||
  value === null ||
  value === false ||
  value === '' ||
  (Array.isArray(value) && value.length === 0)

/** A value as it is printed. An object has no text. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.map(textOf).join('')
  return typeof value === 'object' ? '' : String(value)
}
