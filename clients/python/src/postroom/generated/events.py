# Made from the OpenAPI document of Postroom 0.4.0 by `npm run clients`: do not edit.
from __future__ import annotations

import sys
from typing import Any, Literal, TypedDict

if sys.version_info >= (3, 11):
    from typing import NotRequired
else:
    from typing_extensions import NotRequired

from typing import Union

from .schemas import Application


class FeedMembers(TypedDict):
    id: str
    at: str
    resource: str
    cursor: str
    """Where the event stands: begin after this cursor, and the next event is the first that comes."""


class SentMembers(TypedDict):
    id: str
    """The id of the event: ignore one that you have had."""
    workspace: str
    resource: str


class WebhookMembers(TypedDict):
    timestamp: str


EventKind = Literal[
    "access.closed",
    "access.opened",
    "agent.edited",
    "archive.declined",
    "archive.parsed",
    "archive.started",
    "campaign.created",
    "campaign.deleted",
    "campaign.edited",
    "campaign.letters",
    "campaign.moved",
    "channel.connected",
    "channel.created",
    "channel.consent_needed",
    "channel.edited",
    "channel.failed",
    "channel.link_created",
    "channel.recovered",
    "channel.removed",
    "company.edited",
    "conversation.edited",
    "conversation.labelled",
    "conversation.noted",
    "conversation.reopened",
    "conversation.routed",
    "conversation.unlabelled",
    "conversation.woken",
    "deal.created",
    "deal.edited",
    "file.uploaded",
    "import.cancelled",
    "import.done",
    "import.failed",
    "invitation.resolved",
    "meeting.answered",
    "meeting.booked",
    "meeting.cancelled",
    "meeting.moved",
    "meeting.proposal_declined",
    "meeting.proposed",
    "meeting.replied",
    "member.created",
    "member.deleted",
    "member.edited",
    "message.cancelled",
    "message.failed",
    "message.prepared",
    "message.queued",
    "message.received",
    "message.resolved",
    "message.retried",
    "message.sent",
    "message.unconfirmed",
    "message.unreadable",
    "notifications.read",
    "people.imported",
    "people.saved",
    "person.complained",
    "person.created",
    "person.edited",
    "person.erased",
    "person.merged",
    "person.split",
    "person.tagged",
    "person.unsubscribed",
    "person.untagged",
    "product.edited",
    "routing.applied",
    "routing.edited",
    "segment.created",
    "segment.deleted",
    "segment.edited",
    "segment.people_added",
    "segment.people_found",
    "segment.person_removed",
    "segment.searched",
    "senders.checked",
    "suppression.added",
    "suppression.lifted",
    "task.carried_out",
    "task.created",
    "task.failed",
    "touch.again",
    "touch.edited",
    "touch.failed",
    "touch.resolved",
    "touch.sent",
    "touch.unconfirmed",
    "webhook.created",
    "webhook.deleted",
    "webhook.edited",
    "webhook.redelivered",
    "webhook.tested",
    "workspace.edited",
    "workspace.erased",
    "workspace.held",
    "workspace.released",
    "webhook.test",
]

class AccessClosedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    expiresAt: NotRequired[str]
    """Until when it is good."""
    member: NotRequired[str | None]
    """The id of the member."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class AccessClosedEvent(FeedMembers):
    kind: Literal["access.closed"]
    data: AccessClosedData


class AccessClosedSent(AccessClosedData, SentMembers):
    pass


class AccessClosedWebhook(WebhookMembers):
    type: Literal["access.closed"]
    data: AccessClosedSent


class AccessOpenedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    expiresAt: NotRequired[str]
    """Until when it is good."""
    member: NotRequired[str | None]
    """The id of the member."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class AccessOpenedEvent(FeedMembers):
    kind: Literal["access.opened"]
    data: AccessOpenedData


class AccessOpenedSent(AccessOpenedData, SentMembers):
    pass


class AccessOpenedWebhook(WebhookMembers):
    type: Literal["access.opened"]
    data: AccessOpenedSent


class AgentEditedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    enabled: NotRequired[bool]
    """Whether it is switched on."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class AgentEditedEvent(FeedMembers):
    kind: Literal["agent.edited"]
    data: AgentEditedData


class AgentEditedSent(AgentEditedData, SentMembers):
    pass


class AgentEditedWebhook(WebhookMembers):
    type: Literal["agent.edited"]
    data: AgentEditedSent


class ArchiveDeclinedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    state: NotRequired[str | None]
    """The state that it has from then on."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class ArchiveDeclinedEvent(FeedMembers):
    kind: Literal["archive.declined"]
    data: ArchiveDeclinedData


class ArchiveDeclinedSent(ArchiveDeclinedData, SentMembers):
    pass


class ArchiveDeclinedWebhook(WebhookMembers):
    type: Literal["archive.declined"]
    data: ArchiveDeclinedSent


class ArchiveParsedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    state: NotRequired[str | None]
    """The state that it has from then on."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class ArchiveParsedEvent(FeedMembers):
    kind: Literal["archive.parsed"]
    data: ArchiveParsedData


class ArchiveParsedSent(ArchiveParsedData, SentMembers):
    pass


class ArchiveParsedWebhook(WebhookMembers):
    type: Literal["archive.parsed"]
    data: ArchiveParsedSent


class ArchiveStartedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    state: NotRequired[str | None]
    """The state that it has from then on."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class ArchiveStartedEvent(FeedMembers):
    kind: Literal["archive.started"]
    data: ArchiveStartedData


class ArchiveStartedSent(ArchiveStartedData, SentMembers):
    pass


class ArchiveStartedWebhook(WebhookMembers):
    type: Literal["archive.started"]
    data: ArchiveStartedSent


class CampaignCreatedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    segment: NotRequired[str | None]
    """The id of the segment."""
    agent: NotRequired[str | None]
    """The id of the agent."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class CampaignCreatedEvent(FeedMembers):
    kind: Literal["campaign.created"]
    data: CampaignCreatedData


class CampaignCreatedSent(CampaignCreatedData, SentMembers):
    pass


class CampaignCreatedWebhook(WebhookMembers):
    type: Literal["campaign.created"]
    data: CampaignCreatedSent


class CampaignDeletedData(TypedDict):
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class CampaignDeletedEvent(FeedMembers):
    kind: Literal["campaign.deleted"]
    data: CampaignDeletedData


class CampaignDeletedSent(CampaignDeletedData, SentMembers):
    pass


class CampaignDeletedWebhook(WebhookMembers):
    type: Literal["campaign.deleted"]
    data: CampaignDeletedSent


class CampaignEditedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    segment: NotRequired[str | None]
    """The id of the segment."""
    agent: NotRequired[str | None]
    """The id of the agent."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class CampaignEditedEvent(FeedMembers):
    kind: Literal["campaign.edited"]
    data: CampaignEditedData


class CampaignEditedSent(CampaignEditedData, SentMembers):
    pass


class CampaignEditedWebhook(WebhookMembers):
    type: Literal["campaign.edited"]
    data: CampaignEditedSent


class CampaignLettersData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class CampaignLettersEvent(FeedMembers):
    kind: Literal["campaign.letters"]
    data: CampaignLettersData


class CampaignLettersSent(CampaignLettersData, SentMembers):
    pass


class CampaignLettersWebhook(WebhookMembers):
    type: Literal["campaign.letters"]
    data: CampaignLettersSent


class CampaignMovedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    state: NotRequired[str | None]
    """The state that it has from then on."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class CampaignMovedEvent(FeedMembers):
    kind: Literal["campaign.moved"]
    data: CampaignMovedData


class CampaignMovedSent(CampaignMovedData, SentMembers):
    pass


class CampaignMovedWebhook(WebhookMembers):
    type: Literal["campaign.moved"]
    data: CampaignMovedSent


class ChannelConnectedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    connection: NotRequired[str | None]
    """The id of the connection."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class ChannelConnectedEvent(FeedMembers):
    kind: Literal["channel.connected"]
    data: ChannelConnectedData


class ChannelConnectedSent(ChannelConnectedData, SentMembers):
    pass


class ChannelConnectedWebhook(WebhookMembers):
    type: Literal["channel.connected"]
    data: ChannelConnectedSent


class ChannelCreatedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    member: NotRequired[str | None]
    """The id of the member."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class ChannelCreatedEvent(FeedMembers):
    kind: Literal["channel.created"]
    data: ChannelCreatedData


class ChannelCreatedSent(ChannelCreatedData, SentMembers):
    pass


class ChannelCreatedWebhook(WebhookMembers):
    type: Literal["channel.created"]
    data: ChannelCreatedSent


class ChannelConsentNeededData(TypedDict):
    connection: NotRequired[str | None]
    """The id of the connection."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class ChannelConsentNeededEvent(FeedMembers):
    kind: Literal["channel.consent_needed"]
    data: ChannelConsentNeededData


class ChannelConsentNeededSent(ChannelConsentNeededData, SentMembers):
    pass


class ChannelConsentNeededWebhook(WebhookMembers):
    type: Literal["channel.consent_needed"]
    data: ChannelConsentNeededSent


class ChannelEditedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    member: NotRequired[str | None]
    """The id of the member."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class ChannelEditedEvent(FeedMembers):
    kind: Literal["channel.edited"]
    data: ChannelEditedData


class ChannelEditedSent(ChannelEditedData, SentMembers):
    pass


class ChannelEditedWebhook(WebhookMembers):
    type: Literal["channel.edited"]
    data: ChannelEditedSent


class ChannelFailedData(TypedDict):
    connection: NotRequired[str | None]
    """The id of the connection."""
    part: NotRequired[str]
    """What of the account does not work or works again: `sending` or `reading`."""
    problem: NotRequired[str | None]
    """The cause, as `GET /channels` has it; null if it is over."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class ChannelFailedEvent(FeedMembers):
    kind: Literal["channel.failed"]
    data: ChannelFailedData


class ChannelFailedSent(ChannelFailedData, SentMembers):
    pass


class ChannelFailedWebhook(WebhookMembers):
    type: Literal["channel.failed"]
    data: ChannelFailedSent


class ChannelLinkCreatedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    expiresAt: NotRequired[str]
    """Until when it is good."""
    member: NotRequired[str | None]
    """The id of the member."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class ChannelLinkCreatedEvent(FeedMembers):
    kind: Literal["channel.link_created"]
    data: ChannelLinkCreatedData


class ChannelLinkCreatedSent(ChannelLinkCreatedData, SentMembers):
    pass


class ChannelLinkCreatedWebhook(WebhookMembers):
    type: Literal["channel.link_created"]
    data: ChannelLinkCreatedSent


class ChannelRecoveredData(TypedDict):
    connection: NotRequired[str | None]
    """The id of the connection."""
    part: NotRequired[str]
    """What of the account does not work or works again: `sending` or `reading`."""
    problem: NotRequired[str | None]
    """The cause, as `GET /channels` has it; null if it is over."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class ChannelRecoveredEvent(FeedMembers):
    kind: Literal["channel.recovered"]
    data: ChannelRecoveredData


class ChannelRecoveredSent(ChannelRecoveredData, SentMembers):
    pass


class ChannelRecoveredWebhook(WebhookMembers):
    type: Literal["channel.recovered"]
    data: ChannelRecoveredSent


class ChannelRemovedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    member: NotRequired[str | None]
    """The id of the member."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class ChannelRemovedEvent(FeedMembers):
    kind: Literal["channel.removed"]
    data: ChannelRemovedData


class ChannelRemovedSent(ChannelRemovedData, SentMembers):
    pass


class ChannelRemovedWebhook(WebhookMembers):
    type: Literal["channel.removed"]
    data: ChannelRemovedSent


class CompanyEditedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class CompanyEditedEvent(FeedMembers):
    kind: Literal["company.edited"]
    data: CompanyEditedData


class CompanyEditedSent(CompanyEditedData, SentMembers):
    pass


class CompanyEditedWebhook(WebhookMembers):
    type: Literal["company.edited"]
    data: CompanyEditedSent


class ConversationEditedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    state: NotRequired[str | None]
    """The state that it has from then on."""
    closed: NotRequired[bool]
    """Whether it is closed."""
    reason: NotRequired[str | None]
    """Why, as a stable code; null if there is nothing to say."""
    snoozeUntil: NotRequired[str | None]
    """Until when it is snoozed; null if it is not."""
    owner: NotRequired[str | None]
    """The id of the member who owns it; null if nobody does."""
    met: NotRequired[bool]
    """Whether a meeting was arranged outside of the conversation."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class ConversationEditedEvent(FeedMembers):
    kind: Literal["conversation.edited"]
    data: ConversationEditedData


class ConversationEditedSent(ConversationEditedData, SentMembers):
    pass


class ConversationEditedWebhook(WebhookMembers):
    type: Literal["conversation.edited"]
    data: ConversationEditedSent


class ConversationLabelledData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    label: NotRequired[str]
    """The id of the product, or the label."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class ConversationLabelledEvent(FeedMembers):
    kind: Literal["conversation.labelled"]
    data: ConversationLabelledData


class ConversationLabelledSent(ConversationLabelledData, SentMembers):
    pass


class ConversationLabelledWebhook(WebhookMembers):
    type: Literal["conversation.labelled"]
    data: ConversationLabelledSent


class ConversationNotedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class ConversationNotedEvent(FeedMembers):
    kind: Literal["conversation.noted"]
    data: ConversationNotedData


class ConversationNotedSent(ConversationNotedData, SentMembers):
    pass


class ConversationNotedWebhook(WebhookMembers):
    type: Literal["conversation.noted"]
    data: ConversationNotedSent


class ConversationReopenedData(TypedDict):
    conversation: NotRequired[str | None]
    """The id of the conversation."""
    person: NotRequired[str | None]
    """The id of the person; null if it is nobody known."""
    state: NotRequired[str | None]
    """The state that it has from then on."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class ConversationReopenedEvent(FeedMembers):
    kind: Literal["conversation.reopened"]
    data: ConversationReopenedData


class ConversationReopenedSent(ConversationReopenedData, SentMembers):
    pass


class ConversationReopenedWebhook(WebhookMembers):
    type: Literal["conversation.reopened"]
    data: ConversationReopenedSent


class ConversationRoutedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    conversation: NotRequired[str | None]
    """The id of the conversation."""
    owner: NotRequired[str | None]
    """The id of the member who owns it; null if nobody does."""
    rule: NotRequired[str | None]
    """The id of the rule."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class ConversationRoutedEvent(FeedMembers):
    kind: Literal["conversation.routed"]
    data: ConversationRoutedData


class ConversationRoutedSent(ConversationRoutedData, SentMembers):
    pass


class ConversationRoutedWebhook(WebhookMembers):
    type: Literal["conversation.routed"]
    data: ConversationRoutedSent


class ConversationUnlabelledData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class ConversationUnlabelledEvent(FeedMembers):
    kind: Literal["conversation.unlabelled"]
    data: ConversationUnlabelledData


class ConversationUnlabelledSent(ConversationUnlabelledData, SentMembers):
    pass


class ConversationUnlabelledWebhook(WebhookMembers):
    type: Literal["conversation.unlabelled"]
    data: ConversationUnlabelledSent


class ConversationWokenData(TypedDict):
    conversation: NotRequired[str | None]
    """The id of the conversation."""
    person: NotRequired[str | None]
    """The id of the person; null if it is nobody known."""
    state: NotRequired[str | None]
    """The state that it has from then on."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class ConversationWokenEvent(FeedMembers):
    kind: Literal["conversation.woken"]
    data: ConversationWokenData


class ConversationWokenSent(ConversationWokenData, SentMembers):
    pass


class ConversationWokenWebhook(WebhookMembers):
    type: Literal["conversation.woken"]
    data: ConversationWokenSent


class DealCreatedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    label: NotRequired[str]
    """The id of the product, or the label."""
    seller: NotRequired[str]
    """The id of the person who sells."""
    buyer: NotRequired[str]
    """The id of the person who buys."""
    agent: NotRequired[str | None]
    """The id of the agent."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class DealCreatedEvent(FeedMembers):
    kind: Literal["deal.created"]
    data: DealCreatedData


class DealCreatedSent(DealCreatedData, SentMembers):
    pass


class DealCreatedWebhook(WebhookMembers):
    type: Literal["deal.created"]
    data: DealCreatedSent


class DealEditedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    stage: NotRequired[str]
    """The stage of the deal."""
    closed: NotRequired[bool]
    """Whether it is closed."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class DealEditedEvent(FeedMembers):
    kind: Literal["deal.edited"]
    data: DealEditedData


class DealEditedSent(DealEditedData, SentMembers):
    pass


class DealEditedWebhook(WebhookMembers):
    type: Literal["deal.edited"]
    data: DealEditedSent


class FileUploadedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class FileUploadedEvent(FeedMembers):
    kind: Literal["file.uploaded"]
    data: FileUploadedData


class FileUploadedSent(FileUploadedData, SentMembers):
    pass


class FileUploadedWebhook(WebhookMembers):
    type: Literal["file.uploaded"]
    data: FileUploadedSent


class ImportCancelledData(TypedDict):
    state: NotRequired[str | None]
    """The state that it has from then on."""
    operation: NotRequired[str]
    """The id of the operation that did it."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class ImportCancelledEvent(FeedMembers):
    kind: Literal["import.cancelled"]
    data: ImportCancelledData


class ImportCancelledSent(ImportCancelledData, SentMembers):
    pass


class ImportCancelledWebhook(WebhookMembers):
    type: Literal["import.cancelled"]
    data: ImportCancelledSent


class ImportDoneData(TypedDict):
    state: NotRequired[str | None]
    """The state that it has from then on."""
    operation: NotRequired[str]
    """The id of the operation that did it."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class ImportDoneEvent(FeedMembers):
    kind: Literal["import.done"]
    data: ImportDoneData


class ImportDoneSent(ImportDoneData, SentMembers):
    pass


class ImportDoneWebhook(WebhookMembers):
    type: Literal["import.done"]
    data: ImportDoneSent


class ImportFailedData(TypedDict):
    state: NotRequired[str | None]
    """The state that it has from then on."""
    operation: NotRequired[str]
    """The id of the operation that did it."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class ImportFailedEvent(FeedMembers):
    kind: Literal["import.failed"]
    data: ImportFailedData


class ImportFailedSent(ImportFailedData, SentMembers):
    pass


class ImportFailedWebhook(WebhookMembers):
    type: Literal["import.failed"]
    data: ImportFailedSent


class InvitationResolvedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    outcome: NotRequired[str]
    """What somebody decided: `sent` or `again`."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class InvitationResolvedEvent(FeedMembers):
    kind: Literal["invitation.resolved"]
    data: InvitationResolvedData


class InvitationResolvedSent(InvitationResolvedData, SentMembers):
    pass


class InvitationResolvedWebhook(WebhookMembers):
    type: Literal["invitation.resolved"]
    data: InvitationResolvedSent


class MeetingAnsweredData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    state: NotRequired[str | None]
    """The state that it has from then on."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class MeetingAnsweredEvent(FeedMembers):
    kind: Literal["meeting.answered"]
    data: MeetingAnsweredData


class MeetingAnsweredSent(MeetingAnsweredData, SentMembers):
    pass


class MeetingAnsweredWebhook(WebhookMembers):
    type: Literal["meeting.answered"]
    data: MeetingAnsweredSent


class MeetingBookedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    calendar: NotRequired[str]
    """The id of the calendar."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class MeetingBookedEvent(FeedMembers):
    kind: Literal["meeting.booked"]
    data: MeetingBookedData


class MeetingBookedSent(MeetingBookedData, SentMembers):
    pass


class MeetingBookedWebhook(WebhookMembers):
    type: Literal["meeting.booked"]
    data: MeetingBookedSent


class MeetingCancelledData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    state: NotRequired[str | None]
    """The state that it has from then on."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class MeetingCancelledEvent(FeedMembers):
    kind: Literal["meeting.cancelled"]
    data: MeetingCancelledData


class MeetingCancelledSent(MeetingCancelledData, SentMembers):
    pass


class MeetingCancelledWebhook(WebhookMembers):
    type: Literal["meeting.cancelled"]
    data: MeetingCancelledSent


class MeetingMovedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    state: NotRequired[str | None]
    """The state that it has from then on."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class MeetingMovedEvent(FeedMembers):
    kind: Literal["meeting.moved"]
    data: MeetingMovedData


class MeetingMovedSent(MeetingMovedData, SentMembers):
    pass


class MeetingMovedWebhook(WebhookMembers):
    type: Literal["meeting.moved"]
    data: MeetingMovedSent


class MeetingProposalDeclinedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    state: NotRequired[str | None]
    """The state that it has from then on."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class MeetingProposalDeclinedEvent(FeedMembers):
    kind: Literal["meeting.proposal_declined"]
    data: MeetingProposalDeclinedData


class MeetingProposalDeclinedSent(MeetingProposalDeclinedData, SentMembers):
    pass


class MeetingProposalDeclinedWebhook(WebhookMembers):
    type: Literal["meeting.proposal_declined"]
    data: MeetingProposalDeclinedSent


class MeetingProposedData(TypedDict):
    proposal: NotRequired[str]
    """The id of the proposal."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class MeetingProposedEvent(FeedMembers):
    kind: Literal["meeting.proposed"]
    data: MeetingProposedData


class MeetingProposedSent(MeetingProposedData, SentMembers):
    pass


class MeetingProposedWebhook(WebhookMembers):
    type: Literal["meeting.proposed"]
    data: MeetingProposedSent


class MeetingRepliedData(TypedDict):
    answer: NotRequired[str]
    """What the guest answered."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class MeetingRepliedEvent(FeedMembers):
    kind: Literal["meeting.replied"]
    data: MeetingRepliedData


class MeetingRepliedSent(MeetingRepliedData, SentMembers):
    pass


class MeetingRepliedWebhook(WebhookMembers):
    type: Literal["meeting.replied"]
    data: MeetingRepliedSent


class MemberCreatedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class MemberCreatedEvent(FeedMembers):
    kind: Literal["member.created"]
    data: MemberCreatedData


class MemberCreatedSent(MemberCreatedData, SentMembers):
    pass


class MemberCreatedWebhook(WebhookMembers):
    type: Literal["member.created"]
    data: MemberCreatedSent


class MemberDeletedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    owner: NotRequired[str | None]
    """The id of the member who owns it; null if nobody does."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class MemberDeletedEvent(FeedMembers):
    kind: Literal["member.deleted"]
    data: MemberDeletedData


class MemberDeletedSent(MemberDeletedData, SentMembers):
    pass


class MemberDeletedWebhook(WebhookMembers):
    type: Literal["member.deleted"]
    data: MemberDeletedSent


class MemberEditedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class MemberEditedEvent(FeedMembers):
    kind: Literal["member.edited"]
    data: MemberEditedData


class MemberEditedSent(MemberEditedData, SentMembers):
    pass


class MemberEditedWebhook(WebhookMembers):
    type: Literal["member.edited"]
    data: MemberEditedSent


class MessageCancelledData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    state: NotRequired[str | None]
    """The state that it has from then on."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class MessageCancelledEvent(FeedMembers):
    kind: Literal["message.cancelled"]
    data: MessageCancelledData


class MessageCancelledSent(MessageCancelledData, SentMembers):
    pass


class MessageCancelledWebhook(WebhookMembers):
    type: Literal["message.cancelled"]
    data: MessageCancelledSent


class MessageFailedData(TypedDict):
    conversation: NotRequired[str | None]
    """The id of the conversation."""
    person: NotRequired[str | None]
    """The id of the person; null if it is nobody known."""
    connection: NotRequired[str | None]
    """The id of the connection."""
    state: NotRequired[str | None]
    """The state that it has from then on."""
    reason: NotRequired[str | None]
    """Why, as a stable code; null if there is nothing to say."""
    code: NotRequired[str | None]
    """The status code of the server or the report; null if there is none."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class MessageFailedEvent(FeedMembers):
    kind: Literal["message.failed"]
    data: MessageFailedData


class MessageFailedSent(MessageFailedData, SentMembers):
    pass


class MessageFailedWebhook(WebhookMembers):
    type: Literal["message.failed"]
    data: MessageFailedSent


class MessagePreparedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    via: NotRequired[str]
    """The id of the connection it goes through."""
    sendAt: NotRequired[str | None]
    """When it is to be sent; null if at once."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class MessagePreparedEvent(FeedMembers):
    kind: Literal["message.prepared"]
    data: MessagePreparedData


class MessagePreparedSent(MessagePreparedData, SentMembers):
    pass


class MessagePreparedWebhook(WebhookMembers):
    type: Literal["message.prepared"]
    data: MessagePreparedSent


class MessageQueuedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    conversation: NotRequired[str | None]
    """The id of the conversation."""
    via: NotRequired[str]
    """The id of the connection it goes through."""
    sendAt: NotRequired[str | None]
    """When it is to be sent; null if at once."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class MessageQueuedEvent(FeedMembers):
    kind: Literal["message.queued"]
    data: MessageQueuedData


class MessageQueuedSent(MessageQueuedData, SentMembers):
    pass


class MessageQueuedWebhook(WebhookMembers):
    type: Literal["message.queued"]
    data: MessageQueuedSent


class MessageReceivedData(TypedDict):
    conversation: NotRequired[str | None]
    """The id of the conversation."""
    person: NotRequired[str | None]
    """The id of the person; null if it is nobody known."""
    connection: NotRequired[str | None]
    """The id of the connection."""
    automated: NotRequired[bool]
    """Whether a program wrote it."""
    suspect: NotRequired[bool]
    """Whether it may not be from whom it claims."""
    intent: NotRequired[str]
    """What the client wants, as its conversation is marked.

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
    importance: NotRequired[str]
    """How soon its conversation should be dealt with.

    - `low`: it can wait.
    - `normal`: it is neither low nor high.
    - `high`: it should be dealt with first.
    """
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class MessageReceivedEvent(FeedMembers):
    kind: Literal["message.received"]
    data: MessageReceivedData


class MessageReceivedSent(MessageReceivedData, SentMembers):
    pass


class MessageReceivedWebhook(WebhookMembers):
    type: Literal["message.received"]
    data: MessageReceivedSent


class MessageResolvedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    outcome: NotRequired[str]
    """What somebody decided: `sent` or `again`."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class MessageResolvedEvent(FeedMembers):
    kind: Literal["message.resolved"]
    data: MessageResolvedData


class MessageResolvedSent(MessageResolvedData, SentMembers):
    pass


class MessageResolvedWebhook(WebhookMembers):
    type: Literal["message.resolved"]
    data: MessageResolvedSent


class MessageRetriedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class MessageRetriedEvent(FeedMembers):
    kind: Literal["message.retried"]
    data: MessageRetriedData


class MessageRetriedSent(MessageRetriedData, SentMembers):
    pass


class MessageRetriedWebhook(WebhookMembers):
    type: Literal["message.retried"]
    data: MessageRetriedSent


class MessageSentData(TypedDict):
    conversation: NotRequired[str | None]
    """The id of the conversation."""
    person: NotRequired[str | None]
    """The id of the person; null if it is nobody known."""
    connection: NotRequired[str | None]
    """The id of the connection."""
    state: NotRequired[str | None]
    """The state that it has from then on."""
    reason: NotRequired[str | None]
    """Why, as a stable code; null if there is nothing to say."""
    elsewhere: NotRequired[bool]
    """It was sent from a mail program, and found in the Sent folder."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class MessageSentEvent(FeedMembers):
    kind: Literal["message.sent"]
    data: MessageSentData


class MessageSentSent(MessageSentData, SentMembers):
    pass


class MessageSentWebhook(WebhookMembers):
    type: Literal["message.sent"]
    data: MessageSentSent


class MessageUnconfirmedData(TypedDict):
    conversation: NotRequired[str | None]
    """The id of the conversation."""
    person: NotRequired[str | None]
    """The id of the person; null if it is nobody known."""
    connection: NotRequired[str | None]
    """The id of the connection."""
    state: NotRequired[str | None]
    """The state that it has from then on."""
    reason: NotRequired[str | None]
    """Why, as a stable code; null if there is nothing to say."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class MessageUnconfirmedEvent(FeedMembers):
    kind: Literal["message.unconfirmed"]
    data: MessageUnconfirmedData


class MessageUnconfirmedSent(MessageUnconfirmedData, SentMembers):
    pass


class MessageUnconfirmedWebhook(WebhookMembers):
    type: Literal["message.unconfirmed"]
    data: MessageUnconfirmedSent


class MessageUnreadableData(TypedDict):
    connection: NotRequired[str | None]
    """The id of the connection."""
    folder: NotRequired[str]
    """The folder, as the server names it."""
    count: NotRequired[int]
    """How many there are."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class MessageUnreadableEvent(FeedMembers):
    kind: Literal["message.unreadable"]
    data: MessageUnreadableData


class MessageUnreadableSent(MessageUnreadableData, SentMembers):
    pass


class MessageUnreadableWebhook(WebhookMembers):
    type: Literal["message.unreadable"]
    data: MessageUnreadableSent


class NotificationsReadData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class NotificationsReadEvent(FeedMembers):
    kind: Literal["notifications.read"]
    data: NotificationsReadData


class NotificationsReadSent(NotificationsReadData, SentMembers):
    pass


class NotificationsReadWebhook(WebhookMembers):
    type: Literal["notifications.read"]
    data: NotificationsReadSent


class PeopleImportedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class PeopleImportedEvent(FeedMembers):
    kind: Literal["people.imported"]
    data: PeopleImportedData


class PeopleImportedSent(PeopleImportedData, SentMembers):
    pass


class PeopleImportedWebhook(WebhookMembers):
    type: Literal["people.imported"]
    data: PeopleImportedSent


class PeopleSavedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class PeopleSavedEvent(FeedMembers):
    kind: Literal["people.saved"]
    data: PeopleSavedData


class PeopleSavedSent(PeopleSavedData, SentMembers):
    pass


class PeopleSavedWebhook(WebhookMembers):
    type: Literal["people.saved"]
    data: PeopleSavedSent


class PersonComplainedData(TypedDict):
    person: NotRequired[str | None]
    """The id of the person; null if it is nobody known."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class PersonComplainedEvent(FeedMembers):
    kind: Literal["person.complained"]
    data: PersonComplainedData


class PersonComplainedSent(PersonComplainedData, SentMembers):
    pass


class PersonComplainedWebhook(WebhookMembers):
    type: Literal["person.complained"]
    data: PersonComplainedSent


class PersonCreatedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    operation: NotRequired[str]
    """The id of the operation that did it."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class PersonCreatedEvent(FeedMembers):
    kind: Literal["person.created"]
    data: PersonCreatedData


class PersonCreatedSent(PersonCreatedData, SentMembers):
    pass


class PersonCreatedWebhook(WebhookMembers):
    type: Literal["person.created"]
    data: PersonCreatedSent


class PersonEditedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    operation: NotRequired[str]
    """The id of the operation that did it."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class PersonEditedEvent(FeedMembers):
    kind: Literal["person.edited"]
    data: PersonEditedData


class PersonEditedSent(PersonEditedData, SentMembers):
    pass


class PersonEditedWebhook(WebhookMembers):
    type: Literal["person.edited"]
    data: PersonEditedSent


class PersonErasedData(TypedDict):
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class PersonErasedEvent(FeedMembers):
    kind: Literal["person.erased"]
    data: PersonErasedData


class PersonErasedSent(PersonErasedData, SentMembers):
    pass


class PersonErasedWebhook(WebhookMembers):
    type: Literal["person.erased"]
    data: PersonErasedSent


PersonMergedData = TypedDict(
    "PersonMergedData",
    {
        "members": 'NotRequired[list[str]]',
        "from": 'NotRequired[list[str]]',
        "externalId": 'NotRequired[str]',
        "client": 'NotRequired[Application]',
        "key": 'NotRequired[str]',
    },
)


class PersonMergedEvent(FeedMembers):
    kind: Literal["person.merged"]
    data: PersonMergedData


class PersonMergedSent(PersonMergedData, SentMembers):
    pass


class PersonMergedWebhook(WebhookMembers):
    type: Literal["person.merged"]
    data: PersonMergedSent


class PersonSplitData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    person: NotRequired[str | None]
    """The id of the person; null if it is nobody known."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class PersonSplitEvent(FeedMembers):
    kind: Literal["person.split"]
    data: PersonSplitData


class PersonSplitSent(PersonSplitData, SentMembers):
    pass


class PersonSplitWebhook(WebhookMembers):
    type: Literal["person.split"]
    data: PersonSplitSent


class PersonTaggedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    label: NotRequired[str]
    """The id of the product, or the label."""
    side: NotRequired[str | None]
    """The side of the person, or of the product."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class PersonTaggedEvent(FeedMembers):
    kind: Literal["person.tagged"]
    data: PersonTaggedData


class PersonTaggedSent(PersonTaggedData, SentMembers):
    pass


class PersonTaggedWebhook(WebhookMembers):
    type: Literal["person.tagged"]
    data: PersonTaggedSent


class PersonUnsubscribedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    person: NotRequired[str | None]
    """The id of the person; null if it is nobody known."""
    touch: NotRequired[str]
    """The id of the letter whose link was used."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class PersonUnsubscribedEvent(FeedMembers):
    kind: Literal["person.unsubscribed"]
    data: PersonUnsubscribedData


class PersonUnsubscribedSent(PersonUnsubscribedData, SentMembers):
    pass


class PersonUnsubscribedWebhook(WebhookMembers):
    type: Literal["person.unsubscribed"]
    data: PersonUnsubscribedSent


class PersonUntaggedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    label: NotRequired[str]
    """The id of the product, or the label."""
    side: NotRequired[str | None]
    """The side of the person, or of the product."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class PersonUntaggedEvent(FeedMembers):
    kind: Literal["person.untagged"]
    data: PersonUntaggedData


class PersonUntaggedSent(PersonUntaggedData, SentMembers):
    pass


class PersonUntaggedWebhook(WebhookMembers):
    type: Literal["person.untagged"]
    data: PersonUntaggedSent


class ProductEditedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    side: NotRequired[str | None]
    """The side of the person, or of the product."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class ProductEditedEvent(FeedMembers):
    kind: Literal["product.edited"]
    data: ProductEditedData


class ProductEditedSent(ProductEditedData, SentMembers):
    pass


class ProductEditedWebhook(WebhookMembers):
    type: Literal["product.edited"]
    data: ProductEditedSent


class RoutingAppliedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    rule: NotRequired[str | None]
    """The id of the rule."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class RoutingAppliedEvent(FeedMembers):
    kind: Literal["routing.applied"]
    data: RoutingAppliedData


class RoutingAppliedSent(RoutingAppliedData, SentMembers):
    pass


class RoutingAppliedWebhook(WebhookMembers):
    type: Literal["routing.applied"]
    data: RoutingAppliedSent


class RoutingEditedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    enabled: NotRequired[bool]
    """Whether it is switched on."""
    rule: NotRequired[str | None]
    """The id of the rule."""
    position: NotRequired[int]
    """The place of the rule."""
    member: NotRequired[str | None]
    """The id of the member."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class RoutingEditedEvent(FeedMembers):
    kind: Literal["routing.edited"]
    data: RoutingEditedData


class RoutingEditedSent(RoutingEditedData, SentMembers):
    pass


class RoutingEditedWebhook(WebhookMembers):
    type: Literal["routing.edited"]
    data: RoutingEditedSent


class SegmentCreatedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    refill: NotRequired[bool]
    """Whether the segment is refilled by itself."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class SegmentCreatedEvent(FeedMembers):
    kind: Literal["segment.created"]
    data: SegmentCreatedData


class SegmentCreatedSent(SegmentCreatedData, SentMembers):
    pass


class SegmentCreatedWebhook(WebhookMembers):
    type: Literal["segment.created"]
    data: SegmentCreatedSent


class SegmentDeletedData(TypedDict):
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class SegmentDeletedEvent(FeedMembers):
    kind: Literal["segment.deleted"]
    data: SegmentDeletedData


class SegmentDeletedSent(SegmentDeletedData, SentMembers):
    pass


class SegmentDeletedWebhook(WebhookMembers):
    type: Literal["segment.deleted"]
    data: SegmentDeletedSent


class SegmentEditedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    saved: NotRequired[bool]
    """Whether the segment is saved."""
    refill: NotRequired[bool]
    """Whether the segment is refilled by itself."""
    replaces: NotRequired[str | None]
    """The id of the segment that it replaces."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class SegmentEditedEvent(FeedMembers):
    kind: Literal["segment.edited"]
    data: SegmentEditedData


class SegmentEditedSent(SegmentEditedData, SentMembers):
    pass


class SegmentEditedWebhook(WebhookMembers):
    type: Literal["segment.edited"]
    data: SegmentEditedSent


class SegmentPeopleAddedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class SegmentPeopleAddedEvent(FeedMembers):
    kind: Literal["segment.people_added"]
    data: SegmentPeopleAddedData


class SegmentPeopleAddedSent(SegmentPeopleAddedData, SentMembers):
    pass


class SegmentPeopleAddedWebhook(WebhookMembers):
    type: Literal["segment.people_added"]
    data: SegmentPeopleAddedSent


class SegmentPeopleFoundData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class SegmentPeopleFoundEvent(FeedMembers):
    kind: Literal["segment.people_found"]
    data: SegmentPeopleFoundData


class SegmentPeopleFoundSent(SegmentPeopleFoundData, SentMembers):
    pass


class SegmentPeopleFoundWebhook(WebhookMembers):
    type: Literal["segment.people_found"]
    data: SegmentPeopleFoundSent


class SegmentPersonRemovedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    person: NotRequired[str | None]
    """The id of the person; null if it is nobody known."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class SegmentPersonRemovedEvent(FeedMembers):
    kind: Literal["segment.person_removed"]
    data: SegmentPersonRemovedData


class SegmentPersonRemovedSent(SegmentPersonRemovedData, SentMembers):
    pass


class SegmentPersonRemovedWebhook(WebhookMembers):
    type: Literal["segment.person_removed"]
    data: SegmentPersonRemovedSent


class SegmentSearchedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class SegmentSearchedEvent(FeedMembers):
    kind: Literal["segment.searched"]
    data: SegmentSearchedData


class SegmentSearchedSent(SegmentSearchedData, SentMembers):
    pass


class SegmentSearchedWebhook(WebhookMembers):
    type: Literal["segment.searched"]
    data: SegmentSearchedSent


class SendersCheckedData(TypedDict):
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class SendersCheckedEvent(FeedMembers):
    kind: Literal["senders.checked"]
    data: SendersCheckedData


class SendersCheckedSent(SendersCheckedData, SentMembers):
    pass


class SendersCheckedWebhook(WebhookMembers):
    type: Literal["senders.checked"]
    data: SendersCheckedSent


class SuppressionAddedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    person: NotRequired[str | None]
    """The id of the person; null if it is nobody known."""
    reason: NotRequired[str | None]
    """Why, as a stable code; null if there is nothing to say."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class SuppressionAddedEvent(FeedMembers):
    kind: Literal["suppression.added"]
    data: SuppressionAddedData


class SuppressionAddedSent(SuppressionAddedData, SentMembers):
    pass


class SuppressionAddedWebhook(WebhookMembers):
    type: Literal["suppression.added"]
    data: SuppressionAddedSent


class SuppressionLiftedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    person: NotRequired[str | None]
    """The id of the person; null if it is nobody known."""
    reason: NotRequired[str | None]
    """Why, as a stable code; null if there is nothing to say."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class SuppressionLiftedEvent(FeedMembers):
    kind: Literal["suppression.lifted"]
    data: SuppressionLiftedData


class SuppressionLiftedSent(SuppressionLiftedData, SentMembers):
    pass


class SuppressionLiftedWebhook(WebhookMembers):
    type: Literal["suppression.lifted"]
    data: SuppressionLiftedSent


class TaskCarriedOutData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    agent: NotRequired[str | None]
    """The id of the agent."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class TaskCarriedOutEvent(FeedMembers):
    kind: Literal["task.carried_out"]
    data: TaskCarriedOutData


class TaskCarriedOutSent(TaskCarriedOutData, SentMembers):
    pass


class TaskCarriedOutWebhook(WebhookMembers):
    type: Literal["task.carried_out"]
    data: TaskCarriedOutSent


class TaskCreatedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    conversation: NotRequired[str | None]
    """The id of the conversation."""
    due: NotRequired[str | None]
    """When it is due; null if it is at once."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class TaskCreatedEvent(FeedMembers):
    kind: Literal["task.created"]
    data: TaskCreatedData


class TaskCreatedSent(TaskCreatedData, SentMembers):
    pass


class TaskCreatedWebhook(WebhookMembers):
    type: Literal["task.created"]
    data: TaskCreatedSent


class TaskFailedData(TypedDict):
    conversation: NotRequired[str | None]
    """The id of the conversation."""
    state: NotRequired[str | None]
    """The state that it has from then on."""
    reason: NotRequired[str | None]
    """Why, as a stable code; null if there is nothing to say."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class TaskFailedEvent(FeedMembers):
    kind: Literal["task.failed"]
    data: TaskFailedData


class TaskFailedSent(TaskFailedData, SentMembers):
    pass


class TaskFailedWebhook(WebhookMembers):
    type: Literal["task.failed"]
    data: TaskFailedSent


class TouchAgainData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    campaign: NotRequired[str]
    """The id of the campaign."""
    person: NotRequired[str | None]
    """The id of the person; null if it is nobody known."""
    message: NotRequired[str | None]
    """The id of the message that the letter became in its conversation; null before it went."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class TouchAgainEvent(FeedMembers):
    kind: Literal["touch.again"]
    data: TouchAgainData


class TouchAgainSent(TouchAgainData, SentMembers):
    pass


class TouchAgainWebhook(WebhookMembers):
    type: Literal["touch.again"]
    data: TouchAgainSent


class TouchEditedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    campaign: NotRequired[str]
    """The id of the campaign."""
    person: NotRequired[str | None]
    """The id of the person; null if it is nobody known."""
    message: NotRequired[str | None]
    """The id of the message that the letter became in its conversation; null before it went."""
    state: NotRequired[str | None]
    """The state that it has from then on."""
    reason: NotRequired[str | None]
    """Why, as a stable code; null if there is nothing to say."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class TouchEditedEvent(FeedMembers):
    kind: Literal["touch.edited"]
    data: TouchEditedData


class TouchEditedSent(TouchEditedData, SentMembers):
    pass


class TouchEditedWebhook(WebhookMembers):
    type: Literal["touch.edited"]
    data: TouchEditedSent


class TouchFailedData(TypedDict):
    campaign: NotRequired[str]
    """The id of the campaign."""
    person: NotRequired[str | None]
    """The id of the person; null if it is nobody known."""
    place: NotRequired[int]
    """The place of the letter: 1, 2 or 3."""
    connection: NotRequired[str | None]
    """The id of the connection."""
    conversation: NotRequired[str | None]
    """The id of the conversation."""
    message: NotRequired[str | None]
    """The id of the message that the letter became in its conversation; null before it went."""
    state: NotRequired[str | None]
    """The state that it has from then on."""
    reason: NotRequired[str | None]
    """Why, as a stable code; null if there is nothing to say."""
    code: NotRequired[str | None]
    """The status code of the server or the report; null if there is none."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class TouchFailedEvent(FeedMembers):
    kind: Literal["touch.failed"]
    data: TouchFailedData


class TouchFailedSent(TouchFailedData, SentMembers):
    pass


class TouchFailedWebhook(WebhookMembers):
    type: Literal["touch.failed"]
    data: TouchFailedSent


class TouchResolvedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    campaign: NotRequired[str]
    """The id of the campaign."""
    person: NotRequired[str | None]
    """The id of the person; null if it is nobody known."""
    message: NotRequired[str | None]
    """The id of the message that the letter became in its conversation; null before it went."""
    outcome: NotRequired[str]
    """What somebody decided: `sent` or `again`."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class TouchResolvedEvent(FeedMembers):
    kind: Literal["touch.resolved"]
    data: TouchResolvedData


class TouchResolvedSent(TouchResolvedData, SentMembers):
    pass


class TouchResolvedWebhook(WebhookMembers):
    type: Literal["touch.resolved"]
    data: TouchResolvedSent


class TouchSentData(TypedDict):
    campaign: NotRequired[str]
    """The id of the campaign."""
    person: NotRequired[str | None]
    """The id of the person; null if it is nobody known."""
    place: NotRequired[int]
    """The place of the letter: 1, 2 or 3."""
    connection: NotRequired[str | None]
    """The id of the connection."""
    conversation: NotRequired[str | None]
    """The id of the conversation."""
    message: NotRequired[str | None]
    """The id of the message that the letter became in its conversation; null before it went."""
    state: NotRequired[str | None]
    """The state that it has from then on."""
    reason: NotRequired[str | None]
    """Why, as a stable code; null if there is nothing to say."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class TouchSentEvent(FeedMembers):
    kind: Literal["touch.sent"]
    data: TouchSentData


class TouchSentSent(TouchSentData, SentMembers):
    pass


class TouchSentWebhook(WebhookMembers):
    type: Literal["touch.sent"]
    data: TouchSentSent


class TouchUnconfirmedData(TypedDict):
    campaign: NotRequired[str]
    """The id of the campaign."""
    person: NotRequired[str | None]
    """The id of the person; null if it is nobody known."""
    place: NotRequired[int]
    """The place of the letter: 1, 2 or 3."""
    connection: NotRequired[str | None]
    """The id of the connection."""
    conversation: NotRequired[str | None]
    """The id of the conversation."""
    message: NotRequired[str | None]
    """The id of the message that the letter became in its conversation; null before it went."""
    state: NotRequired[str | None]
    """The state that it has from then on."""
    reason: NotRequired[str | None]
    """Why, as a stable code; null if there is nothing to say."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class TouchUnconfirmedEvent(FeedMembers):
    kind: Literal["touch.unconfirmed"]
    data: TouchUnconfirmedData


class TouchUnconfirmedSent(TouchUnconfirmedData, SentMembers):
    pass


class TouchUnconfirmedWebhook(WebhookMembers):
    type: Literal["touch.unconfirmed"]
    data: TouchUnconfirmedSent


class WebhookCreatedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    enabled: NotRequired[bool]
    """Whether it is switched on."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class WebhookCreatedEvent(FeedMembers):
    kind: Literal["webhook.created"]
    data: WebhookCreatedData


class WebhookCreatedSent(WebhookCreatedData, SentMembers):
    pass


class WebhookCreatedWebhook(WebhookMembers):
    type: Literal["webhook.created"]
    data: WebhookCreatedSent


class WebhookDeletedData(TypedDict):
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class WebhookDeletedEvent(FeedMembers):
    kind: Literal["webhook.deleted"]
    data: WebhookDeletedData


class WebhookDeletedSent(WebhookDeletedData, SentMembers):
    pass


class WebhookDeletedWebhook(WebhookMembers):
    type: Literal["webhook.deleted"]
    data: WebhookDeletedSent


class WebhookEditedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    enabled: NotRequired[bool]
    """Whether it is switched on."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class WebhookEditedEvent(FeedMembers):
    kind: Literal["webhook.edited"]
    data: WebhookEditedData


class WebhookEditedSent(WebhookEditedData, SentMembers):
    pass


class WebhookEditedWebhook(WebhookMembers):
    type: Literal["webhook.edited"]
    data: WebhookEditedSent


class WebhookRedeliveredData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    state: NotRequired[str | None]
    """The state that it has from then on."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class WebhookRedeliveredEvent(FeedMembers):
    kind: Literal["webhook.redelivered"]
    data: WebhookRedeliveredData


class WebhookRedeliveredSent(WebhookRedeliveredData, SentMembers):
    pass


class WebhookRedeliveredWebhook(WebhookMembers):
    type: Literal["webhook.redelivered"]
    data: WebhookRedeliveredSent


class WebhookTestedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class WebhookTestedEvent(FeedMembers):
    kind: Literal["webhook.tested"]
    data: WebhookTestedData


class WebhookTestedSent(WebhookTestedData, SentMembers):
    pass


class WebhookTestedWebhook(WebhookMembers):
    type: Literal["webhook.tested"]
    data: WebhookTestedSent


class WorkspaceEditedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    timezone: NotRequired[str]
    """The time zone of the workspace."""
    tagging: NotRequired[bool]
    """Whether correspondence is marked."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class WorkspaceEditedEvent(FeedMembers):
    kind: Literal["workspace.edited"]
    data: WorkspaceEditedData


class WorkspaceEditedSent(WorkspaceEditedData, SentMembers):
    pass


class WorkspaceEditedWebhook(WebhookMembers):
    type: Literal["workspace.edited"]
    data: WorkspaceEditedSent


class WorkspaceErasedData(TypedDict):
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class WorkspaceErasedEvent(FeedMembers):
    kind: Literal["workspace.erased"]
    data: WorkspaceErasedData


class WorkspaceErasedSent(WorkspaceErasedData, SentMembers):
    pass


class WorkspaceErasedWebhook(WebhookMembers):
    type: Literal["workspace.erased"]
    data: WorkspaceErasedSent


class WorkspaceHeldData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class WorkspaceHeldEvent(FeedMembers):
    kind: Literal["workspace.held"]
    data: WorkspaceHeldData


class WorkspaceHeldSent(WorkspaceHeldData, SentMembers):
    pass


class WorkspaceHeldWebhook(WebhookMembers):
    type: Literal["workspace.held"]
    data: WorkspaceHeldSent


class WorkspaceReleasedData(TypedDict):
    members: NotRequired[list[str]]
    """The names of everything that was changed; the values have to be read."""
    externalId: NotRequired[str]
    """The id in your own system of the person whom it is about, if they have one."""
    client: NotRequired[Application]
    """The application whose call caused it, if a call did."""
    key: NotRequired[str]
    """The `Idempotency-Key` of the call that caused it, if one did."""


class WorkspaceReleasedEvent(FeedMembers):
    kind: Literal["workspace.released"]
    data: WorkspaceReleasedData


class WorkspaceReleasedSent(WorkspaceReleasedData, SentMembers):
    pass


class WorkspaceReleasedWebhook(WebhookMembers):
    type: Literal["workspace.released"]
    data: WorkspaceReleasedSent


class WebhookTestData(TypedDict):
    pass


class WebhookTestEvent(FeedMembers):
    kind: Literal["webhook.test"]
    data: WebhookTestData


class WebhookTestSent(WebhookTestData, SentMembers):
    pass


class WebhookTestWebhook(WebhookMembers):
    type: Literal["webhook.test"]
    data: WebhookTestSent


#: An event by its kind. More kinds are added over time: keep a default where you decide by it.
KeptEvent = Union[
    AccessClosedEvent,
    AccessOpenedEvent,
    AgentEditedEvent,
    ArchiveDeclinedEvent,
    ArchiveParsedEvent,
    ArchiveStartedEvent,
    CampaignCreatedEvent,
    CampaignDeletedEvent,
    CampaignEditedEvent,
    CampaignLettersEvent,
    CampaignMovedEvent,
    ChannelConnectedEvent,
    ChannelCreatedEvent,
    ChannelConsentNeededEvent,
    ChannelEditedEvent,
    ChannelFailedEvent,
    ChannelLinkCreatedEvent,
    ChannelRecoveredEvent,
    ChannelRemovedEvent,
    CompanyEditedEvent,
    ConversationEditedEvent,
    ConversationLabelledEvent,
    ConversationNotedEvent,
    ConversationReopenedEvent,
    ConversationRoutedEvent,
    ConversationUnlabelledEvent,
    ConversationWokenEvent,
    DealCreatedEvent,
    DealEditedEvent,
    FileUploadedEvent,
    ImportCancelledEvent,
    ImportDoneEvent,
    ImportFailedEvent,
    InvitationResolvedEvent,
    MeetingAnsweredEvent,
    MeetingBookedEvent,
    MeetingCancelledEvent,
    MeetingMovedEvent,
    MeetingProposalDeclinedEvent,
    MeetingProposedEvent,
    MeetingRepliedEvent,
    MemberCreatedEvent,
    MemberDeletedEvent,
    MemberEditedEvent,
    MessageCancelledEvent,
    MessageFailedEvent,
    MessagePreparedEvent,
    MessageQueuedEvent,
    MessageReceivedEvent,
    MessageResolvedEvent,
    MessageRetriedEvent,
    MessageSentEvent,
    MessageUnconfirmedEvent,
    MessageUnreadableEvent,
    NotificationsReadEvent,
    PeopleImportedEvent,
    PeopleSavedEvent,
    PersonComplainedEvent,
    PersonCreatedEvent,
    PersonEditedEvent,
    PersonErasedEvent,
    PersonMergedEvent,
    PersonSplitEvent,
    PersonTaggedEvent,
    PersonUnsubscribedEvent,
    PersonUntaggedEvent,
    ProductEditedEvent,
    RoutingAppliedEvent,
    RoutingEditedEvent,
    SegmentCreatedEvent,
    SegmentDeletedEvent,
    SegmentEditedEvent,
    SegmentPeopleAddedEvent,
    SegmentPeopleFoundEvent,
    SegmentPersonRemovedEvent,
    SegmentSearchedEvent,
    SendersCheckedEvent,
    SuppressionAddedEvent,
    SuppressionLiftedEvent,
    TaskCarriedOutEvent,
    TaskCreatedEvent,
    TaskFailedEvent,
    TouchAgainEvent,
    TouchEditedEvent,
    TouchFailedEvent,
    TouchResolvedEvent,
    TouchSentEvent,
    TouchUnconfirmedEvent,
    WebhookCreatedEvent,
    WebhookDeletedEvent,
    WebhookEditedEvent,
    WebhookRedeliveredEvent,
    WebhookTestedEvent,
    WorkspaceEditedEvent,
    WorkspaceErasedEvent,
    WorkspaceHeldEvent,
    WorkspaceReleasedEvent,
    WebhookTestEvent,
]
#: What a webhook sends, by its type. More types are added over time: keep a default where you decide by it.
WebhookEvent = Union[
    AccessClosedWebhook,
    AccessOpenedWebhook,
    AgentEditedWebhook,
    ArchiveDeclinedWebhook,
    ArchiveParsedWebhook,
    ArchiveStartedWebhook,
    CampaignCreatedWebhook,
    CampaignDeletedWebhook,
    CampaignEditedWebhook,
    CampaignLettersWebhook,
    CampaignMovedWebhook,
    ChannelConnectedWebhook,
    ChannelCreatedWebhook,
    ChannelConsentNeededWebhook,
    ChannelEditedWebhook,
    ChannelFailedWebhook,
    ChannelLinkCreatedWebhook,
    ChannelRecoveredWebhook,
    ChannelRemovedWebhook,
    CompanyEditedWebhook,
    ConversationEditedWebhook,
    ConversationLabelledWebhook,
    ConversationNotedWebhook,
    ConversationReopenedWebhook,
    ConversationRoutedWebhook,
    ConversationUnlabelledWebhook,
    ConversationWokenWebhook,
    DealCreatedWebhook,
    DealEditedWebhook,
    FileUploadedWebhook,
    ImportCancelledWebhook,
    ImportDoneWebhook,
    ImportFailedWebhook,
    InvitationResolvedWebhook,
    MeetingAnsweredWebhook,
    MeetingBookedWebhook,
    MeetingCancelledWebhook,
    MeetingMovedWebhook,
    MeetingProposalDeclinedWebhook,
    MeetingProposedWebhook,
    MeetingRepliedWebhook,
    MemberCreatedWebhook,
    MemberDeletedWebhook,
    MemberEditedWebhook,
    MessageCancelledWebhook,
    MessageFailedWebhook,
    MessagePreparedWebhook,
    MessageQueuedWebhook,
    MessageReceivedWebhook,
    MessageResolvedWebhook,
    MessageRetriedWebhook,
    MessageSentWebhook,
    MessageUnconfirmedWebhook,
    MessageUnreadableWebhook,
    NotificationsReadWebhook,
    PeopleImportedWebhook,
    PeopleSavedWebhook,
    PersonComplainedWebhook,
    PersonCreatedWebhook,
    PersonEditedWebhook,
    PersonErasedWebhook,
    PersonMergedWebhook,
    PersonSplitWebhook,
    PersonTaggedWebhook,
    PersonUnsubscribedWebhook,
    PersonUntaggedWebhook,
    ProductEditedWebhook,
    RoutingAppliedWebhook,
    RoutingEditedWebhook,
    SegmentCreatedWebhook,
    SegmentDeletedWebhook,
    SegmentEditedWebhook,
    SegmentPeopleAddedWebhook,
    SegmentPeopleFoundWebhook,
    SegmentPersonRemovedWebhook,
    SegmentSearchedWebhook,
    SendersCheckedWebhook,
    SuppressionAddedWebhook,
    SuppressionLiftedWebhook,
    TaskCarriedOutWebhook,
    TaskCreatedWebhook,
    TaskFailedWebhook,
    TouchAgainWebhook,
    TouchEditedWebhook,
    TouchFailedWebhook,
    TouchResolvedWebhook,
    TouchSentWebhook,
    TouchUnconfirmedWebhook,
    WebhookCreatedWebhook,
    WebhookDeletedWebhook,
    WebhookEditedWebhook,
    WebhookRedeliveredWebhook,
    WebhookTestedWebhook,
    WorkspaceEditedWebhook,
    WorkspaceErasedWebhook,
    WorkspaceHeldWebhook,
    WorkspaceReleasedWebhook,
    WebhookTestWebhook,
]
