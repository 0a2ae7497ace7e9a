import { globSync } from 'node:fs'
import { relative } from 'node:path'

// Which tests run when. Everything that is not named here is in the fast lane, and is dealt to several processes.

/** Only in `npm run test:all`: what takes a minute to show what the fast lane shows in small. */
export const slow: Record<string, string> = {
  'test/clients/python/killed.test.ts':
    'minutes of a program that is killed twenty times; once.test.ts loses the same answers one by one',
  'test/clients/cli/follows.test.ts':
    'programs that follow events while the API is started anew; reads.test.ts of the client follows them too',
  'test/clients/cli/whys.test.ts':
    'two programs for each of fifteen causes; campaigns.test.ts brings the causes about',
  'test/clients/typescript/killed.test.ts':
    'minutes of a program that is killed twenty times; once.test.ts loses the same answers one by one',
  'test/clients/typescript/package.test.ts':
    'compilers, runtimes and a browser; the other files of the folder run the same code',
  'test/contract/schemathesis.test.ts':
    'five thousand requests; schemathesis-short makes five hundred',
  'test/upgrades/old-runs.test.ts':
    'two releases as an operator runs them; the replay of histories shows what may break',
  'test/workflows/archive/parse-mailbox-run.test.ts':
    'six hundred mails while servers and workers die; parse-mailbox and parse-archive show the same apart',
  'test/workflows/campaigns/campaign-scale.test.ts':
    'twenty thousand people, for plans that grow quadratically',
  'test/workflows/worker/second-worker.test.ts':
    'two hundred mailboxes and fifty campaigns; wakes.test.ts counts what a wake causes',
  'test/workflows/campaigns/runner-scale.test.ts':
    'nine hundred sittings; runner.test.ts fills a history with fifty',
  'test/activities/ports/patient.test.ts':
    'waits for more than the minute after which letters were once given up',
  'test/api/admin/many-mailboxes.test.ts':
    'a hundred logins at two servers; verifications-at-once and connections try a few',
  'test/api/events/stream-scale.test.ts':
    'a million events of a hundred streams; stream.test.ts kills its process with forty',
  'test/contract/generators.test.ts':
    'three generators and a compiler over three documents; names and openapi hold what they stumble over',
  'test/contract/generated-clients.test.ts':
    'clients of three generators are made, compiled and play the main job; of all of them with npm run clients -- --generators',
  'test/contract/python-client.test.ts':
    'a client of Python is generated and does the main job; schemathesis-short reads the same document',
  'test/api/reference/docs.test.ts':
    'a browser walks through the reference twice; openapi, sentences and examples hold what it shows',
  'test/docs/tour.test.ts':
    'the whole stack; examples and drift hold the other documents to the code',
  'test/workflows/conversations/cut-lines-largest.test.ts':
    'letters of 25 MB, sent again and again; cut-lines has letters of two',
  'test/api/http/private-hosts.test.ts':
    'fourteen thousand calls; process/network/public-host tries the same hosts without any',
  'test/api/http/odd-inputs-all.test.ts':
    'eight thousand requests; odd-inputs gives each member a quarter of the odd values',
  'test/dev/start.test.ts':
    'the whole stack with a file of its own; start-letter starts it for a whole letter',
  'test/dev/worker-log.test.ts':
    'a minute of attempts that fail, which retry further apart each time',
  'test/workflows/sandbox/life-of-a-campaign.test.ts':
    'a campaign of two weeks to every recipient of a sandbox; lost-answer has one answer come back',
  'test/workflows/reading/logins.test.ts':
    'minutes of tries that follow each other ever more rarely; lying-servers and hidden-mails show the other troubles',
  'test/workflows/reading/quiet.test.ts':
    'minutes in which nothing comes; folders and lying-servers read the same servers',
  'test/workflows/reading/silent-servers.test.ts':
    'the limits of commands, which are half a minute and more; lying-servers has what shows at once',
  'test/faults/any-seed.test.ts':
    'another seed each time; seed.test.ts runs one that is always the same',
  'test/faults/erasure.test.ts':
    'processes of their own, killed in between; workflows/people/erase-person breaks off its worker',
  'test/faults/faults.test.ts':
    'each fault by itself, in processes of their own; a seed has several of them at once',
  'test/faults/frozen.test.ts':
    'two minutes of a worker that stands still; db/limits.test.ts has what Postgres ends',
  'test/faults/in-hand.test.ts':
    'waits longer than a worker that stops; workflows/conversations/in-hand.test.ts loses Temporal instead',
  'test/faults/pile.test.ts':
    'a thousand conversations in processes of their own, killed in between',
  'test/faults/webhooks.test.ts':
    'processes of their own, killed in between; workflows/events/deliver-events.test.ts stops its worker',
  'test/rules/linear-long.test.ts':
    'a minute of pure computing; linear and linear-readers feed a tenth as much',
}

/** Beside all others, in processes of their own: what waits for minutes and computes for seconds. */
export const waiting = [
  'test/workflows/reading/silent-servers.test.ts',
  'test/workflows/reading/quiet.test.ts',
  'test/workflows/reading/logins.test.ts',
  'test/workflows/reading/lying-servers.test.ts',
  'test/workflows/reading/dovecot.test.ts',
  'test/workflows/sending/slow-server.test.ts',
]

/** One after another, in a process of its own, when the others are done: what measures time. */
export const alone: Record<string, string> = {
  'test/api/http/stalls.test.ts': 'turns of the event loop, in milliseconds',
  'test/workflows/campaigns/campaign-scale.test.ts':
    'calls over twenty thousand people, in seconds',
  'test/workflows/conversations/send-at-once.test.ts': 'letters that have a second to go in',
}

export type Lanes = { shared: string[]; waiting: string[]; alone: string[] }

/** The files of a run, by how they are run: those of the places that are named, otherwise of the fast lane or of both. */
export function lanesOf({ all, places = [] }: { all: boolean; places?: string[] }): Lanes {
  const every = globSync('test/**/*.test.ts').sort()
  const files =
    places.length > 0
      ? every.filter((file) => places.some((place) => isIn(file, place)))
      : every.filter((file) => all || !(file in slow))
  return {
    shared: files.filter((file) => !(waiting.includes(file) || file in alone)),
    waiting: files.filter((file) => waiting.includes(file)),
    alone: files.filter((file) => file in alone),
  }
}

const isIn = (file: string, place: string) => {
  const path = relative('.', place)
  return file === path || file.startsWith(`${path}/`)
}
