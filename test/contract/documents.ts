import { describeApi } from '../../api/reference/openapi.ts'
import { asOpenApi30 } from '../../api/reference/openapi-3.0.ts'
import { adminRoutes } from '../../api/routes/admin/index.ts'
import { routes } from '../../api/routes/index.ts'

const publicUrl = 'http://127.0.0.1'

/** The documents as this release serves them, by the names under which those of the last release are kept. */
export const documents = {
  api: () => describeApi(routes, { variant: 'full', publicUrl }),
  reduced: () => describeApi(routes, { variant: 'reduced', publicUrl }),
  administration: () => describeApi(adminRoutes, { variant: 'full', publicUrl }),
}

/** The same in OpenAPI 3.0. */
export const olderDocuments = {
  'api-3.0': () => asOpenApi30(documents.api()),
  'reduced-3.0': () => asOpenApi30(documents.reduced()),
  'administration-3.0': () => asOpenApi30(documents.administration()),
}
