import { z } from 'zod'
import { listChannels } from '../../../db/accounts/channels.ts'
import {
  countBuyers,
  type Group,
  type GroupBy,
  listGroups,
  type Reach,
  type Size,
} from '../../../db/segments/proposals.ts'
import { listProducts } from '../../../db/workspace/products.ts'
import { read } from '../../route.ts'
import { iso, Label, NoNext, WholeList } from '../../shapes/shapes.ts'

const Proposal = z
  .object({
    product: Label.describe('The product it is for.'),
    name: z.string().describe('The proposed name.'),
    why: z.string().describe('Why it is proposed.'),
    query: z.string().describe('Who would belong to it, in words.'),
    channels: z.array(z.string()).describe('The kinds of channel that reach somebody in it.'),
    channel: z
      .string()
      .describe('The recommended kind of channel: the one that reaches most of them.'),
    size: z
      .object({
        contacts: z.int().describe('Matching people.'),
        reach: z
          .record(z.string(), z.int())
          .describe('The number of them that each kind of channel reaches.'),
        fresh: z.int().describe('People who have not been written to for 60 days.'),
        at: z.string().describe('When they were counted.'),
      })
      .meta({ id: 'ProposalSize' })
      .describe('The size it would have.'),
  })
  .meta({ id: 'Proposal' })

// The interface leaves open what fresh means: nothing was written to the person for this many days.
const freshDays = 60
// Fewer people are better written to one by one.
const fewest = 3
const looked = 10

const groupings: { by: GroupBy; most: number; words(value: string): string; are: string }[] = [
  { by: 'jobTitle', most: 2, words: (value) => value, are: 'have the job title' },
  { by: 'city', most: 1, words: (value) => `in ${value}`, are: 'are in' },
  { by: 'company', most: 1, words: (value) => `at ${value}`, are: 'are at' },
]

export const routes = [
  read({
    path: '/segments/proposals',
    operationId: 'listSegmentProposals',
    summary: 'List proposals for segments',
    description: 'Create one with `POST /segments`, using its `query` and `name`.',
    scopes: ['inbox:read'],
    query: WholeList,
    response: z
      .object({
        proposals: z.array(Proposal).describe('All proposals, in order of product.'),
        next: NoNext,
      })
      .meta({ id: 'ProposalList' }),
    async handler(_, { db, workspace, clock }) {
      const now = clock.now()
      const since = new Date(now.getTime() - freshDays * 24 * 60 * 60 * 1000)
      const products = await listProducts(db, workspace.id)
      const kinds = new Set(
        (await listChannels(db, workspace.id, now)).map(({ kind }) => kind as string),
      )
      const buyers = await countBuyers(db, workspace.id, since)
      const limits = { since, least: fewest, most: looked }
      const groups: ((typeof groupings)[number] & { found: Group[] })[] = []
      for (const grouping of groupings)
        groups.push({ ...grouping, found: await listGroups(db, workspace.id, grouping.by, limits) })

      const proposals = products.flatMap(({ id, name }) => {
        const words = inWords(name)
        if (words === '') return []
        const made = (part: { name: string; why: string; query: string }, size: Size) => ({
          product: { id, name },
          ...part,
          ...channelsOf(size.reach, kinds),
          size: { contacts: size.contacts, reach: size.reach, fresh: size.fresh, at: iso(now) },
        })
        const own = buyers.filter(
          ({ product, fresh, quotes }) => product === id && fresh + quotes > 0,
        )
        return [
          ...own.map((size) =>
            made(
              { name: `Buyers of ${name}`, why: whyBuyers(size), query: `buyers of ${words}` },
              size,
            ),
          ),
          ...groups.flatMap(({ found, most, words: described, are }) =>
            found
              .filter(({ product, value }) => product === id && inWords(value) === value)
              .slice(0, most)
              .map(({ value, ...size }) => {
                const why = `${size.contacts} people ${are} ${value} and are not buyers of ${name}; ${freshOf(size)}.`
                const query = `${described(value)}, not buyers of ${words}`
                return made({ name: `${value}: new to ${name}`, why, query }, size)
              }),
          ),
        ].filter(({ channels }) => channels.length > 0)
      })
      return { proposals, next: null }
    },
  }),
]

const freshOf = ({ fresh }: Size) =>
  `${fresh} of them have not been written to for ${freshDays} days`

function whyBuyers({ contacts, quotes, ...size }: Size & { quotes: number }) {
  const waiting = quotes > 0 ? `, and ${quotes} wait for a quote` : ''
  return `Of ${contacts} buyers ${freshOf({ contacts, ...size })}${waiting}.`
}

/** The channels that reach somebody, those with an account counted first; the recommended one reaches most people. */
function channelsOf(reach: Reach, kinds: Set<string>) {
  const reaching = Object.entries(reach).filter(([, people]) => people > 0)
  const ours = reaching.filter(([kind]) => kinds.has(kind))
  const channels = (ours.length > 0 ? ours : reaching).sort(([, a], [, b]) => b - a)
  return { channels: channels.map(([kind]) => kind), channel: channels[0]?.[0] ?? '' }
}

// Words that the judge takes as grammar, or as nobody in particular, rather than as words to look for.
const grammar = new Set(
  `a an the and or not no but without except excluding only in im at bei from aus near around inside within with
  who whose that which where having have has named called tagged und oder nicht kein keine ohne ausser mit welche y o u et
  ou plus sowie con sin avec sans never minus beim nahe en buyer buyers seller sellers partner partners client clients
  customer customers people person contact contacts lead leads user users company companies all any every`.split(
    /\s+/,
  ),
)

/** A name as words to look for, without those that would mean something else; empty if none are left. */
const inWords = (name: string) =>
  name
    .split(/[^\p{L}\p{N}-]+/u)
    .filter((word) => word !== '' && !grammar.has(word.toLowerCase()))
    .join(' ')
