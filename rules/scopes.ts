/** What a token may allow; a route names the scopes that it needs. */
export const scopes = ['inbox:read', 'inbox:write', 'send', 'campaigns:write'] as const
export type Scope = (typeof scopes)[number]
