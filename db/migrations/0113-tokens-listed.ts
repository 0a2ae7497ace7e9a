// The tokens of a workspace, for its administration, and those of a member who leaves.

export async function up(): Promise<void> {}

export const indexes = [{ name: 'tokens_of_workspace', on: 'tokens (workspace, id)' }]
