// biome-ignore-all assist/source/organizeImports: the imports stand in the order of the interface, like the table.
import type { Route } from '../../route.ts'
import { routes as identity } from './identity.ts'
import { routes as workspaces } from './workspaces.ts'
import { routes as connections } from './connections.ts'
import { routes as links } from './links.ts'
import { routes as document } from './document.ts'
import { routes as members } from './members.ts'
import { routes as tokens } from './tokens.ts'
import { operationRoutes } from './operations.ts'

/** Every address of the administration, below /admin/v1. */
export const adminRoutes: Route[] = [
  ...identity,
  ...workspaces,
  ...connections,
  ...links,
  ...document,
  ...members,
  ...tokens,
  ...operationRoutes(() => adminRoutes),
]
