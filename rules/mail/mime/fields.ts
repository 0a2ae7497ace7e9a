// The fields of the head of a mail or of a part, with the bytes in which they came as characters of one byte each.

export type Field = { name: string; value: string }
/** A value without its parameters, in small letters, and the parameters as they are written (RFC 2045, 5.1). */
export type Valued = { value: string; params: Record<string, string> }

export function fieldsIn(head: Buffer): Field[] {
  const fields: string[] = []
  for (const line of head.toString('latin1').split(/\r?\n/))
    if (/^[ \t]/.test(line) && fields.length > 0) fields[fields.length - 1] += `\r\n${line}`
    else if (line !== '') fields.push(line)
  return fields.map((field) => {
    const colon = field.indexOf(':')
    return colon < 0
      ? { name: '', value: field }
      : { name: field.slice(0, colon), value: field.slice(colon + 1) }
  })
}

export const written = ({ name, value }: Field): string =>
  name === '' ? value : `${name}:${value}`

export const isNamed = (name: string) => (field: Field) => field.name.trim().toLowerCase() === name

/** Whether it says what a part is. */
export const isOfContent = ({ name }: Field): boolean => /^\s*content-/i.test(name)

/** The first field of that name, on one line; undefined if there is none. */
export const valueIn = (fields: Field[], name: string): string | undefined =>
  fields.find(isNamed(name))?.value.replaceAll(/\r?\n/g, '').trim()

/** Of a parameter that stands twice the first one counts, and of pieces of one (RFC 2231) what they are together. */
export function readValued(text: string): Valued {
  const [, value = '', rest = ''] = /^([^;]*)([\s\S]*)$/.exec(text.slice(0, longest)) ?? []
  const params: Record<string, string> = {}
  for (const [, name = '', quoted, bare = ''] of rest.matchAll(parameter)) {
    const [key = ''] = name.toLowerCase().split('*', 1)
    const given = quoted?.replaceAll(/\\(.)/g, '$1') ?? bare.trim()
    if (Object.hasOwn(params, key) && !/\*[1-9]/.test(name)) continue
    params[key] = (Object.hasOwn(params, key) ? params[key] : '') + given
  }
  return { value: withoutComments(value).trim().toLowerCase(), params }
}
const longest = 8_000
/** A parameter: its name, and what it is within quotation marks or without. */
export const parameter = /;\s*([^\s=;"]{1,100})\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/g
const withoutComments = (text: string) => text.replaceAll(/\([^()]*\)/g, ' ')
