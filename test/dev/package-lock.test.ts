import { deepEqual } from 'node:assert/strict'
import lock from '../../package-lock.json' with { type: 'json' }

type Package = {
  optionalDependencies?: Record<string, string>
  resolved?: string
  integrity?: string
}
const packages = Object.entries(lock.packages as Record<string, Package>)
const [, ...installed] = packages

describe('package-lock.json', () => {
  it('names the optional packages of every platform', () => {
    const named = new Set(packages.map(([path]) => path.split('node_modules/').at(-1)))
    const missing = packages.flatMap(([, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter((name) => !named.has(name)),
    )
    deepEqual(missing, [])
  })

  it('names no registry', () => {
    deepEqual(
      packages.filter(([, { resolved }]) => resolved).map(([path]) => path),
      [],
    )
  })

  it('has a hash for everything that is installed', () => {
    deepEqual(
      installed
        .filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))
        .map(([path]) => path),
      [],
    )
  })
})
