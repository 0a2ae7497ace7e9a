import { createHash } from 'node:crypto'
import { escaped } from '../reference/docs/markdown.ts'

// The sheet of paper that pages for people without an account stand on: its look, and the frame of its HTML. It has no scripts, and
// loads nothing.

/** `widest`: in rem. `own`: the rules that a page has beside those of every sheet. */
export function openSheet({ widest, own }: { widest: number; own: string }) {
  const style = `
:root { color-scheme: light dark; --back: #f4f5f7; --card: #fff; --text: #1c2430; --muted: #566072; --line: #7b8698;
  --accent: #1a56db; --on-accent: #fff; --wrong: #b42318; --wrong-back: #fef3f2; --good: #15803d; --focus: #b45309 }
@media (prefers-color-scheme: dark) { :root { --back: #11151b; --card: #1a202a; --text: #e8ecf2; --muted: #aab5c5; --line: #748197;
  --accent: #8ab4ff; --on-accent: #0b1524; --wrong: #ffa198; --wrong-back: #2c1b1d; --good: #6fd08c; --focus: #fbbf24 } }
* { box-sizing: border-box }
body { font: 17px/1.5 system-ui, sans-serif; margin: 0; background: var(--back); color: var(--text) }
main { max-width: ${widest}rem; margin: 6vh auto; padding: 2rem; background: var(--card); border-radius: .75rem; overflow-wrap: anywhere }
@media (max-width: ${widest + 2}rem) { body { background: var(--card) } main { margin: 0 auto; padding: 1.25rem; border-radius: 0 } }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 1rem }
p { margin: 0 0 1rem }
button { font: inherit; font-weight: 600; padding: .7rem 1.4rem; border-radius: .5rem; border: 1px solid var(--accent); cursor: pointer;
  background: var(--accent); color: var(--on-accent) }
button.quiet { background: none; border-color: transparent; color: var(--accent); font-weight: 400; text-decoration: underline }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px }
.wrong { border-left: 4px solid var(--wrong); padding-left: 1rem }
.good::before { content: "✓ "; color: var(--good) }
${own}`
  return {
    /** The one style that the page has; a browser takes no other, and nothing else at all. */
    styleSource: `'sha256-${createHash('sha256').update(style).digest('base64')}'`,

    /** A page as HTML. `name`: what its tab is called, where that is not its title. */
    page: ({
      language,
      title,
      name = title,
      body,
      isGood = false,
    }: {
      language: string
      title: string
      name?: string
      body: string
      isGood?: boolean
    }) => `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><meta name="color-scheme" content="light dark"><title>${escaped(name)}</title>
<style>${style}</style></head><body><main><h1${isGood ? ' class="good"' : ''}>${escaped(title)}</h1>
${body}</main></body></html>
`,
  }
}
