import { z } from 'zod'
import { isInClear } from '../../process/network/loopback.ts'
import { type AddressKind, isRegion, readAddress, shownEmail } from '../../rules/addresses.ts'
import { usualEmailLimits } from '../../rules/budgets.ts'
import { plainIssue } from '../../rules/plain-issues.ts'
import { modes } from '../../rules/sandbox/mode.ts'
import { sideMeant, sidesGiven } from '../../rules/sides.ts'
import { plainLine } from '../../rules/text.ts'
import { noWorkspace } from '../../rules/workspace-id.ts'
import { ConditionEdit, FactEdit } from '../shapes/facts-and-conditions.ts'
import { HoursEdit } from '../shapes/hours.ts'
import { Words, Zone } from '../shapes/shapes.ts'
import { sentences } from './sentences.ts'

// The file in which an operator describes a workspace. What a file leaves out stays as it is (or, for something new,
// gets its default, from the end of this file), so no member here has a default of its own. A member without a value
// counts as left out. One file, because this is one shape.

const blankIsAbsent = <T extends z.ZodType>(shape: T) =>
  z.preprocess((value) => value ?? undefined, shape.optional())
// Names and subjects become lines of letters.
const short = z.string().overwrite(plainLine).trim().min(1).max(300)
const long = z.string().max(300_000)
const maybe = blankIsAbsent(z.string().max(300))
const maybeLine = blankIsAbsent(z.string().max(300).overwrite(plainLine))
const maybeLong = blankIsAbsent(long)
const words = blankIsAbsent(Words)

const Region = z
  .string()
  .overwrite((code) => code.trim().toUpperCase())
  .refine(isRegion, { message: 'must be the two letters of a country, such as DE' })

// A ${VARIABLE} is always text, so numbers and booleans are read from text too.
const number = (shape: z.ZodNumber) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value),
    shape,
  )
const flag = z.preprocess(
  (value) => (value === 'true' ? true : value === 'false' ? false : value),
  z.boolean(),
)

// Ids become part of addresses and of workflow ids, hence the limits on their characters and length.
const idMessage = 'may contain only letters, digits and . _ ~ -'
const Id = z
  .string()
  .max(100)
  .regex(/^[\w.~-]+$/, { message: idMessage })
const WorkspaceId = z
  .string()
  .max(64)
  .regex(/^[\w.~-]+$/, { message: idMessage })
  .refine((id) => id !== noWorkspace, { message: `must not be ${noWorkspace}` })
// Cleaned as everywhere: an account with an invisible character in it would not be the one that letters come to.
const Address = z
  .string()
  .overwrite(shownEmail)
  .max(254)
  .regex(/^[^\s@]+@[^\s@]+$/, { message: 'must be an e-mail address' })
const Side = z
  .enum(sidesGiven)
  .transform((side) => sideMeant(side))
  .meta({ enum: [...new Set(sidesGiven.map(sideMeant))] })
const Markets = z.array(short).max(500)

const Tls = z.union(
  [
    z.enum(['required', 'none']),
    z
      .strictObject({ servername: maybe, ca: blankIsAbsent(z.string().max(100_000)) })
      .meta({ id: 'FileTls' }),
  ],
  { error: 'must be required, none, or an object of servername and ca' },
)
const server = {
  host: short,
  port: number(z.number().int().min(1).max(65535)),
  secure: blankIsAbsent(flag),
  user: maybe,
  password: maybe,
  tls: blankIsAbsent(Tls),
}
const eitherTls = {
  path: ['tls'],
  message: 'is none, although secure is true: these contradict each other',
}
const notBoth = ({ secure, tls }: { secure?: boolean | undefined; tls?: unknown }) =>
  !(secure && tls === 'none')
const Smtp = z
  .strictObject({ ...server, dkimSelector: maybe })
  .refine(notBoth, eitherTls)
  .meta({ id: 'FileSmtp' })
const Imap = z
  .strictObject({
    ...server,
    filesSent: blankIsAbsent(flag),
    folders: blankIsAbsent(
      z
        .strictObject({ leaveOut: blankIsAbsent(z.array(z.string().min(1))) })
        .meta({ id: 'FileImapFolders' }),
    ),
  })
  .refine(notBoth, eitherTls)
  .meta({ id: 'FileImap' })
// An empty variable as port means that there is no such server here.
const ImapIfAny = z.preprocess(
  (value) => ((value as { port?: unknown } | null)?.port === '' ? undefined : (value ?? undefined)),
  Imap.optional(),
)
// A key of 24 to 64 bytes in base64, as in Standard Webhooks.
const Secret = z.string().regex(/^(whsec_)?[A-Za-z0-9+/]{32,88}={0,2}$/, {
  message: 'must be a key of 24 to 64 bytes in base64, with or without the prefix whsec_',
})
/** Secrets of a document that shows what is may be left out: then they stay. */
type Kept = { secretsStay: boolean }
const secretOf = ({ secretsStay }: Kept) => (secretsStay ? blankIsAbsent(Secret) : Secret)
const bridgeOf = (kept: Kept) =>
  z
    .strictObject({
      url: z.url({ protocol: /^https?$/, message: 'must be an http or https address' }).max(2000),
      secret: secretOf(kept),
    })
    .meta({ id: 'FileBridge' })
/** Whether nobody can read what is sent there; what is no address is refused as such. */
const isSealed = (url: string) => !URL.canParse(url) || !isInClear(url)
const HttpsOrHere = z
  .url({ protocol: /^https?$/, error: 'must be an https address' })
  .max(2000)
  .refine(isSealed, { message: 'must be https, since secrets are sent there' })
  .refine((url) => !/^https?:\/\/[^/?#]*@/i.test(url), {
    message: 'must not have a user and a password in it',
  })
const issuerOf = ({ secretsStay }: Kept) =>
  z
    .strictObject({
      issuer: HttpsOrHere.refine((url) => !/[?#]/.test(url), {
        message: 'must not have a query or a fragment (OpenID Connect Discovery, 4)',
      }),
      clientId: short,
      clientSecret: maybe,
      scopes: blankIsAbsent(
        z
          .array(
            short.regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, {
              message: 'must be a scope: one word',
            }),
          )
          .max(50),
      ),
      grant: blankIsAbsent(z.enum(['authorization_code', 'client_credentials'])),
    })
    .refine(
      ({ grant, clientSecret }) => secretsStay || grant !== 'client_credentials' || clientSecret,
      {
        path: ['clientSecret'],
        message: 'is needed with grant: client_credentials',
      },
    )
const tokenServerOf = (kept: Kept) =>
  z.strictObject({
    tokenServer: z.strictObject({ url: HttpsOrHere, secret: secretOf(kept) }),
  })
const named = ['google', 'microsoft', 'none'] as const
// One of the shapes is chosen by what is given, so that what is wrong with it is named, and not that none fits.
const oauthOf = (kept: Kept) =>
  z.unknown().transform((value, context) => {
    const shape =
      typeof value !== 'object'
        ? z.enum(named, { error: `must be ${named.join(', ')}, or an object` })
        : value !== null && 'tokenServer' in value
          ? tokenServerOf(kept)
          : issuerOf(kept)
    const read = shape.safeParse(value, { error: plainIssue })
    if (read.success) return read.data
    for (const issue of read.error.issues) context.issues.push({ ...issue, input: value } as never)
    return z.NEVER
  })
// The name that a mail server gives itself in Authentication-Results (RFC 8601, 2.5); a provider may have several.
const Authserv = z.preprocess(
  (value) => (typeof value === 'string' ? [value] : value),
  z
    .array(
      z
        .string()
        .trim()
        .toLowerCase()
        .regex(/^[a-z0-9](?:[a-z0-9._-]{0,253}[a-z0-9])?$/, {
          message: 'must be the name of a mail server, such as mx.example.com',
        }),
    )
    .max(20),
)
const limit = blankIsAbsent(number(z.number().int().min(0).max(1_000_000)))

const connectionOf = (kept: Kept) =>
  z
    .strictObject({
      id: Id,
      kind: z.enum(['email', 'professional_network', 'messenger']),
      name: maybeLine,
      account: short,
      member: Id,
      limits: blankIsAbsent(
        z.strictObject({ day: limit, week: limit, gapSeconds: limit }).meta({ id: 'FileLimits' }),
      ),
      smtp: blankIsAbsent(Smtp),
      imap: ImapIfAny,
      oauth: blankIsAbsent(oauthOf(kept)),
      authserv: blankIsAbsent(Authserv),
      bridge: blankIsAbsent(bridgeOf(kept)),
    })
    .meta({ id: 'FileConnection' })
    .overwrite((one) => (one.kind === 'email' ? { ...one, account: shownEmail(one.account) } : one))

const Calendar = z
  .strictObject({
    id: Id,
    name: short,
    member: Id,
    caldav: z
      .strictObject({
        url: z.url({ protocol: /^https?$/, error: 'must be the address of a calendar' }),
        user: maybe,
        password: maybe,
        tls: blankIsAbsent(z.literal('none', { error: 'must be none or absent' })),
      })
      .refine(({ url, password, tls }) => !password || tls === 'none' || isSealed(url), {
        path: ['url'],
        message: 'must be https, since a password is sent there (or set tls: none)',
      })
      .meta({ id: 'FileCaldav' }),
  })
  .meta({ id: 'FileCalendar' })

const oneOrMore = (kind: AddressKind, message: string) =>
  blankIsAbsent(
    z.preprocess(
      (value) => (typeof value === 'string' ? [value] : value),
      z.array(short.refine((text) => readAddress(kind, text), { message })).max(20),
    ),
  )
const emails = oneOrMore('email', 'must be an e-mail address')
const phones = oneOrMore('phone', 'must be a phone number')
const Person = z
  .strictObject({
    id: Id,
    name: maybeLine,
    city: maybeLine,
    jobTitle: maybeLine,
    company: maybeLine,
    email: emails,
    emails,
    phone: phones,
    phones,
    linkedin: oneOrMore('linkedin', 'must be a profile address'),
    tags: blankIsAbsent(
      z.array(z.strictObject({ label: short, side: Side }).meta({ id: 'FileTag' })),
    ),
  })
  .meta({ id: 'FilePerson' })

const At = z.union(
  [z.iso.datetime({ offset: true }), z.string().regex(/^-(?=\d)(\d+d)?(\d+h)?(\d+m)?$/)],
  {
    error:
      'must be a timestamp such as 2026-11-23T09:00:00Z, or a time before now such as -2d, -3h or -1d4h30m',
  },
)
const Attachment = z
  .strictObject({
    name: short,
    type: maybe,
    content: blankIsAbsent(z.base64({ message: 'must be base64' })),
    text: maybeLong,
  })
  .meta({ id: 'FileAttachment' })
const Message = z
  .strictObject({
    direction: z.enum(['inbound', 'outbound']),
    from: maybeLine,
    to: maybeLine,
    subject: maybeLine,
    text: long,
    at: At,
    automated: blankIsAbsent(flag),
    agent: blankIsAbsent(Id),
    messageId: maybe,
    files: blankIsAbsent(z.array(Attachment).max(20)),
  })
  .meta({ id: 'FileMessage' })
const Conversation = z
  .strictObject({
    id: Id,
    person: Id,
    connection: Id,
    kind: maybe,
    subject: maybeLine,
    owner: blankIsAbsent(Id),
    folder: blankIsAbsent(Id),
    labels: blankIsAbsent(z.array(short).max(50)),
    importance: maybe,
    intent: maybe,
    messages: z.array(Message).min(1),
  })
  .meta({ id: 'FileConversation' })

// How long something is kept; what would be kept no day at all is a mistake.
const Days = blankIsAbsent(
  z.union([number(z.number().int().min(1).max(36_500)), z.literal('forever')], {
    error: 'must be a whole number of days from 1 to 36500, or forever',
  }),
)

const most = blankIsAbsent(number(z.number().int().min(0).max(Number.MAX_SAFE_INTEGER)))

const listOf = <T extends z.ZodType>(shape: T) => blankIsAbsent(z.array(shape))

const fileOf = (kept: Kept) =>
  z.strictObject({
    workspace: z
      .strictObject({
        id: WorkspaceId,
        name: short,
        timezone: Zone,
        tagging: blankIsAbsent(flag),
        region: blankIsAbsent(Region),
        mode: blankIsAbsent(z.enum(modes)),
      })
      .meta({ id: 'FileWorkspace' }),
    house: words,
    members: listOf(
      z
        .strictObject({
          id: Id,
          name: short,
          email: Address,
          jobTitle: maybeLine,
          zone: words,
          signature: words,
        })
        .meta({ id: 'FileMember' }),
    ),
    connections: listOf(connectionOf(kept)),
    calendars: listOf(Calendar),
    products: listOf(
      z
        .strictObject({
          id: Id,
          name: short,
          description: words,
          side: blankIsAbsent(z.enum(['sell', 'buy', 'both'])),
          goal: maybeLong,
          conditions: listOf(ConditionEdit),
          markets: blankIsAbsent(Markets),
        })
        .meta({ id: 'FileProduct' }),
    ),
    companies: listOf(
      z
        .strictObject({
          id: Id,
          name: short,
          pitch: words,
          policy: words,
          facts: listOf(FactEdit),
          markets: blankIsAbsent(Markets),
        })
        .meta({ id: 'FileCompany' }),
    ),
    agents: listOf(
      z
        .strictObject({
          id: Id,
          name: short,
          company: blankIsAbsent(Id),
          goal: words,
          rules: words,
          knowledge: words,
          enabled: blankIsAbsent(flag),
          labels: listOf(short),
          channels: listOf(Id),
          hours: blankIsAbsent(HoursEdit),
        })
        .meta({ id: 'FileAgent' }),
    ),
    prospects: maybe,
    folders: listOf(
      z.strictObject({ id: Id, name: short, channel: Id }).meta({ id: 'FileFolder' }),
    ),
    people: listOf(Person),
    conversations: listOf(Conversation),
    deals: listOf(
      z
        .strictObject({
          id: Id,
          label: short,
          seller: Id,
          buyer: Id,
          agent: Id,
          stage: blankIsAbsent(z.string().trim().min(1).max(100)),
          closed: blankIsAbsent(flag),
        })
        .meta({ id: 'FileDeal' }),
    ),
    retention: blankIsAbsent(
      z
        .strictObject({
          messages: Days,
          files: Days,
          inboxWithoutPerson: Days,
          audit: Days,
          notifications: Days,
        })
        .meta({ id: 'FileRetention' }),
    ),
    quotas: blankIsAbsent(
      z
        .strictObject({
          queuedMessages: most,
          runningCampaigns: most,
          openImports: most,
          connections: most,
          bytes: most,
        })
        .meta({ id: 'FileQuotas' }),
    ),
    billing: blankIsAbsent(
      z
        .looseObject({
          plan: short,
          status: maybe,
          period: blankIsAbsent(
            z
              .strictObject({ from: z.iso.date(), to: z.iso.date() })
              .meta({ id: 'FileBillingPeriod' }),
          ),
          seats: blankIsAbsent(number(z.number().int().min(0))),
        })
        .meta({ id: 'FileBilling' }),
    ),
  })
export const WorkspaceFile = fileOf({ secretsStay: false })
export type WorkspaceFile = z.output<typeof WorkspaceFile>

/** The same as a document of the administration, which names no file and may leave out secrets that are there. */
const described = fileOf({ secretsStay: true }).omit({ prospects: true })
export type WorkspaceDocument = z.output<typeof described>
/** The path of the call names the workspace, so the document need not. */
export const WorkspaceDocument = described
  .extend({
    workspace: described.shape.workspace
      .extend({ id: blankIsAbsent(WorkspaceId) })
      .meta({ id: 'FileWorkspace' }),
  })
  .meta({ id: 'WorkspaceFile', sentences })

// The values of something new where the file says nothing.

export const usualLimits = {
  email: usualEmailLimits,
  professional_network: { limitDay: 20, limitWeek: 100, gapSeconds: 30 },
  messenger: { limitDay: 20, limitWeek: 100, gapSeconds: 30 },
}

/** The hours of an agent, in the workspace's zone. */
export const usualHours = { from: '09:00', to: '18:00', daysOff: [] as string[] }
