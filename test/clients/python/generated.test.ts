import { deepEqual, equal, match } from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describeApi } from '../../../api/reference/openapi.ts'
import { routes } from '../../../api/routes/index.ts'
import { type Document, digestOf, shapesOf } from '../../../clients/document.ts'
import { errorCodes } from '../../../rules/problem.ts'
import { root } from '../../support/documents.ts'
import { pythonBin, pythonEnv } from '../../support/python.ts'

const run = promisify(execFile)
const described = describeApi(routes, { variant: 'full', publicUrl: 'http://127.0.0.1:8080' })
const document = JSON.parse(JSON.stringify(described)) as Document
const folder = join(root, 'clients/python')
const generated = join(folder, 'src/postroom/generated/schemas.py')

const snake = (text: string) => text.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

describe('what postroom of Python is made from', function () {
  this.timeout(120_000)
  let bin: string
  before(async function () {
    this.timeout(600_000)
    bin = await pythonBin(this)
  })

  const says = async (program: string) => {
    const { stdout } = await run(join(bin, 'python'), ['-c', program], { env: pythonEnv() })
    return JSON.parse(stdout)
  }

  it('is the document of this tree: npm run clients -- python --only generate', () => {
    const digest = digestOf(document, (text) => createHash('sha256').update(text).digest('hex'))
    const [, of] = /^# Of the document (\w+)\.$/m.exec(readFileSync(generated, 'utf8')) ?? []
    equal(of, digest)
  })

  it('names every operation, for both clients, and none as the clients name their own', async () => {
    const names = shapesOf(document).operations.map(({ id }) => snake(id))
    const own = ['answer', 'close', 'follow_events', 'stream_events', 'wait']
    for (const kind of ['Postroom', 'AsyncPostroom'])
      deepEqual(
        await says(
          `import json, postroom; print(json.dumps([name for name in dir(postroom.${kind}) if name[0] != "_"]))`,
        ),
        [...names, ...own].sort(),
      )
  })

  it('knows every code of a refusal', async () => {
    const codes = await says(
      `import json, typing, postroom
kinds = typing.get_args(postroom.Problem)
codes = [code for kind in kinds for code in typing.get_args(typing.get_type_hints(kind)["code"])]
print(json.dumps(codes))`,
    )
    deepEqual(codes.sort(), [...errorCodes].sort())
  })

  it('has types that can be read while it runs', async () => {
    const [some, all] = await says(
      `import json, typing, postroom.generated.schemas as schemas, postroom.generated.events as events
types = [one for of in (schemas, events) for one in vars(of).values() if typing.is_typeddict(one)]
print(json.dumps([len([one for one in types if typing.get_type_hints(one)]), len(types)]))`,
    )
    equal(some > 200, true)
    equal(all >= some, true)
  })

  it('is strict for mypy, for the oldest Python too', async () => {
    for (const version of ['3.10', '3.13'])
      match(
        (
          await run(join(bin, 'mypy'), ['--python-version', version], {
            cwd: folder,
            env: pythonEnv(),
          })
        ).stdout,
        /^Success/,
      )
  })
})
