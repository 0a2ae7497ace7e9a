// What the page consists of: groups, each with its links in the menu.

export type Link = { href: string; name: string; badge?: string }
export type Group = { id: string; name: string; links: Link[]; content: string }
