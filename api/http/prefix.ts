/** Where the paths of all routes begin. */
export const prefix = '/api/v1'
