// What became of the calls of a workspace, newest first. The index has no state, so that the writes that move an operation from one
// state to another still touch no index.

export async function up(): Promise<void> {}

export const indexes = [
  { name: 'operations_listed', on: 'operations (workspace, accepted_at, id)' },
]
