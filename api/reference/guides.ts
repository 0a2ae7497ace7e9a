import { adminPrefix, prefix } from '../http/prefix.ts'

// What a reader must know before any single call, in Markdown, with a heading for each guide. The reference shows the
// guides first.

const guides = {
  'Getting started': `Every call carries \`Authorization: Bearer <ACCESS_TOKEN>\`. A token belongs to a workspace, a member and an application; the operator creates it with \`npm run -s token -- create\`, and it is shown once.

Each call lists the scopes it needs: \`inbox:read\` for every read, \`inbox:write\` for every change, \`campaigns:write\` for changes of segments and campaigns, and \`send\` wherever something may be sent to a client. A change answers what it changed, even to a token without \`inbox:read\`.

\`\`\`
curl {server}${prefix}/workspace -H "Authorization: Bearer $TOKEN"

curl -X PATCH {server}${prefix}/workspace \\
  -H "Authorization: Bearer $TOKEN" \\
  -H "Idempotency-Key: $(uuidgen)" \\
  -H "Content-Type: application/json" \\
  -d '{"tagging": true}'
\`\`\``,

  Idempotency: `Every call that changes something carries an \`Idempotency-Key\` of your choice. A repeat with the same key gets the answer of the first call, with the header \`Idempotent-Replayed: true\`, and nothing is done a second time. So after a lost connection, or a status of 500 or above, it is always safe to send the same call again with the same key.

A key stands for one call in the whole workspace and is kept for 30 days. Use UUIDs, or begin keys with the name of your application. Operators can read keys, so do not put a name, an address or other private data into one. A different call with a used key is refused as \`idempotency_key_reused\`.

Calls that are refused before they are carried out, or because the body is not valid, are not kept: their keys can be used again, also for the corrected call. A refusal that only the work itself finds, such as that of filters by a finder, is the answer of its key: the corrected call takes a new one.`,

  'Long-running work': `A change is accepted in one transaction and then carried out, even if processes stop in between. Most calls answer at once. Some wait for their result; if that takes longer than 25 seconds, the answer is 504 \`still_running\`. The work continues: repeat the same call with the same key to get its answer.

\`GET /operations/{key}\` shows at any time what became of a call: its state, its progress, and what it waits for. With \`wait=25\` it answers as soon as the work has ended, and after 25 seconds in any case. \`GET /operations\` lists them, newest first: \`?state=failed\` those that could not be carried out, \`?state=waiting\` those that wait for a time or a person.`,

  'Reading again, and changing what was read': `The answer of a read of one thing has an \`ETag\`. Send it back in \`If-None-Match\`, and the answer is 304, without a body, while nothing has changed.

Send it in \`If-Match\` with \`PATCH\` or \`DELETE\`, and the call is refused as \`changed_meanwhile\` (412) if the resource has changed since you read it, so that you undo nobody's change without knowing it. Read it again then; the corrected call may have the same key. \`If-Match\` needs the scopes of the read too.

\`\`\`
curl -i "{server}${prefix}/people/{id}" -H "Authorization: Bearer $TOKEN"
curl -X PATCH "{server}${prefix}/people/{id}" \\
  -H "Authorization: Bearer $TOKEN" \\
  -H "Idempotency-Key: $(uuidgen)" \\
  -H "Content-Type: application/json" \\
  -H 'If-Match: "mYzR0ujR3Xh8Yq2vVn1cKw0bTfE"' \\
  -d '{"city": "Bern"}'
\`\`\``,

  'Lists and pages': `Pagination is by cursor. Lists take \`limit\`, from 1 to 200 with a default of 50, and answer \`next\`. While \`next\` is not null, send it unchanged as \`cursor\` to get the next page. A cursor belongs to its list. Some lists answer everything at once; they say so at \`limit\`.

\`\`\`
curl "{server}${prefix}/people?limit=200" -H "Authorization: Bearer $TOKEN"
curl "{server}${prefix}/people?limit=200&cursor=$NEXT" -H "Authorization: Bearer $TOKEN"
\`\`\``,

  'Bodies and answers': `Bodies and answers are JSON in UTF-8. Answers over 1 KB are compressed as \`Accept-Encoding\` allows (\`gzip\`, \`zstd\`), except those that hold a secret; bodies are sent without compression. Unknown members of a body are refused. Null for an optional member means the same as leaving it out, unless the member gives null a meaning. Answers always have all members. Timestamps are ISO 8601 in UTC with milliseconds; ids are opaque.

Texts must not contain U+0000 or half a surrogate pair. A body may have at most 50,000 values and 64 levels.

Members and values may be added over time: ignore those you do not know. The values that an answer may have today stand in the OpenAPI document as \`x-extensible-enum\`, so that a generated client takes any text there; what a call takes has an \`enum\`, and others are refused. The names of calls (\`operationId\`) and of schemas are part of the interface, like paths and members: they do not change within a version.`,

  Refusals: `A refusal is a problem document (RFC 9457) with a stable \`code\`; the texts may change. \`errors\` names each wrong member by its pointer, or the wrong parameter. \`retryable\` says whether the same call is worth repeating. Every answer carries \`X-Request-Id\`, with which the operator finds the call in the log. All codes, and what to do about each, are listed under Error codes.`,

  Browsers: `Scripts of other origins cannot call this API from a browser unless the operator names their origins in \`CORS_ORIGINS\`; by default there are none. Then preflights are answered, and \`Idempotency-Key\` and \`Authorization\` may be sent. Credentials such as cookies are never taken. Whoever can read a page can read its token, so a server of your own is the better place for one.`,

  Limits: `A token may make a limited number of reads, changes and sends per minute. Every call counts, including refusals and repeats. \`RateLimit-Policy\` gives the limit, \`RateLimit\` the calls that are left and the seconds until the limit resets. Calls beyond the limit are answered with 429 \`rate_limited\` and \`Retry-After\` in seconds.

The bodies of one token's open calls may have 16 MB in all: further bodies are refused with 429 until earlier calls have been answered.`,

  'Events and webhooks': `Whatever is changed, received or sent is an event with a kind, such as \`message.received\`. Events hold ids and states, but no texts. \`GET /events\` reads them: keep the \`cursor\` of the last answer and send it with the next call; no event is skipped or repeated.

A webhook sends events to an address of yours, as described by Standard Webhooks 1.0 (standardwebhooks.com): \`{ "type", "timestamp", "data" }\`, signed with the secret that \`POST /webhooks\` shows once, in the headers \`webhook-id\`, \`webhook-timestamp\` and \`webhook-signature\`. Check the signature with one of the libraries for that standard, answer 2xx within 15 seconds, and ignore an event whose \`webhook-id\` you have already seen.

An event that is not accepted is retried for about three days. After that, or after a 410, the webhook is switched off, and the member who created it is notified.`,
}

/** What a reader of the administration must know before any call of it. */
export const adminGuide = `## Administration

A product that embeds Postroom sets up its customers' workspaces here: below \`${adminPrefix}\`, with tokens of its own. The operator creates them with \`npm run -s token -- create --admin\`; they begin with \`pra_\`, may see all workspaces or one alone, and open nothing else. What the other guides say of keys, lists, refusals and limits holds here too. An \`Idempotency-Key\` stands for one call in its workspace.

The scopes are \`workspaces\`, \`members\`, \`connections\` and \`tokens\`. No token of the administration reads conversations; but one with \`tokens\` makes tokens of members, which may. So the operator has to name that scope.`

/** All guides of a deployment, as one Markdown text. */
export const guidesFor = (reduced: boolean, server: string): string =>
  Object.entries(guides)
    .filter(([title]) => !reduced || title !== 'Events and webhooks')
    .map(([title, text]) => `## ${title}\n\n${text.replaceAll('{server}', server)}`)
    .join('\n\n')
