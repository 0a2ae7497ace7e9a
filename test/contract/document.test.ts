import { equal, ok } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describeApi } from '../../api/reference/openapi.ts'
import { routes } from '../../api/routes/index.ts'
import { pythonTool } from '../support/venv.ts'

for (const variant of ['full', 'reduced'] as const)
  describe(`the OpenAPI document of the ${variant} deployment, checked by independent tools`, () => {
    let validator: string
    const document = JSON.stringify(describeApi(routes, { variant, publicUrl: 'http://127.0.0.1' }))

    before(async function () {
      this.timeout(600_000)
      const requirement = 'openapi-spec-validator==0.9.0'
      validator = await pythonTool('openapi-spec-validator', requirement, this)
    })

    async function run(command: string, args: string[]) {
      const child = spawn(command, args)
      child.stdin.end(document)
      const [out, error] = await Promise.all([text(child.stdout), text(child.stderr)])
      return { code: child.exitCode, out, error }
    }

    it('is a valid OpenAPI 3.1 document', async function () {
      this.timeout(120_000)
      const { out, error } = await run(validator, ['-'])
      equal(error, '')
      ok(/OK/.test(out), out)
    })

    it('holds examples that are valid by the schemas beside them', async function () {
      this.timeout(120_000)
      const python = join(dirname(validator), 'python')
      const { out, error } = await run(python, [join(import.meta.dirname, 'examples.py')])
      equal(out, '')
      ok(Number(/^(\d+) examples/.exec(error)?.[1]) > 100, error)
    })
  })
