// The port of the model that writes letters, and its embedded default: plain templates, no network. It is no language
// model and says so; another writer takes its place behind the same function.

export type Brief = {
  place: 1 | 2 | 3
  /** Null for an example letter written before anybody is in the segment. */
  person: { name: string; jobTitle: string; company: string } | null
  goal: string
  company: { name: string; pitch: string } | null
  product: { name: string; description: string } | null
  /** Instructions for every letter, those of the house, the agent and the campaign; a template cannot follow them. */
  rules: string[]
  materials: { title: string; text: string }[]
  signature: string
  /** The subject of the first letter, which the others answer. */
  firstSubject: string | null
}

export type Written = { subject: string; text: string }
export type Writer = { name: string; write(brief: Brief): Promise<Written> }

export const embeddedWriter: Writer = {
  name: 'embedded templates (no language model)',
  write: async (brief) => ({
    subject: subjectOf(brief),
    text: `${paragraphs(brief).filter(Boolean).join('\n\n')}\n`,
  }),
}

const subjectOf = ({ place, company, product, goal, firstSubject }: Brief): string => {
  const first =
    firstSubject ??
    (product
      ? `${product.name}: a question`
      : company
        ? `A word from ${company.name}`
        : goal || 'A question')
  return place === 1 ? first : `Re: ${first.replace(/^re:\s*/i, '')}`
}

function paragraphs(brief: Brief): string[] {
  const { person, company, product, goal, materials, signature, place } = brief
  const hello = `Hello ${person?.name.trim() || 'there'},`
  const material = materials[place - 1] ?? materials[0]
  const close = [signature || 'Kind regards', company?.name].filter(Boolean).join('\n')
  const ask = goal
    ? `What I have in mind: ${sentence(goal)} Would that be of interest to you?`
    : 'Would a short talk be of interest to you?'
  if (place === 1)
    return [
      hello,
      [
        company && sentence(company.pitch || `I write on behalf of ${company.name}.`),
        product &&
          sentence(product.description ? `${product.name}: ${product.description}` : product.name),
      ]
        .filter(Boolean)
        .join(' '),
      material ? material.text : '',
      ask,
      close,
    ]
  if (place === 2)
    return [
      hello,
      'I wanted to come back to my letter of the other day.',
      material ? material.text : '',
      ask,
      close,
    ]
  return [
    hello,
    'This is my last word on the matter; I do not want to crowd your inbox.',
    ask,
    close,
  ]
}

const sentence = (text: string) => {
  const trimmed = text.trim()
  return trimmed && !/[.!?]$/.test(trimmed) ? `${trimmed}.` : trimmed
}
