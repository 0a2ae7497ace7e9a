import { make } from './docs-make.js'

// The fields of a form: one for each parameter, the key, and the body.

export function fieldOf({ name, in: place, required, schema = {}, example, description }, id) {
  if (schema.propertyNames) return pairOf(name, id, description)
  const label = make(
    'label',
    { for: id },
    make('b', {}, name),
    required ? '' : make('i', {}, 'optional'),
  )
  const common = { id, name, 'data-in': place, title: description?.split('\n')[0] }
  const field = schema.enum
    ? make(
        'select',
        common,
        [
          required ? undefined : make('option', { value: '' }, '—'),
          schema.enum.map((value) => make('option', {}, String(value))),
        ].flat(),
      )
    : make('input', {
        ...common,
        type: schema.type === 'integer' ? 'number' : 'text',
        autocomplete: 'off',
        spellcheck: 'false',
        placeholder: schema.default === undefined ? undefined : String(schema.default),
        value: place === 'path' && example !== undefined ? String(example) : undefined,
      })
  return make('div', { class: 'field' }, label, field)
}

/** A field of one's own and its value: `tier` and `gold` become `field.tier=gold`. */
function pairOf(name, id, description) {
  const input = (part, hint) =>
    make('input', { id: `${id}-${part}`, 'aria-label': `${name}, ${part}`, placeholder: hint, autocomplete: 'off', spellcheck: 'false' })
  return make(
    'div',
    { class: 'field', title: description?.split('\n')[0] },
    make('label', { for: `${id}-name` }, make('b', {}, name), make('i', {}, 'optional: a field of your own and its value')),
    make('div', { class: 'beside', 'data-pair': true }, input('name', 'tier'), input('value', 'gold')),
  )
}

export function keyField(id, form) {
  const input = make('input', {
    ...{
      id,
      name: 'Idempotency-Key',
      'data-in': 'header',
      autocomplete: 'off',
      spellcheck: 'false',
    },
    value: crypto.randomUUID(),
  })
  const renew = () => {
    input.value = crypto.randomUUID()
  }
  // Sending the same call again is a repeat, and shows what repeats get; a changed call gets a new key.
  form.addEventListener('input', (event) => {
    if (event.target !== input && form.dataset.sent) {
      delete form.dataset.sent
      renew()
    }
  })
  return make(
    'div',
    { class: 'field' },
    make('label', { for: id }, make('b', {}, 'Idempotency-Key')),
    make(
      'div',
      { class: 'beside' },
      input,
      make('button', { type: 'button', onclick: renew }, 'New key'),
    ),
    make(
      'p',
      { class: 'note' },
      'Sent again unchanged, the call is a repeat and gets the same answer.',
    ),
  )
}

export function bodyField(id, { example, schema }, form) {
  const said = make('p', { class: 'note', role: 'status' })
  const text = JSON.stringify(example ?? {}, null, 2)
  const area = make('textarea', {
    ...{
      id,
      'data-in': 'body',
      spellcheck: 'false',
      rows: String(Math.min(16, text.split('\n').length + 1)),
    },
    oninput: () => {
      said.textContent = isJson(area.value) ? '' : 'This is not JSON yet.'
    },
    onkeydown: (event) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit()
    },
  })
  area.value = schema ? text : ''
  return make(
    'div',
    { class: 'field' },
    make('label', { for: id }, make('b', {}, 'Body'), make('i', {}, 'Ctrl+Enter sends')),
    area,
    said,
  )
}

function isJson(text) {
  try {
    JSON.parse(text || '{}')
    return true
  } catch {
    return false
  }
}
