// Which file may import which: the one table of it. test/rules/imports.test.ts holds every import to it.

/**
 * What the files below `place` may import, by the beginnings of paths; their own floor they always may. `types` may be imported
 * as types alone. `packages` are never imported, by the beginning of their name.
 */
export type Floor = { place: string; imports: string[]; types?: string[]; packages?: string[] }

/** Rooms of which other code imports the doors alone: files of the room, or folders. Tests may look behind them. */
export const rooms: { place: string; doors: string[] }[] = [
  {
    place: 'rules/mail/',
    doors: [
      // The reader, what it returns, and whose mail that is once our own addresses are known.
      'read.ts',
      'received.ts',
      'as-written.ts',
      // What words of people and of servers say, wherever they were written.
      'wishes/marks.ts',
      'subjects.ts',
      'own-words.ts',
      'phrases.ts',
      // HTML: made safe to show, fit to send, and as words.
      'html/',
    ],
  },
]

const floor = ['rules/', 'process/', 'db/', 'oauth/']

export const floors: Floor[] = [
  {
    place: 'rules/',
    imports: [],
    packages: [
      'kysely',
      'pg',
      'koa',
      '@koa/',
      '@temporalio/',
      'node:http',
      'node:net',
      'node:child_process',
    ],
  },
  {
    place: 'process/',
    imports: ['rules/', 'package.json'],
    packages: ['kysely', 'pg', 'koa', '@koa/', '@temporalio/', 'nodemailer', 'imapflow'],
  },
  // Whatever has to be known beyond the database, it is given.
  {
    place: 'db/',
    imports: ['rules/', 'process/limits/gather.ts'],
    packages: ['koa', '@koa/', '@temporalio/'],
  },
  {
    place: 'oauth/',
    imports: ['rules/', 'process/network/', 'db/'],
    packages: ['koa', '@koa/', '@temporalio/', 'nodemailer', 'imapflow'],
  },
  {
    place: 'workflows/',
    imports: ['rules/'],
    // They call activities by name: of their code nothing is bundled with them.
    types: ['activities/'],
    // Workflow code is bundled and replayed.
    packages: ['node:', 'zod', 'luxon', 'kysely', 'pg', '@temporalio/client', '@temporalio/worker'],
  },
  {
    place: 'activities/',
    imports: [...floor, 'workflows/ids.ts', 'workflows/catalogue.ts'],
    types: ['workflows/'],
    packages: ['koa', '@koa/', '@temporalio/workflow'],
  },
  {
    place: 'api/',
    imports: [...floor, 'package.json'],
    types: ['workflows/'],
    // The API reads and writes Postgres alone: work goes through the outbox.
    packages: ['@temporalio/'],
  },
  {
    place: 'dev/operator/',
    imports: [...floor, 'workflows/', 'activities/', 'api/'],
  },
  {
    place: 'dev/stack/',
    imports: [...floor, 'workflows/', 'activities/', 'api/', 'dev/operator/'],
  },
  {
    place: 'dev/demo/',
    imports: [...floor, 'workflows/', 'activities/', 'api/', 'dev/operator/', 'dev/stack/'],
  },
  {
    place: 'dev/up.ts',
    imports: [...floor, 'workflows/', 'activities/', 'api/', 'dev/operator/', 'dev/stack/'],
  },
  // A client shares no code with the service: what it knows of it stands in the document.
  { place: 'clients/typescript/', imports: [] },
  { place: 'clients/cli/', imports: ['clients/typescript/'] },
  { place: 'clients/run.ts', imports: [...floor, 'api/'] },
  {
    place: 'test/',
    imports: [...floor, 'clients/', 'package.json', 'workflows/', 'activities/', 'api/', 'dev/'],
  },
]

const wings = [
  ...['operations', 'events', 'workspace', 'accounts', 'outgoing', 'people', 'segments'],
  ...['conversations', 'campaigns', 'calendar', 'inbox', 'archive', 'erasure'],
]
// What goes out lies in the tables of what it is: a message, a letter of a campaign, a mail about a meeting.
// How far an erasure has come stands with the people.
const wingsWithTables = wings.filter((wing) => !['outgoing', 'erasure'].includes(wing))

/**
 * The order of the rooms within a floor: a file imports those of its own room and of the rooms before it. A room is a folder, or
 * one file of the folder around it; the innermost one counts.
 */
export const orders: string[][] = [
  [
    'process/version.ts',
    'process/network/',
    'process/telemetry/',
    'process/limits/',
    'process/children/',
    'process/config.ts',
  ],
  [
    'db/columns.ts',
    ...wingsWithTables.map((wing) => `db/${wing}/tables.ts`),
    'db/migrations/',
    'db/',
    ...wings.map((wing) => `db/${wing}/`),
  ],
  [
    'activities/common/',
    'activities/ports/',
    'activities/deps.ts',
    // A look at the accounts also asks bridges for what became of their messages.
    ...['operations', 'events', 'outgoing', 'people', 'segments', 'conversations', 'accounts'].map(
      (wing) => `activities/${wing}/`,
    ),
    ...['campaigns', 'calendar', 'inbox', 'archive'].map((wing) => `activities/${wing}/`),
    'activities/children/',
    'activities/index.ts',
    'activities/worker/',
    'activities/worker.ts',
  ],
  [
    'api/http/',
    'api/route.ts',
    'api/shapes/',
    'api/router.ts',
    'api/query.ts',
    'api/wake-relay.ts',
    'api/accept.ts',
    'api/once.ts',
    'api/context.ts',
    'api/serve.ts',
    'api/reference/',
    'api/workspace-file/',
    'api/routes/changes.ts',
    'api/routes/written-with.ts',
    ...['operations', 'events', 'workspace', 'accounts', 'people', 'segments', 'conversations'].map(
      (wing) => `api/routes/${wing}/`,
    ),
    ...['campaigns', 'calendar', 'archive'].map((wing) => `api/routes/${wing}/`),
    'api/routes/admin/',
    'api/routes/index.ts',
    'api/public/',
    'api/mcp/',
    'api/app.ts',
    'api/server.ts',
  ],
]
