// What a reader must know before any single call, in Markdown: one heading a guide. The reference shows them first.

const guides = {
  'Getting started': `Every call carries \`Authorization: Bearer <ACCESS_TOKEN>\`. A token belongs to a workspace, a member and an application; the operator makes it by \`npm run -s token -- create\`, and it is shown once.

Each call names the scopes it needs. \`inbox:read\` is for every read, \`inbox:write\` for every change, \`campaigns:write\` for changes of segments and campaigns, and \`send\` wherever something may go to a client. A change answers what it changed, also to a token without \`inbox:read\`.

\`\`\`
curl {server}/api/v1/workspace -H "Authorization: Bearer $TOKEN"

curl -X PATCH {server}/api/v1/workspace \\
  -H "Authorization: Bearer $TOKEN" \\
  -H "Idempotency-Key: $(uuidgen)" \\
  -H "Content-Type: application/json" \\
  -d '{"tagging": true}'
\`\`\``,

  Idempotency: `Every call that changes something carries an \`Idempotency-Key\` of your choice. A repeat with the same key gets the answer of the first call, with the header \`Idempotent-Replayed: true\`, and nothing is done a second time. So after a lost connection or a status of 500 or more it is always safe to send the same call again with the same key.

A key stands for one call of the whole workspace and is kept for 30 days. Take UUIDs, or begin keys with the name of your application. Operators read them: put no name, address or other private data into one. Another call under a used key is refused as \`idempotency_key_reused\`.

What was refused before it was carried out is not kept, such as a body that is not valid: the key can be used again.`,

  'Work that takes long': `A change is accepted in one transaction and carried out afterwards, whatever stops in between. Most calls answer at once; some wait for their result, and where it takes longer than 25 seconds the answer is 504 \`still_running\`. The work goes on: the same call with the same key picks up its answer.

\`GET /operations/{key}\` tells at any time what became of a call: its state, how far it has come, and what it waits for.`,

  'Lists and pages': `Lists take \`limit\`, from 1 to 200 and 50 unless given, and answer \`next\`. While \`next\` is not null, send it unchanged as \`cursor\` to get the next page. A cursor belongs to its list. Some lists answer everything at once; they say so at \`limit\`.

\`\`\`
curl "{server}/api/v1/people?limit=200" -H "Authorization: Bearer $TOKEN"
curl "{server}/api/v1/people?limit=200&cursor=$NEXT" -H "Authorization: Bearer $TOKEN"
\`\`\``,

  'Bodies and answers': `Bodies and answers are JSON in UTF-8. A member that a body does not know is refused. Null for an optional member is the same as leaving it out, unless the member says what null means. In answers all members are always there. Instants are ISO 8601 in UTC with milliseconds; ids are opaque.

No text holds U+0000 or half a surrogate pair, and no body more than 50,000 values or 64 levels.

Members and values may be added with time: pass over what you do not know.`,

  Refusals: `A refusal is a problem document (RFC 9457) with a stable \`code\`; the texts may change. \`errors\` names each wrong member by its pointer, or the wrong parameter. \`retryable\` says whether the same call is worth repeating. Every answer carries \`X-Request-Id\`, by which the operator finds the call in the log. All codes, and what to do about each, are listed under Error codes.`,

  Limits: `A token may make so many reads, changes and sends a minute. Every call counts, refusals and repeats too. \`RateLimit-Policy\` says how many there may be, \`RateLimit\` what is left of them and for how long. Beyond that the answer is 429 \`rate_limited\` with \`Retry-After\` in seconds.

Of the bodies of one token 16 MB are taken at once: more are refused with 429 until earlier calls have been answered.`,

  'Events and webhooks': `Whatever was changed, came in or went out is an event with a kind, such as \`message.received\`. Events hold ids and states, no texts. \`GET /events\` reads them: keep the \`cursor\` of the last answer and ask again with it; none is skipped and none comes twice.

A webhook has events sent to an address of yours, as Standard Webhooks 1.0 (standardwebhooks.com) describes: \`{ "type", "timestamp", "data" }\`, signed by the secret that \`POST /webhooks\` shows once, in the headers \`webhook-id\`, \`webhook-timestamp\` and \`webhook-signature\`. Check the signature with one of the libraries for that standard, answer 2xx within 15 seconds, and pass over an event whose \`webhook-id\` you have seen.

What is not taken is tried again for some three days. After that, or after a 410, the webhook is switched off, and the member who made it is told.`,
}

/** All guides that go with a deployment, as one Markdown text. */
export const guidesFor = (reduced: boolean, server: string): string =>
  Object.entries(guides)
    .filter(([title]) => !reduced || title !== 'Events and webhooks')
    .map(([title, text]) => `## ${title}\n\n${text.replaceAll('{server}', server)}`)
    .join('\n\n')
