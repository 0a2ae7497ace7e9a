import { ok } from 'node:assert/strict'
import { listSuppressions } from '../../db/accounts/suppressions.ts'
import { findPeopleWith, findReactions, type PersonOutcome } from '../../db/campaigns/outcomes.ts'
import { listTouches } from '../../db/campaigns/touches.ts'
import { countConversations } from '../../db/conversations/counts.ts'
import {
  type ConversationFilter,
  type ConversationOrder,
  listConversations,
} from '../../db/conversations/list.ts'
import { listMessages } from '../../db/conversations/messages.ts'
import type { Db } from '../../db/database.ts'
import { listAudit } from '../../db/events/audit.ts'
import { listDeliveries } from '../../db/events/deliveries.ts'
import { listEvents, listEventsOf } from '../../db/events/events.ts'
import { listNotifications } from '../../db/events/notifications.ts'
import { listOperations } from '../../db/operations/list.ts'
import { listRows } from '../../db/people/import-rows.ts'
import { listPeople, type PeopleFilter } from '../../db/people/list.ts'
import { listSegmentPeople } from '../../db/segments/segments.ts'
import { listDeals } from '../../db/workspace/deals.ts'
import { givenManyRows } from '../support/many-rows.ts'
import { openExplained } from '../support/touched.ts'

// What a page reads is counted, not timed: rows and pages of tables and indexes, under plans for the values at hand and under
// generic plans, with statistics and without.

const many = 30_000
const page = 51
/** A page, the labels of its rows, and what several indexes that are merged read ahead. */
const budget = 12 * page
/** Up to 2,000 marks are read to find out whether a mark is rare, and as many people or conversations that have it. */
const budgetOfMarks = 12 * 1000

type List = (db: Db, workspace: string) => Promise<unknown>
const changes = { since: new Date(0), before: new Date('2100-01-01') }
const middle = new Date(Date.now() - (many / 2) * 10_000).toISOString()
const deep = (prefix: string): [string, string] => [middle, prefix]

const conversations =
  (
    filter: (workspace: string) => ConversationFilter,
    after?: [string, string],
    order?: ConversationOrder,
  ): List =>
  (db, workspace) =>
    listConversations(db, workspace, filter(workspace), after, page, order)
const oldest: ConversationOrder = { by: 'lastMessageAt', newestFirst: false }
const longest: ConversationOrder = { by: 'waitingSince', newestFirst: false }
const shortest: ConversationOrder = { by: 'waitingSince', newestFirst: true }
const people =
  (filter: (workspace: string) => PeopleFilter, after?: [string, string]): List =>
  (db, workspace) =>
    listPeople(db, workspace, filter(workspace), after, page)

const told = (w: string) => ({
  id: `cmp_told${w}`,
  workspace: w,
  startedAt: new Date('2020-01-01'),
})
const people50 = (w: string) =>
  Array.from({ length: page }, (_, i) => `per_${w}${String(i + 2).padStart(24, '0')}`)
const outcome =
  (what: PersonOutcome | undefined, from?: number): List =>
  (db, w) => {
    const after = from === undefined ? '' : `per_${w}${String(from).padStart(24, '0')}`
    return findPeopleWith(db, told(w), what, { after, limit: page, now: new Date() })
  }

const lists: Record<string, List> = {
  conversations: conversations(() => ({})),
  'conversations, deep': conversations(() => ({}), deep('cnv')),
  'conversations, open': conversations(() => ({ state: 'open' })),
  'conversations, closed, deep': conversations(() => ({ state: 'closed' }), deep('cnv')),
  'conversations of a member with few': conversations((w) => ({ owner: `mem_${w}1` })),
  'conversations of a member with many, deep': conversations(
    (w) => ({ owner: `mem_${w}2` }),
    deep('cnv'),
  ),
  'conversations of nobody': conversations(() => ({ owner: null })),
  'conversations of a member, open': conversations((w) => ({ owner: `mem_${w}2`, state: 'open' })),
  'conversations of a rare kind': conversations(() => ({ kind: 'messenger' })),
  'conversations of a kind, snoozed': conversations(() => ({ kind: 'email', state: 'snoozed' })),
  'conversations of a kind and a member': conversations((w) => ({
    kind: 'messenger',
    owner: `mem_${w}2`,
  })),
  'conversations with a person': conversations((w) => ({ person: personOf(w) })),
  'conversations with a person, open': conversations((w) => ({
    person: personOf(w),
    state: 'open',
  })),
  'conversations, oldest first': conversations(() => ({}), undefined, oldest),
  'conversations, closed, oldest first, deep': conversations(
    () => ({ state: 'closed' }),
    deep('cnv'),
    oldest,
  ),
  'conversations by how long they wait': conversations(() => ({}), undefined, longest),
  'conversations by how long they wait, deep': conversations(() => ({}), deep('cnv'), longest),
  'conversations by how long they wait, shortest first, deep': conversations(
    () => ({}),
    deep('cnv'),
    shortest,
  ),
  'changed conversations': conversations(() => ({ changes })),
  'changed conversations, deep': conversations(() => ({ changes }), deep('cnv')),
  messages: (db, workspace) =>
    listMessages(db, `cnv_${workspace}${'1'.padStart(24, '0')}`, undefined, page),
  'messages, deep': (db, workspace) =>
    listMessages(db, `cnv_${workspace}${'1'.padStart(24, '0')}`, deep('msg'), page),
  people: people(() => ({})),
  'people, deep': people(() => ({}), ['8', 'per']),
  'changed people': people(() => ({ changes })),
  'changed people, deep': people(() => ({ changes }), deep('per')),
  'people by their own id': people(() => ({ externalId: 'ext-7' })),
  touches: (db, w) => listTouches(db, `cmp_${w}`, undefined, undefined, page),
  'touches, deep': (db, w) => listTouches(db, `cmp_${w}`, undefined, deep('tch'), page),
  'touches, failed': (db, w) => listTouches(db, `cmp_${w}`, 'failed', undefined, page),
  'people of a campaign with a letter': outcome('sent'),
  'people of a campaign with a letter, deep': outcome('sent', many / 2),
  'people of a campaign with a bounce': outcome('bounced'),
  'people of a campaign with a bounce, from the end': outcome('bounced', many / 2),
  'people of a campaign who are held': outcome('held'),
  'people of a campaign with a failure, deep': outcome('failed', many / 2),
  'people of a campaign': outcome(undefined),
  'people of a campaign, deep': outcome(undefined, many / 2),
  'audit entries': (db, w) => listAudit(db, w, page),
  'audit entries, deep': (db, w) => listAudit(db, w, page, deep('aud')),
  events: (db, w) => listEvents(db, w, page),
  'events, deep': (db, w) => listEvents(db, w, page, [String(100 + many / 6), '1']),
  notifications: (db, w) => listNotifications(db, `mem_${w}1`, undefined, page),
  'notifications, deep': (db, w) => listNotifications(db, `mem_${w}1`, deep('ntf'), page),
  deliveries: (db, w) => listDeliveries(db, `whk_${w}`, undefined, page),
  'deliveries, deep': (db, w) => listDeliveries(db, `whk_${w}`, deep('dlv'), page),
  suppressions: (db, w) => listSuppressions(db, w, undefined, undefined, page),
  'suppressions, deep': (db, w) => listSuppressions(db, w, undefined, deep('sup'), page),
  'suppressions of an address': (db, w) => listSuppressions(db, w, '7@x.example', undefined, page),
  deals: (db, w) => listDeals(db, w, {}, undefined, page),
  'deals, open': (db, w) => listDeals(db, w, { state: 'open' }, undefined, page),
  'deals, closed, deep': (db, w) => listDeals(db, w, { state: 'closed' }, deep('dea'), page),
  operations: (db, w) => listOperations(db, w, {}, undefined, page),
  'operations, deep': (db, w) => listOperations(db, w, {}, deep(`${w}:`), page),
  'operations since a time': (db, w) =>
    listOperations(db, w, { from: new Date(middle) }, undefined, page),
  'rows of an import': (db, w) => listRows(db, `${w}:import`, -1, page),
  'rows of an import, deep': (db, w) => listRows(db, `${w}:import`, many / 2, page),
}

const listsByMarks: Record<string, List> = {
  'operations in a rare state': (db, w) =>
    listOperations(db, w, { state: 'failed' }, undefined, page),
  'operations of a kind, deep': (db, w) =>
    listOperations(db, w, { kind: 'message.queued', state: 'done' }, deep(`${w}:`), page),
  'events of a kind': (db, w) => listEventsOf(db, w, ['person.edited'], page, ['0', '0']),
  'events of a rare kind': (db, w) =>
    listEventsOf(db, w, ['deal.edited'], page, [String(100 + many / 6), '1']),
  'conversations with a label': conversations((w) => ({ label: `lbl_common${w}` })),
  'conversations with a rare label': conversations(() => ({ label: 'RARE' })),
  'conversations of a product': conversations((w) => ({ label: `prd_common${w}` })),
  'conversations of a rare product': conversations((w) => ({ label: `prd_rare${w}` })),
  'conversations with a rare label, open': conversations((w) => ({
    label: `lbl_rare${w}`,
    state: 'open',
  })),
  'conversations that wait for us': conversations(() => ({ waitingFor: 'us' })),
  'conversations that wait for us, longest first': conversations(
    () => ({ waitingFor: 'us', state: 'open' }),
    undefined,
    longest,
  ),
  'conversations that wait for clients, deep': conversations(
    () => ({ waitingFor: 'client', state: 'closed' }),
    deep('cnv'),
    shortest,
  ),
  'conversations of a member by how long they wait': conversations(
    (w) => ({ owner: `mem_${w}1` }),
    undefined,
    longest,
  ),
  'important conversations': conversations(() => ({ importance: 'high' })),
  'usual conversations, deep': conversations(
    () => ({ importance: 'normal', intent: 'other', state: 'closed' }),
    deep('cnv'),
  ),
  'conversations about an offer, by how long they wait': conversations(
    () => ({ intent: 'quote' }),
    undefined,
    longest,
  ),
  'conversations through an account with few': conversations((w) => ({
    via: w.replace('wsp_', 'con_a_'),
  })),
  'conversations through an account with many, open': conversations((w) => ({
    via: w.replace('wsp_', 'con_b_'),
    state: 'closed',
  })),
  'changed conversations that wait for us': conversations(() => ({ changes, waitingFor: 'us' })),
  'counts of conversations': (db, w) => countConversations(db, w, {}),
  'counts of conversations of a member': (db, w) =>
    countConversations(db, w, { owner: `mem_${w}1`, waitingFor: 'us' }),
  'changed conversations, open': conversations(() => ({ changes, state: 'open' })),
  'changed conversations of a member': conversations(
    (w) => ({ changes, owner: `mem_${w}1` }),
    deep('cnv'),
  ),
  'changed conversations with a rare label': conversations((w) => ({
    changes,
    label: `lbl_rare${w}`,
  })),
  'people with a field': people(() => ({ fields: [['half', 'true']] })),
  'people with a field, deep': people(() => ({ fields: [['half', 'true']] }), ['8', 'per']),
  'people with a rare field': people(() => ({ fields: [['tier', 'rare']] })),
  'people with a common and a rare field': people(() => ({
    fields: [
      ['half', 'true'],
      ['tier', 'rare'],
    ],
  })),
  'changed people with a field': people(() => ({ changes, fields: [['half', 'true']] })),
  'changed people with a rare field': people(() => ({ changes, fields: [['tier', 'rare']] })),
  'people of a product': people((w) => ({ label: `prd_common${w}` })),
  'people of a rare product': people((w) => ({ label: `prd_rare${w}` })),
  'people of a side': people(() => ({ side: 'buyer' })),
  'people of a rare side': people(() => ({ side: 'seller' })),
  'changed people of a rare product': people((w) => ({ changes, label: `prd_rare${w}` })),
  // The first person has a tenth of all conversations.
  'people of a campaign who replied': outcome('replied', 1),
  'people of a campaign who replied, deep': outcome('replied', many / 2),
  'people of a campaign who are interested': outcome('interested'),
  'people of a campaign who declined': outcome('declined'),
  'people of a campaign who unsubscribed': outcome('unsubscribed'),
  'people of a campaign, with what is known of them': (db, w) =>
    findReactions(db, told(w), people50(w)),
  'people whom nobody is called': people(() => ({ q: 'zqzq' })),
  'conversations that nothing mentions': conversations(() => ({ q: 'zqzq' })),
  'conversations that nothing mentions, by how long they wait': conversations(
    () => ({ q: 'zq' }),
    undefined,
    longest,
  ),
  'people of a segment': (db, w) => listSegmentPeople(db, w, `seg_common${w}`, undefined, page),
  'people of a segment, deep': (db, w) =>
    listSegmentPeople(db, w, `seg_common${w}`, ['8', 'per'], page),
  'people of a small segment': (db, w) => listSegmentPeople(db, w, `seg_rare${w}`, undefined, page),
}

const personOf = (workspace: string) => `per_${workspace}${'1'.padStart(24, '0')}`

describe(`a page of a list, of ${many} rows`, () => {
  let given: Awaited<ReturnType<typeof givenManyRows>>
  let explained: ReturnType<typeof openExplained>
  before(async function () {
    this.timeout(180_000)
    given = await givenManyRows(many)
    explained = openExplained(given.url)
  })
  after(async () => {
    await explained.close()
    await given.close()
  })

  const hold = (cases: Record<string, List>, most: number, mostPages = 4 * most) => {
    for (const [name, list] of Object.entries(cases))
      it(`reads at most ${most} rows: ${name}`, async () => {
        for (const workspace of [given.many, given.some])
          for (const { rows, pages, plan } of await explained.touched((db) => list(db, workspace)))
            ok(
              rows <= most && pages <= mostPages,
              `${rows} rows and ${pages} pages of 8 KB are read:\n${plan}`,
            )
      })
  }

  // A minute after rows were written in bulk, Postgres has looked at them. Until then it may read and sort a whole list, but it
  // never goes through it once for each of its rows.
  const holdWhole = () => {
    hold(lists, 4 * many)
    hold(listsByMarks, 4 * many, many / 2)
  }
  describe('without statistics', holdWhole)
  describe('without statistics, vacuumed', () => {
    before(function () {
      this.timeout(60_000)
      return given.vacuum()
    })
    holdWhole()
  })
  describe('with statistics', () => {
    before(function () {
      this.timeout(60_000)
      return given.analyse()
    })
    hold(lists, budget)
    hold(listsByMarks, budgetOfMarks)
  })
})
