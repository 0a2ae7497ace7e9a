import { searched } from './docs-search.js'

// The field that finds, the menu of narrow screens, and which part of the page is being read.

const nav = document.querySelector('nav')
const links = [...nav.querySelectorAll('li a')]
const most = 20

export function findable() {
  const part = nav.querySelector('.find')
  const field = part.querySelector('input')
  const said = part.querySelector('p')
  const menu = part.querySelector('.menu')
  const list = part.querySelector('#found')
  part.hidden = false
  nav.classList.add('scripted')
  const open = (is) => {
    nav.classList.toggle('open', is)
    menu.setAttribute('aria-expanded', String(is))
  }
  const clear = () => {
    field.value = ''
    show()
  }
  const show = () => {
    const text = field.value.trim()
    const found = text ? searched(text) : []
    list.replaceChildren(...found.slice(0, most).map(entryOf))
    list.hidden = found.length === 0
    nav.classList.toggle('searching', text !== '')
    said.textContent = text ? `${found.length || 'Nothing'} found` : ''
    if (text) open(false)
  }
  menu.addEventListener('click', () => open(!nav.classList.contains('open')))
  nav.addEventListener('click', (event) => {
    if (!event.target.closest('a')) return
    open(false)
    // On a narrow screen the list covers what it leads to.
    if (getComputedStyle(menu).display !== 'none') clear()
  })
  field.addEventListener('input', show)
  part.addEventListener('keydown', (event) => {
    const all = [field, ...list.querySelectorAll('a')]
    const at = all.indexOf(document.activeElement)
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && all[at + step]) all[at + step].focus()
    else if (event.key === 'Enter' && event.target === field) all[1]?.click()
    else if (event.key === 'Escape') {
      clear()
      field.focus()
    } else return
    event.preventDefault()
  })
  document.addEventListener('keydown', (event) => {
    const isFree = !event.target.closest('input, textarea, select')
    const wanted = (event.key === '/' && isFree) || (event.key === 'k' && (event.ctrlKey || event.metaKey))
    if (!wanted) return
    event.preventDefault()
    field.focus()
  })
}

function entryOf({ id, title, place }) {
  const link = document.createElement('a')
  link.href = `#${id}`
  const where = document.createElement('small')
  where.textContent = place
  link.append(title, where)
  const item = document.createElement('li')
  item.append(link)
  return item
}

/** Marks the link of the part at the top of the window. */
export function marksPlace() {
  const byTarget = new Map(links.map((link) => [document.getElementById(link.hash.slice(1)), link]))
  const targets = [...byTarget.keys()].filter(Boolean)
  let current
  const look = () => {
    // They stand in the order of the page, so that the last above the line is found by halves.
    let [low, high] = [0, targets.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (targets[middle].getBoundingClientRect().top < 140) low = middle + 1
      else high = middle
    }
    const link = byTarget.get(targets[low - 1])
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
