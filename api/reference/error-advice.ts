import type { ErrorCode } from '../http/errors.ts'

/** What each code of a refusal means and what to do about it, for the reference. */
export const advice: Record<ErrorCode, string> = {
  malformed_request:
    'The request is not HTTP as it should be. Look at what the client really sends.',
  malformed_json: 'The body is not JSON in UTF-8. Look at what the client really sends.',
  invalid_query:
    'A parameter of the address is unknown, given twice or not as it must be. `errors` names it.',
  invalid_cursor:
    'The cursor is not one that this list answered. Begin again without a cursor, and send `next` back unchanged.',
  idempotency_key_missing:
    'Every change needs the header `Idempotency-Key`. Send one that is new for this call, for instance a UUID.',
  idempotency_key_invalid:
    'The key must have 1 to 255 visible ASCII characters. A UUID always fits.',
  token_missing: 'Send `Authorization: Bearer <ACCESS_TOKEN>` with every call.',
  invalid_token:
    'The token is mistyped, was revoked, or belongs to another deployment. The operator makes tokens by `npm run -s token -- create`.',
  token_expired: 'The token was good until its last day. Ask the operator for a new one.',
  insufficient_scope:
    'The token lacks a scope that the call needs; `scopes` names all that are needed. Ask the operator for a token that has them.',
  not_found:
    'Nothing in this workspace has the id in the address. It may have been deleted, or belong to another workspace.',
  no_such_route:
    'There is no such address. Compare it with this reference; the version is a part of the path.',
  method_not_allowed: 'The address has other methods: the header `Allow` names them.',
  request_timeout: 'The body took too long to arrive. Send the same call again with the same key.',
  body_too_large: 'The body has more bytes than this call takes. Send less in one call.',
  file_too_large: 'The file is larger than this call takes. Split it into several.',
  unsupported_media_type: 'Send the body as `application/json`, without compression.',
  range_not_satisfiable:
    'The range lies outside the file. `Content-Range` says how long the file is.',
  idempotency_in_progress:
    'A call with this key is still being carried out. Send it again after `Retry-After` seconds, with the same key.',
  invalid_state:
    'What is asked for does not go with the state it is in. `state` says which that is, `allowed` what would go.',
  campaign_incomplete: 'The campaign lacks what a start needs. `missing` names it.',
  letter_not_written:
    'A letter is agreed to only after it was written from the brief as it is now. Write it, read it, and agree.',
  segment_in_use:
    'A running or paused campaign uses the segment. End the campaign, or give it another segment.',
  validation_failed:
    'The body is not as it must be. `errors` names each member by its pointer; mend them and send it under a new key.',
  idempotency_key_reused: 'The key was used for another call. Take a new key for each new call.',
  recipient_suppressed:
    'The address must not be written to, after a complaint, a bounce or by an operator. `GET /suppressions` says why.',
  contact_ambiguous:
    'The person has several addresses. Choose one of `candidates` and send it as `to`.',
  sender_ambiguous:
    'Several accounts fit, or none. Choose one of `candidates` and send it as `via`.',
  no_contact: 'The person has no address on this channel. Add one first.',
  time_in_past:
    'The time has passed. Times need their offset, and up to a minute in the past means now.',
  local_time_missing: 'The clocks skip this time of day on that day. Choose another one.',
  unreadable_file:
    'The file is neither CSV nor a workbook that can be read. `errors` says what is wrong with it.',
  rate_limited:
    'The token has used up what it may do in a minute, or too much of its calls is in hand. Wait `Retry-After` seconds, then go on.',
  headers_too_large: 'The headers of the request are too large. Send fewer, or shorter ones.',
  internal:
    'Something went wrong here, and it is logged under `requestId`. Send the same call again with the same key; tell the operator when it stays.',
  provider_failed:
    'Another service that the call needs has failed. Send the same call again later, with the same key.',
  unavailable:
    'The service cannot do it at the moment. Send the same call again after `Retry-After` seconds, with the same key.',
  still_running:
    'The work goes on. Send the same call again with the same key, or read `GET /operations/{key}`.',
}
