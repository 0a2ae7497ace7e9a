/** Where the paths of the API begin, and those of the administration. */
export const prefix = '/api/v1'
export const adminPrefix = '/admin/v1'

/** Which of the two a route belongs to. */
export const prefixOf = ({ door }: { door?: 'admin' | undefined }) =>
  door === 'admin' ? adminPrefix : prefix
