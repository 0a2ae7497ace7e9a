/** Stands where a call to the administration concerns no workspace, so no workspace has this id. */
export const noWorkspace = 'admin'

/** Whether a workspace may have this id. It becomes part of addresses and of workflow ids, before a colon. */
export const isWorkspaceId = (id: string): boolean =>
  /^[\w.~-]{1,64}$/.test(id) && id !== noWorkspace
