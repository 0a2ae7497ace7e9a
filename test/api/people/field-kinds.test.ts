import { deepEqual } from 'node:assert/strict'
import { type SharedService, sharedService } from '../../support/service.ts'

describe('own fields of a CSV file', function () {
  this.timeout(60_000)
  let service: SharedService
  before(async function () {
    this.timeout(120_000)
    service = await sharedService(this.test?.ctx)
  })

  it('are numbers, true and false where those of people are, and text otherwise', async () => {
    const { call } = await service.workspace()
    const known = { seats: 40, vip: true, ref: 'x1', mixed: 1 }
    await call('POST', '/people', { email: 'a@x.test', fields: known })
    await call('POST', '/people', { email: 'b@x.test', fields: { mixed: 'one' } })
    const lines = [
      'E-mail,seats,vip,ref,mixed,zip',
      'n@x.test,41,FALSE,2,3,4711',
      'a@x.test,040,perhaps,x1,1,1e3',
      'c@x.test,9007199254740993,true,,,',
    ]
    const content = Buffer.from(lines.join('\n')).toString('base64')
    const body = { file: { name: 'p.csv', content }, mode: 'update' }
    const { sample } = (await call('POST', '/people/import', body, { key: null })).body
    deepEqual(
      sample.map((one: { fields: object }) => one.fields),
      [
        { seats: 41, vip: false, ref: '2', mixed: '3', zip: '4711' },
        { seats: '040', vip: 'perhaps', ref: 'x1', mixed: '1', zip: '1e3' },
        { seats: '9007199254740993', vip: true },
      ],
    )
  })
})
