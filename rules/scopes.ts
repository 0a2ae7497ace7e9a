/** What a token may allow; a route names the scopes that it needs. */
export const scopes = ['inbox:read', 'inbox:write', 'send', 'campaigns:write'] as const
export type Scope = (typeof scopes)[number]

/**
 * What a token of the administration may allow. `tokens` is given only where it is named, since it makes tokens that read
 * conversations.
 */
export const adminScopes = ['workspaces', 'members', 'connections', 'tokens'] as const
export type AdminScope = (typeof adminScopes)[number]
export type AnyScope = Scope | AdminScope

export const usualAdminScopes: readonly AdminScope[] = ['workspaces', 'members', 'connections']
