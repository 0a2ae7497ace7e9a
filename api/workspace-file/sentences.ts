// What each member of a workspace file means, by its place; the items of a list stand at the place of the list. The page for
// operators, docs/workspace-file.md, says more.

export const sentences: Readonly<Record<string, string>> = {
  workspace: 'The workspace itself.',
  'workspace.id': 'Its id, which the path of the call has too.',
  'workspace.name': 'Its name.',
  'workspace.timezone':
    'The IANA name of the time zone by which days and weeks are counted, such as `Europe/Berlin`.',
  'workspace.tagging': 'Whether correspondence is marked automatically; off unless said.',
  'workspace.region':
    'The country of phone numbers without a country code, in two letters, such as `DE`.',
  'workspace.mode':
    'Whether what it sends leaves: `live` unless said; `sandbox`: its mail server is played and nothing leaves. It is decided when the workspace is made.',
  house: 'The rules of the house, which every agent follows.',

  members: 'The people who work in it.',
  'members.id': 'The id of the member.',
  'members.name': 'The name, as letters are signed.',
  'members.email': 'The address at which the member is reached.',
  'members.jobTitle': 'What they do, as the team sees it.',
  'members.zone': 'What they look after, in words.',
  'members.signature': 'What stands below letters of their accounts.',

  connections: 'The accounts that send and receive.',
  'connections.id': 'The id of the account.',
  'connections.kind': 'What kind of account it is.',
  'connections.name': 'What the team calls it; the account unless said.',
  'connections.account': 'The address, phone number or profile that it sends from.',
  'connections.member': 'The id of the member whose account it is.',
  'connections.limits': 'How many letters of campaigns it sends.',
  'connections.limits.day':
    'The most letters of a day; 50 for e-mail and 20 for others unless said.',
  'connections.limits.week':
    'The most letters of a week; 250 for e-mail and 100 for others unless said.',
  'connections.limits.gapSeconds':
    'The least time between two letters, in seconds; 30 unless said.',
  'connections.smtp': 'Where an e-mail account hands over its letters; without it nothing is sent.',
  'connections.imap': 'Where its mailbox is read; without it answers are not seen.',
  'connections.smtp.dkimSelector':
    "The selector whose DKIM record the check of the account's health looks up.",
  'connections.imap.filesSent': 'Whether the provider itself puts what is sent into Sent.',
  'connections.imap.folders': 'Which folders are read.',
  'connections.imap.folders.leaveOut':
    'The paths of folders that are not read, with all that lies in them.',
  ...serverAt('connections.smtp'),
  ...serverAt('connections.imap'),
  'connections.oauth':
    'That the account logs in by the consent of its owner, at `google`, `microsoft` or another issuer, instead of a password; `none` takes it back.',
  'connections.authserv':
    "The names of the account's own server in `Authentication-Results`; learnt from the mailbox unless said.",
  'connections.bridge':
    'The bridge of a messenger or professional network, which only the operator names.',
  'connections.bridge.url': 'Where the bridge takes letters.',
  'connections.bridge.secret': 'The secret by which calls of both sides are signed; never shown.',

  calendars: 'The calendars of members on a CalDAV server.',
  'calendars.id': 'The id of the calendar.',
  'calendars.name': 'Its name.',
  'calendars.member': 'The id of the member whose calendar it is.',
  'calendars.caldav': 'The calendar on its server, which only the operator names.',
  'calendars.caldav.url': 'The address of the calendar itself.',
  'calendars.caldav.user': 'Who logs in.',
  'calendars.caldav.password': 'The password of that login; never shown.',
  'calendars.caldav.tls': 'Whether it may be reached without TLS.',

  products: 'What the workspace sells or buys.',
  'products.id': 'The id of the product.',
  'products.name': 'Its name.',
  'products.description': 'What it is.',
  'products.side': 'Whether it is sold, bought, or both.',
  'products.goal': 'What talking about it is to lead to.',
  'products.conditions': 'The terms under which it is sold or bought.',
  'products.markets': 'The countries it is for.',

  companies: 'In whose name agents write.',
  'companies.id': 'The id of the company.',
  'companies.name': 'Its name.',
  'companies.pitch': 'What it says of itself.',
  'companies.policy': 'What it never does.',
  'companies.facts': 'What agents may say about it.',
  'companies.markets': 'The countries it works in.',

  agents: 'Who writes.',
  'agents.id': 'The id of the agent.',
  'agents.name': 'Its name.',
  'agents.company': 'The id of the company in whose name it writes.',
  'agents.goal': 'What it wants.',
  'agents.rules': 'How it writes.',
  'agents.knowledge': 'What it knows.',
  'agents.enabled': 'Whether it works; a new one does unless said.',
  'agents.labels':
    'The ids or names of the products that it may write about; the first is what letters are about.',
  'agents.channels': 'The ids of the connections that it sends through.',
  'agents.hours': 'When it writes; 09:00 to 18:00 in the zone of the workspace unless said.',

  folders: 'The folders of a messenger account.',
  'folders.id': 'The id of the folder.',
  'folders.name': 'Its name.',
  'folders.channel': 'The id of the connection that it belongs to.',

  people:
    'People who move in with the workspace: each is added once, and never changed by a document.',
  'people.id': 'The id of the person.',
  'people.name': 'The full name.',
  'people.city': 'Where they live or work.',
  'people.jobTitle': 'What they do.',
  'people.company': 'Where they work.',
  'people.email': 'Their e-mail address, or several.',
  'people.emails': 'Their e-mail addresses.',
  'people.phone': 'Their phone number, or several.',
  'people.phones': 'Their phone numbers.',
  'people.linkedin': 'The address of their profile.',
  'people.tags': 'What they buy or sell.',
  'people.tags.label': 'The id or name of the product.',
  'people.tags.side': 'Which side of it they are on.',

  conversations: 'Conversations that move in: each is added once, and never changed by a document.',
  'conversations.id': 'The id of the conversation.',
  'conversations.person': 'The id of the person whom it is with.',
  'conversations.connection': 'The id of the connection that it goes through.',
  'conversations.kind': 'What kind of conversation it is.',
  'conversations.subject': 'Its subject.',
  'conversations.owner': 'The id of the member who looks after it.',
  'conversations.folder': 'The id of its folder.',
  'conversations.labels': 'The ids or names of products that it is about.',
  'conversations.importance': 'How important it is.',
  'conversations.intent': 'What the person wants.',
  'conversations.messages': 'Its messages.',
  'conversations.messages.direction': 'Whether it came in or went out.',
  'conversations.messages.from': 'The address that it is from.',
  'conversations.messages.to': 'The address that it went to.',
  'conversations.messages.subject': 'Its own subject.',
  'conversations.messages.text': 'What it says.',
  'conversations.messages.at': 'When it was sent: a moment, or one before now, such as `-2d`.',
  'conversations.messages.automated': 'Whether a program wrote it.',
  'conversations.messages.agent': 'The id of the agent that wrote it.',
  'conversations.messages.messageId': 'Its Message-ID.',
  'conversations.messages.files': 'Its files.',
  'conversations.messages.files.name': 'The name of the file.',
  'conversations.messages.files.type': 'Its media type.',
  'conversations.messages.files.content': 'Its bytes in base64.',
  'conversations.messages.files.text': 'What it holds, if that is text.',

  deals: 'Deals that move in: each is added once, and never changed by a document.',
  'deals.id': 'The id of the deal.',
  'deals.label': 'The id or name of the product.',
  'deals.seller': 'The id of the person who sells.',
  'deals.buyer': 'The id of the person who buys.',
  'deals.agent': 'The id of the agent that looks after it.',
  'deals.stage': 'How far it has come.',
  'deals.closed': 'Whether it is over.',

  retention: 'For how many days things are kept, from 1, or `forever`.',
  'retention.messages':
    'What messages, notes and letters say, their files included; ids, instants, states and addresses stay.',
  'retention.files': 'The files of messages.',
  'retention.inboxWithoutPerson':
    'Conversations of senders whom nobody knows: neither written to nor anything said on their card.',
  'retention.audit': 'The audit log.',
  'retention.notifications': 'The notifications of members.',

  quotas: 'What the workspace may have at once; what is not named is without a bound.',
  'quotas.queuedMessages': 'Messages that wait to be sent.',
  'quotas.runningCampaigns': 'Campaigns that run.',
  'quotas.openImports': 'Imports of people that have not ended.',
  'quotas.connections': 'Accounts.',
  'quotas.bytes': 'Bytes of files, and of texts and HTML of messages and letters.',

  billing: 'What GET /billing answers.',
  'billing.plan': 'The name of the plan.',
  'billing.status': 'In which state the subscription is.',
  'billing.period': 'Which days have been paid for.',
  'billing.period.from': 'The first day.',
  'billing.period.to': 'The last day.',
  'billing.seats': 'How many people it covers.',
}

function serverAt(place: string): Record<string, string> {
  return {
    [`${place}.host`]: 'The name of the server.',
    [`${place}.port`]: 'The port at which it listens.',
    [`${place}.secure`]: 'Whether TLS begins with the first byte; otherwise STARTTLS.',
    [`${place}.user`]: 'Who logs in; without it nobody does.',
    [`${place}.password`]:
      'The password of that login; never shown. One that is left out stays where host, port, TLS and user stay.',
    [`${place}.tls`]: 'Which TLS the server has to offer.',
    [`${place}.tls.servername`]: 'The name in its certificate.',
    [`${place}.tls.ca`]: 'A certificate of your own that it is checked by, in PEM.',
  }
}
