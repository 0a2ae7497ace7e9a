import type { Command } from 'commander'
import { usage } from '../failure.ts'
import { type Add, helped } from '../helped.ts'
import { table } from '../terminal.ts'
import { spanOf } from '../times.ts'

// What a person looks for most often: somebody, and who waits for an answer.

const limitOf = (given: string): number => {
  const limit = Number(given)
  if (Number.isInteger(limit) && limit >= 1 && limit <= 200) return limit
  throw usage('--limit takes a number from 1 to 200.')
}

export const addInbox: Add = (program, run) => {
  const people = program.command('people').summary('find people').description('Finds people.')
  helped(
    people
      .command('find')
      .argument('<words...>', 'a part of the name, the address or the company')
      .option('--limit <number>', 'how many at most', '20')
      .summary('find people by words')
      .description('Finds people by a part of their name, address or company.'),
    'postroom people find caldeira',
  ).action((words: string[], given: { limit: string }, command: Command) =>
    run(command, async (session) => {
      const { terminal, signal } = session
      const query = { q: words.join(' '), limit: limitOf(given.limit) }
      const { people, next } = await (await session.client()).listPeople(query, { signal })
      if (terminal.json) return terminal.object({ people, next })
      if (people.length === 0) return terminal.line(`Nobody is found by “${query.q}”.`)
      const columns = [
        { head: 'ID' },
        { head: 'NAME', flexible: true },
        { head: 'ADDRESS', flexible: true },
        { head: 'COMPANY', flexible: true },
        { head: '' },
      ]
      const rows = people.map(({ id, name, email, company, suppressed }) => [
        ...[id, name, email, company, suppressed.length ? 'suppressed' : ''],
      ])
      for (const line of table(columns, rows, terminal)) terminal.line(line)
      if (next) terminal.say('There are more: name more words, or raise --limit.')
      return undefined
    }),
  )

  const conversations = program
    .command('conversations')
    .summary('show who waits for an answer')
    .description('Shows conversations.')
  helped(
    conversations
      .command('waiting')
      .option('--limit <number>', 'how many at most', '20')
      .summary('show who waits for an answer, longest first')
      .description('Shows the open conversations in which the client wrote last, longest first.'),
    'postroom conversations waiting',
  ).action((given: { limit: string }, command: Command) =>
    run(command, async (session) => {
      const { terminal, signal } = session
      const client = await session.client()
      const limit = limitOf(given.limit)
      const { conversations, next } = await client.listConversations(
        { waitingFor: 'us', state: 'open', sort: 'waitingSince', limit },
        { signal },
      )
      if (terminal.json) return terminal.object({ conversations, next })
      if (conversations.length === 0) return terminal.line('Nobody waits for an answer.')
      const names = new Map<string, string>()
      // One after the other: a list for people to read is short, and the service counts calls.
      for (const { person } of conversations)
        if (!names.has(person))
          names.set(
            person,
            await client.getPerson(person, { signal }).then(
              ({ name, email }) => name || email,
              () => person,
            ),
          )
      const columns = [
        { head: 'ID' },
        { head: 'WAITS' },
        { head: 'WHO', flexible: true },
        { head: 'SUBJECT', flexible: true },
        { head: 'WANTS' },
      ]
      const rows = conversations.map(({ id, waitingSince, person, subject, intent }) => [
        ...[id, spanOf(Date.now() - Date.parse(waitingSince))],
        ...[names.get(person) ?? person, subject, intent],
      ])
      for (const line of table(columns, rows, terminal)) terminal.line(line)
      if (next) terminal.say('There are more: raise --limit.')
      return undefined
    }),
  )
}
