// The token stays in this tab and is sent only to this origin.

const told = new Set()

let last = sessionStorage.getItem('token') ?? ''

export const token = {
  get: () => sessionStorage.getItem('token') ?? '',
  set: (value) => sessionStorage.setItem('token', value),
  /** Tells the listeners that another token has been entered. */
  settle() {
    if (token.get() === last) return
    last = token.get()
    for (const tell of told) tell()
  },
  /** Calls back whenever another token has been entered. */
  onChange: (tell) => told.add(tell),
}

export const authorization = () => (token.get() ? { Authorization: `Bearer ${token.get()}` } : {})

const make =
  'The operator creates one with “npm run -s token -- create”; “npm start” prints one once it is up.'

/** What to do about a refusal of the token itself, in words; undefined if the token is not the problem. */
export const tokenAdvice = (code) =>
  ({
    token_missing: `Enter an access token at the top of this page first. ${make}`,
    invalid_token: `This token is not valid: it is mistyped, was revoked, or belongs to another deployment. ${make}`,
    token_expired: `This token has expired. ${make}`,
    insufficient_scope: 'This token lacks a scope. Ask the operator for one that has it.',
  })[code]

export function tokenForm() {
  const form = document.getElementById('token')
  const field = form.querySelector('input')
  const said = form.querySelector('output')
  const say = (text, state = '') => {
    said.textContent = text
    said.className = state
  }
  field.value = token.get()
  field.addEventListener('input', () => {
    token.set(field.value.trim())
    say('')
  })
  field.addEventListener('change', token.settle)
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    token.settle()
    say('Asking…')
    try {
      say(...(await whoAmI()))
    } catch (error) {
      say(`No answer: ${error.message}.`, 'bad')
    }
  })
  form.hidden = false
}

async function whoAmI() {
  if (token.get().startsWith('pra_')) return whoAdministers()
  const response = await fetch('/api/v1', { headers: authorization() })
  const body = await response.json()
  if (!response.ok) return [tokenAdvice(body.code) ?? `${response.status}: ${body.detail}`, 'bad']
  const { member, workspace, client, scopes } = body
  const may = scopes.length > 0 ? `It has the scopes ${scopes.join(', ')}.` : 'It has no scope.'
  return [
    `This token belongs to ${member} of ${workspace} and was made for “${client.name}”. ${may}`,
    'good',
  ]
}

async function whoAdministers() {
  const response = await fetch('/admin/v1', { headers: authorization() })
  const body = await response.json()
  if (!response.ok) return [tokenAdvice(body.code) ?? `${response.status}: ${body.detail}`, 'bad']
  const { client, workspace } = body
  const what = workspace ? `the workspace ${workspace}` : 'all workspaces'
  return [`This token administers ${what} and was made for “${client.name}”.`, 'good']
}
