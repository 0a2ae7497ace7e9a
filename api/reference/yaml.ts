import { stringify } from 'yaml'

// A document as YAML, part by part: all of it at once takes half a second, in which nobody else would be answered.

/** Without aliases, which not every reader of YAML follows. */
const options = { aliasDuplicateObjects: false, lineWidth: 0 }

/** The parts are the members of the members, and those of `components` once more. */
export function* writingYaml(document: object): Generator<void, string> {
  let text = ''
  for (const [name, value] of Object.entries(document)) {
    if (isObject(value) && Object.keys(value).length > 0) {
      const inner: string = yield* name === 'components'
        ? writingYaml(value)
        : writingMembers(value)
      text += `${name}:\n${inner.replace(/^(?=.)/gm, '  ')}`
    } else text += stringify({ [name]: value }, options)
    yield
  }
  return text
}

function* writingMembers(value: object): Generator<void, string> {
  let text = ''
  for (const [name, member] of Object.entries(value)) {
    text += stringify({ [name]: member }, options)
    yield
  }
  return text
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
