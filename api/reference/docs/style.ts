/** The style of the reference page, light or dark like the reader's system. */
export const style = `
:root {
  color-scheme: light dark;
  --text: light-dark(#1d2330, #dfe3ea);
  --quiet: light-dark(#5d6678, #98a1b3);
  --page: light-dark(#ffffff, #14171d);
  --side: light-dark(#f5f6f8, #1a1e26);
  --line: light-dark(#e2e5ea, #2b313c);
  --link: light-dark(#1f56c4, #8ab4ff);
  --edge: light-dark(#aab1be, #4a5262);
  --get: light-dark(#1b6e4b, #69d3a0);
  --post: light-dark(#1f56c4, #8ab4ff);
  --patch: light-dark(#8a5a00, #f0bd62);
  --delete: light-dark(#a5273a, #ff8f9d);
}
* { box-sizing: border-box }
html { scroll-padding-top: 1.5rem }
body {
  margin: 0; display: grid; grid-template-columns: 19rem minmax(0, 1fr); min-height: 100vh;
  color: var(--text); background: var(--page); font: 16px/1.55 system-ui, sans-serif;
}
a { color: var(--link); text-decoration: underline; text-underline-offset: .15em }
nav a, h3 a { text-decoration: none }
a:hover { text-decoration: underline }
.skip { position: absolute; left: -99rem; padding: .5rem 1rem; background: var(--page); z-index: 2 }
.skip:focus { left: 1rem; top: .5rem }
code, pre, .type { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; font-size: .875em }
nav {
  position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 0 1rem 3rem 1.5rem;
  background: var(--side); border-right: 1px solid var(--line);
}
nav .home { display: block; padding-top: 1.5rem; color: var(--text); font-weight: 650; font-size: 1.1rem }
nav small { color: var(--quiet); font-weight: 400 }
.find { position: sticky; top: 0; z-index: 1; margin: .2rem -.3rem .6rem; padding: .6rem .3rem .3rem; background: var(--side) }
.find[hidden] { display: none }
.find p { margin: .3rem 0 0; color: var(--quiet); font-size: .85rem }
.find p:empty { display: none }
.find .menu { display: none }
nav details { margin-bottom: .5rem }
nav summary { padding: .2rem 0; cursor: pointer; font-weight: 600; font-size: .9rem }
nav ul { list-style: none; margin: .1rem 0 .4rem; padding: 0 }
nav li a { display: flex; gap: .5rem; align-items: baseline; justify-content: space-between; padding: .18rem .5rem; border-radius: 5px; color: var(--quiet); font-size: .875rem; line-height: 1.35 }
nav li a:hover, nav li a[aria-current] { color: var(--text); background: var(--line); text-decoration: none }
nav li a[aria-current] { font-weight: 600 }
nav li a .method { width: auto; font-size: .62rem }
nav li span:first-child { overflow-wrap: anywhere; min-width: 0 }
main { max-width: 84rem; min-width: 0; padding: 2.5rem 3rem 6rem }
.guide, .lead, .about, dl, #token { max-width: 48rem }
h1 { margin: 0; font-size: 2rem; line-height: 1.2 }
.lead { margin-top: .4rem; color: var(--quiet); font-size: 1.1rem }
h2 { margin: 3.5rem 0 0; padding-bottom: .4rem; border-bottom: 1px solid var(--line); font-size: 1.4rem }
h3 { margin: 0; font-size: 1.1rem; font-weight: 600 }
h3 a { color: inherit }
.call { display: flex; gap: .75rem; align-items: baseline }
.call code { overflow-wrap: anywhere; min-width: 0 }
.guide { padding: 1.2rem 0 .4rem }
dl { margin: 1rem 0 }
dl > div { padding: .7rem 0; border-bottom: 1px solid var(--line) }
dl > div:target, .guide:target { box-shadow: -1.25rem 0 0 var(--page), -1.4rem 0 0 var(--link) }
dd { margin: .2rem 0 0 }
dt, dd { overflow-wrap: anywhere }
h4 { margin: 1rem 0 .2rem; color: var(--quiet); font-size: .8rem; font-weight: 600; letter-spacing: .04em; text-transform: uppercase }
pre { padding: 1rem 1.2rem; overflow-x: auto; background: var(--side); border: 1px solid var(--line); border-radius: 8px; line-height: 1.6 }
article { padding: 1.6rem 0; border-bottom: 1px solid var(--line) }
article:last-child { border-bottom: 0 }
article > p, .told > p { margin: .4rem 0 }
/* What is far away is not laid out before it is near. */
article, .guide { content-visibility: auto; contain-intrinsic-size: auto 40rem }
.scope { padding: .05rem .5rem; border: 1px solid var(--edge); border-radius: 99px; color: var(--quiet); font-size: .72rem; white-space: nowrap }
.columns { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 0 2.5rem; align-items: start }
.shown { position: sticky; top: 1rem; max-height: calc(100vh - 2rem); overflow-y: auto }
figure { margin: 0 0 1rem; background: var(--side); border: 1px solid var(--line); border-radius: 8px }
figcaption { display: flex; gap: .2rem; align-items: center; min-height: 2.3rem; padding: .2rem .6rem; border-bottom: 1px solid var(--line); color: var(--quiet); font-size: .8rem }
figcaption button { padding: .15rem .55rem; border-color: transparent; background: none; color: var(--quiet); font-size: .8rem }
figcaption button[aria-pressed="true"] { color: var(--text); border-color: var(--edge); background: var(--page) }
figcaption .copy { margin-left: auto }
figure .sample { max-height: 26rem; margin: 0; padding: .8rem 1rem; overflow: auto; border: 0; border-radius: 0 0 8px 8px; font-size: .8rem }
body[data-language="curl"] .samples pre:not([data-language="curl"]),
body[data-language="TypeScript"] .samples:has([data-language="TypeScript"]) pre:not([data-language="TypeScript"]),
body[data-language="Python"] .samples:has([data-language="Python"]) pre:not([data-language="Python"]) { display: none }
body:not([data-language="curl"]) .samples pre:only-of-type { display: block }
.sample b { color: var(--post); font-weight: 400 } .sample i { color: var(--get); font-style: normal }
.sample u { color: var(--patch); text-decoration: none }
.part h4 { margin: 1.2rem 0 .2rem; color: var(--text); font-size: 1rem; letter-spacing: 0; text-transform: none }
.part h4 a { color: inherit; text-decoration: none }
.guide { overflow-wrap: anywhere }
.table { overflow-x: auto }
table { border-collapse: collapse; font-size: .92em }
td code { overflow-wrap: anywhere }
th, td { padding: .35rem .8rem .35rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top }
#found { list-style: none; margin: .5rem 0; padding: 0 }
#found a { display: block; padding: .35rem .5rem; border-radius: 5px; color: var(--text); font-size: .875rem; line-height: 1.35 }
#found a:hover, #found a:focus-visible { background: var(--line); text-decoration: none }
#found small { display: block; overflow-wrap: anywhere; font-size: .75rem }
nav.searching .groups { display: none !important }
.sample { position: relative }
article:target { box-shadow: -1.25rem 0 0 var(--page), -1.4rem 0 0 var(--link) }
.method { flex: none; width: 3.6rem; font: 600 .75rem/1.6 ui-monospace, Menlo, Consolas, monospace }
.get { color: var(--get) } .post { color: var(--post) } .patch { color: var(--patch) } .delete { color: var(--delete) }
.members { list-style: none; margin: .2rem 0; padding: 0 }
.members li { padding: .45rem 0; overflow-wrap: anywhere }
.members > li + li { border-top: 1px solid var(--line) }
.members b { font: 600 .875em ui-monospace, "SF Mono", Menlo, Consolas, monospace }
.members i, .members em { margin-left: .5em; font-size: .8em; font-style: normal; color: var(--quiet) }
.members em { color: var(--patch) }
.members p { margin: .1rem 0 0 }
.values { margin: .3rem 0 .2rem; padding-left: 1.2rem; font-size: .93em }
.members .values li { padding: .08rem 0; border: 0 }
.members .members { margin-left: .3rem; padding-left: 1rem; border-left: 2px solid var(--line) }
.type { margin-left: .4em; color: var(--get) }
.note { margin-left: .3em; color: var(--quiet); font-size: .875em }
.or { margin: .1rem 0; color: var(--quiet); font-size: .875em }
.folds { margin-top: .9rem }
.folds summary { padding: .12rem 0; color: var(--link); cursor: pointer; font-size: .9rem }
.folds details[open] { padding-bottom: .5rem }
.folds h4 { margin-top: .8rem }
.try { margin-top: .8rem }
#token { margin: 2rem 0 0; padding: 1.1rem 1.3rem; background: var(--side); border: 1px solid var(--line); border-radius: 8px }
#token p { margin: .3rem 0 .8rem }
#token output { display: block; margin-top: .6rem; color: var(--quiet); overflow-wrap: anywhere }
#token output:empty { display: none }
#token output.good { color: var(--get) }
#token output.bad, .advice { color: var(--delete) }
.beside { display: flex; gap: .6rem }
.beside input { flex: 1; min-width: 0 }
input, select, textarea, button { font: inherit; color: inherit; border: 1px solid var(--edge); border-radius: 6px }
input, select, textarea { width: 100%; padding: .45rem .6rem; background: var(--page) }
input, textarea { font: .875em/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace }
textarea { resize: vertical; tab-size: 2 }
button { flex: none; padding: .45rem .9rem; background: var(--page); cursor: pointer }
button:hover { border-color: var(--link) }
button:disabled { opacity: .6; cursor: progress }
button.send { color: light-dark(#ffffff, #10131a); background: var(--link); border-color: var(--link); font-weight: 600 }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px }
.try form { max-width: 44rem; margin-top: .6rem; padding: 1.1rem 1.3rem; background: var(--side); border: 1px solid var(--line); border-radius: 8px }
.field { margin-bottom: .9rem }
.field label { display: block; margin-bottom: .25rem }
.field label b { font: 600 .875em ui-monospace, "SF Mono", Menlo, Consolas, monospace }
.field label i { margin-left: .5em; color: var(--quiet); font-size: .8em; font-style: normal }
.field .note { margin: .3rem 0 0 }
.field .note:empty { display: none }
.actions { display: flex; flex-wrap: wrap; gap: .6rem }
.answer { max-width: 54rem }
.answer .status { margin: 1rem 0 .3rem; color: var(--quiet) }
.answer .good b { color: var(--get) }
.answer .bad b { color: var(--delete) }
.answer .body { max-height: 32rem; overflow: auto }
@media (max-width: 70rem) {
  .columns { grid-template-columns: minmax(0, 1fr) }
  .shown { position: static; max-height: none; margin-top: 1rem }
}
@media (max-width: 52rem) {
  html { scroll-padding-top: 6.5rem }
  body { display: block }
  nav {
    position: sticky; z-index: 1; max-height: 100vh; height: auto; padding: .6rem 1.25rem; overflow-y: auto;
    border-right: 0; border-bottom: 1px solid var(--line);
  }
  nav .home { margin: 0; padding: 0 }
  .find:not([hidden]) { position: static; display: grid; grid-template-columns: 1fr auto; gap: .5rem; margin: .3rem 0 0; padding: 0 }
  .find .menu { display: block }
  .find p, #found { grid-column: 1 / -1 }
  nav.scripted:not(.open) .groups { display: none }
  .groups { padding-top: .6rem }
  nav li a { padding: .4rem .5rem }
  main { padding: 1.5rem 1.25rem 4rem }
  pre { white-space: pre-wrap; overflow-wrap: anywhere }
}
@media print { nav { display: none } body { display: block } }
`
