import { z } from 'zod'
import { withdrawPlaces } from '../../../db/campaigns/agreements.ts'
import { findBrief } from '../../../db/campaigns/briefs.ts'
import {
  type CampaignRow,
  findCampaign,
  listLetters,
  lockCampaign,
} from '../../../db/campaigns/campaigns.ts'
import { lookAt, showLetter } from '../../../db/campaigns/made-letters.ts'
import {
  insertTest,
  listTemplates,
  removeTemplates,
  replaceTemplates,
} from '../../../db/campaigns/templates.ts'
import { findMemberByEmail } from '../../../db/workspace/members.ts'
import { checkAside, makeLetterAside } from '../../../process/children/letters.ts'
import { places, presentLetter, presentTemplate } from '../../../rules/campaign.ts'
import { longestTemplate } from '../../../rules/templates/engine.ts'
import { variants } from '../../../rules/templates/variants.ts'
import { isVisible } from '../../../rules/text.ts'
import { ApiError, found, invalid, type Problem } from '../../http/errors.ts'
import { awaited, type ChangeContext, change, type ReadContext, type Scope } from '../../route.ts'
import { Letter, Template, wrongState } from '../../shapes/campaign.ts'
import { LeftOut } from '../../shapes/message.ts'
import { PersonId } from '../../shapes/person-ids.ts'
import { IdParams, text as nonBlank, OneLine, withValues } from '../../shapes/shapes.ts'

// The letters of a campaign: their templates, examples, previews and tests. One file, because one address takes templates,
// shows what they make and agrees to it.

const Place = z.union(
  places.map((place) => z.literal(place)),
  {
    error: 'must be the place of a letter: 1, 2 or 3',
  },
)

const weights = { least: 1, most: 100 }

const GivenTemplate = z
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
  .meta({ id: 'NewTemplate' })
  .transform(({ subject, html, variant, weight, ...template }) => ({
    ...template,
    subject: subject ?? '',
    html: html?.trim() ? html : null,
    variant: variant ?? variants[0],
    weight: weight ?? 1,
  }))

type GivenTemplate = z.output<typeof GivenTemplate>

const mostTemplates = places.length * variants.length

const Preview = z
  .strictObject({
    person: PersonId.describe('The id of the person it would go to.'),
    place: Place.describe('The place of the letter: 1, 2 or 3.'),
  })
  .meta({ id: 'LetterPreviewRequest' })

const Test = Preview.extend({
  to: z.string().max(320).describe('The address of a member, who gets it.'),
}).meta({ id: 'LetterTestRequest' })

/** @throws ApiError 422 with what is wrong with each template, and in which line. */
async function checkTemplates(templates: GivenTemplate[], workspace: string): Promise<void> {
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

const Places = z.array(Place).max(places.length)

const memberOf = (body: unknown, name: string) =>
  typeof body === 'object' && body !== null && name in body
    ? (body as Record<string, unknown>)[name]
    : undefined

// A test is sent.
const scopesOfLetters = (body: unknown): Scope[] =>
  (memberOf(body, 'test') ?? null) === null ? ['campaigns:write'] : ['send', 'campaigns:write']

type Context = Pick<ReadContext, 'db' | 'workspace' | 'clock'>

/** Why there is no letter to look at: nobody has that id, or the place has no template and their letter is not written yet. */
const nothingIn = (member: string, kind: 'no_person' | 'not_written', place: number) =>
  kind === 'no_person'
    ? invalid(`${member}/person`, 'unknown_id', 'is not a person of this workspace')
    : new ApiError(
        'letter_not_written',
        `Letter ${place} has no template, and is not written for this person yet.`,
        {
          errors: [
            {
              pointer: `${member}/place`,
              code: 'letter_not_written',
              message: 'is not written yet',
            },
          ],
        },
      )

/** A letter as a person would get it: as it is written, or from the templates that there are or that are given. */
async function previewOf(
  { db, workspace, clock }: Context,
  campaign: string,
  preview: z.output<typeof Preview>,
  given: GivenTemplate[],
) {
  const row = found(await findCampaign(db, workspace.id, campaign), 'campaign')
  const brief = await findBrief(db, row.id)
  const others = brief.templates.filter((kept) => given.every(({ place }) => place !== kept.place))
  const source = { ...brief, templates: [...others, ...given] }
  const moment = { now: clock.now(), zone: workspace.timezone }
  const anew = given.some(({ place }) => place === preview.place)
  const shown = await showLetter(db, makeLetterAside, row, source, { ...preview, moment, anew })
  if (shown.kind !== 'shown') throw nothingIn('/preview', shown.kind, preview.place)
  const { made, variant } = shown
  if (made.kind === 'failed')
    throw invalid(
      '/preview',
      'template_failed',
      `The template fails in its ${made.member}: ${made.trouble.message}.`,
    )
  const { subject, text, html, missing, leftOut } = made
  return { subject, text, html, missing, variant, ...(leftOut.length > 0 && { leftOut }) }
}

/** Notes the test of a letter; the operation's workflow sends it. */
async function planTest(
  { db, workspace, operation, clock }: ChangeContext,
  row: CampaignRow,
  { person, place, to }: z.output<typeof Test>,
) {
  const member = await findMemberByEmail(db, workspace.id, to)
  if (!member) throw invalid('/test/to', 'not_a_member', 'is not the address of a member')
  const look = { person, place, moment: { now: clock.now(), zone: workspace.timezone } }
  const { kind } = await lookAt(db, row, await findBrief(db, row.id), look)
  if (kind === 'no_person' || kind === 'not_written') throw nothingIn('/test', kind, place)
  const test = { operation: operation.id, workspace: workspace.id, campaign: row.id }
  await insertTest(db, { ...test, place, person, toAddress: member.email })
}

/**
 * The places that lose their templates by an empty list of them: those that are to be written or, with nothing else in the
 * call, all. Their letters are written as they were before templates came.
 */
async function placesToBare(db: Context['db'], row: CampaignRow, { templates, write }: Given) {
  if (templates?.length !== 0) return []
  const templated = [...new Set((await listTemplates(db, row.id)).map(({ place }) => place))]
  return write?.length ? templated.filter((place) => write.some((one) => one === place)) : templated
}

type Given = { templates?: GivenTemplate[] | null | undefined; write?: number[] | null | undefined }

/** @throws ApiError 409 letter_not_written with the first place to agree that has no letter of the present brief. */
function requireWritten(
  letters: Awaited<ReturnType<typeof listLetters>>,
  version: number,
  agree: number[],
  write: number[],
) {
  // Agreeing applies to the text that was read: an example written from an earlier brief does not count.
  const current = letters.filter(({ agreed, brief }) => agreed || brief === version)
  const written = new Set([...current.map(({ place }) => place), ...write])
  const unwritten = agree.find((place) => !written.has(place))
  if (unwritten === undefined) return
  const why = letters.some(({ place }) => place === unwritten)
    ? 'since the brief has changed'
    : 'yet'
  throw new ApiError('letter_not_written', `Letter ${unwritten} is not written ${why}.`, {
    errors: [
      {
        pointer: `/agree/${agree.indexOf(unwritten)}`,
        code: 'letter_not_written',
        message: `is not written ${why}`,
      },
    ],
  })
}

export const routes = [
  change({
    method: 'POST',
    path: '/campaigns/{id}/letters',
    operationId: 'prepareLetters',
    summary: 'Write and agree letters',
    description:
      'Takes templates for places, writes the example letters of those and of the places in `write`, and agrees the places in `agree`; without any of them, it only answers the letters. Letters of a place are sent only once the place is agreed. `preview` shows one letter and keeps nothing, so that it needs no key; `test` sends one letter to a member and also needs the scope `send`.',
    scopes: ['campaigns:write'],
    scopesFor: scopesOfLetters,
    action: 'campaign.letters',
    params: IdParams,
    body: z
      .strictObject({
        write: Places.nullish().describe('The places to write an example letter for: 1, 2 or 3.'),
        agree: Places.nullish().describe('The places whose letters have been read and are agreed.'),
        templates: z
          .array(GivenTemplate)
          .max(mostTemplates)
          .nullish()
          .describe(
            'Templates in Liquid; those of a place replace what its letters were made from, and withdraw its agreement. An empty list takes the templates off the places in `write`, or off all places if it is given alone: they are written without templates again.',
          ),
        preview: Preview.nullish().describe(
          'Answers the letter of this place as the person would get it: as it is written for them, or from its template, also from `templates` of the same call, which are not kept then.',
        ),
        test: Test.nullish().describe(
          'Sends the letter of this place, as the person would get it, to a member. The subject begins with `[Test]`.',
        ),
      })
      .meta({ id: 'LetterPreparation' }),
    example: {
      templates: [
        {
          place: 1,
          variant: 'a',
          weight: 50,
          subject: 'A question about {{ person.company | default: "your team" }}',
          text: 'Hello {{ person.firstName | default: "there" }},\n\nmay I show you {{ product.name }}?\n\n{{ member.name }}',
        },
      ],
      write: [2, 3],
    },
    response: z
      .object({
        letters: z.array(Letter).describe('The example letters, in order of place.'),
        templates: z.array(Template).describe('The templates, in order of place and variant.'),
        preview: z
          .object({
            subject: z.string().describe('The subject.'),
            text: z
              .string()
              .describe('The text; names in brackets stand where values are missing.'),
            html: z.string().nullable().describe('The text in HTML; null without one.'),
            missing: z
              .array(z.string())
              .describe(
                'The variables that have no value; with any of them, the letter would wait.',
              ),
            variant: z
              .string()
              .nullable()
              .describe('The variant that the person gets; null if the letter has words already.'),
            leftOut: LeftOut.optional(),
          })
          .meta({ id: 'LetterPreview' })
          .optional()
          .describe('The letter that was asked for; only with `preview`.'),
        test: z
          .object({
            to: z.string().describe('The address it went to.'),
            state: z
              .string()
              .describe(
                'What became of it: sent, failed, or unconfirmed if the server gave no answer.',
              ),
            code: z.string().nullable().describe('Why it failed; null unless it did.'),
          })
          .meta({ id: 'LetterTest' })
          .optional()
          .describe('What became of the test; only with `test`.'),
      })
      .meta({ id: 'PreparedLetters' }),
    errors: ['invalid_state', 'letter_not_written', 'still_running'],
    keyOptional: (body) => (memberOf(body, 'preview') ?? null) !== null,
    async check({ body }, { workspace }) {
      const { preview, test, write, agree, templates } = body
      if (preview && (test || write?.length || agree?.length))
        throw invalid('/preview', 'conflicting', 'keeps nothing: give it alone or with templates')
      if (templates?.length === 0 && !preview && !write?.length && (test || agree?.length))
        throw invalid('/templates', 'too_small', 'is empty: name in `write` the places it is for')
      await checkTemplates(templates ?? [], workspace.id)
    },
    prepare: async ({ params, body: { preview, templates } }, context) =>
      preview && previewOf(context, params.id, preview, templates ?? []),
    async handler({ params, body }, context, preview) {
      const { db, workspace, operation } = context
      const given = body.templates ?? []
      if (preview) return { ...(await shownLetters(context, params.id)), preview }
      const row = found(await lockCampaign(db, workspace.id, params.id), 'campaign')
      const templated = [...new Set(given.map(({ place }) => place))]
      const bared = await placesToBare(db, row, body)
      const write = [...new Set([...(body.write ?? []), ...templated, ...bared])]
      const agree = [...new Set(body.agree ?? [])]
      if (write.length + agree.length === 0 && !body.test) return shownLetters(context, row.id)
      if (row.state === 'done')
        throw wrongState(row.state, 'A campaign that is done needs no letters.', [])
      requireWritten(await listLetters(db, row.id), row.briefVersion, agree, write)
      let brief = row.briefVersion
      if (given.length > 0) await replaceTemplates(db, row.id, given)
      if (bared.length > 0) await removeTemplates(db, row.id, bared)
      const changed = [...templated, ...bared]
      if (changed.length > 0) brief = await withdrawPlaces(db, row, changed)
      if (body.test) await planTest(context, row, body.test)
      await context.start(
        'writeLetters',
        [{ operation: operation.id, campaign: row.id, write, agree, brief }],
        { Campaign: row.id },
      )
      // Only the requested places: the event contains the names of its members.
      context.changed(row.id, undefined, {
        ...(changed.length > 0 && { templates: changed }),
        ...(write.length > 0 && { write }),
        ...(agree.length > 0 && { agree }),
        ...(body.test && { test: body.test.place }),
      })
      return awaited
    },
  }),
]

const shownLetters = async ({ db }: Context, campaign: string) => ({
  letters: (await listLetters(db, campaign)).map(presentLetter),
  templates: (await listTemplates(db, campaign)).map(presentTemplate),
})
