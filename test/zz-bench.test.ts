import { newId } from '/work/main/db/ids.ts'
import { startService } from '/work/main/test/support/service.ts'
describe('bench', () => {
  it('x', async function () {
    this.timeout(200000)
    const service = await startService()
    await service.work(this as any)
    const w = await service.workspace()
    const now = service.clock.now(); const n = 60000
    for (let k = 0; k < n; k += 2000) {
      const ids = Array.from({ length: 2000 }, () => newId('per'))
      await service.db.insertInto('people').values(ids.map((id, i) => ({ id, workspace: w.id, name: `Person ${k+i}`, city: i % 5 ? 'Berlin' : 'Rome', jobTitle: i%3?'Sales Director':'Cook', company: 'Firm ' + i, createdAt: now, updatedAt: now }))).execute()
      await service.db.insertInto('addresses').values(ids.flatMap((person, i) => [{ workspace: w.id, kind: 'email' as const, value: `p${k+i}@f${i}.example`, given: `p${k+i}@f${i}.example`, person, position: 0 }, { workspace: w.id, kind: 'phone' as const, value: `+4930${1000000+k+i}`, given: `+4930${1000000+k+i}`, person, position: 0 }])).execute()
      await service.db.insertInto('personTags').values(ids.map((person) => ({ person, label: w.product, side: 'buyer' as const, addedAt: now, removedAt: null }))).execute()
    }
    let a: any, id: string | undefined
    do {
      const t = performance.now()
      const r = await w.call('POST', '/segments', { query: 'sales directors in Germany', rules: [{ kind: 'except', text: 'Rome' }], ...(id && { segment: id }) })
      a = r.body; id = a.id
      const ms = performance.now() - t
      console.log(r.status, ms | 0, 'ms', a.judged, a.matched, a.remaining, a.members, (a.judged / ms * 1000) | 0, '/s')
    } while (a.remaining > 0)
    let t = performance.now(); await w.call('GET', '/segments'); console.log('list', performance.now() - t)
    t = performance.now(); const p = await w.call('GET', `/segments/${id}/people?limit=200`); console.log('people', performance.now() - t)
    t = performance.now(); await w.call('GET', `/segments/${id}/people?limit=200&cursor=${p.body.next}`); console.log('people', performance.now() - t)
    await service.close()
  })
})
