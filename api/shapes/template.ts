import { z } from 'zod'
import { checkAside } from '../../process/children/letters.ts'
import { places } from '../../rules/campaign.ts'
import { longestTemplate } from '../../rules/templates/engine.ts'
import { variants } from '../../rules/templates/variants.ts'
import { isVisible } from '../../rules/text.ts'
import { ApiError, type Problem } from '../http/errors.ts'
import { Id, text as nonBlank, OneLine, withValues } from './shapes.ts'

// Templates of a campaign's letters, as callers give them.

export const Place = z.union(
  places.map((place) => z.literal(place)),
  {
    error: 'must be the place of a letter: 1, 2 or 3',
  },
)

const weights = { least: 1, most: 100 }

export const GivenTemplate = z
  .strictObject({
    place: Place.describe('The place of the letters that are made from it: 1, 2 or 3.'),
    subject: OneLine(2000)
      .nullish()
      .describe(
        'The subject, in Liquid. At places 2 and 3 it may be empty: it is that of the thread.',
      ),
    text: nonBlank(longestTemplate).describe('The text, in Liquid.'),
    html: z
      .string()
      .max(longestTemplate)
      .nullish()
      .describe('The text in HTML, in Liquid; values stand in it as text, whatever they hold.'),
    variant: z
      .enum(variants)
      .nullish()
      .describe(
        withValues('Which variant of the place it is; by default a.', {
          a: 'the first',
          b: 'the second',
          c: 'the third',
          d: 'the fourth',
        }),
      ),
    weight: z
      .int()
      .min(weights.least)
      .max(weights.most)
      .nullish()
      .describe('Its share of the people, compared with the other variants; by default 1.'),
  })
  .transform(({ subject, html, variant, weight, ...template }) => ({
    ...template,
    subject: subject ?? '',
    html: html?.trim() ? html : null,
    variant: variant ?? variants[0],
    weight: weight ?? 1,
  }))

export type GivenTemplate = z.output<typeof GivenTemplate>

export const mostTemplates = places.length * variants.length

export const Preview = z.strictObject({
  person: Id.describe('The id of the person it would go to.'),
  place: Place.describe('The place of the letter: 1, 2 or 3.'),
})

export const Test = Preview.extend({
  to: z.string().max(320).describe('The address of a member, who gets it.'),
})

/** @throws ApiError 422 with what is wrong with each template, and in which line. */
export async function checkTemplates(templates: GivenTemplate[], workspace: string): Promise<void> {
  const errors: Problem[] = []
  const seen = new Set<string>()
  const issues = templates.length > 0 ? await checkAside(templates, workspace) : []
  for (const [i, template] of templates.entries()) {
    const { place, variant, subject } = template
    const refuse = (member: string, code: string, message: string) =>
      errors.push({ pointer: `/templates/${i}/${member}`, code, message })
    if (seen.has(`${place}${variant}`))
      refuse('variant', 'duplicate', `is given twice for place ${place}`)
    seen.add(`${place}${variant}`)
    if (place === 1 && !isVisible(subject))
      refuse('subject', 'too_small', 'must not be empty: the first letter begins the thread')
    for (const { template: at, member, code, message } of issues)
      if (at === i) refuse(member, code, message)
  }
  if (errors.length > 0)
    throw new ApiError('validation_failed', 'A template cannot be used.', { errors })
}
