# Made from the OpenAPI document of Postroom 0.4.0 by `npm run clients`: do not edit.
# Of the document f42e3f548a5ffbece01f1a682748e6e8a3b232ddeaaca81efe65108d320d9dac.
from __future__ import annotations

import sys
from typing import Any, Literal, TypedDict

if sys.version_info >= (3, 11):
    from typing import NotRequired
else:
    from typing_extensions import NotRequired

class AccountHealth(TypedDict):
    level: str
    """The level of its worst signal.

    - `normal`: nothing is wrong.
    - `caution`: there is a problem: its limits are halved.
    - `restricted`: no campaign letter goes through it.
    - `blocked`: it cannot be used, or must not be.
    - `unknown`: it has not been checked yet.
    """
    limits: SendingBudget
    """How many letters may be sent, given its health."""
    weakest: list[str]
    """The keys of the signals that lower its health."""
    signals: list[HealthSignal]
    """The signals that determine the health of the account."""


class Agent(TypedDict):
    id: str
    """The id: opaque, and never changed."""
    name: str
    """The name of the agent."""
    company: str
    """The id of the company on whose behalf it writes."""
    goal: str
    """Its goal; an instruction to the writer."""
    rules: str
    """The rules for everything it writes."""
    knowledge: str
    """What it may use when it writes."""
    enabled: bool
    """Whether it writes at all."""
    labels: list[str]
    """The ids of the products it handles; empty means all."""
    channels: list[str]
    """The ids of the connections it writes through; empty means all channels of its people."""
    hours: Hours
    """When it works."""


class AgentList(TypedDict):
    agents: list[Agent]
    """All agents of the workspace."""
    next: str | None
    """Always null: this list answers everything at once."""


class AgentUpdate(TypedDict):
    goal: NotRequired[str | None]
    """Its goal; an instruction to the writer."""
    rules: NotRequired[str | None]
    """The rules for everything it writes."""
    knowledge: NotRequired[str | None]
    """What it may use when it writes."""
    enabled: NotRequired[bool | None]
    """Whether it writes at all."""
    labels: NotRequired[list[str] | None]
    """The products it handles, by id or exact name; an empty list means all."""
    channels: NotRequired[list[str] | None]
    """The ids of the connections it writes through; an empty list means all channels of its people."""
    hours: NotRequired[HoursUpdate | None]
    """When it works; members that are left out keep their values."""


class Application(TypedDict):
    id: str
    """The id of the application."""
    name: str
    """The name of the application."""


class Archive(TypedDict):
    state: str
    """The state of the parse.

    - `none`: it has not been started.
    - `running`: it is in progress.
    - `done`: everything has been parsed.
    - `declined`: it was declined, or stopped before its end.
    """
    since: str | None
    """The first day whose correspondence is parsed; null for all."""
    channels: list[str]
    """The ids of the connections whose history is parsed."""
    groups: bool
    """Whether messenger groups are included."""
    fresh: bool
    """Whether correspondence is parsed for new products too."""
    progress: ArchiveProgress
    """The progress of the parse."""
    startedAt: str | None
    """When the parse started; null until then."""
    endedAt: str | None
    """When the parse ended; null until then."""
    operation: str | None
    """The key of the call that started it; null if none did."""


class ArchiveChange(TypedDict):
    do: Literal["start", "decline"]
    """The action.

    - `start`: parse the archive.
    - `decline`: do not parse it, or stop a running parse.
    """
    since: NotRequired[str | None]
    """Parse correspondence from this day on, as YYYY-MM-DD; by default everything."""
    channels: NotRequired[list[str] | None]
    """The ids of the connections to parse; by default all that keep a history."""
    groups: NotRequired[bool | None]
    """Whether to include messenger groups; by default false."""
    fresh: NotRequired[bool | None]
    """Whether to parse for new products too; by default false."""


class ArchiveProgress(TypedDict):
    done: int
    """The number of parsed messages."""
    total: int | None
    """The number of messages in all; null while unknown."""


class Attachment(TypedDict):
    id: str
    """The id: opaque, and never changed."""
    name: str
    """The name of the file, as its sender gave it."""
    type: str
    """The media type, as its sender gave it."""
    size: int
    """The size in bytes."""
    cid: str | None
    """The name by which the HTML of the message refers to it (`cid:`); null otherwise."""


class AttachmentList(TypedDict):
    files: list[Attachment]
    """All files of the message."""
    next: str | None
    """Always null: this list answers everything at once."""


class AuditEntry(TypedDict):
    id: str
    """The id: opaque, and never changed."""
    at: str
    """When it was done."""
    member: str
    """The member whose token was used; empty if it was not done by a call."""
    client: Application
    """The application whose token was used; its members are empty if it was not done by a call."""
    action: str
    """What was done, such as `campaign.edited`, or `access.opened` when a token is created."""
    resource: str
    """The id of what was changed."""
    before: Any
    """The old values of the changed members; null if there was nothing before."""
    after: Any
    """The new values of the changed members; null if nothing is left."""
    key: str
    """The `Idempotency-Key` of the call; empty if it was not done by a call."""


class AuditEntryList(TypedDict):
    entries: list[AuditEntry]
    """The entries, newest first: one for each executed change."""
    next: str | None
    """The `cursor` of the next page; null on the last page."""


class BilledAccount(TypedDict):
    connection: str
    """The id of the connection."""
    channel: str
    """The kind of the connection, such as `email`."""
    account: str
    """The address of the account."""


class Billing(TypedDict):
    subscription: Subscription
    """The subscription of the workspace, as the operator has recorded it."""
    accounts: list[BilledAccount]
    """The accounts it covers."""


BillingPeriod = TypedDict(
    "BillingPeriod",
    {
        "from": 'str',
        "to": 'str',
    },
)


class Calendar(TypedDict):
    id: str
    """The id: opaque, and never changed."""
    name: str
    """The name of the calendar."""
    member: str
    """The id of the member whose calendar it is."""


class CalendarView(TypedDict):
    calendars: list[Calendar]
    """The calendars of the workspace."""
    meetings: list[Meeting]
    """The meetings of the period, without those that were cancelled."""
    next: str | None
    """Always null: this list answers everything at once."""


class Campaign(TypedDict):
    id: str
    """The id: opaque, and never changed."""
    name: str
    """The name; by default the goal."""
    goal: str
    """What the campaign should achieve. An instruction to the writer that is never quoted to clients."""
    kind: str
    """The kind of campaign; `outreach` is the only one."""
    state: str
    """The state of the campaign.

    - `draft`: it has not started and writes to nobody.
    - `running`: it sends letters.
    - `paused`: it writes to nobody until it is resumed.
    - `done`: it has ended for good.
    """
    segment: str
    """The id of the segment it writes to; empty while none is set."""
    agent: str
    """The id of the agent that writes; empty while none is set."""
    senders: list[str]
    """The ids of the connections it sends through. If empty, it uses those of the agent, or else all working e-mail accounts."""
    people: int
    """The number of people in its segment."""
    missing: list[MissingPart]
    """What it still needs; empty when it is complete."""
    term: CampaignTerm
    """How long the campaign is likely to take."""
    progress: CampaignProgress
    """How many people it has reached."""
    addRules: list[str]
    """Instructions for every letter, in addition to those of the agent."""
    rules: list[str]
    """The same instructions as `addRules`."""
    places: int
    """How many letters it has for each person: 1, 2 or 3."""
    waitDays: list[float]
    """The weekdays between each letter after the first and the one before it, an entry for each."""
    materials: list[Material]
    """Texts that the letters rely on."""
    sending: CampaignSending
    """Whether a letter may be sent now, and if not, what holds it up."""


class CampaignDetails(TypedDict):
    campaign: Campaign
    """The campaign."""
    letters: list[Letter]
    """The example letters, in order of place."""
    templates: list[Template]
    """The templates that letters are made from, in order of place and variant."""
    funnel: Funnel
    """The numbers of letters and people in each state."""
    variants: list[VariantNumbers]
    """The numbers of each variant of letters that are made from templates."""


class CampaignList(TypedDict):
    campaigns: list[Campaign]
    """The campaigns, newest first."""
    next: str | None
    """The `cursor` of the next page; null on the last page."""


class CampaignPerson(TypedDict):
    person: str
    """The id of the person."""
    name: str
    """The name; empty if it is not known."""
    outcome: str
    """The outcome that was asked for, or the one that went furthest.

    - `skipped`: the letters were not needed any more before one was sent.
    - `queued`: no letter was sent yet.
    - `failed`: a letter could not be sent.
    - `held`: a letter waits because the letters to the person are held.
    - `sent`: a letter was sent.
    - `replied`: the person has replied since the first letter, not automatically.
    - `interested`: the person has replied, and is interested or wants to meet.
    - `declined`: the person has replied that they are not interested, or unsubscribed after a letter.
    - `bounced`: a letter bounced, or none is sent because another one did.
    - `unsubscribed`: the person has unsubscribed.
    """
    place: int
    """The place of the letter that it is about: for a reply, the last one before it."""
    at: str
    """When it came about: when the letter was sent, or the first reply or report was received. For a held or queued letter, when it is or was due."""
    conversation: str | None
    """The id of the conversation with the reply or the letter; null if there is none."""


class CampaignPersonList(TypedDict):
    people: list[CampaignPerson]
    """The people, in order of their ids."""
    next: str | None
    """The `cursor` of the next page; null on the last page."""


class CampaignProgress(TypedDict):
    people: int
    """People in its segment."""
    written: int
    """People who have received at least one letter."""
    replied: int
    """People who have replied since."""
    declined: int
    """People who have replied that they are not interested."""
    interested: int
    """People who have replied that they are interested, or ask for an offer or a meeting."""
    meetings: int
    """People with whom a meeting was arranged."""


class CampaignSending(TypedDict):
    now: bool
    """Whether a letter may be sent now."""
    blockedBy: str | None
    """What holds up the letters; null when nothing does.

    - `draft`: the campaign has not started.
    - `paused`: it is paused.
    - `done`: it has ended.
    - `held`: an operator or the administration holds the workspace, or the accounts: `held` says why.
    - `weekend`: it is the weekend, and letters go on weekdays only.
    - `hours`: it is outside the agent's hours.
    - `day_limit`: the accounts have reached the day's limit.
    - `week_limit`: the accounts have reached the week's limit.
    - `gap`: the gap between two letters of an account has not passed yet.
    - `review`: letters wait until their place is agreed.
    - `letter_not_agreed`: the letters that follow are of a place that is not agreed.
    - `health`: the health of the accounts does not allow campaign letters.
    - `no_sender`: there is no working account to send from.
    - `no_agent`: there is no enabled agent.
    - `provider`: the account's server cannot be reached, or its mailbox has not been read completely.
    - `nobody_left`: everybody has been written to.
    """
    nextAt: str | None
    """When this changes by itself; null if somebody has to act."""
    endsAt: str | None
    """When today's hours end; null outside them."""
    held: NotRequired[HoldReason]
    """The hold, where `blockedBy` is `held`; absent otherwise."""
    failed: NotRequired[FailedLetters]
    """The letters that were refused or came back and were not sent anew; absent if there are none."""


class CampaignStateChange(TypedDict):
    to: Literal["running", "paused", "done"]
    """The new state.

    - `running`: start or resume it.
    - `paused`: write to nobody until it is resumed.
    - `done`: end it for good.
    """


class CampaignTerm(TypedDict):
    weeks: int
    """The number of weeks until everybody has received the first letter."""
    ends: str
    """The day on which everybody will have received it, as YYYY-MM-DD."""
    approx: bool
    """Whether these are estimates."""


class CampaignUpdate(TypedDict):
    name: NotRequired[str | None]
    """The name."""
    goal: NotRequired[str | None]
    """What the campaign should achieve. An instruction to the writer that is never quoted to clients."""
    segment: NotRequired[str | None]
    """The id of the segment it writes to; can be changed only in a draft or while paused."""
    agent: NotRequired[str | None]
    """The id of the agent that writes."""
    places: NotRequired[int | None]
    """How many letters it has for each person: 1, 2 or 3, which is the default."""
    waitDays: NotRequired[list[int] | None]
    """The weekdays between each letter after the first and the one before it, from 1 to 60, an entry for each; by default 3 before the second letter and 5 before the third."""
    senders: NotRequired[list[str] | None]
    """The ids of the connections it sends through; an empty list means those of the agent."""
    addRules: NotRequired[list[str] | None]
    """Instructions for every letter; they are added to those it has."""
    rules: NotRequired[list[str] | None]
    """All instructions for every letter; they replace those it has."""
    materials: NotRequired[list[NewMaterial] | None]
    """Texts that the letters rely on; they replace those it has."""


class Candidate(TypedDict):
    id: str | None
    """The id of the person or of the connection; null if the address is on no card."""
    account: str
    """The address."""
    name: str
    """The name; empty if it is not known."""


class ChangedCampaign(TypedDict):
    campaign: Campaign
    """The campaign."""
    letters: list[Letter]
    """The example letters, in order of place."""
    templates: list[Template]
    """The templates that letters are made from, in order of place and variant."""
    funnel: Funnel
    """The numbers of letters and people in each state."""
    variants: list[VariantNumbers]
    """The numbers of each variant of letters that are made from templates."""
    id: str
    """The id: opaque, and never changed."""
    state: str
    """The state of the campaign.

    - `draft`: it has not started and writes to nobody.
    - `running`: it sends letters.
    - `paused`: it writes to nobody until it is resumed.
    - `done`: it has ended for good.
    """


class ChangedRouting(TypedDict):
    enabled: bool
    """Whether new conversations get an owner automatically."""
    rules: list[RoutingRule]
    """The rules in order; the first one that matches decides."""
    rule: NotRequired[str]
    """The id of the rule that was added; absent if none was."""


class Channel(TypedDict):
    id: str
    """The id: opaque, and never changed."""
    kind: str
    """The kind of account.

    - `email`: an e-mail account.
    - `professional_network`: an account of a professional network.
    - `messenger`: an account of a messenger.
    """
    name: str
    """The name of the connection."""
    account: str
    """The address of the account."""
    member: str
    """The id of the member whose account it is."""
    alive: bool
    """Whether it works, as far as is known: false if the last check could not log in, and until its owner consents. `problem` says why."""
    problem: str | None
    """The problem with it, as a stable code such as `smtp_unreachable`, `imap_login_refused` or `consent_needed` (see `POST /channels/{id}/connect`); while the account rests, its cause: `smtp_quota`, `smtp_rate`, `smtp_sessions`, `smtp_sender_refused`, `smtp_disabled`, `smtp_unpaid` or `smtp_refusing`; while its mailbox cannot be read, why: `imap_login_refused`, `imap_throttled`, `imap_too_many_sessions`, `imap_bandwidth`, `imap_unavailable`, `imap_unreachable`, `imap_incomplete` or `imap_folder`; null if there is none."""
    restsUntil: str | None
    """Until when the account rests because of what its provider has said; null if it does not rest, or rests until somebody acts."""
    readAt: str | None
    """When all folders of its mailbox were last known to be read to their ends; null if they never were, or it has no mailbox that is read."""
    folders: int | None
    """How many folders of its mailbox are read; null before the first one is, or if it has no mailbox that is read."""
    checkedAt: str | None
    """When it was last checked; null before the first check."""


class ChannelList(TypedDict):
    channels: list[Channel]
    """All connections of the workspace."""
    next: str | None
    """Always null: this list answers everything at once."""


class CleanedAddress(TypedDict):
    pointer: str
    """Where the address stands in the call."""
    given: str
    """The text that was given."""
    read: str
    """The address that was read."""
    leftOut: str
    """What is no part of the address, in words."""


class CleanedCell(TypedDict):
    row: int
    """The row of the file."""
    column: str
    """The heading of the column."""
    given: str
    """What stands in the cell, up to 200 characters."""
    read: str
    """The address that was read."""
    leftOut: str
    """What is no part of the address, in words."""


class ColumnChoice(TypedDict):
    name: str
    """The heading of the column in the file."""
    field: str | None
    """What the column holds; null leaves it out.

    - `name`: the whole name.
    - `firstName`: the first name.
    - `lastName`: the last name.
    - `email`: e-mail addresses.
    - `phone`: phone numbers.
    - `linkedin`: the profile address.
    - `company`: the company.
    - `city`: the city.
    - `jobTitle`: the job title.
    - `externalId`: the id that your own system gives the person.
    - `unsubscribed`: that the person wants no letters: anything but a no in it, such as a yes, a day or a reason, suppresses them as `unsubscribe`.
    - `bounced`: that mail came back: anything but a no suppresses the first address of the row as `bounce`.
    - `complained`: that a letter was reported as spam: anything but a no suppresses the person as `complaint`.
    - `consent`: whether the person may be written to: a no suppresses them as `unsubscribe`.
    - `mailStatus`: a word such as `unsubscribed`, `cleaned`, `bounced` or `spam`, which suppresses; others change nothing.
    - `fields.NAME`: a field of your own.
    """


class Company(TypedDict):
    id: str
    """The id: opaque, and never changed."""
    name: str
    """The name of the company."""
    pitch: str
    """What it says about itself."""
    policy: str
    """What it refuses and does not talk about."""
    facts: list[Fact]
    """Facts about it, as pairs of a label and a value."""
    markets: list[str]
    """The countries it serves, as ISO codes."""


class CompanyList(TypedDict):
    companies: list[Company]
    """All companies on whose behalf agents write."""
    next: str | None
    """Always null: this list answers everything at once."""


class CompanyUpdate(TypedDict):
    pitch: NotRequired[str | None]
    """What it says about itself."""
    policy: NotRequired[str | None]
    """What it refuses and does not talk about."""
    facts: NotRequired[list[NewFact] | None]
    """Facts about it, as pairs `{label, value}` or `{founded: "2019"}`; they replace the present ones."""


class Condition(TypedDict):
    key: str
    """What the condition is about, such as `price`."""
    value: str | float | bool
    """The value: text, a number or a boolean."""
    side: str | None
    """The side it applies to, such as `buyer` or `seller`; null means both."""


class ConnectLink(TypedDict):
    url: str | None
    """The address of the page, for the owner of the account alone. A replay of the call shows it for an hour, to the token that made the call; afterwards, and to others, it is null."""
    expiresAt: str
    """Until when it can be opened."""


class Conversation(TypedDict):
    id: str
    """The id: opaque, and never changed."""
    person: str
    """The id of the person."""
    kind: str
    """The kind of channel.

    - `email`: e-mail.
    - `professional_network`: a professional network.
    - `messenger`: a messenger.
    """
    lastMessageAt: str
    """When the last message was received or sent."""
    waitingSince: str
    """Since when the next message has been awaited."""
    importance: str
    """The importance of the conversation.

    - `low`: it can wait.
    - `normal`: it is neither low nor high.
    - `high`: it should be dealt with first.
    """
    intent: str
    """What the client wants.

    - `quote`: an offer.
    - `question`: an answer to a question.
    - `interested`: to continue, without a specific request.
    - `meeting`: a meeting.
    - `not_interested`: nothing: they are not interested.
    - `complaint`: to have a problem solved.
    - `unsubscribe`: to receive no more letters.
    - `out_of_office`: nothing: they are away.
    - `other`: something else, or the intent was not recognised.
    """
    owner: str | None
    """The id of the member who owns it; null means no owner."""
    state: str
    """The state of the conversation.

    - `open`: it has to be dealt with.
    - `snoozed`: it is set aside until `snoozeUntil`.
    - `closed`: it is closed.
    """
    subject: str
    """The subject of its first message."""
    channel: str
    """The id of its connection; empty if it no longer has one."""
    snoozeUntil: str | None
    """When it wakes up; null unless it is snoozed."""
    why: str | None
    """Why it is snoozed; null unless it is snoozed and a reason was given."""
    closed: bool
    """Whether it is closed."""
    reason: str | None
    """Why it was closed; null unless it is closed.

    - `meeting_booked`: a meeting was arranged.
    - `not_interested`: the client is not interested.
    - `no_response`: the client did not reply.
    - `wrong_person`: the client is not the right person.
    - `spam`: it is spam.
    - `personal`: it is personal.
    - `other`: for another reason.
    """
    met: bool
    """Whether a meeting was arranged outside the conversation."""
    labels: list[Label]
    """The labels on it."""
    waitingFor: str
    """Whose message is awaited.

    - `us`: ours: the client wrote last.
    - `client`: the client's: we wrote last.
    """
    updatedAt: str
    """When it last changed, including its labels, notes and tasks."""


class ConversationBulkResult(TypedDict):
    conversation: str
    """The id of the conversation, as it was given."""
    outcome: str
    """What became of the conversation.

    - `changed`: it was changed.
    - `same`: it was so already, or stands earlier in the call.
    - `refused`: nothing of it was changed; see `errors`.
    """
    errors: NotRequired[list[ItemProblem]]
    """The reasons for a refusal; absent if there was none."""


class ConversationBulkResults(TypedDict):
    results: list[ConversationBulkResult]
    """What became of each conversation, in the order of the call."""


class ConversationBulkUpdate(TypedDict):
    conversations: list[str]
    """The ids of the conversations."""
    change: ConversationChange
    """What is changed in each of them."""


class ConversationChange(TypedDict):
    closed: NotRequired[bool | None]
    """True closes the conversation, false reopens it."""
    reason: NotRequired[Literal["meeting_booked", "not_interested", "no_response", "wrong_person", "spam", "personal", "other"] | None]
    """Why it is closed; by default `other`.

    - `meeting_booked`: a meeting was arranged.
    - `not_interested`: the client is not interested.
    - `no_response`: the client did not reply.
    - `wrong_person`: the client is not the right person.
    - `spam`: it is spam, and its queued messages are cancelled.
    - `personal`: it is personal.
    - `other`: for another reason.
    """
    owner: NotRequired[str | None]
    """The id of the new owner, a member; null means no owner."""
    snoozeUntil: NotRequired[str | None]
    """Snoozes the conversation until this time; null wakes it up."""
    labels: NotRequired[LabelChange | None]
    """Labels to put on them and to take off them."""


class ConversationCounts(TypedDict):
    open: int
    """The open ones; at most 10000."""
    waitingForUs: int
    """The open ones in which the client wrote last; at most 10000."""
    snoozed: int
    """Those that are set aside until a certain time; at most 10000."""
    unowned: int
    """The open ones that nobody owns; at most 10000."""
    byOwner: list[OwnerCount]
    """The members who own open ones, most first."""
    byLabel: list[LabelCount]
    """The labels of open ones, most first. If more than 10000 are open, the newest 10000 are looked at."""
    more: bool
    """Whether a number is 10000 because there are more."""


class ConversationDetails(TypedDict):
    id: str
    """The id: opaque, and never changed."""
    person: str
    """The id of the person."""
    kind: str
    """The kind of channel.

    - `email`: e-mail.
    - `professional_network`: a professional network.
    - `messenger`: a messenger.
    """
    lastMessageAt: str
    """When the last message was received or sent."""
    waitingSince: str
    """Since when the next message has been awaited."""
    importance: str
    """The importance of the conversation.

    - `low`: it can wait.
    - `normal`: it is neither low nor high.
    - `high`: it should be dealt with first.
    """
    intent: str
    """What the client wants.

    - `quote`: an offer.
    - `question`: an answer to a question.
    - `interested`: to continue, without a specific request.
    - `meeting`: a meeting.
    - `not_interested`: nothing: they are not interested.
    - `complaint`: to have a problem solved.
    - `unsubscribe`: to receive no more letters.
    - `out_of_office`: nothing: they are away.
    - `other`: something else, or the intent was not recognised.
    """
    owner: str | None
    """The id of the member who owns it; null means no owner."""
    state: str
    """The state of the conversation.

    - `open`: it has to be dealt with.
    - `snoozed`: it is set aside until `snoozeUntil`.
    - `closed`: it is closed.
    """
    subject: str
    """The subject of its first message."""
    channel: str
    """The id of its connection; empty if it no longer has one."""
    snoozeUntil: str | None
    """When it wakes up; null unless it is snoozed."""
    why: str | None
    """Why it is snoozed; null unless it is snoozed and a reason was given."""
    closed: bool
    """Whether it is closed."""
    reason: str | None
    """Why it was closed; null unless it is closed.

    - `meeting_booked`: a meeting was arranged.
    - `not_interested`: the client is not interested.
    - `no_response`: the client did not reply.
    - `wrong_person`: the client is not the right person.
    - `spam`: it is spam.
    - `personal`: it is personal.
    - `other`: for another reason.
    """
    met: bool
    """Whether a meeting was arranged outside the conversation."""
    labels: list[Label]
    """The labels on it."""
    waitingFor: str
    """Whose message is awaited.

    - `us`: ours: the client wrote last.
    - `client`: the client's: we wrote last.
    """
    updatedAt: str
    """When it last changed, including its labels, notes and tasks."""
    notes: list[Note]
    """The notes of members, oldest first."""
    tasks: list[Task]
    """The tasks given to agents."""


class ConversationList(TypedDict):
    conversations: list[Conversation]
    """The conversations, in the order asked for."""
    next: str | None
    """The `cursor` of the next page; null on the last page."""


class ConversationUpdate(TypedDict):
    snoozeUntil: NotRequired[str | None]
    """Snoozes the conversation until this time; null wakes it up."""
    why: NotRequired[str | None]
    """Why it is snoozed, for the team to read."""
    closed: NotRequired[bool | None]
    """True closes the conversation, false reopens it."""
    reason: NotRequired[Literal["meeting_booked", "not_interested", "no_response", "wrong_person", "spam", "personal", "other"] | None]
    """Why it is closed; by default `other`.

    - `meeting_booked`: a meeting was arranged.
    - `not_interested`: the client is not interested.
    - `no_response`: the client did not reply.
    - `wrong_person`: the client is not the right person.
    - `spam`: it is spam, and its queued messages are cancelled.
    - `personal`: it is personal.
    - `other`: for another reason.
    """
    owner: NotRequired[str | None]
    """The id of the new owner, a member; null means no owner."""
    met: NotRequired[bool | None]
    """True records a meeting that was arranged outside the conversation."""


class CountConversationsQuery(TypedDict):
    state: NotRequired[Literal["open", "snoozed", "closed"]]
    """Only conversations in this state.

    - `open`: conversations that have to be dealt with.
    - `snoozed`: conversations set aside until a certain time.
    - `closed`: over.
    """
    owner: NotRequired[str]
    """Only conversations owned by this member, by id; empty or `null` for those without an owner."""
    label: NotRequired[str]
    """Only conversations with this label, by its id or name."""
    kind: NotRequired[str]
    """Only conversations of this kind of channel, such as `email`."""
    person: NotRequired[str]
    """Only conversations with this person, by id."""
    q: NotRequired[str]
    """Only conversations whose subject or person's name contains this text, ignoring case."""
    waitingFor: NotRequired[Literal["us", "client"]]
    """Only conversations that wait for this side.

    - `us`: the client wrote last.
    - `client`: we wrote last.
    """
    importance: NotRequired[Literal["low", "normal", "high"]]
    """Only conversations of this importance.

    - `low`: those that can wait.
    - `normal`: those between the two.
    - `high`: those that should be dealt with first.
    """
    intent: NotRequired[Literal["quote", "question", "interested", "meeting", "not_interested", "complaint", "unsubscribe", "out_of_office", "other"]]
    """Only conversations in which the client wants this.

    - `quote`: an offer.
    - `question`: an answer to a question.
    - `interested`: to continue, without a specific request.
    - `meeting`: a meeting.
    - `not_interested`: nothing: they are not interested.
    - `complaint`: to have a problem solved.
    - `unsubscribe`: to receive no more letters.
    - `out_of_office`: nothing: they are away.
    - `other`: something else, or the intent was not recognised.
    """
    via: NotRequired[str]
    """Only conversations through this account of ours: a connection, by its id or account."""


class CreatedPerson(TypedDict):
    id: str
    """The id: opaque, and never changed."""
    name: str
    """The name; empty if unknown."""
    city: str
    """The city they live or work in."""
    jobTitle: str
    """What they do at their company."""
    company: str
    """The company they work for, as text."""
    email: str
    """The first of `emails`, to which letters are sent; empty if there is none."""
    phone: str
    """The first of `phones`; empty if there is none."""
    linkedin: str
    """The address of their profile in a professional network; empty if there is none."""
    emails: list[str]
    """All e-mail addresses; letters are sent to the first one."""
    phones: list[str]
    """All phone numbers, in E.164 format where possible."""
    tags: list[PersonTag]
    """The products they are currently tagged with."""
    removedTags: list[RemovedTag]
    """Tags that were removed; they stay on record."""
    createdAt: str
    """When it was created."""
    updatedAt: str
    """When it was last changed."""
    held: Hold | None
    """The hold on the letters of all campaigns to them; null if there is none."""
    externalId: str | None
    """The id that your own system gave them; null if there is none."""
    fields: dict[str, str | float | bool]
    """Fields of your own: text, numbers, true or false, by name."""
    suppressed: list[SuppressedAddress]
    """Those of their addresses that must not be written to; see `GET /suppressions`."""
    mergedInto: NotRequired[str]
    """The id of this card, where a card that has become part of it was asked for; otherwise absent."""
    created: bool
    """Whether the person is new; false if an address or an `externalId` led to an existing card."""
    cleaned: NotRequired[list[CleanedAddress]]
    """The addresses that were not read as they were given; absent if all of them were, so that the answer is the person that is read."""


class Dashboard(TypedDict):
    days: int
    """The number of days in the chart."""
    chart: list[DashboardDay]
    """The days, oldest first, including today."""
    totals: DashboardTotals
    """The current totals."""


class DashboardDay(TypedDict):
    day: str
    """The day in the time zone of the workspace, as YYYY-MM-DD."""
    received: int
    """Messages that were received."""
    sent: int
    """Messages that were sent."""
    automated: int
    """The part of `sent` that was written automatically."""
    meetings: int
    """Meetings that were booked or recorded."""


class DashboardTotals(TypedDict):
    conversations: int
    """Conversations in any state."""
    open: int
    """Open conversations."""
    snoozed: int
    """Snoozed conversations."""
    waiting: int
    """Open conversations that wait for a message from us."""
    people: int
    """People."""
    campaigns: int
    """Running campaigns."""
    deals: int
    """Open deals."""


class Deal(TypedDict):
    id: str
    """The id: opaque, and never changed."""
    label: str
    """The id of the product."""
    seller: str
    """The id of the person who sells."""
    buyer: str
    """The id of the person who buys."""
    agent: str
    """The id of the agent that leads both sides."""
    client: Label
    """The buyer."""
    partner: Label
    """The seller."""
    stage: str
    """Its stage, in your own words; recommended are `new`, `introduced`, `negotiating`, `agreed`, `won` and `lost`."""
    state: str
    """The state of the deal.

    - `open`: it is open.
    - `closed`: it is closed.
    """
    closed: bool
    """Whether it is closed."""
    createdAt: str
    """When it was created."""
    closedAt: str | None
    """When it was closed; null while it is open."""


class DealList(TypedDict):
    deals: list[Deal]
    """The deals, newest first."""
    next: str | None
    """The `cursor` of the next page; null on the last page."""


class DealUpdate(TypedDict):
    stage: NotRequired[str | None]
    """Its stage, in your own words; recommended are `new`, `introduced`, `negotiating`, `agreed`, `won` and `lost`."""
    closed: NotRequired[bool | None]
    """True closes the deal, false reopens it."""


class Deleted(TypedDict):
    id: str
    """The id of the deleted resource."""
    deleted: bool
    """Always true."""


class Delivery(TypedDict):
    id: str
    """The id: opaque, and never changed."""
    event: str
    """The id of the delivered event; it is the `webhook-id` of every attempt."""
    kind: str
    """The kind of the event, such as `message.received`."""
    state: str
    """The state of the delivery.

    - `queued`: it is still to be attempted.
    - `delivered`: the address answered 2xx.
    - `failed`: it was given up.
    """
    attempts: int
    """The number of attempts."""
    status: int | None
    """The HTTP status of the last answer; null if there was none."""
    problem: str | None
    """What went wrong in the last attempt, as a stable code; null if nothing did."""
    at: str
    """When the event was queued for the webhook."""
    triedAt: str | None
    """When it was last attempted; null before the first attempt."""
    nextTryAt: str | None
    """When it is attempted next; null if it is not."""


class DeliveryList(TypedDict):
    deliveries: list[Delivery]
    """The deliveries, newest first."""
    next: str | None
    """The `cursor` of the next page; null on the last page."""


class DuplicateRow(TypedDict):
    row: int
    """The row of the file."""
    joined: int
    """The earlier row of the file that is about the same person."""
    person: str | None
    """The id of the card that both lead to; null if the import would create it."""


class ErasedPerson(TypedDict):
    id: str
    """The id of the person, who is answered 404 from now on."""
    erased: bool
    """Always true."""


class Event(TypedDict):
    id: str
    """The id: opaque, and never changed."""
    at: str
    """When it happened."""
    kind: str
    """What happened: the action of the audit entry, such as `campaign.moved`, or what happened by itself, such as `message.received`."""
    resource: str
    """The id of the resource it happened to."""
    data: dict[str, Any]
    """The ids and states that belong to it; no texts."""
    cursor: str
    """Where it stands: sent as `cursor`, it leads to the events behind this one."""


class EventList(TypedDict):
    events: list[Event]
    """The events, oldest first."""
    next: str | None
    """The `cursor` of the next page; null if there is nothing more at the moment."""
    cursor: str
    """Where to continue later; unlike `next` it is never null."""


class ExtendedSegment(TypedDict):
    id: str
    """The id: opaque, and never changed."""
    name: str
    """The name; by default the query, or its rules."""
    query: str
    """Who belongs to it, in words; empty if its rules alone say it."""
    rules: list[SegmentRule]
    """Rules that narrow the query."""
    refill: bool
    """Whether the service adds matching people by itself."""
    saved: bool
    """Whether it is saved; false for a draft."""
    createdAt: str
    """When it was created."""
    updatedAt: str
    """When it was last changed."""
    members: int
    """The number of people in it."""
    campaigns: list[SegmentCampaign]
    """The campaigns that write to it."""
    hint: NotRequired[str]
    """Why nobody was found, and what can be done, in words; absent if somebody belongs to it."""
    added: int
    """The number of people added."""
    existing: int
    """The number of people who already belonged to it."""
    unknown: list[str]
    """The given values by which nobody is known here."""


class Fact(TypedDict):
    label: str
    """What the fact is about, such as `founded`."""
    value: str | float | bool
    """The value: text, a number or a boolean."""


class FailedLetters(TypedDict):
    letters: int
    """The number of letters that did not arrive."""
    why: str
    """Why, in words: how many for which reason, and what the servers said."""


class FinderAdded(TypedDict):
    added: int
    """The number of people that this call added to the segment."""
    existing: int
    """The number of people who were already in the segment."""
    remaining: int
    """The number of matching people who have not been processed yet."""
    run: str | None
    """The run to continue, in another call with a new key; null when the run is complete."""


class FinderAdditionFilters(TypedDict):
    pass


class FinderAddition(TypedDict):
    channel: NotRequired[Literal["email", "professional_network"] | None]
    """The channel for reaching the people; by default that of the last find.

    - `email`: people with an e-mail address.
    - `professional_network`: people with a profile in a professional network.
    """
    filters: NotRequired[FinderAdditionFilters | None]
    """The filters, as `find` answered them; by default those of the last find."""
    want: NotRequired[int | None]
    """The most people to add."""
    run: NotRequired[str | None]
    """The run to continue, as the previous answer named it."""


class FinderQueryFilters(TypedDict):
    pass


class FinderQuery(TypedDict):
    words: NotRequired[str | None]
    """The people to look for, in words; by default the query of the segment."""
    channel: NotRequired[Literal["email", "professional_network"] | None]
    """The channel for reaching the people; by default `email`.

    - `email`: people with an e-mail address.
    - `professional_network`: people with a profile in a professional network.
    """
    filters: NotRequired[FinderQueryFilters | None]
    """The people to look for, as filters. They take precedence over words, and are returned as given."""


class FinderResultFilters(TypedDict):
    """The filters that were used; `find/add` accepts them unchanged."""


class FinderResult(TypedDict):
    filters: FinderResultFilters
    """The filters that were used; `find/add` accepts them unchanged."""
    count: int
    """The number of matching people."""
    channel: str
    """The channel for reaching them.

    - `email`: people with an e-mail address.
    - `professional_network`: people with a profile in a professional network.
    """


class Funnel(TypedDict):
    people: int
    """People in its segment."""
    queued: int
    """Letters that wait until they are due."""
    review: int
    """Letters that are written and wait until their place is agreed."""
    sending: int
    """Letters that are being sent, or that may or may not have arrived."""
    sent: int
    """Letters that were sent."""
    failed: int
    """Letters that could not be delivered: not sent, or bounced."""
    skipped: int
    """Letters that were not wanted any more: the person replied, unsubscribed or left the segment, somebody skipped the letter, or the campaign ended."""
    replied: int
    """People who have replied."""
    interested: int
    """People who have replied that they are interested, or ask for an offer or a meeting."""
    declined: int
    """People who have replied that they are not interested."""
    meetings: int
    """People with whom a meeting was arranged."""


GetCalendarQuery = TypedDict(
    "GetCalendarQuery",
    {
        "cursor": 'NotRequired[str]',
        "limit": 'NotRequired[int]',
        "from": 'NotRequired[str]',
        "to": 'NotRequired[str]',
    },
)


class GetDashboardQuery(TypedDict):
    days: NotRequired[int]
    """The number of days in the chart, including today."""


class GetMessageHtmlQuery(TypedDict):
    images: NotRequired[Literal["true", "false"]]
    """Whether images from the web are shown.

    - `true`: they are shown, and their servers learn when and where the message is read.
    - `false`: their alternative texts are shown in their place.
    """


class GetOperationQuery(TypedDict):
    wait: NotRequired[int]
    """For how many seconds to wait for the end of the operation."""


class HealthSignal(TypedDict):
    key: str
    """What was checked.

    - `login`: whether the account accepts the login.
    - `bridge`: whether its bridge answers.
    - `mailbox`: whether its mailbox is read, so that replies are seen.
    - `spf`: who may send for its domain (SPF).
    - `dkim`: whether its mail can be signed (DKIM).
    - `dmarc`: what its domain wants done with forged mail (DMARC).
    - `bounces`: how many letters bounced.
    - `complaints`: how many letters were marked as unwanted.
    - `provider`: how often its server refused or failed.
    """
    level: str
    """The level of the signal.

    - `normal`: nothing is wrong.
    - `caution`: there is a problem: its limits are halved.
    - `restricted`: no campaign letter goes through it.
    - `blocked`: it cannot be used, or must not be.
    - `unknown`: it has not been checked yet.
    """
    score: int
    """From 0, the worst, to 100."""
    facts: dict[str, Any]
    """The numbers and findings behind the signal."""


class Hold(TypedDict):
    until: str | None
    """When the hold ends by itself; null if somebody must release it."""
    why: str
    """Why they are held."""


class HoldReason(TypedDict):
    why: str
    """The reason of the hold."""


Hours = TypedDict(
    "Hours",
    {
        "zone": 'str',
        "from": 'str',
        "to": 'str',
        "daysOff": 'list[str]',
    },
)


HoursUpdate = TypedDict(
    "HoursUpdate",
    {
        "zone": 'NotRequired[str | None]',
        "from": 'NotRequired[str | None]',
        "to": 'NotRequired[str | None]',
        "daysOff": 'NotRequired[list[str] | None]',
    },
)


class House(TypedDict):
    rules: str
    """The rules for all agents."""
    updatedAt: str
    """When it was last changed."""


class Identity(TypedDict):
    workspace: str
    """The id of the workspace."""
    member: str
    """The id of the member the token belongs to."""
    client: Application
    """The application that holds the token."""
    scopes: list[str]
    """What the token may do.

    - `inbox:read`: read everything.
    - `inbox:write`: change everything but segments and campaigns.
    - `campaigns:write`: change segments and campaigns.
    - `send`: send something to clients.
    """


class ImportColumn(TypedDict):
    name: str
    """The heading of the column."""
    field: str | None
    """What the column was recognised as; null if it is left out.

    - `name`: the whole name.
    - `firstName`: the first name.
    - `lastName`: the last name.
    - `email`: e-mail addresses.
    - `phone`: phone numbers.
    - `linkedin`: the profile address.
    - `company`: the company.
    - `city`: the city.
    - `jobTitle`: the job title.
    - `externalId`: the id that your own system gives the person.
    - `unsubscribed`: that the person wants no letters: anything but a no in it, such as a yes, a day or a reason, suppresses them as `unsubscribe`.
    - `bounced`: that mail came back: anything but a no suppresses the first address of the row as `bounce`.
    - `complained`: that a letter was reported as spam: anything but a no suppresses the person as `complaint`.
    - `consent`: whether the person may be written to: a no suppresses them as `unsubscribe`.
    - `mailStatus`: a word such as `unsubscribed`, `cleaned`, `bounced` or `spam`, which suppresses; others change nothing.
    - `fields.NAME`: a field of your own.
    """
    sample: str
    """A value of the column from one of the first rows."""


class ImportCounts(TypedDict):
    total: int
    """Rows of the file, without the headings."""
    new: int
    """Rows that create a new person."""
    update: int
    """Rows that complete a known person."""
    same: int
    """Rows without anything new about a known person."""
    duplicate: int
    """Rows that repeat a person of an earlier row."""
    invalid: int
    """Rows that were left out, because they have no usable address or match two people."""
    erased: NotRequired[int]
    """Rows that were left out, because the person was erased; absent if there are none."""


class ImportPlan(TypedDict):
    columns: list[ImportColumn]
    """The columns of the file, in order."""
    headings: int | None
    """The row in which the headings were found, counted from 1; what stands above it is left out. Null if there are none."""
    sheet: str | None
    """The sheet that is read; null if the file has no sheets."""
    sheets: list[str]
    """The sheets of a workbook, in order."""
    rows: ImportCounts
    """The number of rows with each outcome."""
    errors: list[RowProblem]
    """What is wrong in the file, row by row."""
    warnings: list[RowProblem]
    """What may be meant otherwise, once for each column."""
    suppressions: SuppressionCounts
    """In how many rows the file says that nobody may write to the person, by reason."""
    suppressed: list[SuppressedRow]
    """The first thousand of these rows. Importing suppresses them before any letter goes."""
    cleaned: list[CleanedCell]
    """The first hundred addresses that are not read as they stand in the file."""
    duplicates: list[DuplicateRow]
    """The first thousand rows that are about the same person as an earlier row."""
    sample: list[SampleRow]
    """What would become of the first people of the file."""


class ImportResult(TypedDict):
    operation: str
    """The key with which `GET /operations/{key}` shows the progress of the import."""
    state: str
    """Its state, as that of an operation, such as `running` or `done`."""
    rows: ImportCounts
    """The number of rows with each outcome so far."""
    suppressions: SuppressionCounts
    """In how many rows the file says that nobody may write to the person, by reason."""
    errors: list[RowProblem]
    """What was wrong in the file, row by row."""


class ImportedRow(TypedDict):
    row: int
    """The row of the file, counted from 1."""
    outcome: str
    """What became of the row.

    - `new`: a new person.
    - `update`: a known person was changed.
    - `same`: a known person stayed unchanged.
    - `duplicate`: the same person as an earlier row.
    - `invalid`: nothing.
    - `erased`: nothing, because the person was erased.
    """
    person: str | None
    """The id of the card it led to; null if the row is invalid."""
    joined: int | None
    """For a duplicate, the earlier row of the file that led to the same card."""
    errors: list[RowProblem]
    """What is wrong in it; a row that is not invalid may have errors too."""


class ImportedRowList(TypedDict):
    rows: list[ImportedRow]
    """The rows, in the order of the file."""
    next: str | None
    """The `cursor` of the next page; null on the last page."""


class Invitation(TypedDict):
    title: str
    """The title of the meeting."""
    startsAt: str
    """When it starts."""
    endsAt: str
    """When it ends."""
    organizer: str
    """The address of who invites."""
    location: str | None
    """Where it is; null if the invitation does not say."""
    state: str
    """What became of it.

    - `open`: it waits for an answer.
    - `accepted`: it was accepted.
    - `tentative`: it was accepted with reservations.
    - `declined`: it was declined.
    - `cancelled`: the organizer has cancelled the meeting.
    - `replaced`: a newer message has another version of it.
    """


class InvitationAnswer(TypedDict):
    answer: Literal["accepted", "tentative", "declined"]
    """The answer.

    - `accepted`: the member takes part.
    - `tentative`: the member may take part.
    - `declined`: the member does not take part.
    """
    comment: NotRequired[str | None]
    """Words to the organizer."""


class ItemProblem(TypedDict):
    pointer: NotRequired[str]
    """The JSON pointer of the wrong member, relative to the item; absent if it is none."""
    code: str
    """What is wrong, for a program."""
    message: str
    """What is wrong, in words."""


class JudgedSegment(TypedDict):
    id: str
    """The id: opaque, and never changed."""
    name: str
    """The name; by default the query, or its rules."""
    query: str
    """Who belongs to it, in words; empty if its rules alone say it."""
    rules: list[SegmentRule]
    """Rules that narrow the query."""
    refill: bool
    """Whether the service adds matching people by itself."""
    saved: bool
    """Whether it is saved; false for a draft."""
    createdAt: str
    """When it was created."""
    updatedAt: str
    """When it was last changed."""
    members: int
    """The number of people in it."""
    judged: int
    """The number of people that this call judged."""
    matched: int
    """The number of them that belong to it."""
    remaining: int
    """The number of people still to be judged; while it is not 0, call again with `segment`."""
    hint: NotRequired[str]
    """Why nobody was found, and what can be done, in words; absent if somebody belongs to it."""


class Label(TypedDict):
    id: str
    """The id: opaque, and never changed."""
    name: str
    """The name."""


class LabelChange(TypedDict):
    add: NotRequired[list[str] | None]
    """Names of labels to put on them; one that is not in use yet is created."""
    remove: NotRequired[list[str] | None]
    """Labels to take off them, by id or name; one that is not on a conversation changes nothing."""


class LabelCount(TypedDict):
    label: str
    """The id of the label."""
    count: int
    """The open ones that carry it; at most 10000."""


class LabelList(TypedDict):
    labels: list[WorkspaceLabel]
    """Product tags and conversation labels, by name."""
    products: list[Label]
    """The product tags alone."""
    next: str | None
    """The `cursor` of the next page; null on the last page."""


class LabelledConversation(TypedDict):
    id: str
    """The id: opaque, and never changed."""
    person: str
    """The id of the person."""
    kind: str
    """The kind of channel.

    - `email`: e-mail.
    - `professional_network`: a professional network.
    - `messenger`: a messenger.
    """
    lastMessageAt: str
    """When the last message was received or sent."""
    waitingSince: str
    """Since when the next message has been awaited."""
    importance: str
    """The importance of the conversation.

    - `low`: it can wait.
    - `normal`: it is neither low nor high.
    - `high`: it should be dealt with first.
    """
    intent: str
    """What the client wants.

    - `quote`: an offer.
    - `question`: an answer to a question.
    - `interested`: to continue, without a specific request.
    - `meeting`: a meeting.
    - `not_interested`: nothing: they are not interested.
    - `complaint`: to have a problem solved.
    - `unsubscribe`: to receive no more letters.
    - `out_of_office`: nothing: they are away.
    - `other`: something else, or the intent was not recognised.
    """
    owner: str | None
    """The id of the member who owns it; null means no owner."""
    state: str
    """The state of the conversation.

    - `open`: it has to be dealt with.
    - `snoozed`: it is set aside until `snoozeUntil`.
    - `closed`: it is closed.
    """
    subject: str
    """The subject of its first message."""
    channel: str
    """The id of its connection; empty if it no longer has one."""
    snoozeUntil: str | None
    """When it wakes up; null unless it is snoozed."""
    why: str | None
    """Why it is snoozed; null unless it is snoozed and a reason was given."""
    closed: bool
    """Whether it is closed."""
    reason: str | None
    """Why it was closed; null unless it is closed.

    - `meeting_booked`: a meeting was arranged.
    - `not_interested`: the client is not interested.
    - `no_response`: the client did not reply.
    - `wrong_person`: the client is not the right person.
    - `spam`: it is spam.
    - `personal`: it is personal.
    - `other`: for another reason.
    """
    met: bool
    """Whether a meeting was arranged outside the conversation."""
    labels: list[Label]
    """The labels on it."""
    waitingFor: str
    """Whose message is awaited.

    - `us`: ours: the client wrote last.
    - `client`: the client's: we wrote last.
    """
    updatedAt: str
    """When it last changed, including its labels, notes and tasks."""
    notes: list[Note]
    """The notes of members, oldest first."""
    tasks: list[Task]
    """The tasks given to agents."""
    label: Label
    """The requested label."""


class Letter(TypedDict):
    place: int
    """The place of the letter in the campaign: 1, 2 or 3."""
    subject: str
    """The subject."""
    text: str
    """The text, as the first person would receive it."""
    agreed: bool
    """Whether it is agreed."""
    writtenAt: str
    """When it was written."""


class LetterPreparation(TypedDict):
    write: NotRequired[list[int] | None]
    """The places to write an example letter for: 1, 2 or 3."""
    agree: NotRequired[list[int] | None]
    """The places whose letters have been read and are agreed."""
    templates: NotRequired[list[NewTemplate] | None]
    """Templates in Liquid; those of a place replace what its letters were made from, and withdraw its agreement. An empty list takes the templates off the places in `write`, or off all places if it is given alone: they are written without templates again."""
    preview: NotRequired[LetterPreviewRequest | None]
    """Answers the letter of this place as the person would get it: as it is written for them, or from its template, also from `templates` of the same call, which are not kept then."""
    test: NotRequired[LetterTestRequest | None]
    """Sends the letter of this place, as the person would get it, to a member. The subject begins with `[Test]`."""


class LetterPreview(TypedDict):
    subject: str
    """The subject."""
    text: str
    """The text; names in brackets stand where values are missing."""
    html: str | None
    """The text in HTML; null without one."""
    missing: list[str]
    """The variables that have no value; with any of them, the letter would wait."""
    variant: str | None
    """The variant that the person gets; null if the letter has words already."""
    leftOut: NotRequired[list[str]]
    """What the HTML was given with and is sent without, such as a style sheet from elsewhere, in words; absent if there is nothing, and wherever the message is read later."""


class LetterPreviewRequest(TypedDict):
    person: str
    """The id of the person it would go to."""
    place: int
    """The place of the letter: 1, 2 or 3."""


class LetterTest(TypedDict):
    to: str
    """The address it went to."""
    state: str
    """What became of it: sent, failed, or unconfirmed if the server gave no answer."""
    code: str | None
    """Why it failed; null unless it did."""


class LetterTestRequest(TypedDict):
    person: str
    """The id of the person it would go to."""
    place: int
    """The place of the letter: 1, 2 or 3."""
    to: str
    """The address of a member, who gets it."""


class ListAgentsQuery(TypedDict):
    cursor: NotRequired[str]
    """Not needed: the first page has everything."""
    limit: NotRequired[int]
    """Checked, but without effect: this list answers everything at once."""


class ListAttachmentsQuery(TypedDict):
    cursor: NotRequired[str]
    """Not needed: the first page has everything."""
    limit: NotRequired[int]
    """Checked, but without effect: this list answers everything at once."""


class ListAuditEntriesQuery(TypedDict):
    cursor: NotRequired[str]
    """The `next` of the previous answer, unchanged. Leave it out or empty for the first page."""
    limit: NotRequired[int]
    """The most entries that the answer may hold."""


class ListCampaignPeopleQuery(TypedDict):
    cursor: NotRequired[str]
    """The `next` of the previous answer, unchanged. Leave it out or empty for the first page."""
    limit: NotRequired[int]
    """The most entries that the answer may hold."""
    outcome: NotRequired[Literal["sent", "replied", "interested", "declined", "bounced", "unsubscribed", "held", "failed"]]
    """Only people with this outcome.

    - `failed`: a letter could not be sent.
    - `held`: a letter waits because the letters to the person are held.
    - `sent`: a letter was sent.
    - `replied`: the person has replied since the first letter, not automatically.
    - `interested`: the person has replied, and is interested or wants to meet.
    - `declined`: the person has replied that they are not interested, or unsubscribed after a letter.
    - `bounced`: a letter bounced, or none is sent because another one did.
    - `unsubscribed`: the person has unsubscribed.
    """


class ListCampaignsQuery(TypedDict):
    cursor: NotRequired[str]
    """The `next` of the previous answer, unchanged. Leave it out or empty for the first page."""
    limit: NotRequired[int]
    """The most entries that the answer may hold."""


class ListChannelsQuery(TypedDict):
    cursor: NotRequired[str]
    """Not needed: the first page has everything."""
    limit: NotRequired[int]
    """Checked, but without effect: this list answers everything at once."""


class ListCompaniesQuery(TypedDict):
    cursor: NotRequired[str]
    """Not needed: the first page has everything."""
    limit: NotRequired[int]
    """Checked, but without effect: this list answers everything at once."""


class ListConversationsQuery(TypedDict):
    cursor: NotRequired[str]
    """The `next` of the previous answer, unchanged. Leave it out or empty for the first page."""
    limit: NotRequired[int]
    """The most entries that the answer may hold."""
    state: NotRequired[Literal["open", "snoozed", "closed"]]
    """Only conversations in this state.

    - `open`: conversations that have to be dealt with.
    - `snoozed`: conversations set aside until a certain time.
    - `closed`: over.
    """
    owner: NotRequired[str]
    """Only conversations owned by this member, by id; empty or `null` for those without an owner."""
    label: NotRequired[str]
    """Only conversations with this label, by its id or name."""
    kind: NotRequired[str]
    """Only conversations of this kind of channel, such as `email`."""
    person: NotRequired[str]
    """Only conversations with this person, by id."""
    q: NotRequired[str]
    """Only conversations whose subject or person's name contains this text, ignoring case."""
    waitingFor: NotRequired[Literal["us", "client"]]
    """Only conversations that wait for this side.

    - `us`: the client wrote last.
    - `client`: we wrote last.
    """
    importance: NotRequired[Literal["low", "normal", "high"]]
    """Only conversations of this importance.

    - `low`: those that can wait.
    - `normal`: those between the two.
    - `high`: those that should be dealt with first.
    """
    intent: NotRequired[Literal["quote", "question", "interested", "meeting", "not_interested", "complaint", "unsubscribe", "out_of_office", "other"]]
    """Only conversations in which the client wants this.

    - `quote`: an offer.
    - `question`: an answer to a question.
    - `interested`: to continue, without a specific request.
    - `meeting`: a meeting.
    - `not_interested`: nothing: they are not interested.
    - `complaint`: to have a problem solved.
    - `unsubscribe`: to receive no more letters.
    - `out_of_office`: nothing: they are away.
    - `other`: something else, or the intent was not recognised.
    """
    via: NotRequired[str]
    """Only conversations through this account of ours: a connection, by its id or account."""
    sort: NotRequired[Literal["lastMessageAt", "-lastMessageAt", "waitingSince", "-waitingSince"]]
    """The order, by default `-lastMessageAt`; not together with `updatedSince`.

    - `lastMessageAt`: by the last message, oldest first.
    - `-lastMessageAt`: by the last message, newest first.
    - `waitingSince`: by how long they have waited, longest first.
    - `-waitingSince`: by how long they have waited, shortest first.
    """
    updatedSince: NotRequired[str]
    """Only what has changed since this time, earliest change first. To continue later, pass the `updatedAt` of the last item you read; items changed at exactly that time are repeated."""


class ListDealsQuery(TypedDict):
    cursor: NotRequired[str]
    """The `next` of the previous answer, unchanged. Leave it out or empty for the first page."""
    limit: NotRequired[int]
    """The most entries that the answer may hold."""
    state: NotRequired[Literal["open", "closed"]]
    """Only deals in this state; by default both.

    - `open`: open deals.
    - `closed`: closed deals.
    """


class ListDeliveriesQuery(TypedDict):
    cursor: NotRequired[str]
    """The `next` of the previous answer, unchanged. Leave it out or empty for the first page."""
    limit: NotRequired[int]
    """The most entries that the answer may hold."""


ListEventsQuery = TypedDict(
    "ListEventsQuery",
    {
        "cursor": 'NotRequired[str]',
        "limit": 'NotRequired[int]',
        "kinds": 'NotRequired[list[str]]',
        "from": 'NotRequired[str]',
        "wait": 'NotRequired[int]',
    },
)


class ListImportedRowsQuery(TypedDict):
    cursor: NotRequired[str]
    """The `next` of the previous answer, unchanged. Leave it out or empty for the first page."""
    limit: NotRequired[int]
    """The most entries that the answer may hold."""


class ListLabelsQuery(TypedDict):
    cursor: NotRequired[str]
    """Not needed: the first page has everything."""
    limit: NotRequired[int]
    """Checked, but without effect: this list answers everything at once."""


class ListMembersQuery(TypedDict):
    cursor: NotRequired[str]
    """Not needed: the first page has everything."""
    limit: NotRequired[int]
    """Checked, but without effect: this list answers everything at once."""


class ListMessagesQuery(TypedDict):
    cursor: NotRequired[str]
    """The `next` of the previous answer, unchanged. Leave it out or empty for the first page."""
    limit: NotRequired[int]
    """The most entries that the answer may hold."""


class ListMessengerFoldersQuery(TypedDict):
    cursor: NotRequired[str]
    """Not needed: the first page has everything."""
    limit: NotRequired[int]
    """Checked, but without effect: this list answers everything at once."""


class ListNotificationsQuery(TypedDict):
    cursor: NotRequired[str]
    """The `next` of the previous answer, unchanged. Leave it out or empty for the first page."""
    limit: NotRequired[int]
    """The most entries that the answer may hold."""


ListOperationsQuery = TypedDict(
    "ListOperationsQuery",
    {
        "cursor": 'NotRequired[str]',
        "limit": 'NotRequired[int]',
        "state": 'NotRequired[Literal["accepted", "running", "waiting", "done", "failed", "cancelled"]]',
        "kind": 'NotRequired[str]',
        "from": 'NotRequired[str]',
    },
)


class ListPeopleQuery(TypedDict):
    cursor: NotRequired[str]
    """The `next` of the previous answer, unchanged. Leave it out or empty for the first page."""
    limit: NotRequired[int]
    """The most entries that the answer may hold."""
    q: NotRequired[str]
    """Only people for whom this text is part of their name, company, job title, city or one of their addresses, ignoring case."""
    label: NotRequired[str]
    """Only people who are currently tagged with this product, by its id or exact name."""
    side: NotRequired[Literal["buyer", "seller"]]
    """Only people with a tag on this side; can be combined with `label`.

    - `buyer`: those who buy.
    - `seller`: those who sell.
    """
    externalId: NotRequired[str]
    """Only the person with this id of your own."""
    email: NotRequired[str]
    """Only people with this e-mail address, whatever its spelling."""
    phone: NotRequired[str]
    """Only people with this phone number, whatever its spelling."""
    linkedin: NotRequired[str]
    """Only people with this profile in a professional network, whatever its spelling."""
    field: NotRequired[dict[str, str]]
    """Only people with this value in a field of your own: `field.NAME=VALUE` or `field[NAME]=VALUE`, with `true`, `false` and numbers as text. Up to ten fields can be combined."""
    updatedSince: NotRequired[str]
    """Only what has changed since this time, earliest change first. To continue later, pass the `updatedAt` of the last item you read; items changed at exactly that time are repeated."""


class ListProductsQuery(TypedDict):
    cursor: NotRequired[str]
    """Not needed: the first page has everything."""
    limit: NotRequired[int]
    """Checked, but without effect: this list answers everything at once."""


class ListSegmentPeopleQuery(TypedDict):
    cursor: NotRequired[str]
    """The `next` of the previous answer, unchanged. Leave it out or empty for the first page."""
    limit: NotRequired[int]
    """The most entries that the answer may hold."""


class ListSegmentProposalsQuery(TypedDict):
    cursor: NotRequired[str]
    """Not needed: the first page has everything."""
    limit: NotRequired[int]
    """Checked, but without effect: this list answers everything at once."""


class ListSegmentsQuery(TypedDict):
    cursor: NotRequired[str]
    """Not needed: the first page has everything."""
    limit: NotRequired[int]
    """Checked, but without effect: this list answers everything at once."""


class ListSuppressionsQuery(TypedDict):
    cursor: NotRequired[str]
    """The `next` of the previous answer, unchanged. Leave it out or empty for the first page."""
    limit: NotRequired[int]
    """The most entries that the answer may hold."""
    address: NotRequired[str]
    """Only entries for this address."""


class ListTouchesQuery(TypedDict):
    cursor: NotRequired[str]
    """The `next` of the previous answer, unchanged. Leave it out or empty for the first page."""
    limit: NotRequired[int]
    """The most entries that the answer may hold."""
    state: NotRequired[Literal["queued", "sending", "sent", "failed", "review"]]
    """Only touches in this state.

    - `queued`: it waits until it is due.
    - `review`: it is written and waits until its place is agreed.
    - `sending`: it is being sent, or it may or may not have arrived.
    - `sent`: it was sent.
    - `failed`: it was not sent, or it bounced.
    """


class ListVoicesQuery(TypedDict):
    cursor: NotRequired[str]
    """Not needed: the first page has everything."""
    limit: NotRequired[int]
    """Checked, but without effect: this list answers everything at once."""


class ListWebhooksQuery(TypedDict):
    cursor: NotRequired[str]
    """Not needed: the first page has everything."""
    limit: NotRequired[int]
    """Checked, but without effect: this list answers everything at once."""


class Material(TypedDict):
    title: str
    """The title of the text."""
    text: str
    """The text."""


class Meeting(TypedDict):
    id: str
    """The id: opaque, and never changed."""
    title: str
    """The title of the meeting."""
    calendar: str
    """The id of its calendar."""
    day: str
    """Its day in the time zone of the workspace, as YYYY-MM-DD."""
    start: str
    """The time of day at which it starts, in the time zone of the workspace, as HH:MM."""
    minutes: int
    """The duration in minutes."""
    startsAt: str
    """When it starts."""
    endsAt: str
    """When it ends."""
    guests: list[str]
    """The addresses of the guests."""
    replies: list[MeetingReply]
    """The guests' answers to the invitation."""
    proposals: list[MeetingProposal]
    """Other times that guests propose, until they are accepted or declined."""
    agenda: str
    """The agenda; the description in invitations."""
    state: str
    """The state of the meeting.

    - `booked`: it takes place.
    - `cancelled`: it was cancelled, and its guests are told so.
    """
    own: bool
    """Whether it was booked here; meetings made in another program are cancelled there."""


class MeetingCheck(TypedDict):
    check: bool
    """Always true: nothing was booked."""
    meeting: Meeting
    """The meeting as it would be booked."""
    conflicts: list[Meeting]
    """Meetings that overlap with it in the same calendar."""
    writesTo: list[str]
    """The addresses that would receive an invitation."""


class MeetingMove(TypedDict):
    day: str
    """The day in the time zone of the workspace, as YYYY-MM-DD."""
    start: str
    """The time of day at which it starts, in the time zone of the workspace, as HH:MM."""
    minutes: NotRequired[Literal[15, 30, 45, 60, 90, 120] | None]
    """The new duration in minutes; by default it stays.

    - `15`: a quarter of an hour.
    - `30`: half an hour.
    - `45`: three quarters of an hour.
    - `60`: an hour.
    - `90`: an hour and a half.
    - `120`: two hours.
    """
    check: NotRequired[bool | None]
    """True moves nothing and only shows what would happen."""


class MeetingProposal(TypedDict):
    id: str
    """The id: opaque, and never changed."""
    by: str
    """The address of the guest."""
    startsAt: str
    """When the meeting would start."""
    endsAt: str
    """When it would end."""
    comment: str | None
    """The guest's words; null if there are none."""
    at: str
    """When it was proposed."""


class MeetingReply(TypedDict):
    address: str
    """The address of the guest."""
    answer: str
    """The answer, such as `accepted`, `declined` or `tentative`."""
    unverified: NotRequired[bool]
    """True if the answer came from another address than the invited one; absent otherwise."""


class Member(TypedDict):
    id: str
    """The id: opaque, and never changed."""
    name: str
    """The name of the member."""
    email: str
    """Their e-mail address."""
    jobTitle: str
    """What they do in the company."""
    zone: str
    """What they handle, in words."""
    signature: str
    """How they sign letters."""
    defaultConnection: str | None
    """The id of the account through which their calls write where several fit; null if none is set, or it is not theirs any more."""


class MemberList(TypedDict):
    members: list[Member]
    """All members of the workspace."""
    next: str | None
    """Always null: this list answers everything at once."""


class MemberUpdate(TypedDict):
    jobTitle: NotRequired[str | None]
    """What they do in the company; an empty text erases it."""
    zone: NotRequired[str | None]
    """What they handle, in words; an empty text erases it."""
    signature: NotRequired[str | None]
    """How they sign letters; an empty text erases it."""
    defaultConnection: NotRequired[str | None]
    """The id of the account of theirs through which their calls write where several fit, in place of a refusal with `sender_ambiguous`; null for none."""


class Message(TypedDict):
    id: str
    """The id: opaque, and never changed."""
    conversation: str
    """The id of the conversation."""
    direction: str
    """The direction of the message.

    - `inbound`: from the client.
    - `outbound`: from us.
    """
    sender: MessageSender
    """Who sent it."""
    subject: str
    """The subject; empty if there is none."""
    text: str
    """The text."""
    at: str
    """When it was received or sent; while it waits, `sendAt` or the time at which it was queued."""
    automated: bool
    """Whether it was written automatically: by an agent, or as an automatic reply."""
    agent: str | None
    """The id of the agent that wrote it; null if none did."""
    voice: str | None
    """The voice it was written in; null if unknown."""
    files: int
    """The number of attached files."""
    state: str
    """The state of the message.

    - `received`: it was received.
    - `queued`: it waits for its time or its turn.
    - `sending`: it is being sent, or it may or may not have arrived.
    - `sent`: the account's server accepted it.
    - `failed`: it was not sent, or it bounced.
    - `cancelled`: it was cancelled before it was sent.
    """
    reason: str | None
    """Why it failed; `unconfirmed` if it may or may not have arrived; null otherwise."""
    code: str | None
    """The mail server's enhanced status code, such as `5.1.1`, or else its reply code."""
    suspect: bool
    """Whether the sender may be forged: the server of the account says so, the head names no sender clearly, or the mail lies in Junk. Such a message has no effects."""
    report: MessageReport | None
    """What it reports about a letter of ours; null if it is not a report."""
    to: list[str]
    """The addresses it is to."""
    cc: list[str]
    """The addresses that got a copy."""
    bcc: list[str]
    """The addresses that got a copy unseen by the others; empty unless it is ours."""
    html: bool
    """Whether it has HTML beside the text."""
    inReplyTo: str | None
    """The id of the message that it answers; null if it answers none that is stored."""
    via: str | None
    """Our address through which a group or a form sent it, in which case `sender` is who wrote it; null otherwise."""
    replyTo: list[ReplyAddress]
    """Where it asks for answers (`Reply-To`); empty if it does not say."""
    refused: list[RefusedRecipient]
    """The recipients in `cc` and `bcc` that the server refused when it took the message; empty if there are none."""
    invitation: Invitation | None
    """The meeting that it invites to; null if it is no invitation. POST /messages/{id}/invitation answers it."""
    said: NotRequired[str]
    """What the server or the report said about its failure, in its own words; absent without."""
    again: NotRequired[str]
    """The id of the letter as which it was sent anew; absent if it was not."""
    folder: str | None
    """The folder of the mailbox that it was read in, such as `INBOX`; null if it did not come from a mailbox."""
    removedAt: str | None
    """When its subject, text, HTML and files were removed, because the workspace keeps messages for so many days; null if they are there."""
    filesRemoved: int
    """How many of its files were removed, because the workspace keeps messages or files for so many days."""


class MessageList(TypedDict):
    messages: list[Message]
    """The messages, newest first."""
    next: str | None
    """The `cursor` of the next page; null on the last page."""


class MessageReport(TypedDict):
    kind: str
    """The kind of report.

    - `bounce`: the letter could not be delivered.
    - `complaint`: the recipient marked it as unwanted.
    - `delivery`: the letter was delivered.
    """
    code: str | None
    """The status code of the report (RFC 3463); null if it has none."""
    permanent: bool
    """Whether another attempt would fail too."""
    recipient: str | None
    """The address that is reported; null if the report names none."""
    message: str | None
    """The id of the message it is about; null if unknown."""
    proven: bool
    """Whether it is proven to be about a letter of ours; without proof it has no effects."""


class MessageSender(TypedDict):
    name: str
    """The name of the sender."""
    handle: str
    """The address of the sender."""


class MessengerFolder(TypedDict):
    id: str
    """The id: opaque, and never changed."""
    name: str
    """The name of the folder."""
    channel: str
    """The id of its connection."""
    conversations: int
    """The number of conversations in it."""


class MessengerFolderList(TypedDict):
    folders: list[MessengerFolder]
    """All folders of the messenger accounts."""
    next: str | None
    """Always null: this list answers everything at once."""


class MissingPart(TypedDict):
    field: str
    """The member to fix, such as `segment`, `agent`, `senders` or `letters`."""
    code: str
    """What is missing.

    - `segment_missing`: no segment is set.
    - `segment_empty`: the segment is empty.
    - `agent_missing`: no agent is set.
    - `agent_disabled`: the agent is disabled.
    - `no_sender`: no working account to send from.
    - `letter_not_agreed`: a letter is not agreed yet.
    """
    message: str
    """What to do about it, in words."""


class MovedCampaign(TypedDict):
    campaign: Campaign
    """The campaign."""
    letters: list[Letter]
    """The example letters, in order of place."""
    templates: list[Template]
    """The templates that letters are made from, in order of place and variant."""
    funnel: Funnel
    """The numbers of letters and people in each state."""
    variants: list[VariantNumbers]
    """The numbers of each variant of letters that are made from templates."""
    id: str
    """The id: opaque, and never changed."""
    state: str
    """The state of the campaign.

    - `draft`: it has not started and writes to nobody.
    - `running`: it sends letters.
    - `paused`: it writes to nobody until it is resumed.
    - `done`: it has ended for good.
    """
    inFlight: int
    """The number of letters that are being sent and can no longer be stopped."""


class NewCampaign(TypedDict):
    name: NotRequired[str | None]
    """The name; by default the goal."""
    goal: NotRequired[str | None]
    """What the campaign should achieve. An instruction to the writer that is never quoted to clients."""
    segment: NotRequired[str | None]
    """The id of the segment it writes to."""
    agent: NotRequired[str | None]
    """The id of the agent that writes."""
    places: NotRequired[int | None]
    """How many letters it has for each person: 1, 2 or 3, which is the default."""
    waitDays: NotRequired[list[int] | None]
    """The weekdays between each letter after the first and the one before it, from 1 to 60, an entry for each; by default 3 before the second letter and 5 before the third."""


class NewCondition(TypedDict):
    key: NotRequired[str]
    """What the condition is about, such as `price`."""
    value: NotRequired[str | float | bool]
    """The value: text, a number or a boolean."""
    side: NotRequired[str | None]
    """The side it applies to; `buyer` or `seller` is advised, null means both."""


class NewConversation(TypedDict):
    person: NotRequired[str | None]
    """The id of the person to write to, at their first address."""
    text: NotRequired[str | None]
    """The text of the message; by default the words of `html`. At least one of both is required."""
    html: NotRequired[str | None]
    """The body in HTML, sent as given, without what mail programs drop, such as style sheets from elsewhere, which `leftOut` names. Scripts, event handlers, forms and `javascript:` are refused; `cid:NAME` shows the file of that name. For e-mail alone."""
    subject: NotRequired[str | None]
    """The subject, in one line; by default that of the thread after “Re:”, or the first line of the text in a new one."""
    cc: NotRequired[list[str] | None]
    """E-mail addresses that get a copy; at most 50 recipients in all. For e-mail alone."""
    bcc: NotRequired[list[str] | None]
    """E-mail addresses that get a copy unseen by the others. For e-mail alone."""
    replyTo: NotRequired[str | None]
    """Not for a first message, as there is nothing that it could answer."""
    files: NotRequired[list[str | NewFile] | None]
    """Files to attach: ids of files, or their content. At most 20, with 25 MB in all."""
    signature: NotRequired[bool | None]
    """Whether the member's signature is put below the text and the HTML; by default not."""
    to: NotRequired[str | None]
    """The address to write to, instead of `person`: of the person who has it, otherwise of a new one."""
    via: NotRequired[str | None]
    """Our account to send it through, by the id of its connection or its address; by default the only one that fits the address, otherwise the `defaultConnection` of the member."""
    sendAt: NotRequired[str | None]
    """When to send it, with an offset; by default as soon as the queue reaches it."""


class NewDeal(TypedDict):
    label: str
    """The product, by its id or exact name."""
    seller: str
    """The id of the person who sells."""
    buyer: str
    """The id of the person who buys; must differ from the seller."""
    agent: str
    """The id of the agent that leads both sides."""


class NewFact(TypedDict):
    label: NotRequired[str]
    """What the fact is about, such as `founded`."""
    value: NotRequired[str | float | bool]
    """The value: text, a number or a boolean."""


class NewFile(TypedDict):
    name: str
    """The name of the file, in one line."""
    type: str
    """The media type, such as `application/pdf`."""
    content: str
    """The content in base64."""


class NewHold(TypedDict):
    until: NotRequired[str | None]
    """When the hold ends; by default it lasts until it is released."""
    why: NotRequired[str | None]
    """Why, for the team to read."""


class NewLabel(TypedDict):
    name: str
    """The name of the label; it is created if it is not in use yet."""


class NewMaterial(TypedDict):
    title: NotRequired[str | None]
    """The title of the text."""
    text: NotRequired[str | None]
    """The text."""


class NewMeeting(TypedDict):
    title: str
    """The title of the meeting."""
    day: str
    """The day in the time zone of the workspace, as YYYY-MM-DD."""
    start: str
    """The time of day at which it starts, in the time zone of the workspace, as HH:MM."""
    minutes: Literal[15, 30, 45, 60, 90, 120]
    """The duration in minutes.

    - `15`: a quarter of an hour.
    - `30`: half an hour.
    - `45`: three quarters of an hour.
    - `60`: an hour.
    - `90`: an hour and a half.
    - `120`: two hours.
    """
    guests: NotRequired[list[str] | None]
    """The e-mail addresses of the guests, at most 20; each guest gets an invitation."""
    agenda: NotRequired[str | None]
    """The agenda; the description in invitations."""
    calendar: NotRequired[str | None]
    """The id of the calendar; by default your own."""
    check: NotRequired[bool | None]
    """True books nothing and only shows what would happen."""


class NewMessage(TypedDict):
    text: NotRequired[str | None]
    """The text of the message; by default the words of `html`. At least one of both is required."""
    html: NotRequired[str | None]
    """The body in HTML, sent as given, without what mail programs drop, such as style sheets from elsewhere, which `leftOut` names. Scripts, event handlers, forms and `javascript:` are refused; `cid:NAME` shows the file of that name. For e-mail alone."""
    subject: NotRequired[str | None]
    """The subject, in one line; by default that of the thread after “Re:”, or the first line of the text in a new one."""
    cc: NotRequired[list[str] | None]
    """E-mail addresses that get a copy; at most 50 recipients in all. For e-mail alone."""
    bcc: NotRequired[list[str] | None]
    """E-mail addresses that get a copy unseen by the others. For e-mail alone."""
    replyTo: NotRequired[str | None]
    """The id of the message in this conversation that it answers; by default the last one received."""
    files: NotRequired[list[str | NewFile] | None]
    """Files to attach: ids of files, or their content. At most 20, with 25 MB in all."""
    signature: NotRequired[bool | None]
    """Whether the member's signature is put below the text and the HTML; by default not."""
    to: NotRequired[str | None]
    """The address of the client to send it to; by default the one from which they wrote the message that it answers."""
    via: NotRequired[str | None]
    """Our account to send it through, by the id of its connection or its address; by default that of the conversation."""
    sendAt: NotRequired[str | None]
    """When to send it, with an offset; by default as soon as the queue reaches it."""


class NewNote(TypedDict):
    text: str
    """The note."""


class NewPerson(TypedDict):
    name: NotRequired[str | None]
    """The name; by default the one before an address, as in `Ana Ruiz <ana@example.test>`. With a known `externalId`, an empty text erases it."""
    city: NotRequired[str | None]
    """The city they live or work in; with a known `externalId`, an empty text erases it."""
    jobTitle: NotRequired[str | None]
    """What they do at their company; with a known `externalId`, an empty text erases it."""
    email: NotRequired[str | None]
    """An e-mail address; an empty text means none."""
    emails: NotRequired[list[str] | None]
    """All e-mail addresses, in order: letters go to `email`, if it is given, otherwise to the first of these."""
    phone: NotRequired[str | None]
    """A phone number, preferably with the country code; an empty text means none."""
    phones: NotRequired[list[str] | None]
    """All phone numbers, in order, after `phone`."""
    linkedin: NotRequired[str | None]
    """The address of a profile in a professional network; an empty text means none."""
    company: NotRequired[str | None]
    """The company they work for, as text; with a known `externalId`, an empty text erases it."""
    externalId: NotRequired[str | None]
    """The id that your own system gives them, unique in the workspace."""
    fields: NotRequired[dict[str, str | float | bool | None] | None]
    """Fields of your own: at most 100, each with a name of up to 60 letters, digits, spaces, `_` and `-`."""
    tags: NotRequired[list[NewTag] | None]
    """Products to tag them with, each with a side. Tags that are there already stay."""
    into: NotRequired[str | None]
    """The id of a person to add these addresses to, instead of creating one."""


class NewSegment(TypedDict):
    query: NotRequired[str | None]
    """Who belongs to it, in words; may be left out where a rule has a `field`, or with `segment`."""
    rules: NotRequired[list[NewSegmentRule] | None]
    """Rules that narrow the query."""
    refill: NotRequired[bool | None]
    """Whether the service adds matching people by itself; by default false."""
    segment: NotRequired[str | None]
    """The id of a segment to continue judging; send its query again."""
    name: NotRequired[str | None]
    """The name; by default the query, or its rules."""


NewSegmentRule = TypedDict(
    "NewSegmentRule",
    {
        "kind": 'Literal["only", "except"]',
        "text": 'NotRequired[str | None]',
        "field": 'NotRequired[str | None]',
        "in": 'NotRequired[list[str | float | bool] | None]',
        "exists": 'NotRequired[bool | None]',
        "atLeast": 'NotRequired[float | None]',
        "atMost": 'NotRequired[float | None]',
    },
)


class NewSuppression(TypedDict):
    address: str
    """An e-mail address, a phone number or a profile address."""


class NewTag(TypedDict):
    label: str
    """The product, by its id or exact name."""
    side: Literal["buyer", "seller"]
    """The person's side of the product.

    - `buyer`: a client, who buys it.
    - `seller`: a partner, who sells it.
    """


class NewTask(TypedDict):
    text: str
    """What the agent should do, in words."""
    due: NotRequired[str | None]
    """When the agent writes to the client, which needs the scope `send`; without it, or with null, the text is kept as an instruction."""


class NewTemplate(TypedDict):
    place: int
    """The place of the letters that are made from it: 1, 2 or 3."""
    subject: NotRequired[str | None]
    """The subject, in Liquid. At places 2 and 3 it may be empty: it is that of the thread."""
    text: str
    """The text, in Liquid."""
    html: NotRequired[str | None]
    """The text in HTML, in Liquid; values stand in it as text, whatever they hold."""
    variant: NotRequired[Literal["a", "b", "c", "d"] | None]
    """Which variant of the place it is; by default a.

    - `a`: the first.
    - `b`: the second.
    - `c`: the third.
    - `d`: the fourth.
    """
    weight: NotRequired[int | None]
    """Its share of the people, compared with the other variants; by default 1."""


class NewWebhook(TypedDict):
    url: str
    """The http or https address to send events to."""
    kinds: NotRequired[list[str] | None]
    """The kinds of events to send, such as `message.received`, or `message.*` for all of a group; an empty list means all."""
    enabled: NotRequired[bool | None]
    """Whether events are sent; by default true."""


class Note(TypedDict):
    id: str
    """The id: opaque, and never changed."""
    conversation: str
    """The id of the conversation."""
    text: str
    """The note."""
    author: str
    """The id of the member who wrote it."""
    at: str
    """When it was written."""


class Notification(TypedDict):
    id: str
    """The id: opaque, and never changed."""
    at: str
    """When it was created."""
    kind: str
    """What it is about, such as `reply`, `message.failed`, `touch.unconfirmed` or `conversation.assigned`."""
    text: str
    """The text of the notification."""
    conversation: str | None
    """The id of the conversation it is about; null if it is about none."""
    read: bool
    """Whether it was marked as read."""


class NotificationList(TypedDict):
    notifications: list[Notification]
    """Your notifications, newest first."""
    next: str | None
    """The `cursor` of the next page; null on the last page."""


class NotificationSelection(TypedDict):
    ids: NotRequired[list[str] | None]
    """The ids of the notifications to mark; by default all unread ones."""


class NotificationsRead(TypedDict):
    read: int
    """The number of them that were unread."""


class OpenedConversation(TypedDict):
    conversation: Conversation
    """The conversation."""
    message: QueuedMessage
    """Its first message."""


class Operation(TypedDict):
    id: str
    """The id of the operation: the workspace and the key."""
    kind: str
    """What is carried out: a workflow such as `sendMessage`, or the action of a change."""
    state: str
    """The state of the operation.

    - `accepted`: it is recorded and will be started.
    - `running`: it is being carried out.
    - `waiting`: it waits until a certain time, or for a person.
    - `done`: it was carried out.
    - `failed`: it could not be carried out.
    - `cancelled`: it was cancelled.
    """
    progress: OperationProgress | None
    """The progress; null if it is not counted."""
    waitingFor: str | None
    """What it waits for, as a stable code; null if it does not wait.

    - `send_at`: the time at which the message is to be sent.
    - `turn`: an earlier message of the conversation.
    - `next_try`: the next attempt, because the server deferred it.
    - `connection`: an account that cannot be opened.
    - `resolve`: a person who decides whether it arrived.
    - `restart`: an operator who restarts it.
    - `due`: the time of the task.
    - `hours`: the hours of the agent.
    - `model`: the model that writes.
    - `snooze`: the end of the snooze.
    - `calendar`: the server of the calendar.
    - `held`: the end of a hold of an operator or of the administration.
    """
    why: NotRequired[str]
    """The reason of the hold; absent unless it waits for the end of one."""
    until: str | None
    """When it continues by itself; null if unknown."""
    result: Any
    """Its result, with its members in the order of the answer of its call; null before its end."""
    acceptedAt: str
    """When the call was accepted."""
    startedAt: str | None
    """When it started; null until then."""
    endedAt: str | None
    """When it ended; null until then."""
    workflow: OperationWorkflow | None
    """The Temporal workflow that carries it out; null if there is none."""


class OperationList(TypedDict):
    operations: list[Operation]
    """The operations, newest first."""
    next: str | None
    """The `cursor` of the next page; null on the last page."""


class OperationProgress(TypedDict):
    done: int
    """The amount that is done."""
    total: int
    """The amount in all."""


class OperationWorkflow(TypedDict):
    id: str
    """The id of the workflow."""
    runId: str | None
    """The id of its run; null until it starts."""
    url: str | None
    """Its page in the Temporal Web UI; null if there is none."""


class OwnerCount(TypedDict):
    member: str
    """The id of the member."""
    count: int
    """The open ones that they own; at most 10000."""


class PeopleBulk(TypedDict):
    people: list[NewPerson]
    """The people, each with the members of `POST /people`."""
    mode: NotRequired[Literal["complete", "update"] | None]
    """What given members do to a card that there is already.

    - `complete`: they fill what is empty; this is the default.
    - `update`: they replace what stands there, and given addresses come first.
    """


class PeopleBulkResult(TypedDict):
    index: int
    """The place of the person in the call, from 0."""
    outcome: str
    """What became of the person.

    - `created`: a new card was made.
    - `completed`: a card has gained something, with the mode `complete`.
    - `updated`: a card was changed, with the mode `update`.
    - `same`: the card says all of it already.
    - `refused`: nothing was written; see `errors`.
    """
    person: NotRequired[str]
    """The id of the card; absent if refused."""
    errors: NotRequired[list[ItemProblem]]
    """At most 20 reasons for a refusal; absent if there was none."""


class PeopleBulkResults(TypedDict):
    results: list[PeopleBulkResult]
    """What became of each person, in the order of the call."""


class PeopleFile(TypedDict):
    name: str
    """The name of the file; the kind of file is determined by the content alone."""
    content: str
    """The content in base64: CSV, XLSX or visiting cards (vCard), at most 3 MB before it is encoded."""


class PeopleImport(TypedDict):
    file: PeopleFile
    """The file with the people."""
    columns: NotRequired[list[ColumnChoice] | None]
    """Corrections of the recognised columns, as the plan shows them; those not named stay as recognised."""
    commit: NotRequired[bool | None]
    """True writes the people; otherwise the answer is a plan, and nothing is written."""
    region: NotRequired[str | None]
    """The country of phone numbers without a country code, as two letters (ISO 3166); by default that of the workspace, if it has one."""
    headings: NotRequired[int | None]
    """The row of the headings, counted from 1, if it is not the one that the plan names; 0 if the file has none."""
    sheet: NotRequired[str | None]
    """The name of the sheet to read, of those in `sheets` of the plan; by default the one that looks most like people."""
    mode: NotRequired[Literal["complete", "update"] | None]
    """How values of the file change a known person; empty cells change nothing.

    - `complete`: they fill only what is empty; this is the default.
    - `update`: they also replace what is there.
    """


class Person(TypedDict):
    id: str
    """The id: opaque, and never changed."""
    name: str
    """The name; empty if unknown."""
    city: str
    """The city they live or work in."""
    jobTitle: str
    """What they do at their company."""
    company: str
    """The company they work for, as text."""
    email: str
    """The first of `emails`, to which letters are sent; empty if there is none."""
    phone: str
    """The first of `phones`; empty if there is none."""
    linkedin: str
    """The address of their profile in a professional network; empty if there is none."""
    emails: list[str]
    """All e-mail addresses; letters are sent to the first one."""
    phones: list[str]
    """All phone numbers, in E.164 format where possible."""
    tags: list[PersonTag]
    """The products they are currently tagged with."""
    removedTags: list[RemovedTag]
    """Tags that were removed; they stay on record."""
    createdAt: str
    """When it was created."""
    updatedAt: str
    """When it was last changed."""
    held: Hold | None
    """The hold on the letters of all campaigns to them; null if there is none."""
    externalId: str | None
    """The id that your own system gave them; null if there is none."""
    fields: dict[str, str | float | bool]
    """Fields of your own: text, numbers, true or false, by name."""
    suppressed: list[SuppressedAddress]
    """Those of their addresses that must not be written to; see `GET /suppressions`."""
    mergedInto: NotRequired[str]
    """The id of this card, where a card that has become part of it was asked for; otherwise absent."""


class PersonExport(TypedDict):
    exportedAt: str
    """When the export was begun."""
    person: Person
    """The card, as `GET /people/{id}` answers it."""
    addresses: list[dict[str, Any]]
    """The addresses, as they are compared and as they were given."""
    tags: list[dict[str, Any]]
    """The products they are or were tagged with."""
    suppressions: list[dict[str, Any]]
    """Why their addresses must not be written to."""
    prospects: list[dict[str, Any]]
    """What the operator’s list of prospects says of them."""
    segments: list[dict[str, Any]]
    """The segments that they were judged for, with the reasons."""
    letters: list[dict[str, Any]]
    """Letters of campaigns to them, whatever became of them."""
    letterTests: list[dict[str, Any]]
    """Letters to them that members had sent to themselves to look at."""
    conversations: list[dict[str, Any]]
    """Their conversations, with the names of the labels."""
    messages: list[dict[str, Any]]
    """The messages of these conversations, newest first, with their HTML."""
    files: list[dict[str, Any]]
    """The files of these messages; `content` is in base64."""
    notes: list[dict[str, Any]]
    """The notes that members wrote in these conversations."""
    tasks: list[dict[str, Any]]
    """The tasks that members gave to agents in these conversations."""
    deals: list[dict[str, Any]]
    """The deals in which they sell or buy."""
    meetings: list[dict[str, Any]]
    """The meetings that one of their addresses was invited to."""
    imports: list[dict[str, Any]]
    """The rows of imported files that led to their card."""
    merged: list[dict[str, Any]]
    """The cards that have become part of theirs."""
    audit: list[dict[str, Any]]
    """What calls changed in their card and in their conversations."""


class PersonList(TypedDict):
    people: list[Person]
    """The people in order of name, those without a name first."""
    next: str | None
    """The `cursor` of the next page; null on the last page."""


PersonMerge = TypedDict(
    "PersonMerge",
    {
        "from": 'list[str]',
    },
)


class PersonSplit(TypedDict):
    emails: NotRequired[list[str] | None]
    """E-mail addresses of the card that belong to somebody else."""
    phones: NotRequired[list[str] | None]
    """Phone numbers of the card that belong to somebody else."""


class PersonTag(TypedDict):
    label: str
    """The id of the product."""
    side: str
    """Their side of the product.

    - `buyer`: they buy it, as a client.
    - `seller`: they sell it, as a partner.
    """


class PersonUpdate(TypedDict):
    name: NotRequired[str | None]
    """The name; an empty text erases it."""
    city: NotRequired[str | None]
    """The city; an empty text erases it."""
    jobTitle: NotRequired[str | None]
    """The job title; an empty text erases it."""
    company: NotRequired[str | None]
    """The company; an empty text erases it."""
    emails: NotRequired[list[str] | None]
    """All e-mail addresses, in order: letters go to the first one. Those left out are removed."""
    phones: NotRequired[list[str] | None]
    """All phone numbers, in order. Those left out are removed."""
    externalId: NotRequired[str | None]
    """The id that your own system gives them, unique in the workspace; null removes it."""
    fields: NotRequired[dict[str, str | float | bool | None] | None]
    """Fields of your own, added to those that are there; null removes one. A person has at most 100, each with a name of up to 60 letters, digits, spaces, `_` and `-`."""
    held: NotRequired[NewHold | None]
    """Holds the letters of all campaigns to this person; null releases them."""


class PreparedLetters(TypedDict):
    letters: list[Letter]
    """The example letters, in order of place."""
    templates: list[Template]
    """The templates, in order of place and variant."""
    preview: NotRequired[LetterPreview]
    """The letter that was asked for; only with `preview`."""
    test: NotRequired[LetterTest]
    """What became of the test; only with `test`."""


class Problem(TypedDict):
    type: str
    """A URN that ends with the `code`."""
    title: str
    """What refusals of this status have in common."""
    status: int
    """The HTTP status of the answer."""
    detail: str
    """What is wrong with this call."""
    instance: str
    """The path that was called."""
    code: str
    """Why the call was refused. Codes are stable, the texts are not.

    - `malformed_request`: The request is not valid HTTP. Check what the client actually sends.
    - `malformed_json`: The body is not JSON in UTF-8. Check what the client actually sends.
    - `invalid_query`: A parameter of the address is unknown, given twice or not valid. `errors` names it.
    - `invalid_cursor`: The cursor is not from an answer of this list. Start again without a cursor, and send `next` back unchanged.
    - `idempotency_key_missing`: Every change needs the header `Idempotency-Key`. Send a new key for each call, for instance a UUID.
    - `idempotency_key_invalid`: The key must have 1 to 255 visible ASCII characters. A UUID always fits.
    - `token_missing`: Send `Authorization: Bearer <ACCESS_TOKEN>` with every call.
    - `invalid_token`: The token is mistyped, was revoked, or belongs to another deployment. The operator creates tokens with `npm run -s token -- create`.
    - `token_expired`: The token is no longer valid. Ask the operator for a new one.
    - `insufficient_scope`: The token lacks a scope that the call needs; `scopes` names all the scopes it needs. Ask the operator for a token with these scopes.
    - `not_found`: Nothing in this workspace has the id in the address. It may have been deleted, or belong to another workspace.
    - `no_such_route`: There is no such address. Compare it with this reference; the path includes the version.
    - `method_not_allowed`: The address does not accept this method; the header `Allow` names those it accepts.
    - `request_timeout`: The body took too long to arrive. Send the same call again with the same key.
    - `changed_meanwhile`: The resource is not any more what its `ETag` in `If-Match` stands for. Read it, and send what is to be done now; the call may have the same key.
    - `body_too_large`: The body is larger than this call accepts. Send less in one call.
    - `file_too_large`: The file is larger than this call accepts. Split it into several files.
    - `unsupported_media_type`: Send the body as `application/json`, without compression.
    - `range_not_satisfiable`: The range lies outside the file. `Content-Range` gives the size of the file.
    - `idempotency_in_progress`: A call with this key is still being carried out. Send it again after `Retry-After` seconds, with the same key.
    - `conflict`: Another resource has what this one is to have, or two would become one. `errors` names the members, and `people` the cards; change one of them first.
    - `merged`: The card has become part of another one, which `mergedInto` names. Send the call for that one, with a new key.
    - `invalid_state`: The resource is in a state that does not allow this. `state` names its state, `allowed` what would be allowed.
    - `campaign_incomplete`: The campaign is not ready to start. `missing` names what it needs.
    - `letter_not_written`: A letter can be agreed only after it was written from the current brief. Write it, read it, then agree it.
    - `segment_in_use`: A running or paused campaign uses the segment. End the campaign, or pause it and give it another segment.
    - `validation_failed`: The body is not valid. `errors` names each wrong member by its pointer. Correct them and send the call again; it may have the same key.
    - `idempotency_key_reused`: The key was used for another call. Use a new key for each new call.
    - `recipient_suppressed`: The address is suppressed after a complaint or a bounce, or by an operator, and must not be written to. `GET /suppressions` gives the reason.
    - `contact_ambiguous`: Several addresses or people come into question, or the last message asks for answers at another address than its own. Each of `candidates` has the `id` of the person (null if the address is on no card), the address as `account`, and the `name`: send one `account` as `to`, or one `id` as `person`.
    - `sender_ambiguous`: Several accounts match, or none. Each of `candidates` has `id`, `account` and `name`: send one `id` or `account` as `via`.
    - `no_contact`: The person has no address on this channel. Add one first.
    - `erased`: The person was erased: nothing more is written to them, and they are not brought back. With 410, the answer that was stored held something of them, or something that is past the retention of its workspace, and is gone.
    - `time_in_past`: The time has passed. Times need an offset, and a time up to a minute ago means now.
    - `local_time_missing`: The clocks skip this time of day on that day. Choose another time.
    - `login_failed`: A mail server of the account refused the login. `errors` has its own words. Correct the password, or do what the provider asks for, and call again with another key.
    - `server_unreachable`: A mail server of the account could not be reached on the public internet, or offers no connection that is safe. Check host and port.
    - `private_address`: The host belongs to a private network or to the machine itself. Name one on the public internet.
    - `unreadable_file`: The content cannot be read; `errors` says what it is, or what is wrong with it. Files of people are CSV, workbooks (.xlsx) and visiting cards (vCard).
    - `secret_needed`: A password or secret stays only where it was given for: with another server, port, TLS or user it has to be given again. `errors` names it.
    - `needs_successor`: Something is theirs that somebody has to take over. `errors` says what; name another member as `to`.
    - `quota_exceeded`: The workspace has as many of something as its operator allows: `quota` says of what, `most` how many, and `used` how many it has. With 429 there may be room by itself after `Retry-After` seconds; with 422 somebody has to make room, and the call may then be sent again with the same key.
    - `rate_limited`: The token has reached its limit of calls per minute, or too many of its calls are still open. Wait `Retry-After` seconds, then continue.
    - `headers_too_large`: The headers of the request are too large. Send fewer, or shorter ones.
    - `internal`: Something went wrong here, and it is logged under `requestId`. Send the same call again with the same key; if it keeps failing, tell the operator.
    - `provider_failed`: Another service that the call needs has failed. Send the same call again later, with the same key.
    - `unavailable`: The service cannot do this at the moment. Send the same call again after `Retry-After` seconds, with the same key.
    - `still_running`: The work continues. Send the same call again with the same key, or read `GET /operations/{key}`.
    """
    requestId: str
    """Identifies the call in the log: include it when you ask the operator."""
    retryable: bool
    """Whether the same call is worth repeating, with the same key."""
    errors: NotRequired[list[ProblemItem]]
    """What is wrong, one entry for each member or parameter."""
    state: NotRequired[str]
    """With `invalid_state`: the state that the resource is in."""
    allowed: NotRequired[list[str]]
    """With `invalid_state`: what the state would allow; empty if it allows nothing."""
    missing: NotRequired[list[MissingPart]]
    """With `campaign_incomplete`: what the campaign needs."""
    candidates: NotRequired[list[Candidate]]
    """With `contact_ambiguous` and `sender_ambiguous`: who comes into question. Send one of them."""
    people: NotRequired[list[str]]
    """With `conflict`: the ids of the cards that are in each other's way."""
    mergedInto: NotRequired[str]
    """With `merged`: the id of the card that this one has become part of."""
    connection: NotRequired[str]
    """With `conflict`: the id of the connection that has the address already."""
    quota: NotRequired[str]
    """With `quota_exceeded`: what the workspace has too many of."""
    most: NotRequired[int]
    """With `quota_exceeded`: how many it may have at once."""
    used: NotRequired[int]
    """With `quota_exceeded`: how many it has."""
    scopes: NotRequired[list[str]]
    """With `insufficient_scope`: all the scopes that the call needs."""


class ProblemItem(TypedDict):
    pointer: NotRequired[str]
    """The place in the body, as a JSON pointer (RFC 6901)."""
    parameter: NotRequired[str]
    """The parameter of the address."""
    code: str
    """What is wrong with it, as a stable code."""
    message: str
    """What is wrong with it, in words."""


class Product(TypedDict):
    id: str
    """The id: opaque, and never changed."""
    name: str
    """The name of the product."""
    description: str
    """The description of the product."""
    side: str
    """Our side of the product.

    - `sell`: we sell it.
    - `buy`: we buy it.
    - `both`: we do both.
    """
    goal: str
    """What we want to achieve with a client.

    - `demo`: a demonstration.
    - `sale`: a sale.
    - `partnership`: a partnership.
    """
    conditions: list[Condition]
    """Its conditions, as pairs of a key and a value, each with its side."""
    markets: list[str]
    """The countries it is for, as ISO codes."""


class ProductList(TypedDict):
    products: list[Product]
    """All products of the workspace."""
    next: str | None
    """Always null: this list answers everything at once."""


class ProductUpdate(TypedDict):
    description: NotRequired[str | None]
    """The description of the product."""
    side: NotRequired[Literal["sell", "buy", "both"] | None]
    """Our side of the product.

    - `sell`: we sell it.
    - `buy`: we buy it.
    - `both`: we do both.
    """
    goal: NotRequired[Literal["demo", "sale", "partnership"] | None]
    """What we want to achieve with a client.

    - `demo`: a demonstration.
    - `sale`: a sale.
    - `partnership`: a partnership.
    """
    conditions: NotRequired[list[NewCondition] | None]
    """Its conditions, as pairs `{key, value, side}` or `{price: "49 EUR"}`; they replace the present ones."""


class Proposal(TypedDict):
    product: Label
    """The product it is for."""
    name: str
    """The proposed name."""
    why: str
    """Why it is proposed."""
    query: str
    """Who would belong to it, in words."""
    channels: list[str]
    """The kinds of channel that reach somebody in it."""
    channel: str
    """The recommended kind of channel: the one that reaches most of them."""
    size: ProposalSize
    """The size it would have."""


class ProposalAnswer(TypedDict):
    accept: bool
    """True moves the meeting to the proposed time, false declines the proposal."""


class ProposalList(TypedDict):
    proposals: list[Proposal]
    """All proposals, in order of product."""
    next: str | None
    """Always null: this list answers everything at once."""


class ProposalSize(TypedDict):
    contacts: int
    """Matching people."""
    reach: dict[str, int]
    """The number of them that each kind of channel reaches."""
    fresh: int
    """People who have not been written to for 60 days."""
    at: str
    """When they were counted."""


class QueuedMessage(TypedDict):
    id: str
    """The id: opaque, and never changed."""
    state: str
    """The state of the message.

    - `queued`: it waits for its time or its turn.
    - `sending`: it is being sent, or it may or may not have arrived.
    - `sent`: the account's server accepted it.
    - `failed`: it was not sent, or it bounced.
    - `cancelled`: it was cancelled before it was sent.
    """
    sendAt: str | None
    """When it is to be sent; null if no time was given."""
    to: str
    """The address it is sent to."""
    conversation: str
    """The id of the conversation."""
    text: str
    """The text."""
    via: str
    """The id of the connection it is sent through."""
    reason: str | None
    """The reason for its state, as a stable code such as `refused`, `undeliverable`, `bounced` or `unconfirmed`; null otherwise."""
    sentAt: str | None
    """When it was sent; null until then."""
    messageId: str | None
    """The Message-ID of the mail; null until it is handed over."""
    subject: str
    """The subject."""
    cc: list[str]
    """The addresses that get a copy."""
    bcc: list[str]
    """The addresses that get a copy unseen by the others."""
    html: bool
    """Whether it has HTML beside the text."""
    files: int
    """The number of attached files, inline images included."""
    refused: NotRequired[list[RefusedRecipient]]
    """The recipients in `cc` and `bcc` that the server refused when it took the message; absent if there are none."""
    leftOut: NotRequired[list[str]]
    """What the HTML was given with and is sent without, such as a style sheet from elsewhere, in words; absent if there is nothing, and wherever the message is read later."""


class RefusedRecipient(TypedDict):
    address: str
    """The address."""
    code: str
    """The server's status code, such as `5.1.1`; `suppressed` if it must not be written to."""


class RemovedTag(TypedDict):
    label: str
    """The id of the product."""
    side: str
    """Their former side of the product.

    - `buyer`: they bought it, as a client.
    - `seller`: they sold it, as a partner.
    """
    removedAt: str
    """When the tag was removed."""


class ReplyAddress(TypedDict):
    name: str
    """The name beside the address; empty if there is none."""
    address: str
    """The address."""


class Resolution(TypedDict):
    outcome: Literal["sent", "again"]
    """What becomes of it.

    - `sent`: it arrived, and counts as sent.
    - `again`: it did not arrive, and is sent once more, under the same Message-ID.
    """


class Routing(TypedDict):
    enabled: bool
    """Whether new conversations get an owner automatically."""
    rules: list[RoutingRule]
    """The rules in order; the first one that matches decides."""


class RoutingRule(TypedDict):
    id: str
    """The id: opaque, and never changed."""
    field: str
    """The part of a conversation that the rule checks.

    - `label`: a label on the conversation, or a product tag of the person.
    - `side`: the person's side of a product.
    - `product`: a product the person is tagged with.
    - `sender`: the address or domain of the client, or our account.
    - `company`: our company for which the agent writes.
    - `agent`: the agent that writes in the conversation.
    """
    value: str
    """The value to match: an id, an address or `@domain`, or a side."""
    member: str
    """The id of the member who gets the conversation."""


class RoutingRun(TypedDict):
    rule: NotRequired[str | None]
    """The id of the only rule to apply; by default all rules in order."""
    depth: NotRequired[Literal["all", "quarter", "month", "week"] | None]
    """Which conversations to include, by their last message.

    - `all`: all conversations.
    - `quarter`: the last 90 days.
    - `month`: the last 30 days.
    - `week`: the last 7 days.
    """
    cursor: NotRequired[str | None]
    """The `cursor` of the previous answer, to continue."""
    floor: NotRequired[str | None]
    """The `floor` of the previous answer, to continue."""


class RoutingRunResult(TypedDict):
    handed: int
    """The number of conversations that got an owner."""
    seen: int
    """The number of conversations that were checked."""
    cursor: str | None
    """Where to continue, in another call with a new key; null when nothing is left."""
    floor: str | None
    """The limit of the period, to be sent with `cursor`; null when nothing is left."""


class RoutingUpdate(TypedDict):
    do: Literal["add", "drop", "up", "down", "order", "switch"]
    """The action.

    - `add`: add a rule at the end, by `field`, `value` and `member`.
    - `drop`: delete `rule`.
    - `up`: move `rule` one place up.
    - `down`: move `rule` one place down.
    - `order`: put all rules into the order given by `rules`.
    - `switch`: turn routing on or off, by `enabled`.
    """
    field: NotRequired[Literal["label", "side", "product", "sender", "company", "agent"] | None]
    """The part of a conversation that the new rule checks.

    - `label`: a label on the conversation, or a product tag of the person.
    - `side`: the person's side of a product.
    - `product`: a product the person is tagged with.
    - `sender`: the address or domain of the client, or our account.
    - `company`: our company for which the agent writes.
    - `agent`: the agent that writes in the conversation.
    """
    value: NotRequired[str | None]
    """The value to match: the id or name of the label, product, company or agent, an address, `@domain` or connection, or `buyer` or `seller`."""
    member: NotRequired[str | None]
    """The id of the member who gets the conversation."""
    rule: NotRequired[str | None]
    """The id of the rule to change."""
    rules: NotRequired[list[str] | None]
    """The ids of all rules in their new order."""
    enabled: NotRequired[bool | None]
    """Whether new conversations get an owner automatically."""


class RowProblem(TypedDict):
    row: int
    """The row of the file, counted from 1 and including the headings."""
    column: str | None
    """The heading of the column; null if the problem concerns the whole row."""
    code: str
    """What is wrong, as a stable code.

    - `invalid_email`: it is not an e-mail address.
    - `invalid_phone`: it is not a phone number.
    - `invalid_linkedin`: it is not a profile address.
    - `rounded_number`: a spreadsheet has rounded it, and its last digits are lost.
    - `shared_address`: the address stands in rows of different names, so it is nobody’s here and joins nobody.
    - `no_region`: a number has no country code, and there is no `region`; a warning, once for each column.
    - `too_long`: it is too long and was left out.
    - `no_contact`: the row has no address of any kind, and no id of your own.
    - `matches_two`: its id and addresses lead to two different people.
    - `erased`: the person was erased, and is not brought back.
    - `no_rows`: the file has nobody below this row, that of its headings.
    - `too_many_columns`: a hundred other columns are fields of your own already, and this one was left out; `row` is that of the headings.
    - `too_many_fields`: the person has 100 fields already, and the others were left out.
    """
    message: str
    """What is wrong, in words."""


class SampleRow(TypedDict):
    row: int
    """The row of the file, counted from 1 and including the headings."""
    outcome: str
    """What would become of the row.

    - `new`: a new person.
    - `update`: a known person is completed or changed.
    - `same`: a known person stays as they are.
    - `duplicate`: the same person as an earlier row.
    - `matches_two`: left out, because its addresses lead to two different people.
    - `erased`: left out, because the person was erased.
    """
    person: str | None
    """The id of the card that the row leads to; null if there is none yet."""
    joined: int | None
    """For a duplicate, the earlier row of the file that is about the same person."""
    name: str
    """The name that was read."""
    email: str
    """The e-mail address that was read."""
    phone: str
    """The phone number that was read."""
    linkedin: str
    """The profile address that was read."""
    company: str
    """The company that was read."""
    city: str
    """The city that was read."""
    jobTitle: str
    """The job title that was read."""
    externalId: str | None
    """The id of your own that was read."""
    fields: dict[str, str | float | bool]
    """The fields of your own that were read."""


SearchQuery = TypedDict(
    "SearchQuery",
    {
        "cursor": 'NotRequired[str]',
        "limit": 'NotRequired[int]',
        "q": 'str',
        "kind": 'NotRequired[list[Literal["message", "conversation", "person", "note"]]]',
        "person": 'NotRequired[str]',
        "conversation": 'NotRequired[str]',
        "owner": 'NotRequired[str]',
        "label": 'NotRequired[str]',
        "from": 'NotRequired[str]',
        "to": 'NotRequired[str]',
        "has": 'NotRequired[Literal["files"]]',
        "order": 'NotRequired[Literal["newest", "relevance"]]',
    },
)


class SearchResult(TypedDict):
    kind: str
    """What was found.

    - `message`: a message, by its text without quotations, its subject and the names of its files.
    - `conversation`: a conversation, by its subject.
    - `person`: a person, by name, company and addresses.
    - `note`: a note of a member, by its text.
    """
    id: str
    """The id: opaque, and never changed."""
    conversation: str | None
    """The id of the conversation that it belongs to or is; null for a person."""
    person: str | None
    """The id of the person that it is about or is."""
    at: str
    """When it was received or sent, written, begun, or added, depending on the kind."""
    snippet: str
    """The text around the first match, on one line and at most 200 characters long."""
    matches: list[list[int]]
    """Where the words stand in the snippet: the start and the end of each, counted in UTF-16 units as JavaScript counts; the end is behind the last one."""


class SearchResultList(TypedDict):
    results: list[SearchResult]
    """What was found, in order."""
    next: str | None
    """The `cursor` of the next page; null on the last page."""


class Segment(TypedDict):
    id: str
    """The id: opaque, and never changed."""
    name: str
    """The name; by default the query, or its rules."""
    query: str
    """Who belongs to it, in words; empty if its rules alone say it."""
    rules: list[SegmentRule]
    """Rules that narrow the query."""
    refill: bool
    """Whether the service adds matching people by itself."""
    saved: bool
    """Whether it is saved; false for a draft."""
    createdAt: str
    """When it was created."""
    updatedAt: str
    """When it was last changed."""
    members: int
    """The number of people in it."""


class SegmentAddition(TypedDict):
    people: list[str]
    """The people, each by id, e-mail address, phone number or profile address."""


class SegmentCampaign(TypedDict):
    id: str
    """The id: opaque, and never changed."""
    name: str
    """The name of the campaign."""
    state: str
    """The state of the campaign.

    - `draft`: it has not started and writes to nobody.
    - `running`: it sends letters.
    - `paused`: it writes to nobody until it is resumed.
    - `done`: it has ended for good.
    """


class SegmentDetails(TypedDict):
    id: str
    """The id: opaque, and never changed."""
    name: str
    """The name; by default the query, or its rules."""
    query: str
    """Who belongs to it, in words; empty if its rules alone say it."""
    rules: list[SegmentRule]
    """Rules that narrow the query."""
    refill: bool
    """Whether the service adds matching people by itself."""
    saved: bool
    """Whether it is saved; false for a draft."""
    createdAt: str
    """When it was created."""
    updatedAt: str
    """When it was last changed."""
    members: int
    """The number of people in it."""
    campaigns: list[SegmentCampaign]
    """The campaigns that write to it."""
    hint: NotRequired[str]
    """Why nobody was found, and what can be done, in words; absent if somebody belongs to it."""


class SegmentList(TypedDict):
    segments: list[Segment]
    """All segments, newest first."""
    next: str | None
    """Always null: this list answers everything at once."""


class SegmentMember(TypedDict):
    id: str
    """The id: opaque, and never changed."""
    name: str
    """The name; empty if unknown."""
    city: str
    """The city they live or work in."""
    jobTitle: str
    """What they do at their company."""
    company: str
    """The company they work for, as text."""
    email: str
    """The first of `emails`, to which letters are sent; empty if there is none."""
    phone: str
    """The first of `phones`; empty if there is none."""
    linkedin: str
    """The address of their profile in a professional network; empty if there is none."""
    emails: list[str]
    """All e-mail addresses; letters are sent to the first one."""
    phones: list[str]
    """All phone numbers, in E.164 format where possible."""
    tags: list[PersonTag]
    """The products they are currently tagged with."""
    removedTags: list[RemovedTag]
    """Tags that were removed; they stay on record."""
    createdAt: str
    """When it was created."""
    updatedAt: str
    """When it was last changed."""
    held: Hold | None
    """The hold on the letters of all campaigns to them; null if there is none."""
    externalId: str | None
    """The id that your own system gave them; null if there is none."""
    fields: dict[str, str | float | bool]
    """Fields of your own: text, numbers, true or false, by name."""
    suppressed: list[SuppressedAddress]
    """Those of their addresses that must not be written to; see `GET /suppressions`."""
    mergedInto: NotRequired[str]
    """The id of this card, where a card that has become part of it was asked for; otherwise absent."""
    verdict: Verdict
    """Why they belong to it."""


class SegmentMemberList(TypedDict):
    people: list[SegmentMember]
    """The people of the segment, in order of name."""
    next: str | None
    """The `cursor` of the next page; null on the last page."""


SegmentRule = TypedDict(
    "SegmentRule",
    {
        "kind": 'str',
        "text": 'NotRequired[str]',
        "field": 'NotRequired[str]',
        "in": 'NotRequired[list[str | float | bool]]',
        "exists": 'NotRequired[bool]',
        "atLeast": 'NotRequired[int]',
        "atMost": 'NotRequired[int]',
    },
)


class SegmentUpdate(TypedDict):
    name: NotRequired[str | None]
    """The name."""
    saved: NotRequired[bool | None]
    """True saves a draft."""
    refill: NotRequired[bool | None]
    """Whether the service adds matching people by itself."""
    replaces: NotRequired[str | None]
    """The id of a saved segment that this draft replaces: its campaigns move to this one, whoever was added to it or taken out of it by hand stays so, and it is deleted."""


class SenderCheck(TypedDict):
    connection: NotRequired[str | None]
    """The id of the connection to check; by default all accounts."""


class SendersHealth(TypedDict):
    checked: bool
    """Whether every account has been checked."""
    accounts: list[SendingAccount]
    """The sending accounts."""


class SendingAccount(TypedDict):
    connection: str
    """The id of the connection."""
    channel: str
    """The kind of the connection, such as `email`."""
    account: str
    """The address of the account."""
    health: AccountHealth
    """The health of the account, and the limits that follow from it."""
    used: SendingBudget
    """How many letters of any kind have been sent."""


class SendingBudget(TypedDict):
    day: int
    """Per day."""
    week: int
    """Per week, from Monday."""


class Subscription(TypedDict):
    plan: str
    """The name of the plan; empty if unknown."""
    status: str
    """The status of the subscription, in the words of the operator; `none` if there is no subscription."""
    period: BillingPeriod
    """The paid period."""
    seats: int
    """The number of members that the plan allows."""


class SuppressedAddress(TypedDict):
    address: str
    """One of their addresses."""
    reason: str
    """Why it must not be written to.

    - `unsubscribe`: they have unsubscribed; campaigns do not write to them.
    - `bounce`: mail to it came back for good.
    - `complaint`: they have complained.
    - `operator`: an operator or a client has said so.
    """


class SuppressedRow(TypedDict):
    row: int
    """The row of the file."""
    reason: str
    """The reason of the suppression, as at `GET /suppressions`.

    - `unsubscribe`: the person wants no letters.
    - `bounce`: mail to the address came back.
    - `complaint`: the person has reported a letter as spam.
    """
    column: str
    """The heading of the column that says it."""
    address: str | None
    """The first e-mail address of the row, if any."""
    person: str | None
    """The id of the card; null if the import would create it."""


class Suppression(TypedDict):
    id: str
    """The id: opaque, and never changed."""
    address: str
    """The address that must not be written to."""
    reason: str
    """Why.

    - `unsubscribe`: the person wants no more campaign letters.
    - `bounce`: the address does not exist, or refuses mail for good.
    - `complaint`: a letter was marked as unwanted.
    - `operator`: it was suppressed by hand.
    """
    at: str
    """When it was suppressed."""
    evidence: str | None
    """The id of the message that proves it, of the letter whose link was used, or of the import that said it; null if there is none."""


class SuppressionCounts(TypedDict):
    unsubscribe: int
    """People who want no letters."""
    bounce: int
    """Addresses from which mail came back."""
    complaint: int
    """People who have reported a letter as spam."""


class SuppressionList(TypedDict):
    suppressions: list[Suppression]
    """The entries, newest first."""
    next: str | None
    """The `cursor` of the next page; null on the last page."""


class Task(TypedDict):
    id: str
    """The id: opaque, and never changed."""
    conversation: str
    """The id of the conversation it is about."""
    text: str
    """What the agent was asked to do, in words."""
    due: str | None
    """When it is due; null for an instruction, which is only kept."""
    state: str
    """The state of the task.

    - `queued`: it is still to be done.
    - `done`: it was done, or the instruction is kept.
    - `failed`: it could not be done.
    - `cancelled`: it was cancelled.
    """
    operation: str
    """The key with which `GET /operations/{key}` shows its progress."""
    reason: str | None
    """Why it failed or was cancelled, as a stable code such as `no_agent`, `no_contact`, `suppressed` or `spam`; null otherwise."""
    agent: str | None
    """The id of the agent that did it; null until then."""
    message: str | None
    """The id of the message it wrote; null if it wrote none."""
    told: dict[str, Any] | None
    """What the agent was told when it wrote; null until then."""
    did: str | None
    """What it did, in its own words; null until then."""
    author: str
    """The id of the member who gave the task."""
    at: str
    """When it was given."""


class Template(TypedDict):
    place: int
    """The place of its letters: 1, 2 or 3."""
    variant: str
    """Which variant of the place it is: a, b, c or d."""
    weight: int
    """Its share of the people, compared with the other variants."""
    subject: str
    """The subject; empty where it is that of the thread."""
    text: str
    """The text, in Liquid."""
    html: str | None
    """The text in HTML, in Liquid; null without one."""


class Touch(TypedDict):
    id: str
    """The id: opaque, and never changed."""
    person: str
    """The id of the person."""
    place: int
    """The place of the letter in the campaign: 1, 2 or 3."""
    state: str
    """The state of the letter.

    - `queued`: it waits until it is due.
    - `review`: it is written and waits until its place is agreed.
    - `sending`: it is being sent, or it may or may not have arrived.
    - `sent`: it was sent.
    - `failed`: it was not sent, or it bounced.
    """
    reason: str | None
    """The reason for its state; null if there is none to give.

    - `replied`: the person replied.
    - `unsubscribed`: the person unsubscribed.
    - `bounced`: an earlier letter bounced.
    - `suppressed`: the address must not be written to.
    - `no_contact`: the person has no address on this channel.
    - `refused`: the server refused the letter.
    - `undeliverable`: no server accepted the letter within four days.
    - `done`: the campaign ended.
    - `skipped`: somebody decided that it is not sent.
    - `left_segment`: the person left the segment of the campaign.
    - `held`: the letters to this person are held.
    - `missing_value`: variables of its template have no value for the person; `missing` names them.
    - `template_failed`: its template could not make it; `variant` and `missing` name the template and its member.
    - `unconfirmed`: the letter may or may not have arrived, so a person decides.
    """
    stopped: bool
    """Whether it failed because it was not wanted any more: its reason is `replied`, `unsubscribed`, `done`, `skipped` or `left_segment`. The funnel counts it as `skipped`, and other letters that failed as `failed`."""
    code: str | None
    """The status code given by the server or the report; null if there is none."""
    dueAt: str | None
    """When it is due."""
    sentAt: str | None
    """When it was sent; null until then."""
    connection: str | None
    """The id of the connection it is sent through; null until one is chosen."""
    subject: str | None
    """The subject; null until it is written."""
    text: str | None
    """The text; null until it is written."""
    html: str | None
    """The text in HTML; null if the letter is text alone."""
    agreed: bool
    """Whether this letter may go as it is written, whatever has become of its place."""
    variant: str | None
    """Which variant of its place the person got: a, b, c or d; null until its template was used, and without one."""
    missing: list[str]
    """The variables of its template that have no value for the person, such as `person.city`; with the reason `template_failed`, the member of the template that failed: `subject`, `text` or `html`. Empty with any other reason."""
    messageId: str | None
    """The Message-ID of the mail; null until it is handed over."""
    said: NotRequired[str]
    """What the server or the report said about its failure, in its own words; absent without."""
    again: NotRequired[str]
    """The id of the letter as which it was sent anew; absent if it was not."""
    workflow: TouchWorkflow | None
    """The Temporal workflow that delivers it; null if there is none."""


class TouchList(TypedDict):
    touches: list[Touch]
    """The touches, in order of the time they are due."""
    next: str | None
    """The `cursor` of the next page; null on the last page."""


class TouchUpdate(TypedDict):
    subject: NotRequired[str | None]
    """The subject. Empty, it is that of the thread; a first letter must have one. If the letter has none yet, the default is that of its template or its thread, or the first line of the text."""
    text: NotRequired[str | None]
    """The text, which replaces the HTML too unless that is given with it."""
    html: NotRequired[str | None]
    """The text in HTML, without scripts, event handlers, forms and `javascript:`. Without `text`, the text is made from it."""
    skip: NotRequired[bool | None]
    """Whether the letter is not to be sent: it fails with the reason `skipped`. After a second letter that is skipped, the third goes at its time; after a first one, the person gets no later letter of the campaign, since those come back to the first. Cannot be combined with other members."""
    agreed: NotRequired[bool | None]
    """Whether this letter has been read and may go, also while its place is not agreed."""


class TouchWorkflow(TypedDict):
    id: str
    """The id of the workflow."""
    url: str
    """Its page in the Temporal Web UI."""


class UntagPersonQuery(TypedDict):
    label: NotRequired[str]
    """The product of the tag, by its id or exact name."""
    side: NotRequired[str]
    """The side of the tag."""


class UploadedFile(TypedDict):
    id: str
    """The id: opaque, and never changed."""
    name: str
    """The name of the file, as its sender gave it."""
    type: str
    """The media type, as its sender gave it."""
    size: int
    """The size in bytes."""


class VariantNumbers(TypedDict):
    place: int
    """The place of the letters: 1, 2 or 3."""
    variant: str
    """The variant: a, b, c or d."""
    sent: int
    """Letters of this variant that were sent, without those in words of their own."""
    replied: int
    """People who have replied, and whose last letter before was of this variant."""
    interested: int
    """Those of them who are interested."""


class Verdict(TypedDict):
    matches: bool
    """Whether they match its query and rules."""
    reason: str
    """Why, in words."""
    version: int
    """The version of the query and rules by which they were judged; each change increases it."""
    byHand: bool
    """Whether they were added by hand; such people belong to it whatever the rules say."""


class Voice(TypedDict):
    id: str
    """The id: opaque, and never changed."""
    member: str
    """The id of the member."""
    name: str
    """The name of the member."""
    connection: str
    """The id of the e-mail account."""
    signature: str
    """How they sign."""


class VoiceList(TypedDict):
    voices: list[Voice]
    """All voices, in order of name."""
    next: str | None
    """Always null: this list answers everything at once."""


class Webhook(TypedDict):
    id: str
    """The id: opaque, and never changed."""
    url: str
    """The address that events are sent to."""
    kinds: list[str]
    """The kinds of events to send; empty means all."""
    enabled: bool
    """Whether events are sent."""
    problem: str | None
    """Why it was switched off automatically; null if it was not.

    - `gone`: the address answered 410.
    - `failing`: the address accepted nothing for three days.
    """
    failingSince: str | None
    """Since when the address has accepted nothing; null while it accepts events."""
    restsUntil: str | None
    """Nothing is sent until then, because the address accepted nothing; null if it is not resting."""
    held: NotRequired[HoldReason]
    """Nothing is sent while the workspace is held; absent while it is not."""
    member: str
    """The id of the member who created it, and who is notified if it is switched off."""
    createdAt: str
    """When it was created."""
    updatedAt: str
    """When it was last changed."""


class WebhookList(TypedDict):
    webhooks: list[Webhook]
    """All webhooks."""
    next: str | None
    """Always null: this list answers everything at once."""


class WebhookTest(TypedDict):
    status: int | None
    """The HTTP status of the answer; null if there was none."""
    ms: int
    """How many milliseconds it took."""
    problem: str | None
    """What went wrong, as the code that a delivery would have; `held` if nothing was sent because the workspace is held; null if the address answered 2xx."""


class WebhookUpdate(TypedDict):
    url: NotRequired[str | None]
    """The http or https address to send events to."""
    kinds: NotRequired[list[str] | None]
    """The kinds of events to send, such as `message.received`, or `message.*` for all of a group; an empty list means all."""
    enabled: NotRequired[bool | None]
    """Whether events are sent."""
    rotate: NotRequired[bool | None]
    """True gives it a new secret; both secrets sign for a day."""


class WebhookWithSecret(TypedDict):
    id: str
    """The id: opaque, and never changed."""
    url: str
    """The address that events are sent to."""
    kinds: list[str]
    """The kinds of events to send; empty means all."""
    enabled: bool
    """Whether events are sent."""
    problem: str | None
    """Why it was switched off automatically; null if it was not.

    - `gone`: the address answered 410.
    - `failing`: the address accepted nothing for three days.
    """
    failingSince: str | None
    """Since when the address has accepted nothing; null while it accepts events."""
    restsUntil: str | None
    """Nothing is sent until then, because the address accepted nothing; null if it is not resting."""
    held: NotRequired[HoldReason]
    """Nothing is sent while the workspace is held; absent while it is not."""
    member: str
    """The id of the member who created it, and who is notified if it is switched off."""
    createdAt: str
    """When it was created."""
    updatedAt: str
    """When it was last changed."""
    secret: str | None
    """The secret with which events are signed, shown only this once; null if this call created none."""


class Workspace(TypedDict):
    id: str
    """The id: opaque, and never changed."""
    name: str
    """The name of the workspace."""
    timezone: str
    """The IANA name of the time zone by which days and weeks are counted."""
    tagging: bool
    """Whether correspondence is marked automatically with importance, intent and tags."""
    mode: str
    """Whether what the workspace sends leaves. It never changes.

    - `live`: letters go to the mail servers of its accounts.
    - `sandbox`: its mail server is played: nothing leaves, and answers come from recipients by their names.
    """


class WorkspaceLabel(TypedDict):
    id: str
    """The id: opaque, and never changed."""
    name: str
    """The name."""
    kind: str
    """What it is attached to.

    - `product`: people, as the tag of a product.
    - `conversation`: conversations.
    """
    conversations: int
    """The number of conversations that have it, or whose person has it."""


class WorkspaceUpdate(TypedDict):
    timezone: NotRequired[str | None]
    """The IANA name of the time zone by which days and weeks are counted."""
    tagging: NotRequired[bool | None]
    """Whether correspondence is marked automatically."""


ImportAnswer = ImportResult | ImportPlan


MeetingOrCheck = MeetingCheck | Meeting
