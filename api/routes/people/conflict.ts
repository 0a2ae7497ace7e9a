import { ApiError, type Problem } from '../../http/errors.ts'

export type Belonging = { pointer: string; person: string }

/** A 409 that names a card, and the members of the body that belong to other cards. */
export function inConflict(card: string, belongings: Belonging[]) {
  const errors = belongings.map(
    ({ pointer, person }): Problem => ({
      pointer,
      code: 'belongs_to_another',
      message: `belongs to another person, ${person}`,
    }),
  )
  const people = [...new Set([card, ...belongings.map(({ person }) => person)])]
  return new ApiError('conflict', `${errors[0]?.pointer}: ${errors[0]?.message}, not to ${card}.`, {
    errors,
    members: { people },
  })
}
