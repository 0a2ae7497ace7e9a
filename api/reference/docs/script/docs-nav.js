// Finds a call by any of its words, and shows in the list of calls which one is being read.

const nav = document.querySelector('nav')
const links = [...nav.querySelectorAll('li a')]

/** The words by which a link is found: its name, and the path and the members of the call behind it. */
const wordsOf = (link) => {
  const target = document.getElementById(link.hash.slice(1))
  const named = target?.querySelectorAll('.call, .members b, dd') ?? []
  return [link, ...named].map((element) => element.textContent).join(' ').toLowerCase()
}

export function findable() {
  const part = nav.querySelector('.find')
  const field = part.querySelector('input')
  const said = part.querySelector('p')
  const menu = part.querySelector('.menu')
  part.hidden = false
  nav.classList.add('scripted')
  const open = (is) => {
    nav.classList.toggle('open', is)
    menu.setAttribute('aria-expanded', String(is))
  }
  menu.addEventListener('click', () => open(!nav.classList.contains('open')))
  nav.addEventListener('click', (event) => event.target.closest('a') && open(false))

  let index
  field.addEventListener('input', () => {
    index ??= new Map(links.map((link) => [link, wordsOf(link)]))
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean)
    // If any name matches, only those calls are shown; otherwise all calls that contain the text anywhere.
    const called = links.filter((link) => has(link.textContent.toLowerCase(), words))
    const found = new Set(
      words.length === 0 || called.length > 0 ? called : links.filter((link) => has(index.get(link), words)),
    )
    for (const link of links) link.parentElement.hidden = !found.has(link)
    for (const group of nav.querySelectorAll('details')) {
      group.hidden = !group.querySelector('li:not([hidden])')
      if (words.length > 0) group.open = true
    }
    said.textContent = words.length === 0 ? '' : `${found.size || 'Nothing'} found`
    open(words.length > 0)
  })
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') nav.querySelector('li:not([hidden]) a')?.click()
  })
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target.closest('input, textarea, select')) return
    event.preventDefault()
    field.focus()
  })
}

const has = (text, words) => words.every((word) => text.includes(word))

/** Marks the link of the call at the top of the window. */
export function marksPlace() {
  const places = links.map((link) => ({ link, target: document.getElementById(link.hash.slice(1)) }))
  let current
  const look = () => {
    const above = places.filter(({ target }) => target && target.getBoundingClientRect().top < 140)
    const { link } = above.at(-1) ?? {}
    if (link === current) return
    current?.removeAttribute('aria-current')
    link?.setAttribute('aria-current', 'location')
    current = link
    if (link && getComputedStyle(nav).position === 'sticky') keepInView(link)
  }
  let asked = false
  const lookSoon = () => {
    if (asked) return
    asked = true
    requestAnimationFrame(() => {
      asked = false
      look()
    })
  }
  addEventListener('scroll', lookSoon, { passive: true })
  addEventListener('hashchange', lookSoon)
  look()
}

function keepInView(link) {
  const { top, bottom } = link.getBoundingClientRect()
  if (top < 140 || bottom > innerHeight - 40) nav.scrollTop += top - innerHeight / 2
}
