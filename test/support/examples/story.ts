import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { httpFinder } from '../../../activities/ports/finder/http-finder.ts'
import type { Route } from '../../../api/route.ts'
import { adminRoutes } from '../../../api/routes/admin/index.ts'
import { routes } from '../../../api/routes/index.ts'
import { newId } from '../../../db/ids.ts'
import { startFinder } from '../finder.ts'
import { testMail } from '../mail.ts'
import { allScopes, caller, eventually, type Reply, startService } from '../service.ts'

// A week at Halden & Roe, the company of dev/demo.yml, in one call of each route: what it is asked and what it answers are the
// examples of the reference. Letters go to a mail sink; what happens outside, such as a proposal of a guest, is put into the
// database as it would have been found there. One file, because it is one story: what a call names was made by those before it.

// biome-ignore lint/suspicious/noExplicitAny: answers are read member by member.
type Any = any
export type Call = { path: Record<string, string>; request?: Any; answer: Any }

const table = new Map([...routes, ...adminRoutes].map((route) => [route.operationId, route]))
const root = join(import.meta.dirname, '../../..')

/** Plays it on a service of its own, and names every call that was refused on standard error: the tests want each route. */
export async function play(): Promise<Map<string, Call>> {
  const mail = await testMail()
  const finder = await startFinder([
    {
      name: 'Nuria Vidal',
      email: 'nuria@vidal.example',
      city: 'Valencia',
      jobTitle: 'Kitchen manager',
    },
    { name: 'Bruno Serra', email: 'bruno@serra.example', city: 'Valencia', jobTitle: 'Owner' },
  ])
  const service = await startService()
  try {
    await service.work(undefined, { finder: httpFinder(finder) })
    return await week(service, mail.smtpPort)
  } finally {
    await service.close()
    await finder.close()
  }
}

type Service = Awaited<ReturnType<typeof startService>>

async function week(service: Service, smtpPort: number) {
  const { db, clock } = service
  const admin = await service.administration()
  const calls = new Map<string, Call>()
  const refused: string[] = []
  let member = admin.call

  /** Calls a route; the first answer of each is kept, unless `keep` says otherwise. */
  async function call(
    id: string,
    path: Record<string, string> = {},
    request?: object,
    { keep = true, query = '', key }: { keep?: boolean; query?: string; key?: string } = {},
  ): Promise<Any> {
    const route = table.get(id) as Route
    const place = route.path.replace(/\{(\w+)\}/g, (_, name) =>
      encodeURIComponent(path[name] ?? ''),
    )
    const send = route.door === 'admin' ? admin.call : member
    const reply: Reply = await send(route.method, place + query, request, key ? { key } : {})
    if (reply.status !== 200) refused.push(`${id} ${place}: ${reply.status} ${reply.text}`)
    else if (keep && !calls.has(id) && reply.body !== undefined)
      calls.set(id, { path, ...(request && { request }), answer: reply.body })
    return reply.body ?? {}
  }

  // The application that embeds Postroom sets the company up.
  const text = readFileSync(join(root, 'dev/demo.yml'), 'utf8')
    .replaceAll(/"\$\{MAIL_SMTP_PORT:-\d+\}"/g, String(smtpPort))
    .replaceAll(/\$\{MAIL_PASSWORD:-demo\}/g, 'demo')
  const { prospects: _, ...document } = parse(text)
  for (const one of document.connections) {
    delete one.imap
    if (one.limits) one.limits.gapSeconds = 0
  }
  await call('putWorkspaceDocument', { id: 'wsp_demo' }, document, { keep: false })
  const { token } = await call(
    'createToken',
    { id: 'wsp_demo' },
    { member: 'mem_ana', client: 'CRM', scopes: allScopes, days: 90 },
  )
  member = caller(service.url, token)
  let segment = ''
  for (const part of [
    administration,
    inbox,
    cards,
    async () => {
      segment = await segments()
    },
    () => campaigns(segment),
    calendar,
    settings,
    hooks,
  ])
    await part().catch((error: Error) => refused.push(String(error.stack)))
  for (const one of refused) console.error(one)
  return calls

  async function administration() {
    const id = 'wsp_norte'
    await call(
      'putWorkspaceDocument',
      { id },
      {
        workspace: { id, name: 'Frío Norte', timezone: 'Europe/Madrid' },
        house: 'Write in Spanish. Never promise a date.',
        members: [
          {
            id: 'mem_isabel',
            name: 'Isabel Romero',
            email: 'isabel@frionorte.example',
            jobTitle: 'Owner',
          },
        ],
        products: [
          {
            id: 'prd_service',
            name: 'Cold room service',
            description: 'A visit every quarter.',
            side: 'sell',
            goal: 'sale',
          },
        ],
        billing: {
          plan: 'Team',
          status: 'active',
          period: { from: '2026-11-01', to: '2026-11-30' },
          seats: 2,
        },
      },
    )
    await call('getWorkspaceDocument', { id })
    await call('getAdminIdentity')
    await call('listWorkspaces')
    await call(
      'createWorkspaceMember',
      { id },
      {
        id: 'mem_jon',
        name: 'Jon Etxeberria',
        email: 'jon@frionorte.example',
        jobTitle: 'Service',
        zone: 'Customers around Bilbao',
        signature: 'Jon Etxeberria\nFrío Norte',
      },
    )
    await call('updateWorkspaceMember', { id, member: 'mem_jon' }, { jobTitle: 'Head of service' })
    const added = await call(
      'createConnection',
      { id },
      {
        account: 'jon@frionorte.example',
        member: 'mem_jon',
        name: "Jon's mailbox",
        password: 'correct horse battery staple',
        smtp: { host: 'smtp.frionorte.example', port: 465 },
        imap: { host: 'imap.frionorte.example', port: 993 },
        limits: { day: 50, week: 250, gapSeconds: 30 },
        save: 'always',
        discover: false,
      },
    )
    const connection = added.connection?.id ?? ''
    await call('getConnection', { id, connection })
    await call('updateConnection', { id, connection }, { limits: { day: 80 }, paused: true })
    await call('listConnections', { id })
    await call(
      'createMailboxLink',
      { id },
      { member: 'mem_jon', account: 'jon.etxeberria@frionorte.example', expiresInHours: 72 },
    )
    const second = await call(
      'createToken',
      { id },
      { member: 'mem_jon', client: 'Reports', scopes: ['inbox:read'], days: 30 },
      { keep: false },
    )
    await call('listTokens', { id })
    await call('revokeToken', { id, token: second.id ?? '' })
    await call('deleteConnection', { id, connection })
    await call('deleteWorkspaceMember', { id, member: 'mem_jon' }, { to: 'mem_isabel' })
    await call('holdWorkspace', { id }, { held: { why: 'The invoice of October is not paid.' } })
    const key = 'a3f0c9d2-61b7-4e0f-9a53-0c7e5d1b2f44'
    await call('eraseWorkspace', { id }, { confirm: id }, { key })
    await call('getAdminOperation', { key }, undefined, { query: '?workspace=wsp_norte' })
  }

  async function inbox() {
    await call('getIdentity')
    await call('getWorkspace')
    await call('listConversations')
    await call('getConversation', { id: 'cnv_markus' })
    await call('listMessages', { id: 'cnv_markus' })
    await call('countConversations')
    await call('addNote', { id: 'cnv_markus' }, { text: 'Called; he signs on Friday.' })
    await call(
      'createTask',
      { id: 'cnv_markus' },
      { text: 'Ask whether the offer has arrived.', due: '2030-11-26T08:30:00.000Z' },
    )
    const offer = Buffer.from('%PDF-1.4\n').toString('base64')
    await call('addLabel', { id: 'cnv_markus' }, { name: 'spring' })
    await call('listLabels')
    await call(
      'uploadFile',
      {},
      {
        name: 'offer.pdf',
        type: 'application/pdf',
        content: offer,
      },
    )
    const key = '6f1d7c1e-8a54-4a0e-9d39-0d4b3a3a5a11'
    const sent = await call(
      'sendMessage',
      { id: 'cnv_markus' },
      {
        text: 'Two spare sensors for each kitchen are in the offer now.',
        cc: ['office@vogel.example'],
        files: [{ name: 'offer.pdf', type: 'application/pdf', content: offer }],
      },
      { key },
    )
    const state = async () => (await member('GET', `/messages/${sent.id}`)).body?.state
    await eventually(state, (now) => now === 'sent', 60_000).catch(() =>
      refused.push('the message is not sent'),
    )
    await call('getMessage', { id: sent.id })
    await call('getOperation', { key })
    await call('listAttachments', { id: sent.id })
    const later = await call(
      'sendMessage',
      { id: 'cnv_giulia' },
      { text: 'Did the sensors arrive?', sendAt: '2030-11-26T08:30:00.000Z' },
      { keep: false },
    )
    await call('cancelMessage', { id: later.id })
    const outbound = async (conversation: string, subject: string) => {
      const id = newId('msg')
      const row = {
        workspace: 'wsp_demo',
        conversation,
        direction: 'outbound' as const,
        connection: 'con_ana',
        at: clock.now(),
        senderName: 'Ana Ruiz',
        senderHandle: 'ana@halden.example',
      }
      await db
        .insertInto('messages')
        .values({
          id,
          ...row,
          toAddress: 'sofia@azahar.example',
          subject,
          text: 'Four sensors are 196 EUR, and they come within a week.',
          state: 'sending',
          reason: 'unconfirmed',
          attempt: 'a',
        })
        .execute()
      return id
    }
    await call(
      'resolveMessage',
      { id: await outbound('cnv_sofia', 'Sensors for our cold room') },
      { outcome: 'sent' },
    )
    const failed = await outbound('cnv_sofia', 'Sensors for our cold room')
    await db
      .updateTable('messages')
      .set({ state: 'failed', reason: 'refused', code: '5.7.1', attempt: null })
      .where('id', '=', failed)
      .execute()
    await call('sendMessageAgain', { id: failed })
    await call(
      'updateConversation',
      { id: 'cnv_giulia' },
      { snoozeUntil: '2030-11-26T08:30:00.000Z', why: 'She is back on Tuesday' },
    )
    await call(
      'updateConversations',
      {},
      {
        conversations: ['cnv_pierre'],
        change: { closed: true, reason: 'no_response', labels: { add: ['spring'] } },
      },
    )
    await call(
      'openConversation',
      {},
      {
        person: 'per_lars',
        via: 'con_ana',
        subject: 'Fridge Sensor: a question',
        text: 'How many cold rooms do you have?',
        signature: true,
      },
    )
    await call('search', {}, undefined, { query: '?q=sensor' })
    await call('removeLabel', { id: 'cnv_markus', label: 'spring' })
  }

  async function cards() {
    await call('listPeople', {}, undefined, { query: '?q=vogel' })
    await call('getPerson', { id: 'per_markus' })
    const made = await call(
      'createPerson',
      {},
      {
        name: 'Ines Caldeira',
        email: 'ines@caldeira.example',
        company: 'Caldeira',
        externalId: 'crm-4711',
        fields: { tier: 'gold', seats: 40 },
      },
    )
    await call('updatePerson', { id: made.id }, { city: 'Porto', jobTitle: 'Owner' })
    await call('tagPerson', { id: made.id }, { label: 'prd_sensor', side: 'buyer' })
    await call('untagPerson', { id: made.id }, { label: 'prd_sensor', side: 'buyer' })
    await call(
      'savePeople',
      {},
      {
        people: [
          { externalId: 'crm-4711', email: 'ines@caldeira.example', fields: { tier: 'platinum' } },
          { name: 'Marco Bellini', email: 'marco@bellinicucina.example' },
        ],
        mode: 'update',
      },
    )
    await call('splitPerson', { id: 'per_jonas' }, { emails: ['jonas.lindqvist@post.example'] })
    const twin = await call(
      'createPerson',
      {},
      { name: 'Nora Haddad', email: 'nora.haddad@post.example' },
      { keep: false },
    )
    await call('mergePeople', { id: 'per_nora' }, { from: [twin.id] })
    await call('exportPerson', { id: made.id })
    const key = '2b9e4d70-5c1f-4f0a-8a36-7d1c0e9b5f22'
    const content = Buffer.from(
      'Full name,E-mail,Company\nPaula Costa,paula@costa.example,Costa Frio\nHugo Alves,hugo@alves.example,Alves\n',
    ).toString('base64')
    await call(
      'importPeople',
      {},
      {
        file: { name: 'people.csv', content },
        headings: 1,
        mode: 'complete',
        region: 'DE',
        commit: true,
      },
      { key },
    )
    await call('listImportedRows', { key })
    const stranger = await call(
      'createPerson',
      {},
      { name: 'Ida Berg', email: 'ida@berg.example' },
      { keep: false },
    )
    await call('erasePerson', { id: stranger.id })
  }

  async function segments() {
    const made = await call(
      'createSegment',
      {},
      {
        name: 'Kitchens',
        query: 'kitchen managers or owners',
        rules: [{ kind: 'except', text: 'in Bologna' }],
      },
    )
    const judged = async () => (await member('GET', `/segments/${made.id}`)).body
    await eventually(
      judged,
      (now: Any) => now?.judging?.state !== 'running' && now?.state !== 'judging',
      30_000,
    ).catch(() => {})
    await call('getSegment', { id: made.id })
    await call('listSegments')
    await call('addSegmentPeople', { id: made.id }, { people: ['per_lars', 'per_ingrid'] })
    await call('listSegmentPeople', { id: made.id })
    await call('removeSegmentPerson', { id: made.id, person: 'per_ingrid' })
    await call('updateSegment', { id: made.id }, { saved: true })
    await call('listSegmentProposals')
    await call(
      'findPeople',
      { id: made.id },
      { words: 'kitchen managers in Valencia', channel: 'email' },
    )
    await call('addFoundPeople', { id: made.id }, { want: 25 })
    const other = await call(
      'createSegment',
      {},
      { name: 'Hotels', query: 'hotel managers' },
      { keep: false },
    )
    await call('deleteSegment', { id: other.id })
    return made.id
  }

  async function campaigns(segment: string) {
    const brief = {
      name: 'Cold rooms',
      goal: 'Arrange a demo of ten minutes',
      segment,
      agent: 'agt_eva',
    }
    const made = await call('createCampaign', {}, { ...brief, places: 3, waitDays: [3, 5] })
    const id = made.id ?? made.campaign?.id
    await call(
      'updateCampaign',
      { id },
      { senders: ['con_ana'], addRules: ['Mention the spring fair.'] },
    )
    await call('prepareLetters', { id }, { write: [1, 2, 3] })
    await call('prepareLetters', { id }, { agree: [1, 2, 3] }, { keep: false })
    const all = async () => (await member('GET', `/campaigns/${id}/touches`)).body?.touches ?? []
    await call('setCampaignState', { id }, { to: 'running' })
    await eventually(
      all,
      (some: Any[]) => some.some(({ state }) => state === 'sent'),
      60_000,
    ).catch(() => refused.push('no letter is sent'))
    await call('setCampaignState', { id }, { to: 'paused' }, { keep: false })
    await call('listTouches', { id }, undefined, { query: '?state=sent&limit=2' })
    await call('listCampaignPeople', { id }, undefined, { query: '?limit=2' })
    const touches: Any[] = await all()
    const sent = touches.find(({ state }) => state === 'sent')
    await call('getTouch', { id, touch: sent?.id ?? '' })
    const next = touches.find(({ state }) => state === 'queued' || state === 'review')
    await call(
      'updateTouch',
      { id, touch: next?.id ?? '' },
      {
        subject: 'Your question about prices',
        text: 'Dear Ms Navarro, four sensors are 196 EUR. Shall we talk on Thursday?',
        agreed: true,
      },
    )
    await call('getCampaign', { id })
    await call('listCampaigns')
    const open = touches.filter(
      ({ state, id }) => (state === 'queued' || state === 'review') && id !== next?.id,
    )
    const [unsure] = open
    const returned = touches.filter(({ state }) => state === 'sent').at(-1)
    await db
      .updateTable('touches')
      .set({ state: 'sending', reason: 'unconfirmed', attempt: 'a', connection: 'con_ana' })
      .where('id', '=', unsure?.id ?? '')
      .execute()
    await call('resolveTouch', { id, touch: unsure?.id ?? '' }, { outcome: 'sent' })
    await db
      .updateTable('touches')
      .set({ state: 'failed', reason: 'refused', code: '5.7.1', connection: 'con_ana' })
      .where('id', '=', returned?.id ?? '')
      .execute()
    await call('setCampaignState', { id }, { to: 'running' }, { keep: false })
    await call('sendTouchAgain', { id, touch: returned?.id ?? '' })
    await call('setCampaignState', { id }, { to: 'done' }, { keep: false })
    const draft = await call(
      'createCampaign',
      {},
      { ...brief, name: 'Spring fair' },
      { keep: false },
    )
    await call('deleteCampaign', { id: draft.id ?? draft.campaign?.id })
  }

  async function calendar() {
    const times = {
      startsAt: new Date('2026-12-02T10:00:00.000Z'),
      endsAt: new Date('2026-12-02T10:30:00.000Z'),
    }
    const proposal = {
      id: newId('prp'),
      by: 'giulia@conti.example',
      at: clock.now().toISOString(),
      comment: 'Could we make it four?',
      state: 'open',
    }
    const meeting = await call(
      'bookMeeting',
      {},
      {
        title: 'Demo of the Fridge Sensor',
        day: '2030-11-26',
        start: '10:00',
        minutes: 30,
        guests: ['giulia@conti.example'],
      },
    )
    const id = meeting.id ?? ''
    const proposed = {
      ...proposal,
      startsAt: '2030-11-26T15:00:00.000Z',
      endsAt: '2030-11-26T15:30:00.000Z',
    }
    await db
      .updateTable('meetings')
      .set({ proposals: JSON.stringify([proposed]) })
      .where('id', '=', id)
      .execute()
    await call('getMeeting', { id })
    await call('answerMeetingProposal', { id, proposal: proposal.id }, { accept: true })
    await call('moveMeeting', { id }, { day: '2030-11-27', start: '16:00' })
    await call('getCalendar', {}, undefined, { query: '?from=2030-11-25&to=2030-12-01' })
    await call('cancelMeeting', { id })
    const { id: invited } = await db
      .selectFrom('messages')
      .select('id')
      .where('conversation', '=', 'cnv_sofia')
      .where('direction', '=', 'inbound')
      .executeTakeFirstOrThrow()
    const invitation = {
      ...{
        uid: 'visit@azahar.example',
        sequence: 0,
        instance: '',
        title: 'Visit of the cold rooms',
        startsAt: times.startsAt.toISOString(),
        endsAt: times.endsAt.toISOString(),
      },
      ...{
        isFullDay: false,
        repeats: false,
        organizer: 'sofia@azahar.example',
        organizerName: 'Sofía Navarro',
        location: 'Harbour Street 4',
        agenda: '',
        guests: [],
        state: 'open',
        invited: 'ana@halden.example',
      },
    }
    await db
      .updateTable('messages')
      .set({ invitation: JSON.stringify(invitation) })
      .where('id', '=', invited)
      .execute()
    await call(
      'answerInvitation',
      { id: invited },
      { answer: 'accepted', comment: 'See you there.' },
    )
  }

  async function settings() {
    await call('updateWorkspace', {}, { timezone: 'Europe/Berlin', tagging: true })
    for (const id of [
      'getHouseRules',
      'getBilling',
      'getDashboard',
      'listChannels',
      'listMessengerFolders',
      'listMembers',
      'listNotifications',
      'getSendersHealth',
      'listVoices',
      'getRouting',
      'getArchive',
      'listAgents',
      'listProducts',
      'listCompanies',
      'listDeals',
    ])
      await call(id)
    await call(
      'updateMember',
      { id: 'mem_ana' },
      {
        jobTitle: 'Sales',
        zone: 'New customers in Southern Europe',
        signature: 'Ana Ruiz\nHalden & Roe',
        defaultConnection: 'con_ana',
      },
    )
    const { notifications = [] } = (await member('GET', '/notifications')).body ?? {}
    await call(
      'markNotificationsRead',
      {},
      notifications.length > 0 ? { ids: [notifications[0].id] } : { all: true },
    )
    await call('checkSendersHealth', {}, { connection: 'con_ana' })
    await call('getAgent', { id: 'agt_eva' })
    await call(
      'updateAgent',
      { id: 'agt_eva' },
      {
        goal: 'Arrange a demo of ten minutes',
        rules: 'One question a letter, at most.',
        enabled: true,
        labels: ['prd_sensor'],
        channels: ['con_ana'],
        hours: { zone: 'Europe/Berlin', from: '09:00', to: '18:00', daysOff: ['sat', 'sun'] },
      },
    )
    await call('getProduct', { id: 'prd_sensor' })
    await call(
      'updateProduct',
      { id: 'prd_sensor' },
      {
        description: 'A temperature sensor for cold rooms.',
        side: 'sell',
        goal: 'demo',
        conditions: [{ key: 'price', value: '49 EUR', side: 'buyer' }],
      },
    )
    await call('getCompany', { id: 'com_halden' })
    await call(
      'updateCompany',
      { id: 'com_halden' },
      {
        pitch: 'We keep cold rooms cold.',
        policy: 'No politics, no discounts.',
        facts: [{ label: 'founded', value: '2016' }],
      },
    )
    const deal = await call(
      'createDeal',
      {},
      { label: 'prd_sensor', seller: 'per_diego', buyer: 'per_lena', agent: 'agt_eva' },
    )
    await call('getDeal', { id: deal.id ?? '' })
    await call('updateDeal', { id: deal.id ?? '' }, { stage: 'negotiating' })
    await call(
      'updateRouting',
      {},
      { do: 'add', field: 'sender', value: '@caldeira.example', member: 'mem_ana' },
    )
    await call('applyRouting', {}, { depth: 'month' })
    await call('updateArchive', {}, { do: 'start', since: '2026-01-01' })
    const { id } = await call('createSuppression', {}, { address: 'no-more@client.example' })
    await call('listSuppressions')
    await call('getSuppression', { id })
    await call('deleteSuppression', { id })
    await db
      .updateTable('connections')
      .set({ oauth: '"google"' })
      .where('id', '=', 'con_tom')
      .execute()
    await call('createConnectLink', { id: 'con_tom' })
    await call('listOperations', {}, undefined, { query: '?limit=3' })
    await call('listEvents', {}, undefined, { query: '?limit=3' })
    await call('listAuditEntries', {}, undefined, { query: '?limit=3' })
  }

  async function hooks() {
    const { id } = await call(
      'createWebhook',
      {},
      { url: 'https://crm.example/hooks/postroom', kinds: ['message.received', 'touch.sent'] },
    )
    await call('listWebhooks')
    await call('getWebhook', { id })
    await call('updateWebhook', { id }, { enabled: true, rotate: true })
    await call('testWebhook', { id })
    const event = await db
      .selectFrom('events')
      .select('id')
      .where('workspace', '=', 'wsp_demo')
      .orderBy('id')
      .executeTakeFirstOrThrow()
    const delivery = newId('dlv')
    await db
      .insertInto('deliveries')
      .values({
        id: delivery,
        webhook: id,
        event: event.id,
        state: 'failed',
        createdAt: clock.now(),
      })
      .execute()
    await call('listDeliveries', { id }, undefined, { query: '?limit=3' })
    await call('redeliverDelivery', { id, delivery })
    await call('deleteWebhook', { id })
  }
}
