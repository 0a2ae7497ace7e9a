import { type Kept, kept } from '../http/compressed.ts'
import { rendering } from '../reference/docs/page.ts'
import { briefFor, wholeFor } from '../reference/llms.ts'
import { describing } from '../reference/openapi.ts'
import { asOpenApi30 } from '../reference/openapi-3.0.ts'
import { inTurns } from '../reference/turns.ts'
import { writingYaml } from '../reference/yaml.ts'
import type { Deployment } from '../route.ts'
import { adminRoutes } from '../routes/admin/index.ts'
import { routes } from '../routes/index.ts'

// The OpenAPI documents and the reference, as bytes that are made once: when they are first requested, since most processes never
// need them, and in turns with other work.

export function openDocuments(deployment: Pick<Deployment, 'variant' | 'publicUrl'>) {
  const isFull = deployment.variant === 'full'
  const api = once(() => inTurns(describing(routes, deployment)))
  const admin = once(() => inTurns(describing(adminRoutes, deployment)))
  const bytesOf = async (document: Promise<object>) => kept(JSON.stringify(await document))
  return {
    api: once(() => bytesOf(api())),
    admin: once(() => bytesOf(admin())),
    api30: once(async () => kept(JSON.stringify(asOpenApi30(await api())))),
    admin30: once(async () => kept(JSON.stringify(asOpenApi30(await admin())))),
    yaml: once(async () => kept(await inTurns(writingYaml(await api())))),
    adminYaml: once(async () => kept(await inTurns(writingYaml(await admin())))),
    brief: once(async () => kept(briefFor(await api(), deployment))),
    whole: once(async () => kept(wholeFor(await api(), deployment))),
    docs: once(
      async (): Promise<Kept> =>
        kept(await inTurns(rendering(await api(), isFull ? await admin() : undefined))),
    ),
  }
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}
