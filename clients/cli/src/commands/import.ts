import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Command } from 'commander'
import type { PeopleImport } from '../../../typescript/src/index.ts'
import { CommandFailure, exits, usage } from '../failure.ts'
import { type Add, helped } from '../helped.ts'
import { cut, facts, plain, table } from '../terminal.ts'
import { follow } from './operation.ts'

// More than the service takes of a file of people, which says so itself: this keeps anybody from uploading a film.
const largestFile = 16 * 1024 * 1024

type Given = { plan?: boolean; sheet?: string; mode?: string; region?: string; wait: boolean }

export const addImport: Add = (program, run) => {
  helped(
    program
      .command('import')
      .argument('<file>', 'a file of people: CSV, a workbook (.xlsx) or visiting cards (.vcf)')
      .option('--plan', 'show what would be done, and write nothing')
      .option('--sheet <name>', 'the sheet of a workbook')
      .option('--mode <mode>', 'complete fills what is empty; update also replaces', 'complete')
      .option('--region <country>', 'the country of phone numbers without a code, such as DE')
      .option('--no-wait', 'do not wait for its end')
      .summary('import people from a file')
      .description(
        'Imports people from a file and waits until it is done. With --plan it shows how the file is read: columns, new and known people, and rows that cannot be used.',
      ),
    'postroom import people.csv --plan',
    'postroom import people.xlsx --sheet Leads --mode update',
  ).action((path: string, given: Given, command: Command) =>
    run(command, async (session) => {
      const { terminal, signal } = session
      const { sheet, region, plan } = given
      const mode = given.mode === 'update' || given.mode === 'complete' ? given.mode : undefined
      if (!mode) throw usage(`--mode is complete or update, not ${given.mode}.`)
      const content = await contentOf(path)
      const body: PeopleImport = {
        file: { name: basename(path), content: content.toString('base64') },
        mode,
        ...(sheet !== undefined && { sheet }),
        ...(region !== undefined && { region }),
      }
      const client = await session.client()
      if (plan) {
        const answer = await client.importPeople(body, { signal })
        if (terminal.json) return terminal.object(answer)
        return showPlan(answer as Plan)
      }
      // A file is imported once, also if this command dies before it has the answer.
      const step = `import ${createHash('sha256').update(JSON.stringify(body)).digest('hex')}`
      const { key = '', body: answer } = await client
        .importPeople({ ...body, commit: true }, { step, signal })
        .answer()
      const over = () => client.keys.forget(step)
      if (!given.wait) {
        if (terminal.json) terminal.object({ operation: key, ...answer })
        else terminal.line(`Accepted. \`postroom operation ${key} --wait\` says when it is done.`)
        return over()
      }
      await follow(session, key, { forMs: 3_600_000, with: { operation: key } }).catch(
        async (error) => {
          if (error instanceof CommandFailure && error.failure.exit === exits.refused) await over()
          throw error
        },
      )
      const outcome = (await client.getOperation(key, {}, { signal })).result
      if (!terminal.json) {
        const { rows, errors = [] } = (outcome ?? {}) as Partial<Plan>
        if (rows) for (const line of facts(countsOf(rows), terminal)) terminal.line(line)
        for (const line of problemsOf(errors)) terminal.line(line)
      }
      await over()
      const { rows } = (outcome ?? {}) as Partial<Plan>
      if (rows?.['total'] && rows['total'] === rows['invalid'])
        throw new CommandFailure({
          exit: exits.refused,
          code: 'nothing_usable',
          message: 'No row of the file can be used.',
          hint: `\`postroom import ${path} --plan\` shows how its columns are read.`,
        })
      return

      function showPlan({ rows, columns, errors, warnings, suppressed }: Plan) {
        terminal.line(`${terminal.paint('bold', basename(path))}: nothing has been written.`)
        for (const line of facts(countsOf(rows), terminal)) terminal.line(line)
        terminal.line()
        const heads = [
          { head: 'COLUMN', flexible: true },
          { head: 'READ AS' },
          { head: 'FOR INSTANCE', flexible: true },
        ]
        const shown = columns.map(({ name, field, sample }) => [
          name,
          field ?? '(left out)',
          sample,
        ])
        for (const line of table(heads, shown, terminal)) terminal.line(line)
        if (suppressed.length)
          terminal.line(`\n${suppressed.length} of them must not be written to.`)
        for (const line of problemsOf([...errors, ...warnings])) terminal.line(line)
        terminal.line('\nWithout --plan, it is imported.')
      }

      function problemsOf(problems: Problems): string[] {
        const shown = problems
          .slice(0, 10)
          .map(({ row, column, message }) =>
            cut(
              `  row ${row}${column ? `, ${plain(column)}` : ''}: ${plain(message)}`,
              terminal.width,
            ),
          )
        if (problems.length > 10)
          shown.push(`  … and ${problems.length - 10} more (--json has all)`)
        return shown.length ? ['', terminal.paint('yellow', 'Rows to look at'), ...shown] : []
      }
    }),
  )
}

type Problems = { row: number; column: string | null; message: string }[]
type Plan = {
  rows: Record<string, number>
  columns: { name: string; field: string | null; sample: string }[]
  errors: Problems
  warnings: Problems
  suppressed: unknown[]
}

const words: Record<string, string> = {
  total: 'rows',
  new: 'new people',
  update: 'people to change',
  same: 'known, unchanged',
  duplicate: 'twice in the file',
  invalid: 'cannot be used',
  erased: 'were erased',
}

const countsOf = (rows: Record<string, number>): [string, string][] =>
  Object.entries(words).flatMap(([name, said]): [string, string][] => {
    const count = rows[name]
    return count === undefined || (count === 0 && name !== 'total') ? [] : [[said, String(count)]]
  })

async function contentOf(path: string): Promise<Buffer> {
  const failed = (why: string) =>
    usage(`${path}: ${why}`, 'Give the path of a CSV, .xlsx or .vcf file.')
  try {
    const { size, isFile } = await stat(path).then((found) => ({
      size: found.size,
      isFile: found.isFile(),
    }))
    if (!isFile) throw failed('is no file.')
    if (size === 0) throw failed('is empty.')
    if (size > largestFile) throw failed('is too large for a file of people.')
    return await readFile(path)
  } catch (error) {
    if (error instanceof CommandFailure) throw error
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw failed('there is no such file.')
    if (code === 'EACCES') throw failed('you may not read it.')
    throw error
  }
}
