import { describeApi } from '../../api/reference/openapi.ts'
import { adminRoutes } from '../../api/routes/admin/index.ts'
import { routes } from '../../api/routes/index.ts'

const publicUrl = 'http://127.0.0.1'

/** The documents as this release serves them, by the names under which those of the last release are kept. */
export const documents = {
  api: () => describeApi(routes, { variant: 'full', publicUrl }),
  reduced: () => describeApi(routes, { variant: 'reduced', publicUrl }),
  administration: () => describeApi(adminRoutes, { variant: 'full', publicUrl }),
}
