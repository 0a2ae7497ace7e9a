/** What tokens may allow; a route names those it needs. */
export const scopes = ['inbox:read', 'inbox:write', 'send', 'campaigns:write'] as const
export type Scope = (typeof scopes)[number]
