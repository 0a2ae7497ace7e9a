import { escaped } from '../reference/docs/markdown.ts'

// What the pages of a consent say. Whoever reads them owns a mailbox and knows nothing of this service.

export type Said = { title: string; paragraphs: string[]; button?: string; isGood?: boolean }

const again = 'Open the link once more and try again. It works for a day.'

export const sayings = {
  question: (account: string, provider: string): Said => ({
    title: `Connect ${account}`,
    paragraphs: [
      `Postroom asks to send mail from ${account} and to read the answers. You go on to ${provider}, log in there as ${account}, and agree. Your password stays with ${provider}.`,
      `You can take it back at any time in the settings of your account at ${provider}.`,
    ],
    button: `Continue with ${provider}`,
  }),
  done: (account: string): Said => ({
    title: 'Connected',
    paragraphs: [
      `${account} is connected. What was waiting for it goes out now. You may close this page.`,
    ],
    isGood: true,
  }),
  another: (account: string, given: string): Said => ({
    title: 'This is another account',
    paragraphs: [
      `You have agreed as ${given}, but this link is for ${account}. Nothing was connected.`,
      `Log out at the provider, or choose another account there, and log in as ${account}. ${again}`,
    ],
  }),
  nameless: (account: string): Said => ({
    title: 'It is not clear whose account this is',
    paragraphs: [
      `The provider does not confirm that you have agreed as ${account}. Nothing was connected.`,
      'If your address there is not verified yet, verify it and open the link once more. Otherwise tell the operator of this service: the provider has to say the e-mail address of who agrees (the scopes openid and email).',
    ],
  }),
  denied: {
    title: 'Nothing was connected',
    paragraphs: [
      'You have not agreed. If that was a mistake, open the link once more. It works for a day.',
    ],
  } as Said,
  failed: (error: string): Said => ({
    title: 'The provider refuses',
    paragraphs: [
      `The provider says “${error}”. Nothing was connected.`,
      `${again} If it happens again, tell the operator of this service what the provider says; in many firms an administrator has to allow Postroom first.`,
    ],
  }),
  unknown: (provider: string): Said => ({
    title: 'It cannot be connected yet',
    paragraphs: [
      `Postroom is not set up for ${provider} yet (oauth_unconfigured). Please tell the operator of this service.`,
    ],
  }),
  refused: (code: string): Said => ({
    title: 'It cannot be connected now',
    paragraphs: [
      `Something is not set up as the provider expects it (${code}). Nothing was connected. Please tell the operator of this service.`,
    ],
  }),
  unreachable: {
    title: 'The provider does not answer',
    paragraphs: [`Nothing was connected. ${again}`],
  } as Said,
  stale: {
    title: 'This step was taken already',
    paragraphs: [
      'You have come back from the provider once before, or with another try of yours. If you have seen that your account is connected, all is well.',
      'Otherwise open the link that you were given once more, and start again.',
    ],
  } as Said,
  notValid: {
    title: 'This link is not valid',
    paragraphs: [
      'It has been used, it is older than a day, or it was cut short. Ask for a new one where you got it from.',
    ],
  } as Said,
}

export const show = ({ title, paragraphs, button, isGood }: Said) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex"><title>${escaped(title)}</title>
<style>
:root { color-scheme: light dark }
body { font: 17px/1.55 system-ui, sans-serif; max-width: 34rem; margin: 15vh auto; padding: 0 1.5rem }
h1 { font-size: 1.6rem; line-height: 1.25; overflow-wrap: anywhere }
p { overflow-wrap: anywhere }
button { font: inherit; font-weight: 600; padding: .7rem 1.4rem; border-radius: .5rem; border: 0; cursor: pointer;
  background: #1a56db; color: #fff }
button:focus-visible { outline: 3px solid #f59e0b; outline-offset: 2px }
.good::before { content: "✓ "; color: #15803d }
</style></head><body><main><h1${isGood ? ' class="good"' : ''}>${escaped(title)}</h1>
${paragraphs.map((text) => `<p>${escaped(text)}</p>`).join('\n')}
${button === undefined ? '' : `<form method="post"><button>${escaped(button)}</button></form>`}</main></body></html>
`
