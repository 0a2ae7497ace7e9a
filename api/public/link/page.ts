import { escaped } from '../../reference/docs/markdown.ts'
import { openSheet } from '../sheet.ts'
import {
  type Asking,
  type Fault,
  languages,
  type PageLanguage,
  type Words,
  words,
} from './words.ts'

// The pages that the owner of a mailbox sees, as HTML. They work without scripts, have none, and load nothing.

/** What is wrong with what was entered: at a field, or with the login as a whole. */
export type Wrong = {
  fields: Partial<Record<Fault, string>>
  /** What the servers have answered, in our words and in theirs. */
  login?: { text: string; said?: string | undefined }[]
  /** What to do about it, step by step, and where the provider explains it. */
  todo?: { title: string; steps: string[]; help?: { text: string; url: string } | undefined }
  more?: string[]
}

/** The fields of the form; a password is never shown again. */
export type Entered = {
  account: string
  user: string
  imapHost: string
  imapPort: string
  smtpHost: string
  smtpPort: string
}

export type Frame = { language: PageLanguage; asking: Asking }

/** Asks for the address. `fixed`: the link is for this address alone. */
export function addressPage(
  { language, asking }: Frame,
  { account, isFixed, wrong }: { account: string; isFixed: boolean; wrong?: Wrong | undefined },
): string {
  const say = words[language]
  const body = `${wrongPart(say, wrong)}
<p>${escaped(say.asks(asking))}</p>
<p>${escaped(say.stranger)}</p>
<form method="post" novalidate>${hiddenInputs({ lang: language })}
${field({
  name: 'account',
  type: 'email',
  label: say.account,
  hint: isFixed ? say.fixedHint : say.accountHint,
  value: account,
  error: wrong?.fields.account ?? wrong?.fields.fixed,
  autocomplete: 'email',
  isReadOnly: isFixed,
  isFocused: !wrong && !isFixed,
})}
<p class="actions"><button>${escaped(say.onward)}</button></p>
</form>
${cancelForm(say, language)}`
  return page(language, say.title, body, { isWrong: wrong !== undefined, switchTo: linkTo })
}

/** Asks for the password, and shows to which servers it goes. */
export function loginPage(
  { language }: Frame,
  {
    entered,
    isFixed,
    wantsAppPassword,
    hints,
    notice,
    wrong,
  }: {
    entered: Entered
    isFixed: boolean
    /** The provider takes a password of its own for other programs. */
    wantsAppPassword: boolean
    /** What to do before the first try. */
    hints: string[]
    notice?: string | undefined
    wrong?: Wrong | undefined
  },
): string {
  const say = words[language]
  const { account, imapHost, imapPort, smtpHost, smtpPort } = entered
  const areKnown = imapHost !== '' && smtpHost !== ''
  const isOpen = !areKnown || serverFields.some((name) => wrong?.fields[name] !== undefined)
  const server = (host: string, port: string, what: string) =>
    `<li><strong>${escaped(host)}</strong> ${escaped(`(${what}, ${say.port}\u00a0${port})`)}</li>`
  const body = `${wrongPart(say, wrong)}
<p class="who"><span class="muted">${escaped(say.loginAs)}</span><br><strong>${escaped(account)}</strong>${
    isFixed ? '' : ` <a href="?lang=${language}">${escaped(say.another)}</a>`
  }</p>
${notice === undefined ? '' : `<p class="notice">${escaped(notice)}</p>`}
${hints.length === 0 ? '' : `<ol>${hints.map((hint) => `<li>${escaped(hint)}</li>`).join('')}</ol>`}
<form method="post" novalidate>${hiddenInputs({ lang: language, account })}
${field({
  name: 'password',
  type: 'password',
  label: wantsAppPassword ? say.appPassword : say.password,
  hint: say.passwordHint,
  value: '',
  error: wrong?.fields.password,
  autocomplete: wantsAppPassword ? 'off' : 'current-password',
  isFocused: !wrong,
})}
${
  areKnown
    ? `<p id="sent-to">${escaped(say.sentTo)}</p><ul>${server(imapHost, imapPort, say.receives)}${server(smtpHost, smtpPort, say.sends)}</ul>`
    : ''
}
<details${isOpen ? ' open' : ''}><summary>${escaped(areKnown ? say.change : say.enter)}</summary>
${serverFieldsPart(say, entered, wrong)}
</details>
<p class="actions"><button>${escaped(say.connect)}</button></p>
</form>
${cancelForm(say, language)}`
  return page(language, say.loginTitle, body, {
    isWrong: wrong !== undefined,
    switchTo: (to) =>
      `<form method="post">${hiddenInputs({ account })}<button class="quiet" name="lang" value="${to}" lang="${to}">${words[to].name}</button></form>`,
  })
}

const serverFields = ['user', 'imapHost', 'imapPort', 'smtpHost', 'smtpPort'] as const

function serverFieldsPart(say: Words, entered: Entered, wrong: Wrong | undefined): string {
  const hints: Partial<Record<Fault, string>> = {
    user: say.userHint,
    imapPort: say.imapPortHint,
    smtpPort: say.smtpPortHint,
  }
  return serverFields
    .map((name) =>
      field({
        name,
        type: 'text',
        label: say[name],
        hint: hints[name],
        value: entered[name],
        error: wrong?.fields[name],
        autocomplete: 'off',
        isNumber: name.endsWith('Port'),
      }),
    )
    .join('\n')
}

/** A page that says one thing, and asks for nothing. */
export const messagePage = (
  language: PageLanguage,
  { title, paragraphs, isGood = false }: { title: string; paragraphs: string[]; isGood?: boolean },
): string =>
  page(language, title, paragraphs.map((text) => `<p>${escaped(text)}</p>`).join('\n'), { isGood })

function wrongPart(say: Words, wrong: Wrong | undefined): string {
  if (!wrong) return ''
  const { fields, login = [], todo, more = [] } = wrong
  const items = Object.entries(fields).map(
    ([name, text]) =>
      `<li><a href="#${name === 'fixed' ? 'account' : name}">${escaped(text)}</a></li>`,
  )
  const answers = login.map(
    ({ text, said }) =>
      `<p>${escaped(text)}</p>${said ? `<p class="said"><span class="muted">${escaped(say.said)}</span> <q>${escaped(said)}</q></p>` : ''}`,
  )
  const help = todo?.help
    ? `<p><a href="${escaped(todo.help.url)}" rel="noreferrer noopener" target="_blank">${escaped(todo.help.text)}</a></p>`
    : ''
  const steps = todo
    ? `<h3>${escaped(todo.title)}</h3>${todo.steps.length > 0 ? `<ol>${todo.steps.map((step) => `<li>${escaped(step)}</li>`).join('')}</ol>` : ''}${help}`
    : ''
  // Without a script, a browser moves the focus to what has autofocus, and a screen reader reads it.
  return `<div class="wrong" role="alert" tabindex="-1" autofocus aria-labelledby="wrong">
<h2 id="wrong">${escaped(say.wrong)}</h2>
${items.length > 0 ? `<ul>${items.join('')}</ul>` : ''}
${answers.join('\n')}
${steps}
${more.map((text) => `<p>${escaped(text)}</p>`).join('')}
</div>`
}

type Field = {
  name: string
  type: 'email' | 'password' | 'text'
  label: string
  hint?: string | undefined
  value: string
  error?: string | undefined
  autocomplete: string
  isReadOnly?: boolean
  isFocused?: boolean
  isNumber?: boolean
}

function field(given: Field): string {
  const { name, type, label, hint, value, error, autocomplete } = given
  const { isReadOnly = false, isFocused = false, isNumber = false } = given
  const about = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ')
  const flags = [
    about && `aria-describedby="${about}"`,
    error && 'aria-invalid="true"',
    isReadOnly && 'readonly',
    isFocused && 'autofocus',
    isNumber && 'inputmode="numeric" class="port"',
    type === 'password' ? '' : 'autocapitalize="none" spellcheck="false"',
  ]
  return `<p class="field"><label for="${name}">${escaped(label)}</label>
${hint ? `<span class="muted" id="${name}-hint">${escaped(hint)}</span>` : ''}
${error ? `<span class="error" id="${name}-error">${escaped(error)}</span>` : ''}
<input id="${name}" name="${name}" type="${type}" value="${escaped(value)}" autocomplete="${autocomplete}" ${flags.filter(Boolean).join(' ')}></p>`
}

const hiddenInputs = (values: Record<string, string>) =>
  Object.entries(values)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escaped(value)}">`)
    .join('')

const cancelForm = (say: Words, language: PageLanguage) =>
  `<form method="post" class="cancel">${hiddenInputs({ lang: language })}<button class="quiet" name="cancel" value="yes">${escaped(say.cancel)}</button></form>`

const linkTo = (to: PageLanguage) =>
  `<a href="?lang=${to}" hreflang="${to}" lang="${to}">${words[to].name}</a>`

function page(
  language: PageLanguage,
  title: string,
  body: string,
  {
    isGood = false,
    isWrong = false,
    switchTo,
  }: { isGood?: boolean; isWrong?: boolean; switchTo?: (to: PageLanguage) => string },
): string {
  const name = isWrong ? `${words[language].wrong} – ${title}` : title
  const others = languages.filter((one) => one !== language)
  const languageSwitch = switchTo
    ? `<div class="language">${others.map(switchTo).join(' ')}</div>`
    : ''
  return sheet.page({ language, title, name, body: `${body}\n${languageSwitch}`, isGood })
}

const sheet = openSheet({
  widest: 34,
  own: `h2 { font-size: 1.1rem; margin: 0 0 .5rem }
h3 { font-size: 1rem; margin: 1rem 0 .25rem }
ul, ol { margin: 0 0 1rem; padding-left: 1.4rem }
li { margin-bottom: .25rem }
a { color: var(--accent) }
.muted { color: var(--muted); font-size: .94rem }
.field label { display: block; font-weight: 600 }
.field span { display: block }
.error { color: var(--wrong); font-weight: 600 }
input { font: inherit; width: 100%; margin-top: .3rem; padding: .6rem .7rem; color: inherit; background: var(--card);
  border: 1px solid var(--line); border-radius: .5rem }
input.port { width: 7rem }
input[readonly] { border-style: dashed; color: var(--muted) }
input[aria-invalid] { border: 2px solid var(--wrong) }
.actions { margin-bottom: .5rem }
.actions button { width: 100% }
button.quiet { padding: .5rem 0 }
.cancel { text-align: center }
.wrong { background: var(--wrong-back); padding: 1rem 1rem .25rem; margin-bottom: 1.25rem; border-radius: 0 .5rem .5rem 0 }
.wrong h2, .wrong li a { color: var(--wrong) }
.wrong ol a, .wrong p a { color: inherit }
.notice { border-left: 4px solid var(--focus); padding-left: 1rem }
details { margin-bottom: 1.25rem }
summary { cursor: pointer; margin-bottom: .75rem; color: var(--accent) }
.language { margin-top: 1rem; text-align: center; font-size: .94rem }
`,
})
export const { styleSource } = sheet
