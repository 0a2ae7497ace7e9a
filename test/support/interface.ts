// The addresses of the interface's tables, in their order; * marks those of the reduced deployment.

const table = `
  * GET
  * GET /workspace
  * PATCH /workspace
  * GET /labels
  * GET /audit
  * GET /channels
    GET /channels/messenger-folders
  * GET /members
  * PATCH /members/{id}
  * GET /house
    GET /billing
    GET /dashboard
  * GET /conversations
  * GET /conversations/{id}
  * PATCH /conversations/{id}
  * GET /conversations/{id}/messages
  * POST /conversations/{id}/messages
  * POST /conversations/{id}/notes
  * POST /conversations/{id}/labels
  * DELETE /conversations/{id}/labels/{label}
    POST /conversations/{id}/tasks
  * GET /messages/{id}/files
  * GET /files/{id}
  * GET /people
  * GET /people/{id}
  * PATCH /people/{id}
  * POST /people/{id}/tags
  * DELETE /people/{id}/tags
    POST /people
    POST /people/import
  * GET /agents
  * GET /agents/{id}
  * PATCH /agents/{id}
  * GET /products
  * GET /products/{id}
  * PATCH /products/{id}
  * GET /companies
  * GET /companies/{id}
  * PATCH /companies/{id}
  * GET /deals
  * GET /deals/{id}
  * POST /deals
  * PATCH /deals/{id}
    GET /segments
    POST /segments
    GET /segments/proposals
    GET /segments/{id}
    PATCH /segments/{id}
    DELETE /segments/{id}
    GET /segments/{id}/people
    POST /segments/{id}/people
    POST /segments/{id}/find
    POST /segments/{id}/find/add
    GET /campaigns
    POST /campaigns
    GET /campaigns/{id}
    PATCH /campaigns/{id}
    DELETE /campaigns/{id}
    POST /campaigns/{id}/state
    POST /campaigns/{id}/letters
    GET /campaigns/{id}/touches
    GET /notifications
    POST /notifications/read
    GET /calendar
    POST /calendar/meetings
    DELETE /calendar/meetings/{id}
    GET /senders/health
    POST /senders/health/check
    GET /senders/voices
    GET /routing
    POST /routing
    POST /routing/apply
    GET /archive
    POST /archive`

export type Address = { method: string; path: string; reduced: boolean }

/** The 74 addresses below /api/v1, members in braces; the empty path is the identity. */
export const addresses: Address[] = table
  .trim()
  .split('\n')
  .map((line) => {
    const [, star, method = '', path = ''] = /^\s*(\*?)\s*(\w+) ?(\S*)$/.exec(line) ?? []
    return { method, path, reduced: star === '*' }
  })

/** What decisions add to the interface in both deployments, and in the full one. */
export const additions: Address[] = [
  { method: 'GET', path: '/operations/{key}', reduced: true },
  { method: 'GET', path: '/operations', reduced: false },
  { method: 'GET', path: '/conversations/counts', reduced: false },
  { method: 'POST', path: '/conversations', reduced: false },
  { method: 'POST', path: '/conversations/bulk', reduced: false },
  { method: 'GET', path: '/messages/{id}', reduced: false },
  { method: 'DELETE', path: '/messages/{id}', reduced: false },
  { method: 'POST', path: '/files', reduced: false },
  { method: 'GET', path: '/messages/{id}/html', reduced: false },
  { method: 'POST', path: '/messages/{id}/resolve', reduced: false },
  { method: 'POST', path: '/messages/{id}/again', reduced: false },
  { method: 'POST', path: '/people/bulk', reduced: false },
  { method: 'GET', path: '/people/{id}/export', reduced: false },
  { method: 'DELETE', path: '/people/{id}', reduced: false },
  { method: 'GET', path: '/search', reduced: false },
  { method: 'GET', path: '/people/import/{key}/rows', reduced: false },
  { method: 'POST', path: '/people/{id}/merge', reduced: false },
  { method: 'POST', path: '/people/{id}/split', reduced: false },
  { method: 'DELETE', path: '/segments/{id}/people/{person}', reduced: false },
  { method: 'GET', path: '/campaigns/{id}/people', reduced: false },
  { method: 'GET', path: '/campaigns/{id}/touches/{touch}', reduced: false },
  { method: 'PATCH', path: '/campaigns/{id}/touches/{touch}', reduced: false },
  { method: 'POST', path: '/campaigns/{id}/touches/{touch}/resolve', reduced: false },
  { method: 'POST', path: '/campaigns/{id}/touches/{touch}/again', reduced: false },
  { method: 'GET', path: '/calendar/meetings/{id}', reduced: false },
  { method: 'POST', path: '/calendar/meetings/{id}/move', reduced: false },
  { method: 'POST', path: '/calendar/meetings/{id}/proposals/{proposal}', reduced: false },
  { method: 'POST', path: '/messages/{id}/invitation', reduced: false },
  { method: 'POST', path: '/channels/{id}/connect', reduced: false },
  { method: 'GET', path: '/suppressions', reduced: false },
  { method: 'POST', path: '/suppressions', reduced: false },
  { method: 'GET', path: '/suppressions/{id}', reduced: false },
  { method: 'DELETE', path: '/suppressions/{id}', reduced: false },
  { method: 'GET', path: '/events', reduced: false },
  { method: 'GET', path: '/events/stream', reduced: false },
  { method: 'GET', path: '/webhooks', reduced: false },
  { method: 'POST', path: '/webhooks', reduced: false },
  { method: 'GET', path: '/webhooks/{id}', reduced: false },
  { method: 'PATCH', path: '/webhooks/{id}', reduced: false },
  { method: 'DELETE', path: '/webhooks/{id}', reduced: false },
  { method: 'GET', path: '/webhooks/{id}/deliveries', reduced: false },
  { method: 'POST', path: '/webhooks/{id}/test', reduced: false },
  {
    method: 'POST',
    path: '/webhooks/{id}/deliveries/{delivery}/redeliver',
    reduced: false,
  },
]
