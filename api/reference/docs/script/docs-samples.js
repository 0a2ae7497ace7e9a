// One language for all samples of the page, and a button that copies each.

const known = ['curl', 'TypeScript', 'Python']

export function samples() {
  choose(sessionStorage.getItem('language'))
  document.addEventListener('click', async ({ target }) => {
    const { language } = target.closest?.('figcaption button[data-language]')?.dataset ?? {}
    if (language) {
      // What the reader looks at stays where it is, although samples above get longer or shorter.
      const before = target.getBoundingClientRect().top
      choose(language)
      scrollBy(0, target.getBoundingClientRect().top - before)
    }
    if (target.matches?.('button.copy')) await copy(target)
  })
  for (const caption of document.querySelectorAll('figcaption')) {
    const button = document.createElement('button')
    Object.assign(button, { type: 'button', className: 'copy', textContent: 'Copy' })
    caption.append(button)
  }
}

function choose(language) {
  const chosen = known.includes(language) ? language : 'curl'
  document.body.dataset.language = chosen
  sessionStorage.setItem('language', chosen)
  for (const button of document.querySelectorAll('figcaption button[data-language]'))
    button.setAttribute('aria-pressed', String(button.dataset.language === chosen))
}

async function copy(button) {
  const shown = [...button.closest('figure').querySelectorAll('pre')].find((one) => one.checkVisibility())
  await navigator.clipboard.writeText(shown.textContent)
  button.textContent = 'Copied'
  setTimeout(() => (button.textContent = 'Copy'), 1500)
}
