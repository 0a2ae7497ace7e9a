# Made from the OpenAPI document of Postroom 0.4.0 by `npm run clients`: do not edit.
from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from ..methods import Described
from ..types import NOT_GIVEN, CallOptions, ChangeOptions, NotGiven
from ..pages import AsyncPages, AsyncRuns, Pages, Runs
from .schemas import (
    Agent,
    AgentList,
    Archive,
    Attachment,
    AttachmentList,
    AuditEntry,
    AuditEntryList,
    Billing,
    CalendarView,
    Campaign,
    CampaignDetails,
    CampaignList,
    CampaignPerson,
    CampaignPersonList,
    ChangedCampaign,
    ChangedRouting,
    Channel,
    ChannelList,
    ColumnChoice,
    Company,
    CompanyList,
    ConnectLink,
    Conversation,
    ConversationBulkResults,
    ConversationChange,
    ConversationCounts,
    ConversationDetails,
    ConversationList,
    CreatedPerson,
    Dashboard,
    Deal,
    DealList,
    Deleted,
    Delivery,
    DeliveryList,
    ErasedPerson,
    Event,
    EventList,
    ExtendedSegment,
    FinderAdded,
    FinderAdditionFilters,
    FinderQueryFilters,
    FinderResult,
    HoursUpdate,
    House,
    Identity,
    ImportAnswer,
    ImportedRow,
    ImportedRowList,
    JudgedSegment,
    LabelList,
    LabelledConversation,
    LetterPreviewRequest,
    LetterTestRequest,
    Meeting,
    MeetingOrCheck,
    Member,
    MemberList,
    Message,
    MessageList,
    MessengerFolder,
    MessengerFolderList,
    MovedCampaign,
    NewCondition,
    NewFact,
    NewFile,
    NewHold,
    NewMaterial,
    NewPerson,
    NewSegmentRule,
    NewTag,
    NewTemplate,
    Note,
    Notification,
    NotificationList,
    NotificationsRead,
    OpenedConversation,
    Operation,
    OperationList,
    PeopleBulkResults,
    PeopleFile,
    Person,
    PersonExport,
    PersonList,
    PreparedLetters,
    Product,
    ProductList,
    Proposal,
    ProposalList,
    QueuedMessage,
    Routing,
    RoutingRunResult,
    SearchResult,
    SearchResultList,
    Segment,
    SegmentDetails,
    SegmentList,
    SegmentMember,
    SegmentMemberList,
    SendersHealth,
    Suppression,
    SuppressionList,
    Task,
    Touch,
    TouchList,
    UploadedFile,
    Voice,
    VoiceList,
    Webhook,
    WebhookList,
    WebhookTest,
    WebhookWithSecret,
    Workspace,
    WorkspaceLabel,
)

if sys.version_info >= (3, 11):
    from typing import Unpack
else:
    from typing_extensions import Unpack

GET_WORKSPACE: Described[Workspace] = Described("GET", "/workspace")
UPDATE_WORKSPACE: Described[Workspace] = Described("PATCH", "/workspace", takes="body")
GET_IDENTITY: Described[Identity] = Described("GET", "")
GET_HOUSE_RULES: Described[House] = Described("GET", "/house")
GET_BILLING: Described[Billing] = Described("GET", "/billing")
GET_DASHBOARD: Described[Dashboard] = Described("GET", "/dashboard", takes="query")
LIST_LABELS: Described[LabelList] = Described("GET", "/labels", takes="query", items="labels")
LIST_AUDIT_ENTRIES: Described[AuditEntryList] = Described("GET", "/audit", takes="query", items="entries")
LIST_CHANNELS: Described[ChannelList] = Described("GET", "/channels", takes="query", items="channels")
CREATE_CONNECT_LINK: Described[ConnectLink] = Described("POST", "/channels/{id}/connect")
LIST_MESSENGER_FOLDERS: Described[MessengerFolderList] = Described("GET", "/channels/messenger-folders", takes="query", items="folders")
LIST_MEMBERS: Described[MemberList] = Described("GET", "/members", takes="query", items="members")
UPDATE_MEMBER: Described[Member] = Described("PATCH", "/members/{id}", takes="body")
LIST_CONVERSATIONS: Described[ConversationList] = Described("GET", "/conversations", takes="query", items="conversations")
OPEN_CONVERSATION: Described[OpenedConversation] = Described("POST", "/conversations", takes="body")
COUNT_CONVERSATIONS: Described[ConversationCounts] = Described("GET", "/conversations/counts", takes="query")
GET_CONVERSATION: Described[ConversationDetails] = Described("GET", "/conversations/{id}")
UPDATE_CONVERSATION: Described[ConversationDetails] = Described("PATCH", "/conversations/{id}", takes="body")
LIST_MESSAGES: Described[MessageList] = Described("GET", "/conversations/{id}/messages", takes="query", items="messages")
SEND_MESSAGE: Described[QueuedMessage] = Described("POST", "/conversations/{id}/messages", takes="body")
ADD_NOTE: Described[Note] = Described("POST", "/conversations/{id}/notes", takes="body")
UPDATE_CONVERSATIONS: Described[ConversationBulkResults] = Described("POST", "/conversations/bulk", takes="body")
GET_MESSAGE: Described[Message] = Described("GET", "/messages/{id}")
CANCEL_MESSAGE: Described[QueuedMessage] = Described("DELETE", "/messages/{id}")
RESOLVE_MESSAGE: Described[Message] = Described("POST", "/messages/{id}/resolve", takes="body")
SEND_MESSAGE_AGAIN: Described[QueuedMessage] = Described("POST", "/messages/{id}/again")
GET_MESSAGE_HTML: Described[str] = Described("GET", "/messages/{id}/html", takes="query", answers="text")
ADD_LABEL: Described[LabelledConversation] = Described("POST", "/conversations/{id}/labels", takes="body")
REMOVE_LABEL: Described[LabelledConversation] = Described("DELETE", "/conversations/{id}/labels/{label}")
CREATE_TASK: Described[Task] = Described("POST", "/conversations/{id}/tasks", takes="body")
UPLOAD_FILE: Described[UploadedFile] = Described("POST", "/files", takes="body")
LIST_ATTACHMENTS: Described[AttachmentList] = Described("GET", "/messages/{id}/files", takes="query", items="files")
DOWNLOAD_FILE: Described[bytes] = Described("GET", "/files/{id}", answers="bytes")
SEARCH: Described[SearchResultList] = Described("GET", "/search", takes="query", items="results")
LIST_PEOPLE: Described[PersonList] = Described("GET", "/people", takes="query", items="people")
CREATE_PERSON: Described[CreatedPerson] = Described("POST", "/people", takes="body")
GET_PERSON: Described[Person] = Described("GET", "/people/{id}")
UPDATE_PERSON: Described[Person] = Described("PATCH", "/people/{id}", takes="body")
ERASE_PERSON: Described[ErasedPerson] = Described("DELETE", "/people/{id}")
SPLIT_PERSON: Described[Person] = Described("POST", "/people/{id}/split", takes="body")
TAG_PERSON: Described[Person] = Described("POST", "/people/{id}/tags", takes="body")
UNTAG_PERSON: Described[Person] = Described("DELETE", "/people/{id}/tags", takes="query")
EXPORT_PERSON: Described[PersonExport] = Described("GET", "/people/{id}/export")
MERGE_PEOPLE: Described[Person] = Described("POST", "/people/{id}/merge", takes="body")
SAVE_PEOPLE: Described[PeopleBulkResults] = Described("POST", "/people/bulk", takes="body")
LIST_IMPORTED_ROWS: Described[ImportedRowList] = Described("GET", "/people/import/{key}/rows", takes="query", items="rows")
IMPORT_PEOPLE: Described[ImportAnswer] = Described("POST", "/people/import", takes="body")
LIST_AGENTS: Described[AgentList] = Described("GET", "/agents", takes="query", items="agents")
GET_AGENT: Described[Agent] = Described("GET", "/agents/{id}")
UPDATE_AGENT: Described[Agent] = Described("PATCH", "/agents/{id}", takes="body")
LIST_PRODUCTS: Described[ProductList] = Described("GET", "/products", takes="query", items="products")
GET_PRODUCT: Described[Product] = Described("GET", "/products/{id}")
UPDATE_PRODUCT: Described[Product] = Described("PATCH", "/products/{id}", takes="body")
LIST_COMPANIES: Described[CompanyList] = Described("GET", "/companies", takes="query", items="companies")
GET_COMPANY: Described[Company] = Described("GET", "/companies/{id}")
UPDATE_COMPANY: Described[Company] = Described("PATCH", "/companies/{id}", takes="body")
LIST_DEALS: Described[DealList] = Described("GET", "/deals", takes="query", items="deals")
CREATE_DEAL: Described[Deal] = Described("POST", "/deals", takes="body")
GET_DEAL: Described[Deal] = Described("GET", "/deals/{id}")
UPDATE_DEAL: Described[Deal] = Described("PATCH", "/deals/{id}", takes="body")
LIST_SEGMENTS: Described[SegmentList] = Described("GET", "/segments", takes="query", items="segments")
CREATE_SEGMENT: Described[JudgedSegment] = Described("POST", "/segments", takes="body")
GET_SEGMENT: Described[SegmentDetails] = Described("GET", "/segments/{id}")
UPDATE_SEGMENT: Described[SegmentDetails] = Described("PATCH", "/segments/{id}", takes="body")
DELETE_SEGMENT: Described[Deleted] = Described("DELETE", "/segments/{id}")
LIST_SEGMENT_PEOPLE: Described[SegmentMemberList] = Described("GET", "/segments/{id}/people", takes="query", items="people")
ADD_SEGMENT_PEOPLE: Described[ExtendedSegment] = Described("POST", "/segments/{id}/people", takes="body")
REMOVE_SEGMENT_PERSON: Described[SegmentDetails] = Described("DELETE", "/segments/{id}/people/{person}")
LIST_SEGMENT_PROPOSALS: Described[ProposalList] = Described("GET", "/segments/proposals", takes="query", items="proposals")
FIND_PEOPLE: Described[FinderResult] = Described("POST", "/segments/{id}/find", takes="body")
ADD_FOUND_PEOPLE: Described[FinderAdded] = Described("POST", "/segments/{id}/find/add", takes="body")
LIST_CAMPAIGNS: Described[CampaignList] = Described("GET", "/campaigns", takes="query", items="campaigns")
CREATE_CAMPAIGN: Described[ChangedCampaign] = Described("POST", "/campaigns", takes="body")
GET_CAMPAIGN: Described[CampaignDetails] = Described("GET", "/campaigns/{id}")
UPDATE_CAMPAIGN: Described[ChangedCampaign] = Described("PATCH", "/campaigns/{id}", takes="body")
DELETE_CAMPAIGN: Described[Deleted] = Described("DELETE", "/campaigns/{id}")
SET_CAMPAIGN_STATE: Described[MovedCampaign] = Described("POST", "/campaigns/{id}/state", takes="body")
PREPARE_LETTERS: Described[PreparedLetters] = Described("POST", "/campaigns/{id}/letters", takes="body")
LIST_TOUCHES: Described[TouchList] = Described("GET", "/campaigns/{id}/touches", takes="query", items="touches")
GET_TOUCH: Described[Touch] = Described("GET", "/campaigns/{id}/touches/{touch}")
UPDATE_TOUCH: Described[Touch] = Described("PATCH", "/campaigns/{id}/touches/{touch}", takes="body")
RESOLVE_TOUCH: Described[Touch] = Described("POST", "/campaigns/{id}/touches/{touch}/resolve", takes="body")
SEND_TOUCH_AGAIN: Described[Touch] = Described("POST", "/campaigns/{id}/touches/{touch}/again")
LIST_CAMPAIGN_PEOPLE: Described[CampaignPersonList] = Described("GET", "/campaigns/{id}/people", takes="query", items="people")
LIST_NOTIFICATIONS: Described[NotificationList] = Described("GET", "/notifications", takes="query", items="notifications")
MARK_NOTIFICATIONS_READ: Described[NotificationsRead] = Described("POST", "/notifications/read", takes="body")
GET_CALENDAR: Described[CalendarView] = Described("GET", "/calendar", takes="query", items="meetings")
GET_MEETING: Described[Meeting] = Described("GET", "/calendar/meetings/{id}")
CANCEL_MEETING: Described[Meeting] = Described("DELETE", "/calendar/meetings/{id}")
BOOK_MEETING: Described[MeetingOrCheck] = Described("POST", "/calendar/meetings", takes="body")
MOVE_MEETING: Described[MeetingOrCheck] = Described("POST", "/calendar/meetings/{id}/move", takes="body")
ANSWER_MEETING_PROPOSAL: Described[Meeting] = Described("POST", "/calendar/meetings/{id}/proposals/{proposal}", takes="body")
ANSWER_INVITATION: Described[Message] = Described("POST", "/messages/{id}/invitation", takes="body")
GET_SENDERS_HEALTH: Described[SendersHealth] = Described("GET", "/senders/health")
CHECK_SENDERS_HEALTH: Described[SendersHealth] = Described("POST", "/senders/health/check", takes="body")
LIST_VOICES: Described[VoiceList] = Described("GET", "/senders/voices", takes="query", items="voices")
LIST_SUPPRESSIONS: Described[SuppressionList] = Described("GET", "/suppressions", takes="query", items="suppressions")
CREATE_SUPPRESSION: Described[Suppression] = Described("POST", "/suppressions", takes="body")
GET_SUPPRESSION: Described[Suppression] = Described("GET", "/suppressions/{id}")
DELETE_SUPPRESSION: Described[Deleted] = Described("DELETE", "/suppressions/{id}")
GET_ROUTING: Described[Routing] = Described("GET", "/routing")
UPDATE_ROUTING: Described[ChangedRouting] = Described("POST", "/routing", takes="body")
APPLY_ROUTING: Described[RoutingRunResult] = Described("POST", "/routing/apply", takes="body")
GET_ARCHIVE: Described[Archive] = Described("GET", "/archive")
UPDATE_ARCHIVE: Described[Archive] = Described("POST", "/archive", takes="body")
LIST_OPERATIONS: Described[OperationList] = Described("GET", "/operations", takes="query", items="operations")
GET_OPERATION: Described[Operation] = Described("GET", "/operations/{key}", takes="query")
LIST_EVENTS: Described[EventList] = Described("GET", "/events", takes="query", items="events", commas=("kinds",))
CREATE_WEBHOOK: Described[WebhookWithSecret] = Described("POST", "/webhooks", takes="body")
LIST_WEBHOOKS: Described[WebhookList] = Described("GET", "/webhooks", takes="query", items="webhooks")
GET_WEBHOOK: Described[Webhook] = Described("GET", "/webhooks/{id}")
UPDATE_WEBHOOK: Described[WebhookWithSecret] = Described("PATCH", "/webhooks/{id}", takes="body")
DELETE_WEBHOOK: Described[Deleted] = Described("DELETE", "/webhooks/{id}")
TEST_WEBHOOK: Described[WebhookTest] = Described("POST", "/webhooks/{id}/test")
LIST_DELIVERIES: Described[DeliveryList] = Described("GET", "/webhooks/{id}/deliveries", takes="query", items="deliveries")
REDELIVER_DELIVERY: Described[Delivery] = Described("POST", "/webhooks/{id}/deliveries/{delivery}/redeliver")


class Operations(Runs):
    """The operations of the API, each a method."""

    def get_workspace(
        self,
        **how: Unpack[CallOptions],
    ) -> Workspace:
        """Read the workspace

        Needs the scope `inbox:read`.
        """
        return self._run(GET_WORKSPACE, (), {}, how)

    def update_workspace(
        self,
        *,
        timezone: str | None | NotGiven = NOT_GIVEN,
        tagging: bool | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> Workspace:
        """Edit the workspace

        Sets the time zone by which days are counted, and whether correspondence is marked automatically. Needs the scope `inbox:write`.

        :param timezone: The IANA name of the time zone by which days and weeks are counted.
        :param tagging: Whether correspondence is marked automatically.
        """
        return self._run(UPDATE_WORKSPACE, (), {
            "timezone": timezone,
            "tagging": tagging,
        }, how)

    def get_identity(
        self,
        **how: Unpack[CallOptions],
    ) -> Identity:
        """Read the identity of the token

        Answers the workspace, the member and the application of the token, and its scopes. Needs any valid token.
        """
        return self._run(GET_IDENTITY, (), {}, how)

    def get_house_rules(
        self,
        **how: Unpack[CallOptions],
    ) -> House:
        """Read the house rules

        The rules for all agents of the workspace. Needs the scope `inbox:read`.
        """
        return self._run(GET_HOUSE_RULES, (), {}, how)

    def get_billing(
        self,
        **how: Unpack[CallOptions],
    ) -> Billing:
        """Read the subscription

        The subscription as the operator has recorded it, and the accounts it covers. Needs the scope `inbox:read`.
        """
        return self._run(GET_BILLING, (), {}, how)

    def get_dashboard(
        self,
        *,
        days: int | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> Dashboard:
        """Read the dashboard

        The numbers of recent days, and the current totals. Needs the scope `inbox:read`.

        :param days: The number of days in the chart, including today.
        """
        return self._run(GET_DASHBOARD, (), {
            "days": days,
        }, how)

    def list_labels(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> Pages[LabelList, WorkspaceLabel]:
        """List labels

        Product tags and conversation labels, each with its number of conversations. Needs the scope `inbox:read`.

        :param cursor: Not needed: the first page has everything.
        :param limit: Checked, but without effect: this list answers everything at once.
        """
        return self._list(LIST_LABELS, (), {
            "cursor": cursor,
            "limit": limit,
        }, how)

    def list_audit_entries(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> Pages[AuditEntryList, AuditEntry]:
        """List audit entries

        Who created tokens, and what was changed with them, newest first. Needs the scope `inbox:read`.

        :param cursor: The `next` of the previous answer, unchanged. Leave it out or empty for the first page.
        :param limit: The most entries that the answer may hold.
        """
        return self._list(LIST_AUDIT_ENTRIES, (), {
            "cursor": cursor,
            "limit": limit,
        }, how)

    def list_channels(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> Pages[ChannelList, Channel]:
        """List connections

        The accounts of the workspace, and whether each of them works. Needs the scope `inbox:read`.

        :param cursor: Not needed: the first page has everything.
        :param limit: Checked, but without effect: this list answers everything at once.
        """
        return self._list(LIST_CHANNELS, (), {
            "cursor": cursor,
            "limit": limit,
        }, how)

    def create_connect_link(
        self,
        channel_id: str,
        **how: Unpack[ChangeOptions],
    ) -> ConnectLink:
        """Create a link for the consent of an owner

        Makes a link to a page on which the owner of an account that logs in by OAuth 2.0 agrees at its provider. The link works once, for a day. An account that needs no consent answers 409 `invalid_state`. Needs the scopes `inbox:write` and `send`.
        """
        return self._run(CREATE_CONNECT_LINK, (channel_id,), {}, how)

    def list_messenger_folders(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> Pages[MessengerFolderList, MessengerFolder]:
        """List the folders of messengers

        Each folder with its number of conversations. Needs the scope `inbox:read`.

        :param cursor: Not needed: the first page has everything.
        :param limit: Checked, but without effect: this list answers everything at once.
        """
        return self._list(LIST_MESSENGER_FOLDERS, (), {
            "cursor": cursor,
            "limit": limit,
        }, how)

    def list_members(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> Pages[MemberList, Member]:
        """List members

        The people who work here, and what each of them told the agents about themselves. Needs the scope `inbox:read`.

        :param cursor: Not needed: the first page has everything.
        :param limit: Checked, but without effect: this list answers everything at once.
        """
        return self._list(LIST_MEMBERS, (), {
            "cursor": cursor,
            "limit": limit,
        }, how)

    def update_member(
        self,
        member_id: str,
        *,
        job_title: str | None | NotGiven = NOT_GIVEN,
        zone: str | None | NotGiven = NOT_GIVEN,
        signature: str | None | NotGiven = NOT_GIVEN,
        default_connection: str | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> Member:
        """Edit a member

        If letters of a campaign are written with what this changes, their agreement is withdrawn. While such a campaign is running, the call also needs `campaigns:write`. Needs the scope `inbox:write`.

        :param job_title: What they do in the company; an empty text erases it.
        :param zone: What they handle, in words; an empty text erases it.
        :param signature: How they sign letters; an empty text erases it.
        :param default_connection: The id of the account of theirs through which their calls write where several fit, in place of a refusal with `sender_ambiguous`; null for none.
        """
        return self._run(UPDATE_MEMBER, (member_id,), {
            "jobTitle": job_title,
            "zone": zone,
            "signature": signature,
            "defaultConnection": default_connection,
        }, how)

    def list_conversations(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        state: Literal["open", "snoozed", "closed"] | NotGiven = NOT_GIVEN,
        owner: str | NotGiven = NOT_GIVEN,
        label: str | NotGiven = NOT_GIVEN,
        kind: str | NotGiven = NOT_GIVEN,
        person: str | NotGiven = NOT_GIVEN,
        q: str | NotGiven = NOT_GIVEN,
        waiting_for: Literal["us", "client"] | NotGiven = NOT_GIVEN,
        importance: Literal["low", "normal", "high"] | NotGiven = NOT_GIVEN,
        intent: Literal["quote", "question", "interested", "meeting", "not_interested", "complaint", "unsubscribe", "out_of_office", "other"] | NotGiven = NOT_GIVEN,
        via: str | NotGiven = NOT_GIVEN,
        sort: Literal["lastMessageAt", "-lastMessageAt", "waitingSince", "-waitingSince"] | NotGiven = NOT_GIVEN,
        updated_since: str | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> Pages[ConversationList, Conversation]:
        """List conversations

        In order of their last message, newest first, or in that of `sort`. While others make changes, pages in this order may repeat or miss an item. With `updatedSince`, items are listed in the order of their last change (`updatedAt`, then `id`) and none is missed: an item that changes while you read appears again on a later page, or the next time you ask. Needs the scope `inbox:read`.

        :param cursor: The `next` of the previous answer, unchanged. Leave it out or empty for the first page.
        :param limit: The most entries that the answer may hold.
        :param state: Only conversations in this state.

            - `open`: conversations that have to be dealt with.
            - `snoozed`: conversations set aside until a certain time.
            - `closed`: over.
        :param owner: Only conversations owned by this member, by id; empty or `null` for those without an owner.
        :param label: Only conversations with this label, by its id or name.
        :param kind: Only conversations of this kind of channel, such as `email`.
        :param person: Only conversations with this person, by id.
        :param q: Only conversations whose subject or person's name contains this text, ignoring case.
        :param waiting_for: Only conversations that wait for this side.

            - `us`: the client wrote last.
            - `client`: we wrote last.
        :param importance: Only conversations of this importance.

            - `low`: those that can wait.
            - `normal`: those between the two.
            - `high`: those that should be dealt with first.
        :param intent: Only conversations in which the client wants this.

            - `quote`: an offer.
            - `question`: an answer to a question.
            - `interested`: to continue, without a specific request.
            - `meeting`: a meeting.
            - `not_interested`: nothing: they are not interested.
            - `complaint`: to have a problem solved.
            - `unsubscribe`: to receive no more letters.
            - `out_of_office`: nothing: they are away.
            - `other`: something else, or the intent was not recognised.
        :param via: Only conversations through this account of ours: a connection, by its id or account.
        :param sort: The order, by default `-lastMessageAt`; not together with `updatedSince`.

            - `lastMessageAt`: by the last message, oldest first.
            - `-lastMessageAt`: by the last message, newest first.
            - `waitingSince`: by how long they have waited, longest first.
            - `-waitingSince`: by how long they have waited, shortest first.
        :param updated_since: Only what has changed since this time, earliest change first. To continue later, pass the `updatedAt` of the last item you read; items changed at exactly that time are repeated.
        """
        return self._list(LIST_CONVERSATIONS, (), {
            "cursor": cursor,
            "limit": limit,
            "state": state,
            "owner": owner,
            "label": label,
            "kind": kind,
            "person": person,
            "q": q,
            "waitingFor": waiting_for,
            "importance": importance,
            "intent": intent,
            "via": via,
            "sort": sort,
            "updatedSince": updated_since,
        }, how)

    def open_conversation(
        self,
        *,
        person: str | None | NotGiven = NOT_GIVEN,
        text: str | None | NotGiven = NOT_GIVEN,
        html: str | None | NotGiven = NOT_GIVEN,
        subject: str | None | NotGiven = NOT_GIVEN,
        cc: Sequence[str] | None | NotGiven = NOT_GIVEN,
        bcc: Sequence[str] | None | NotGiven = NOT_GIVEN,
        reply_to: str | None | NotGiven = NOT_GIVEN,
        files: Sequence[str | NewFile] | None | NotGiven = NOT_GIVEN,
        signature: bool | None | NotGiven = NOT_GIVEN,
        to: str | None | NotGiven = NOT_GIVEN,
        via: str | None | NotGiven = NOT_GIVEN,
        send_at: str | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> OpenedConversation:
        """Open a conversation

        Queues a first message to a person, by id or by an address, in a conversation of its own. Exactly one of `person` and `to` is required, and at least one of `text` and `html`. An address that nobody has becomes a new person. Somebody who has unsubscribed may be written to by hand. Needs the scope `send`.

        :param person: The id of the person to write to, at their first address.
        :param text: The text of the message; by default the words of `html`. At least one of both is required.
        :param html: The body in HTML, sent as given, without what mail programs drop, such as style sheets from elsewhere, which `leftOut` names. Scripts, event handlers, forms and `javascript:` are refused; `cid:NAME` shows the file of that name. For e-mail alone.
        :param subject: The subject, in one line; by default that of the thread after “Re:”, or the first line of the text in a new one.
        :param cc: E-mail addresses that get a copy; at most 50 recipients in all. For e-mail alone.
        :param bcc: E-mail addresses that get a copy unseen by the others. For e-mail alone.
        :param reply_to: Not for a first message, as there is nothing that it could answer.
        :param files: Files to attach: ids of files, or their content. At most 20, with 25 MB in all.
        :param signature: Whether the member's signature is put below the text and the HTML; by default not.
        :param to: The address to write to, instead of `person`: of the person who has it, otherwise of a new one.
        :param via: Our account to send it through, by the id of its connection or its address; by default the only one that fits the address, otherwise the `defaultConnection` of the member.
        :param send_at: When to send it, with an offset; by default as soon as the queue reaches it.
        """
        return self._run(OPEN_CONVERSATION, (), {
            "person": person,
            "text": text,
            "html": html,
            "subject": subject,
            "cc": cc,
            "bcc": bcc,
            "replyTo": reply_to,
            "files": files,
            "signature": signature,
            "to": to,
            "via": via,
            "sendAt": send_at,
        }, how)

    def count_conversations(
        self,
        *,
        state: Literal["open", "snoozed", "closed"] | NotGiven = NOT_GIVEN,
        owner: str | NotGiven = NOT_GIVEN,
        label: str | NotGiven = NOT_GIVEN,
        kind: str | NotGiven = NOT_GIVEN,
        person: str | NotGiven = NOT_GIVEN,
        q: str | NotGiven = NOT_GIVEN,
        waiting_for: Literal["us", "client"] | NotGiven = NOT_GIVEN,
        importance: Literal["low", "normal", "high"] | NotGiven = NOT_GIVEN,
        intent: Literal["quote", "question", "interested", "meeting", "not_interested", "complaint", "unsubscribe", "out_of_office", "other"] | NotGiven = NOT_GIVEN,
        via: str | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> ConversationCounts:
        """Count conversations

        How many conversations there are to be dealt with, with the filters of `GET /conversations`. All but `snoozed` count open ones. Needs the scope `inbox:read`.

        :param state: Only conversations in this state.

            - `open`: conversations that have to be dealt with.
            - `snoozed`: conversations set aside until a certain time.
            - `closed`: over.
        :param owner: Only conversations owned by this member, by id; empty or `null` for those without an owner.
        :param label: Only conversations with this label, by its id or name.
        :param kind: Only conversations of this kind of channel, such as `email`.
        :param person: Only conversations with this person, by id.
        :param q: Only conversations whose subject or person's name contains this text, ignoring case.
        :param waiting_for: Only conversations that wait for this side.

            - `us`: the client wrote last.
            - `client`: we wrote last.
        :param importance: Only conversations of this importance.

            - `low`: those that can wait.
            - `normal`: those between the two.
            - `high`: those that should be dealt with first.
        :param intent: Only conversations in which the client wants this.

            - `quote`: an offer.
            - `question`: an answer to a question.
            - `interested`: to continue, without a specific request.
            - `meeting`: a meeting.
            - `not_interested`: nothing: they are not interested.
            - `complaint`: to have a problem solved.
            - `unsubscribe`: to receive no more letters.
            - `out_of_office`: nothing: they are away.
            - `other`: something else, or the intent was not recognised.
        :param via: Only conversations through this account of ours: a connection, by its id or account.
        """
        return self._run(COUNT_CONVERSATIONS, (), {
            "state": state,
            "owner": owner,
            "label": label,
            "kind": kind,
            "person": person,
            "q": q,
            "waitingFor": waiting_for,
            "importance": importance,
            "intent": intent,
            "via": via,
        }, how)

    def get_conversation(
        self,
        conversation_id: str,
        **how: Unpack[CallOptions],
    ) -> ConversationDetails:
        """Read a conversation

        Answers the conversation with its notes and tasks. Needs the scope `inbox:read`.
        """
        return self._run(GET_CONVERSATION, (conversation_id,), {}, how)

    def update_conversation(
        self,
        conversation_id: str,
        *,
        snooze_until: str | None | NotGiven = NOT_GIVEN,
        why: str | None | NotGiven = NOT_GIVEN,
        closed: bool | None | NotGiven = NOT_GIVEN,
        reason: Literal["meeting_booked", "not_interested", "no_response", "wrong_person", "spam", "personal", "other"] | None | NotGiven = NOT_GIVEN,
        owner: str | None | NotGiven = NOT_GIVEN,
        met: bool | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> ConversationDetails:
        """Edit a conversation

        Snoozes it or wakes it up, closes or reopens it, gives it an owner, or records a meeting. All changes of one call are made together or not at all. Needs the scope `inbox:write`.

        :param snooze_until: Snoozes the conversation until this time; null wakes it up.
        :param why: Why it is snoozed, for the team to read.
        :param closed: True closes the conversation, false reopens it.
        :param reason: Why it is closed; by default `other`.

            - `meeting_booked`: a meeting was arranged.
            - `not_interested`: the client is not interested.
            - `no_response`: the client did not reply.
            - `wrong_person`: the client is not the right person.
            - `spam`: it is spam, and its queued messages are cancelled.
            - `personal`: it is personal.
            - `other`: for another reason.
        :param owner: The id of the new owner, a member; null means no owner.
        :param met: True records a meeting that was arranged outside the conversation.
        """
        return self._run(UPDATE_CONVERSATION, (conversation_id,), {
            "snoozeUntil": snooze_until,
            "why": why,
            "closed": closed,
            "reason": reason,
            "owner": owner,
            "met": met,
        }, how)

    def list_messages(
        self,
        conversation_id: str,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> Pages[MessageList, Message]:
        """List the messages of a conversation

        Newest first, including those that have not been sent yet. Needs the scope `inbox:read`.

        :param cursor: The `next` of the previous answer, unchanged. Leave it out or empty for the first page.
        :param limit: The most entries that the answer may hold.
        """
        return self._list(LIST_MESSAGES, (conversation_id,), {
            "cursor": cursor,
            "limit": limit,
        }, how)

    def send_message(
        self,
        conversation_id: str,
        *,
        text: str | None | NotGiven = NOT_GIVEN,
        html: str | None | NotGiven = NOT_GIVEN,
        subject: str | None | NotGiven = NOT_GIVEN,
        cc: Sequence[str] | None | NotGiven = NOT_GIVEN,
        bcc: Sequence[str] | None | NotGiven = NOT_GIVEN,
        reply_to: str | None | NotGiven = NOT_GIVEN,
        files: Sequence[str | NewFile] | None | NotGiven = NOT_GIVEN,
        signature: bool | None | NotGiven = NOT_GIVEN,
        to: str | None | NotGiven = NOT_GIVEN,
        via: str | None | NotGiven = NOT_GIVEN,
        send_at: str | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> QueuedMessage:
        """Send a message

        Queues a message to the client, to be sent at once or at a given time. At least one of `text` and `html` is required. Needs the scope `send`.

        :param text: The text of the message; by default the words of `html`. At least one of both is required.
        :param html: The body in HTML, sent as given, without what mail programs drop, such as style sheets from elsewhere, which `leftOut` names. Scripts, event handlers, forms and `javascript:` are refused; `cid:NAME` shows the file of that name. For e-mail alone.
        :param subject: The subject, in one line; by default that of the thread after “Re:”, or the first line of the text in a new one.
        :param cc: E-mail addresses that get a copy; at most 50 recipients in all. For e-mail alone.
        :param bcc: E-mail addresses that get a copy unseen by the others. For e-mail alone.
        :param reply_to: The id of the message in this conversation that it answers; by default the last one received.
        :param files: Files to attach: ids of files, or their content. At most 20, with 25 MB in all.
        :param signature: Whether the member's signature is put below the text and the HTML; by default not.
        :param to: The address of the client to send it to; by default the one from which they wrote the message that it answers.
        :param via: Our account to send it through, by the id of its connection or its address; by default that of the conversation.
        :param send_at: When to send it, with an offset; by default as soon as the queue reaches it.
        """
        return self._run(SEND_MESSAGE, (conversation_id,), {
            "text": text,
            "html": html,
            "subject": subject,
            "cc": cc,
            "bcc": bcc,
            "replyTo": reply_to,
            "files": files,
            "signature": signature,
            "to": to,
            "via": via,
            "sendAt": send_at,
        }, how)

    def add_note(
        self,
        conversation_id: str,
        *,
        text: str,
        **how: Unpack[ChangeOptions],
    ) -> Note:
        """Add a note to a conversation

        For the team; the client does not see it. Needs the scope `inbox:write`.

        :param text: The note.
        """
        return self._run(ADD_NOTE, (conversation_id,), {
            "text": text,
        }, how)

    def update_conversations(
        self,
        *,
        conversations: Sequence[str],
        change: ConversationChange,
        **how: Unpack[ChangeOptions],
    ) -> ConversationBulkResults:
        """Edit many conversations

        Makes one change in up to 500 conversations, each as `PATCH /conversations/{id}` and the calls for labels do, with the same events, in one transaction. One that is refused changes nothing and refuses no other. Needs the scope `inbox:write`.

        :param conversations: The ids of the conversations.
        :param change: What is changed in each of them.
        """
        return self._run(UPDATE_CONVERSATIONS, (), {
            "conversations": conversations,
            "change": change,
        }, how)

    def get_message(
        self,
        message_id: str,
        **how: Unpack[CallOptions],
    ) -> Message:
        """Read a message

        Needs the scope `inbox:read`.
        """
        return self._run(GET_MESSAGE, (message_id,), {}, how)

    def cancel_message(
        self,
        message_id: str,
        **how: Unpack[ChangeOptions],
    ) -> QueuedMessage:
        """Cancel a queued message

        Needs the scope `send`.
        """
        return self._run(CANCEL_MESSAGE, (message_id,), {}, how)

    def resolve_message(
        self,
        message_id: str,
        *,
        outcome: Literal["sent", "again"],
        **how: Unpack[ChangeOptions],
    ) -> Message:
        """Mark an unconfirmed message as sent, or send it again

        Only a letter that is `sending` with the reason `unconfirmed` can be resolved; any other is 409 `invalid_state`. Look in the Sent folder of the account or ask the recipient before you decide. Needs the scope `send`.

        :param outcome: What becomes of it.

            - `sent`: it arrived, and counts as sent.
            - `again`: it did not arrive, and is sent once more, under the same Message-ID.
        """
        return self._run(RESOLVE_MESSAGE, (message_id,), {
            "outcome": outcome,
        }, how)

    def send_message_again(
        self,
        message_id: str,
        **how: Unpack[ChangeOptions],
    ) -> QueuedMessage:
        """Send a failed message anew

        Queues a new message with the words, files and recipients of one that failed. Only a letter that is `failed` can be sent anew, and only once; any other is 409 `invalid_state`. Everything is checked as for a new letter: an address that must not be written to is 422 `recipient_suppressed`. A letter of a campaign is sent anew by POST /campaigns/{id}/touches/{touch}/again. Needs the scope `send`.
        """
        return self._run(SEND_MESSAGE_AGAIN, (message_id,), {}, how)

    def get_message_html(
        self,
        message_id: str,
        *,
        images: Literal["true", "false"] | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> str:
        """Read the HTML of a message

        As a page that is safe to show: without scripts, forms, frames and styles that load something, and under a `Content-Security-Policy` with `sandbox`. Inline images are part of it. It is 404 `not_found` where the message has no HTML, and 422 `unreadable_file` where the HTML is such that it cannot be made safe within a few seconds: the text says the same. Needs the scope `inbox:read`.

        :param images: Whether images from the web are shown.

            - `true`: they are shown, and their servers learn when and where the message is read.
            - `false`: their alternative texts are shown in their place.
        """
        return self._run(GET_MESSAGE_HTML, (message_id,), {
            "images": images,
        }, how)

    def add_label(
        self,
        conversation_id: str,
        *,
        name: str,
        **how: Unpack[ChangeOptions],
    ) -> LabelledConversation:
        """Put a label on a conversation

        A name that is not in use yet creates a label. Needs the scope `inbox:write`.

        :param name: The name of the label; it is created if it is not in use yet.
        """
        return self._run(ADD_LABEL, (conversation_id,), {
            "name": name,
        }, how)

    def remove_label(
        self,
        conversation_id: str,
        label: str,
        **how: Unpack[ChangeOptions],
    ) -> LabelledConversation:
        """Take a label off a conversation

        Removing a label that is not on it changes nothing. Needs the scope `inbox:write`.
        """
        return self._run(REMOVE_LABEL, (conversation_id, label,), {}, how)

    def create_task(
        self,
        conversation_id: str,
        *,
        text: str,
        due: str | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> Task:
        """Give an agent a task

        With `due`, an agent writes to the client at that time, which also needs the scope `send`. Without it, the text is an instruction that agents follow in every later task and letter to the person. If letters of a campaign are written with what this changes, their agreement is withdrawn. While such a campaign is running, the call also needs `campaigns:write`. Needs the scope `inbox:write`.

        :param text: What the agent should do, in words.
        :param due: When the agent writes to the client, which needs the scope `send`; without it, or with null, the text is kept as an instruction.
        """
        return self._run(CREATE_TASK, (conversation_id,), {
            "text": text,
            "due": due,
        }, how)

    def upload_file(
        self,
        *,
        name: str,
        type: str,
        content: str,
        **how: Unpack[ChangeOptions],
    ) -> UploadedFile:
        """Upload a file

        For messages to attach by its id. It is deleted after a day unless a message has taken it. Needs the scope `inbox:write`.

        :param name: The name of the file, in one line.
        :param type: The media type, such as `application/pdf`.
        :param content: The content in base64.
        """
        return self._run(UPLOAD_FILE, (), {
            "name": name,
            "type": type,
            "content": content,
        }, how)

    def list_attachments(
        self,
        message_id: str,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> Pages[AttachmentList, Attachment]:
        """List the files of a message

        Inline images are among them. Needs the scope `inbox:read`.

        :param cursor: Not needed: the first page has everything.
        :param limit: Checked, but without effect: this list answers everything at once.
        """
        return self._list(LIST_ATTACHMENTS, (message_id,), {
            "cursor": cursor,
            "limit": limit,
        }, how)

    def download_file(
        self,
        file_id: str,
        **how: Unpack[CallOptions],
    ) -> bytes:
        """Read a file

        As bytes: the whole file or the requested range. The header `Content-ID` has the name by which the HTML of its message refers to it. Needs the scope `inbox:read`.
        """
        return self._run(DOWNLOAD_FILE, (file_id,), {}, how)

    def search(
        self,
        *,
        q: str,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        kind: Sequence[Literal["message", "conversation", "person", "note"]] | NotGiven = NOT_GIVEN,
        person: str | NotGiven = NOT_GIVEN,
        conversation: str | NotGiven = NOT_GIVEN,
        owner: str | NotGiven = NOT_GIVEN,
        label: str | NotGiven = NOT_GIVEN,
        from_: str | NotGiven = NOT_GIVEN,
        to: str | NotGiven = NOT_GIVEN,
        has: Literal["files"] | NotGiven = NOT_GIVEN,
        order: Literal["newest", "relevance"] | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> Pages[SearchResultList, SearchResult]:
        """Find messages, people and notes

        Finds words in messages as their writers wrote them (without what they quote), in subjects, notes, names, addresses and names of files. What a suspect message says is not searched. For one page so many texts are looked at: a page may have few results or none, and more are behind `next` until that is null. At most two searches of a workspace run at once; one that takes longer than half a second is refused with 503: ask for more words, or for less with the filters. Needs the scope `inbox:read`.

        :param q: What to look for: words, all of which are there, the last one as a beginning; `"words in quotes"` in that order; `-word` for what is not there. Addresses and numbers are found whole and in part. Case and accents do not matter.
        :param cursor: The `next` of the previous answer, unchanged. Leave it out or empty for the first page.
        :param limit: The most entries that the answer may hold.
        :param kind: Only results of this kind; may be given several times.

            - `message`: a message, by its text without quotations, its subject and the names of its files.
            - `conversation`: a conversation, by its subject.
            - `person`: a person, by name, company and addresses.
            - `note`: a note of a member, by its text.
        :param person: Only what belongs to this person, by id.
        :param conversation: Only what belongs to this conversation, by id.
        :param owner: Only what belongs to conversations of this member, by id; empty or `null` for those without an owner.
        :param label: Only what belongs to conversations with this label, by its id or name.
        :param from_: Only from this time on, or from the beginning of this day.
        :param to: Only before this time, or until the end of this day.
        :param has: Only messages that have this.

            - `files`: at least one file.
        :param order: The order of the results.

            - `newest`: the newest first.
            - `relevance`: the best of the newest 300 of each kind first.
        """
        return self._list(SEARCH, (), {
            "q": q,
            "cursor": cursor,
            "limit": limit,
            "kind": kind,
            "person": person,
            "conversation": conversation,
            "owner": owner,
            "label": label,
            "from": from_,
            "to": to,
            "has": has,
            "order": order,
        }, how)

    def list_people(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        q: str | NotGiven = NOT_GIVEN,
        label: str | NotGiven = NOT_GIVEN,
        side: Literal["buyer", "seller"] | NotGiven = NOT_GIVEN,
        external_id: str | NotGiven = NOT_GIVEN,
        email: str | NotGiven = NOT_GIVEN,
        phone: str | NotGiven = NOT_GIVEN,
        linkedin: str | NotGiven = NOT_GIVEN,
        field: Mapping[str, str] | NotGiven = NOT_GIVEN,
        updated_since: str | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> Pages[PersonList, Person]:
        """List people

        In order of name, those without a name first. While others make changes, pages in this order may repeat or miss an item. With `updatedSince`, items are listed in the order of their last change (`updatedAt`, then `id`) and none is missed: an item that changes while you read appears again on a later page, or the next time you ask. Needs the scope `inbox:read`.

        :param cursor: The `next` of the previous answer, unchanged. Leave it out or empty for the first page.
        :param limit: The most entries that the answer may hold.
        :param q: Only people for whom this text is part of their name, company, job title, city or one of their addresses, ignoring case.
        :param label: Only people who are currently tagged with this product, by its id or exact name.
        :param side: Only people with a tag on this side; can be combined with `label`.

            - `buyer`: those who buy.
            - `seller`: those who sell.
        :param external_id: Only the person with this id of your own.
        :param email: Only people with this e-mail address, whatever its spelling.
        :param phone: Only people with this phone number, whatever its spelling.
        :param linkedin: Only people with this profile in a professional network, whatever its spelling.
        :param field: Only people with this value in a field of your own: `field.NAME=VALUE` or `field[NAME]=VALUE`, with `true`, `false` and numbers as text. Up to ten fields can be combined.
        :param updated_since: Only what has changed since this time, earliest change first. To continue later, pass the `updatedAt` of the last item you read; items changed at exactly that time are repeated.
        """
        return self._list(LIST_PEOPLE, (), {
            "cursor": cursor,
            "limit": limit,
            "q": q,
            "label": label,
            "side": side,
            "externalId": external_id,
            "email": email,
            "phone": phone,
            "linkedin": linkedin,
            "field": field,
            "updatedSince": updated_since,
        }, how)

    def create_person(
        self,
        *,
        name: str | None | NotGiven = NOT_GIVEN,
        city: str | None | NotGiven = NOT_GIVEN,
        job_title: str | None | NotGiven = NOT_GIVEN,
        email: str | None | NotGiven = NOT_GIVEN,
        emails: Sequence[str] | None | NotGiven = NOT_GIVEN,
        phone: str | None | NotGiven = NOT_GIVEN,
        phones: Sequence[str] | None | NotGiven = NOT_GIVEN,
        linkedin: str | None | NotGiven = NOT_GIVEN,
        company: str | None | NotGiven = NOT_GIVEN,
        external_id: str | None | NotGiven = NOT_GIVEN,
        fields: Mapping[str, str | float | bool | None] | None | NotGiven = NOT_GIVEN,
        tags: Sequence[NewTag] | None | NotGiven = NOT_GIVEN,
        into: str | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> CreatedPerson:
        """Create a person

        If an address is already known, that person is completed instead. If the `externalId` is known, the given members replace those of that person, and given addresses come first. At least one of `email`, `emails`, `phone`, `phones`, `linkedin` and `externalId` is required. Needs the scope `inbox:write`.

        :param name: The name; by default the one before an address, as in `Ana Ruiz <ana@example.test>`. With a known `externalId`, an empty text erases it.
        :param city: The city they live or work in; with a known `externalId`, an empty text erases it.
        :param job_title: What they do at their company; with a known `externalId`, an empty text erases it.
        :param email: An e-mail address; an empty text means none.
        :param emails: All e-mail addresses, in order: letters go to `email`, if it is given, otherwise to the first of these.
        :param phone: A phone number, preferably with the country code; an empty text means none.
        :param phones: All phone numbers, in order, after `phone`.
        :param linkedin: The address of a profile in a professional network; an empty text means none.
        :param company: The company they work for, as text; with a known `externalId`, an empty text erases it.
        :param external_id: The id that your own system gives them, unique in the workspace.
        :param fields: Fields of your own: at most 100, each with a name of up to 60 letters, digits, spaces, `_` and `-`.
        :param tags: Products to tag them with, each with a side. Tags that are there already stay.
        :param into: The id of a person to add these addresses to, instead of creating one.
        """
        return self._run(CREATE_PERSON, (), {
            "name": name,
            "city": city,
            "jobTitle": job_title,
            "email": email,
            "emails": emails,
            "phone": phone,
            "phones": phones,
            "linkedin": linkedin,
            "company": company,
            "externalId": external_id,
            "fields": fields,
            "tags": tags,
            "into": into,
        }, how)

    def get_person(
        self,
        person_id: str,
        **how: Unpack[CallOptions],
    ) -> Person:
        """Read a person

        Wherever the id of a person is taken, in paths, queries and bodies, `ext:` and their `externalId` is taken too: `/people/ext:crm-4711`. The id of a card that has become part of another one answers that one. Needs the scope `inbox:read`.
        """
        return self._run(GET_PERSON, (person_id,), {}, how)

    def update_person(
        self,
        person_id: str,
        *,
        name: str | None | NotGiven = NOT_GIVEN,
        city: str | None | NotGiven = NOT_GIVEN,
        job_title: str | None | NotGiven = NOT_GIVEN,
        company: str | None | NotGiven = NOT_GIVEN,
        emails: Sequence[str] | None | NotGiven = NOT_GIVEN,
        phones: Sequence[str] | None | NotGiven = NOT_GIVEN,
        external_id: str | None | NotGiven = NOT_GIVEN,
        fields: Mapping[str, str | float | bool | None] | None | NotGiven = NOT_GIVEN,
        held: NewHold | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> Person:
        """Edit a person

        `emails` and `phones` replace what the card has; opt-outs stay with the person. `held` holds the letters of all campaigns to the person, `until` a given time or until `null` releases them. Messages and replies are sent all the same. Needs the scope `inbox:write`.

        :param name: The name; an empty text erases it.
        :param city: The city; an empty text erases it.
        :param job_title: The job title; an empty text erases it.
        :param company: The company; an empty text erases it.
        :param emails: All e-mail addresses, in order: letters go to the first one. Those left out are removed.
        :param phones: All phone numbers, in order. Those left out are removed.
        :param external_id: The id that your own system gives them, unique in the workspace; null removes it.
        :param fields: Fields of your own, added to those that are there; null removes one. A person has at most 100, each with a name of up to 60 letters, digits, spaces, `_` and `-`.
        :param held: Holds the letters of all campaigns to this person; null releases them.
        """
        return self._run(UPDATE_PERSON, (person_id,), {
            "name": name,
            "city": city,
            "jobTitle": job_title,
            "company": company,
            "emails": emails,
            "phones": phones,
            "externalId": external_id,
            "fields": fields,
            "held": held,
        }, how)

    def erase_person(
        self,
        person_id: str,
        **how: Unpack[ChangeOptions],
    ) -> ErasedPerson:
        """Erase a person

        Erases a person for good, such as for a request under Article 17 of the GDPR. What is queued for them ends, and the card is gone at once; the operation then erases what they have said and were told, and every place that names them. Ids, times, states and counts stay. Of each address a keyed hash is kept: campaigns never write to it again, an import answers its row `erased`, and creating the person again is refused. Needs the scopes `inbox:write` and `send`.
        """
        return self._run(ERASE_PERSON, (person_id,), {}, how)

    def split_person(
        self,
        person_id: str,
        *,
        emails: Sequence[str] | None | NotGiven = NOT_GIVEN,
        phones: Sequence[str] | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> Person:
        """Split a card in two

        For two people who have become one card: moves the given addresses to a new card, and answers that card. Conversations that were held only with these addresses move too, and so do campaigns whose letters went to them; everything else stays. Needs the scope `inbox:write`.

        :param emails: E-mail addresses of the card that belong to somebody else.
        :param phones: Phone numbers of the card that belong to somebody else.
        """
        return self._run(SPLIT_PERSON, (person_id,), {
            "emails": emails,
            "phones": phones,
        }, how)

    def tag_person(
        self,
        person_id: str,
        *,
        label: str,
        side: Literal["buyer", "seller"],
        **how: Unpack[ChangeOptions],
    ) -> Person:
        """Tag a person

        Tags a person with a product and a side. A tag that was removed is restored. Needs the scope `inbox:write`.

        :param label: The product, by its id or exact name.
        :param side: The person's side of the product.

            - `buyer`: a client, who buys it.
            - `seller`: a partner, who sells it.
        """
        return self._run(TAG_PERSON, (person_id,), {
            "label": label,
            "side": side,
        }, how)

    def untag_person(
        self,
        person_id: str,
        *,
        label: str | NotGiven = NOT_GIVEN,
        side: str | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> Person:
        """Remove a tag from a person

        The tag stays on record as removed. The address or the body names the tag. Needs the scope `inbox:write`.

        :param label: The product of the tag, by its id or exact name.
        :param side: The side of the tag.
        """
        return self._run(UNTAG_PERSON, (person_id,), {
            "label": label,
            "side": side,
        }, how)

    def export_person(
        self,
        person_id: str,
        **how: Unpack[CallOptions],
    ) -> PersonExport:
        """Read everything about a person

        Answers everything that is held about a person, such as for a request under Article 15 of the GDPR. It is written while it is read, and may be long: an answer that breaks off is no valid JSON. What changes meanwhile may be in it or not. Needs the scope `inbox:read`.
        """
        return self._run(EXPORT_PERSON, (person_id,), {}, how)

    def merge_people(
        self,
        person_id: str,
        *,
        from_: Sequence[str],
        **how: Unpack[ChangeOptions],
    ) -> Person:
        """Merge cards into one

        For one person who has several cards: everything that hangs on the others hangs on this one from now on, and this one gets what it does not have itself. What forbids letters to one of them forbids them to the person. The ids of the others lead to this card: `GET /people/{id}` answers it with `mergedInto`, and their changes are refused with 409 `merged`. Needs the scope `inbox:write`.

        :param from_: The ids of the other cards of this person, which become part of this one.
        """
        return self._run(MERGE_PEOPLE, (person_id,), {
            "from": from_,
        }, how)

    def save_people(
        self,
        *,
        people: Sequence[NewPerson],
        mode: Literal["complete", "update"] | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> PeopleBulkResults:
        """Create or complete many people

        Takes up to 500 people as `POST /people` does, in their order, and writes them all in one transaction. A person who is refused changes nothing and refuses nobody else. The card is found by `into`, by `externalId` and by the addresses; people of the same call can be one. Needs the scope `inbox:write`.

        :param people: The people, each with the members of `POST /people`.
        :param mode: What given members do to a card that there is already.

            - `complete`: they fill what is empty; this is the default.
            - `update`: they replace what stands there, and given addresses come first.
        """
        return self._run(SAVE_PEOPLE, (), {
            "people": people,
            "mode": mode,
        }, how)

    def list_imported_rows(
        self,
        key: str,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> Pages[ImportedRowList, ImportedRow]:
        """List the rows of an import

        Answers what became of each row. Rows appear in order as they are imported, and are kept as long as the operation. Beyond the first thousand problems, `errors` is empty even for refused rows. Needs the scope `inbox:read`.

        :param cursor: The `next` of the previous answer, unchanged. Leave it out or empty for the first page.
        :param limit: The most entries that the answer may hold.
        """
        return self._list(LIST_IMPORTED_ROWS, (key,), {
            "cursor": cursor,
            "limit": limit,
        }, how)

    def import_people(
        self,
        *,
        file: PeopleFile,
        columns: Sequence[ColumnChoice] | None | NotGiven = NOT_GIVEN,
        commit: bool | None | NotGiven = NOT_GIVEN,
        region: str | None | NotGiven = NOT_GIVEN,
        headings: int | None | NotGiven = NOT_GIVEN,
        sheet: str | None | NotGiven = NOT_GIVEN,
        mode: Literal["complete", "update"] | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> ImportAnswer:
        """Import people from a file

        Reads CSV, XLSX and visiting cards (vCard). A person is found by `externalId`, otherwise by address. A column that means nothing else becomes a field of your own, `fields.<heading>`; one that says who must not be written to suppresses them. Without `commit`, the answer is a plan of what would happen, and no key is needed. With `commit: true`, the people are written. Needs the scope `inbox:write`.

        :param file: The file with the people.
        :param columns: Corrections of the recognised columns, as the plan shows them; those not named stay as recognised.
        :param commit: True writes the people; otherwise the answer is a plan, and nothing is written.
        :param region: The country of phone numbers without a country code, as two letters (ISO 3166); by default that of the workspace, if it has one.
        :param headings: The row of the headings, counted from 1, if it is not the one that the plan names; 0 if the file has none.
        :param sheet: The name of the sheet to read, of those in `sheets` of the plan; by default the one that looks most like people.
        :param mode: How values of the file change a known person; empty cells change nothing.

            - `complete`: they fill only what is empty; this is the default.
            - `update`: they also replace what is there.
        """
        return self._run(IMPORT_PEOPLE, (), {
            "file": file,
            "columns": columns,
            "commit": commit,
            "region": region,
            "headings": headings,
            "sheet": sheet,
            "mode": mode,
        }, how)

    def list_agents(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> Pages[AgentList, Agent]:
        """List agents

        Needs the scope `inbox:read`.

        :param cursor: Not needed: the first page has everything.
        :param limit: Checked, but without effect: this list answers everything at once.
        """
        return self._list(LIST_AGENTS, (), {
            "cursor": cursor,
            "limit": limit,
        }, how)

    def get_agent(
        self,
        agent_id: str,
        **how: Unpack[CallOptions],
    ) -> Agent:
        """Read an agent

        Needs the scope `inbox:read`.
        """
        return self._run(GET_AGENT, (agent_id,), {}, how)

    def update_agent(
        self,
        agent_id: str,
        *,
        goal: str | None | NotGiven = NOT_GIVEN,
        rules: str | None | NotGiven = NOT_GIVEN,
        knowledge: str | None | NotGiven = NOT_GIVEN,
        enabled: bool | None | NotGiven = NOT_GIVEN,
        labels: Sequence[str] | None | NotGiven = NOT_GIVEN,
        channels: Sequence[str] | None | NotGiven = NOT_GIVEN,
        hours: HoursUpdate | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> Agent:
        """Edit an agent

        If letters of a campaign are written with what this changes, their agreement is withdrawn. While such a campaign is running, the call also needs `campaigns:write`. The same applies to enabling an agent. Needs the scope `inbox:write`.

        :param goal: Its goal; an instruction to the writer.
        :param rules: The rules for everything it writes.
        :param knowledge: What it may use when it writes.
        :param enabled: Whether it writes at all.
        :param labels: The products it handles, by id or exact name; an empty list means all.
        :param channels: The ids of the connections it writes through; an empty list means all channels of its people.
        :param hours: When it works; members that are left out keep their values.
        """
        return self._run(UPDATE_AGENT, (agent_id,), {
            "goal": goal,
            "rules": rules,
            "knowledge": knowledge,
            "enabled": enabled,
            "labels": labels,
            "channels": channels,
            "hours": hours,
        }, how)

    def list_products(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> Pages[ProductList, Product]:
        """List products

        Needs the scope `inbox:read`.

        :param cursor: Not needed: the first page has everything.
        :param limit: Checked, but without effect: this list answers everything at once.
        """
        return self._list(LIST_PRODUCTS, (), {
            "cursor": cursor,
            "limit": limit,
        }, how)

    def get_product(
        self,
        product_id: str,
        **how: Unpack[CallOptions],
    ) -> Product:
        """Read a product

        Needs the scope `inbox:read`.
        """
        return self._run(GET_PRODUCT, (product_id,), {}, how)

    def update_product(
        self,
        product_id: str,
        *,
        description: str | None | NotGiven = NOT_GIVEN,
        side: Literal["sell", "buy", "both"] | None | NotGiven = NOT_GIVEN,
        goal: Literal["demo", "sale", "partnership"] | None | NotGiven = NOT_GIVEN,
        conditions: Sequence[NewCondition] | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> Product:
        """Edit a product

        If letters of a campaign are written with what this changes, their agreement is withdrawn. While such a campaign is running, the call also needs `campaigns:write`. Needs the scope `inbox:write`.

        :param description: The description of the product.
        :param side: Our side of the product.

            - `sell`: we sell it.
            - `buy`: we buy it.
            - `both`: we do both.
        :param goal: What we want to achieve with a client.

            - `demo`: a demonstration.
            - `sale`: a sale.
            - `partnership`: a partnership.
        :param conditions: Its conditions, as pairs `{key, value, side}` or `{price: "49 EUR"}`; they replace the present ones.
        """
        return self._run(UPDATE_PRODUCT, (product_id,), {
            "description": description,
            "side": side,
            "goal": goal,
            "conditions": conditions,
        }, how)

    def list_companies(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> Pages[CompanyList, Company]:
        """List companies

        Needs the scope `inbox:read`.

        :param cursor: Not needed: the first page has everything.
        :param limit: Checked, but without effect: this list answers everything at once.
        """
        return self._list(LIST_COMPANIES, (), {
            "cursor": cursor,
            "limit": limit,
        }, how)

    def get_company(
        self,
        company_id: str,
        **how: Unpack[CallOptions],
    ) -> Company:
        """Read a company

        Needs the scope `inbox:read`.
        """
        return self._run(GET_COMPANY, (company_id,), {}, how)

    def update_company(
        self,
        company_id: str,
        *,
        pitch: str | None | NotGiven = NOT_GIVEN,
        policy: str | None | NotGiven = NOT_GIVEN,
        facts: Sequence[NewFact] | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> Company:
        """Edit a company

        If letters of a campaign are written with what this changes, their agreement is withdrawn. While such a campaign is running, the call also needs `campaigns:write`. Needs the scope `inbox:write`.

        :param pitch: What it says about itself.
        :param policy: What it refuses and does not talk about.
        :param facts: Facts about it, as pairs `{label, value}` or `{founded: "2019"}`; they replace the present ones.
        """
        return self._run(UPDATE_COMPANY, (company_id,), {
            "pitch": pitch,
            "policy": policy,
            "facts": facts,
        }, how)

    def list_deals(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        state: Literal["open", "closed"] | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> Pages[DealList, Deal]:
        """List deals

        Newest first. Needs the scope `inbox:read`.

        :param cursor: The `next` of the previous answer, unchanged. Leave it out or empty for the first page.
        :param limit: The most entries that the answer may hold.
        :param state: Only deals in this state; by default both.

            - `open`: open deals.
            - `closed`: closed deals.
        """
        return self._list(LIST_DEALS, (), {
            "cursor": cursor,
            "limit": limit,
            "state": state,
        }, how)

    def create_deal(
        self,
        *,
        label: str,
        seller: str,
        buyer: str,
        agent: str,
        **how: Unpack[ChangeOptions],
    ) -> Deal:
        """Create a deal

        Joins a product, a seller, a buyer and the agent that leads both sides. Needs the scope `inbox:write`.

        :param label: The product, by its id or exact name.
        :param seller: The id of the person who sells.
        :param buyer: The id of the person who buys; must differ from the seller.
        :param agent: The id of the agent that leads both sides.
        """
        return self._run(CREATE_DEAL, (), {
            "label": label,
            "seller": seller,
            "buyer": buyer,
            "agent": agent,
        }, how)

    def get_deal(
        self,
        deal_id: str,
        **how: Unpack[CallOptions],
    ) -> Deal:
        """Read a deal

        Needs the scope `inbox:read`.
        """
        return self._run(GET_DEAL, (deal_id,), {}, how)

    def update_deal(
        self,
        deal_id: str,
        *,
        stage: str | None | NotGiven = NOT_GIVEN,
        closed: bool | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> Deal:
        """Edit a deal

        Moves it to another stage, closes it or reopens it. Each call takes either `stage` or `closed`. Needs the scope `inbox:write`.

        :param stage: Its stage, in your own words; recommended are `new`, `introduced`, `negotiating`, `agreed`, `won` and `lost`.
        :param closed: True closes the deal, false reopens it.
        """
        return self._run(UPDATE_DEAL, (deal_id,), {
            "stage": stage,
            "closed": closed,
        }, how)

    def list_segments(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> Pages[SegmentList, Segment]:
        """List segments

        Newest first, drafts included. Needs the scope `inbox:read`.

        :param cursor: Not needed: the first page has everything.
        :param limit: Checked, but without effect: this list answers everything at once.
        """
        return self._list(LIST_SEGMENTS, (), {
            "cursor": cursor,
            "limit": limit,
        }, how)

    def create_segment(
        self,
        *,
        query: str | None | NotGiven = NOT_GIVEN,
        rules: Sequence[NewSegmentRule] | None | NotGiven = NOT_GIVEN,
        refill: bool | None | NotGiven = NOT_GIVEN,
        segment: str | None | NotGiven = NOT_GIVEN,
        name: str | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> JudgedSegment:
        """Create a segment, or judge it further

        Judges as many people as possible within a few seconds. While `remaining` is not 0, call again with `segment`, the same `query`, if any, and a new key. With another query or other rules, everybody is judged again. Needs the scope `campaigns:write`.

        :param query: Who belongs to it, in words; may be left out where a rule has a `field`, or with `segment`.
        :param rules: Rules that narrow the query.
        :param refill: Whether the service adds matching people by itself; by default false.
        :param segment: The id of a segment to continue judging; send its query again.
        :param name: The name; by default the query, or its rules.
        """
        return self._run(CREATE_SEGMENT, (), {
            "query": query,
            "rules": rules,
            "refill": refill,
            "segment": segment,
            "name": name,
        }, how)

    def get_segment(
        self,
        segment_id: str,
        **how: Unpack[CallOptions],
    ) -> SegmentDetails:
        """Read a segment

        Answers the segment with its campaigns. Needs the scope `inbox:read`.
        """
        return self._run(GET_SEGMENT, (segment_id,), {}, how)

    def update_segment(
        self,
        segment_id: str,
        *,
        name: str | None | NotGiven = NOT_GIVEN,
        saved: bool | None | NotGiven = NOT_GIVEN,
        refill: bool | None | NotGiven = NOT_GIVEN,
        replaces: str | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> SegmentDetails:
        """Edit a segment

        Renames it, saves a draft, turns refill on or off, or replaces a saved segment with a draft. Needs the scope `campaigns:write`.

        :param name: The name.
        :param saved: True saves a draft.
        :param refill: Whether the service adds matching people by itself.
        :param replaces: The id of a saved segment that this draft replaces: its campaigns move to this one, whoever was added to it or taken out of it by hand stays so, and it is deleted.
        """
        return self._run(UPDATE_SEGMENT, (segment_id,), {
            "name": name,
            "saved": saved,
            "refill": refill,
            "replaces": replaces,
        }, how)

    def delete_segment(
        self,
        segment_id: str,
        **how: Unpack[ChangeOptions],
    ) -> Deleted:
        """Delete a segment

        Its people stay in the contacts. Needs the scope `campaigns:write`.
        """
        return self._run(DELETE_SEGMENT, (segment_id,), {}, how)

    def list_segment_people(
        self,
        segment_id: str,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> Pages[SegmentMemberList, SegmentMember]:
        """List the people of a segment

        In order of name, each with a verdict. Needs the scope `inbox:read`.

        :param cursor: The `next` of the previous answer, unchanged. Leave it out or empty for the first page.
        :param limit: The most entries that the answer may hold.
        """
        return self._list(LIST_SEGMENT_PEOPLE, (segment_id,), {
            "cursor": cursor,
            "limit": limit,
        }, how)

    def add_segment_people(
        self,
        segment_id: str,
        *,
        people: Sequence[str],
        **how: Unpack[ChangeOptions],
    ) -> ExtendedSegment:
        """Add people to a segment

        They belong to it from now on, whatever its rules say. Needs the scope `campaigns:write`.

        :param people: The people, each by id, e-mail address, phone number or profile address.
        """
        return self._run(ADD_SEGMENT_PEOPLE, (segment_id,), {
            "people": people,
        }, how)

    def remove_segment_person(
        self,
        segment_id: str,
        person: str,
        **how: Unpack[ChangeOptions],
    ) -> SegmentDetails:
        """Take a person out of a segment

        They stay out, whatever is judged later, until they are added by hand. Their letters that have not gone yet end: `failed`, with the reason `left_segment`. Needs the scope `campaigns:write`.
        """
        return self._run(REMOVE_SEGMENT_PERSON, (segment_id, person,), {}, how)

    def list_segment_proposals(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> Pages[ProposalList, Proposal]:
        """List proposals for segments

        Create one with `POST /segments`, using its `query` and `name`. Needs the scope `inbox:read`.

        :param cursor: Not needed: the first page has everything.
        :param limit: Checked, but without effect: this list answers everything at once.
        """
        return self._list(LIST_SEGMENT_PROPOSALS, (), {
            "cursor": cursor,
            "limit": limit,
        }, how)

    def find_people(
        self,
        segment_id: str,
        *,
        words: str | None | NotGiven = NOT_GIVEN,
        channel: Literal["email", "professional_network"] | None | NotGiven = NOT_GIVEN,
        filters: FinderQueryFilters | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> FinderResult:
        """Find people beyond the contacts

        Counts them without adding anybody. Needs the scope `campaigns:write`.

        :param words: The people to look for, in words; by default the query of the segment.
        :param channel: The channel for reaching the people; by default `email`.

            - `email`: people with an e-mail address.
            - `professional_network`: people with a profile in a professional network.
        :param filters: The people to look for, as filters. They take precedence over words, and are returned as given.
        """
        return self._run(FIND_PEOPLE, (segment_id,), {
            "words": words,
            "channel": channel,
            "filters": filters,
        }, how)

    def add_found_people(
        self,
        segment_id: str,
        *,
        channel: Literal["email", "professional_network"] | None | NotGiven = NOT_GIVEN,
        filters: FinderAdditionFilters | None | NotGiven = NOT_GIVEN,
        want: int | None | NotGiven = NOT_GIVEN,
        run: str | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> FinderAdded:
        """Add found people to a segment

        They become contacts too; people who are known by an address are completed, not added again. While `run` is not null, call again with it, using a new key. Needs the scope `campaigns:write`.

        :param channel: The channel for reaching the people; by default that of the last find.

            - `email`: people with an e-mail address.
            - `professional_network`: people with a profile in a professional network.
        :param filters: The filters, as `find` answered them; by default those of the last find.
        :param want: The most people to add.
        :param run: The run to continue, as the previous answer named it.
        """
        return self._run(ADD_FOUND_PEOPLE, (segment_id,), {
            "channel": channel,
            "filters": filters,
            "want": want,
            "run": run,
        }, how)

    def list_campaigns(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> Pages[CampaignList, Campaign]:
        """List campaigns

        Newest first. Needs the scope `inbox:read`.

        :param cursor: The `next` of the previous answer, unchanged. Leave it out or empty for the first page.
        :param limit: The most entries that the answer may hold.
        """
        return self._list(LIST_CAMPAIGNS, (), {
            "cursor": cursor,
            "limit": limit,
        }, how)

    def create_campaign(
        self,
        *,
        name: str | None | NotGiven = NOT_GIVEN,
        goal: str | None | NotGiven = NOT_GIVEN,
        segment: str | None | NotGiven = NOT_GIVEN,
        agent: str | None | NotGiven = NOT_GIVEN,
        places: int | None | NotGiven = NOT_GIVEN,
        wait_days: Sequence[int] | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> ChangedCampaign:
        """Create a campaign

        It starts as a draft, which writes to nobody. Needs the scope `campaigns:write`.

        :param name: The name; by default the goal.
        :param goal: What the campaign should achieve. An instruction to the writer that is never quoted to clients.
        :param segment: The id of the segment it writes to.
        :param agent: The id of the agent that writes.
        :param places: How many letters it has for each person: 1, 2 or 3, which is the default.
        :param wait_days: The weekdays between each letter after the first and the one before it, from 1 to 60, an entry for each; by default 3 before the second letter and 5 before the third.
        """
        return self._run(CREATE_CAMPAIGN, (), {
            "name": name,
            "goal": goal,
            "segment": segment,
            "agent": agent,
            "places": places,
            "waitDays": wait_days,
        }, how)

    def get_campaign(
        self,
        campaign_id: str,
        **how: Unpack[CallOptions],
    ) -> CampaignDetails:
        """Read a campaign

        Answers the campaign with its letters, its numbers, and what holds it up. Needs the scope `inbox:read`.
        """
        return self._run(GET_CAMPAIGN, (campaign_id,), {}, how)

    def update_campaign(
        self,
        campaign_id: str,
        *,
        name: str | None | NotGiven = NOT_GIVEN,
        goal: str | None | NotGiven = NOT_GIVEN,
        segment: str | None | NotGiven = NOT_GIVEN,
        agent: str | None | NotGiven = NOT_GIVEN,
        places: int | None | NotGiven = NOT_GIVEN,
        wait_days: Sequence[int] | None | NotGiven = NOT_GIVEN,
        senders: Sequence[str] | None | NotGiven = NOT_GIVEN,
        add_rules: Sequence[str] | None | NotGiven = NOT_GIVEN,
        rules: Sequence[str] | None | NotGiven = NOT_GIVEN,
        materials: Sequence[NewMaterial] | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> ChangedCampaign:
        """Edit a campaign

        Applies to letters that are not written yet. A change of goal, agent, rules or materials withdraws the agreement to its letters. `places` and `waitDays` can be changed only in a draft or while paused, and apply to letters that are not planned yet: the letter after one is planned when that one is sent. Needs the scope `campaigns:write`.

        :param name: The name.
        :param goal: What the campaign should achieve. An instruction to the writer that is never quoted to clients.
        :param segment: The id of the segment it writes to; can be changed only in a draft or while paused.
        :param agent: The id of the agent that writes.
        :param places: How many letters it has for each person: 1, 2 or 3, which is the default.
        :param wait_days: The weekdays between each letter after the first and the one before it, from 1 to 60, an entry for each; by default 3 before the second letter and 5 before the third.
        :param senders: The ids of the connections it sends through; an empty list means those of the agent.
        :param add_rules: Instructions for every letter; they are added to those it has.
        :param rules: All instructions for every letter; they replace those it has.
        :param materials: Texts that the letters rely on; they replace those it has.
        """
        return self._run(UPDATE_CAMPAIGN, (campaign_id,), {
            "name": name,
            "goal": goal,
            "segment": segment,
            "agent": agent,
            "places": places,
            "waitDays": wait_days,
            "senders": senders,
            "addRules": add_rules,
            "rules": rules,
            "materials": materials,
        }, how)

    def delete_campaign(
        self,
        campaign_id: str,
        **how: Unpack[ChangeOptions],
    ) -> Deleted:
        """Delete a campaign

        Only a draft can be deleted. Needs the scope `campaigns:write`.
        """
        return self._run(DELETE_CAMPAIGN, (campaign_id,), {}, how)

    def set_campaign_state(
        self,
        campaign_id: str,
        *,
        to: Literal["running", "paused", "done"],
        **how: Unpack[ChangeOptions],
    ) -> MovedCampaign:
        """Start, pause, resume or end a campaign

        Takes effect once it is answered: after a pause or an end, no further letter is started. `running` also needs the scope `send`. Needs the scope `campaigns:write`.

        :param to: The new state.

            - `running`: start or resume it.
            - `paused`: write to nobody until it is resumed.
            - `done`: end it for good.
        """
        return self._run(SET_CAMPAIGN_STATE, (campaign_id,), {
            "to": to,
        }, how)

    def prepare_letters(
        self,
        campaign_id: str,
        *,
        write: Sequence[int] | None | NotGiven = NOT_GIVEN,
        agree: Sequence[int] | None | NotGiven = NOT_GIVEN,
        templates: Sequence[NewTemplate] | None | NotGiven = NOT_GIVEN,
        preview: LetterPreviewRequest | None | NotGiven = NOT_GIVEN,
        test: LetterTestRequest | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> PreparedLetters:
        """Write and agree letters

        Takes templates for places, writes the example letters of those and of the places in `write`, and agrees the places in `agree`; without any of them, it only answers the letters. Letters of a place are sent only once the place is agreed. `preview` shows one letter and keeps nothing, so that it needs no key; `test` sends one letter to a member and also needs the scope `send`. Needs the scope `campaigns:write`.

        :param write: The places to write an example letter for: 1, 2 or 3.
        :param agree: The places whose letters have been read and are agreed.
        :param templates: Templates in Liquid; those of a place replace what its letters were made from, and withdraw its agreement. An empty list takes the templates off the places in `write`, or off all places if it is given alone: they are written without templates again.
        :param preview: Answers the letter of this place as the person would get it: as it is written for them, or from its template, also from `templates` of the same call, which are not kept then.
        :param test: Sends the letter of this place, as the person would get it, to a member. The subject begins with `[Test]`.
        """
        return self._run(PREPARE_LETTERS, (campaign_id,), {
            "write": write,
            "agree": agree,
            "templates": templates,
            "preview": preview,
            "test": test,
        }, how)

    def list_touches(
        self,
        campaign_id: str,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        state: Literal["queued", "sending", "sent", "failed", "review"] | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> Pages[TouchList, Touch]:
        """List the touches of a campaign

        A touch is one letter to one person: this is the queue and the log of the campaign. Needs the scope `inbox:read`.

        :param cursor: The `next` of the previous answer, unchanged. Leave it out or empty for the first page.
        :param limit: The most entries that the answer may hold.
        :param state: Only touches in this state.

            - `queued`: it waits until it is due.
            - `review`: it is written and waits until its place is agreed.
            - `sending`: it is being sent, or it may or may not have arrived.
            - `sent`: it was sent.
            - `failed`: it was not sent, or it bounced.
        """
        return self._list(LIST_TOUCHES, (campaign_id,), {
            "cursor": cursor,
            "limit": limit,
            "state": state,
        }, how)

    def get_touch(
        self,
        campaign_id: str,
        touch: str,
        **how: Unpack[CallOptions],
    ) -> Touch:
        """Read a touch of a campaign

        One letter to one person, as the list shows it. Needs the scope `inbox:read`.
        """
        return self._run(GET_TOUCH, (campaign_id, touch,), {}, how)

    def update_touch(
        self,
        campaign_id: str,
        touch: str,
        *,
        subject: str | None | NotGiven = NOT_GIVEN,
        text: str | None | NotGiven = NOT_GIVEN,
        html: str | None | NotGiven = NOT_GIVEN,
        skip: bool | None | NotGiven = NOT_GIVEN,
        agreed: bool | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> Touch:
        """Edit one letter before it goes

        Gives one person a letter in your own words, skips it, or agrees to it. Only a letter that is `queued` or in `review` can be edited. Own words stay as they are, whatever is written anew later; the unsubscribe line is added when the letter is sent. A letter in review goes once its place is agreed, or this letter with `agreed`. Needs the scope `campaigns:write`.

        :param subject: The subject. Empty, it is that of the thread; a first letter must have one. If the letter has none yet, the default is that of its template or its thread, or the first line of the text.
        :param text: The text, which replaces the HTML too unless that is given with it.
        :param html: The text in HTML, without scripts, event handlers, forms and `javascript:`. Without `text`, the text is made from it.
        :param skip: Whether the letter is not to be sent: it fails with the reason `skipped`. After a second letter that is skipped, the third goes at its time; after a first one, the person gets no later letter of the campaign, since those come back to the first. Cannot be combined with other members.
        :param agreed: Whether this letter has been read and may go, also while its place is not agreed.
        """
        return self._run(UPDATE_TOUCH, (campaign_id, touch,), {
            "subject": subject,
            "text": text,
            "html": html,
            "skip": skip,
            "agreed": agreed,
        }, how)

    def resolve_touch(
        self,
        campaign_id: str,
        touch: str,
        *,
        outcome: Literal["sent", "again"],
        **how: Unpack[ChangeOptions],
    ) -> Touch:
        """Mark an unconfirmed touch as sent, or send it again

        Only a letter that is `sending` with the reason `unconfirmed` can be resolved; any other is 409 `invalid_state`. Look in the Sent folder of the account or ask the recipient before you decide. A letter of a campaign that is done is not sent again: it fails with the reason `done`. Needs the scopes `send` and `campaigns:write`.

        :param outcome: What becomes of it.

            - `sent`: it arrived, and counts as sent.
            - `again`: it did not arrive, and is sent once more, under the same Message-ID.
        """
        return self._run(RESOLVE_TOUCH, (campaign_id, touch,), {
            "outcome": outcome,
        }, how)

    def send_touch_again(
        self,
        campaign_id: str,
        touch: str,
        **how: Unpack[ChangeOptions],
    ) -> Touch:
        """Send a failed touch anew

        Queues a new letter with the words of one that the server refused or that came back, at its place; the later ones follow it. Only a letter that is `failed` can be sent anew, and only once; any other is 409 `invalid_state`. Everything is checked as for a new letter: an address that must not be written to is 422 `recipient_suppressed`. The campaign must be running or paused. Needs the scopes `send` and `campaigns:write`.
        """
        return self._run(SEND_TOUCH_AGAIN, (campaign_id, touch,), {}, how)

    def list_campaign_people(
        self,
        campaign_id: str,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        outcome: Literal["sent", "replied", "interested", "declined", "bounced", "unsubscribed", "held", "failed"] | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> Pages[CampaignPersonList, CampaignPerson]:
        """List the people of a campaign by outcome

        With `outcome`, everybody of whom it is true: somebody who is interested has also replied, and was sent a letter. Without it, everybody who has a letter of the campaign, once, with what went furthest. In a very large campaign a page may hold fewer people than `limit`: read on until `next` is null. Needs the scope `inbox:read`.

        :param cursor: The `next` of the previous answer, unchanged. Leave it out or empty for the first page.
        :param limit: The most entries that the answer may hold.
        :param outcome: Only people with this outcome.

            - `failed`: a letter could not be sent.
            - `held`: a letter waits because the letters to the person are held.
            - `sent`: a letter was sent.
            - `replied`: the person has replied since the first letter, not automatically.
            - `interested`: the person has replied, and is interested or wants to meet.
            - `declined`: the person has replied that they are not interested, or unsubscribed after a letter.
            - `bounced`: a letter bounced, or none is sent because another one did.
            - `unsubscribed`: the person has unsubscribed.
        """
        return self._list(LIST_CAMPAIGN_PEOPLE, (campaign_id,), {
            "cursor": cursor,
            "limit": limit,
            "outcome": outcome,
        }, how)

    def list_notifications(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> Pages[NotificationList, Notification]:
        """List your notifications

        The notifications of the member to whom the token belongs, newest first. Needs the scope `inbox:read`.

        :param cursor: The `next` of the previous answer, unchanged. Leave it out or empty for the first page.
        :param limit: The most entries that the answer may hold.
        """
        return self._list(LIST_NOTIFICATIONS, (), {
            "cursor": cursor,
            "limit": limit,
        }, how)

    def mark_notifications_read(
        self,
        *,
        ids: Sequence[str] | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> NotificationsRead:
        """Mark notifications as read

        Marks the given notifications, or all. Needs the scope `inbox:write`.

        :param ids: The ids of the notifications to mark; by default all unread ones.
        """
        return self._run(MARK_NOTIFICATIONS_READ, (), {
            "ids": ids,
        }, how)

    def get_calendar(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        from_: str | NotGiven = NOT_GIVEN,
        to: str | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> Pages[CalendarView, Meeting]:
        """List calendars and meetings

        Answers all calendars, and the meetings of a period. Needs the scope `inbox:read`.

        :param cursor: Not needed: the first page has everything.
        :param limit: Checked, but without effect: this list answers everything at once.
        :param from_: Only meetings that end after this time, or after the beginning of this day; by default now.
        :param to: Only meetings that start before this time or day; by default 14 days after `from`.
        """
        return self._list(GET_CALENDAR, (), {
            "cursor": cursor,
            "limit": limit,
            "from": from_,
            "to": to,
        }, how)

    def get_meeting(
        self,
        meeting_id: str,
        **how: Unpack[CallOptions],
    ) -> Meeting:
        """Read a meeting

        Also one that was cancelled. Needs the scope `inbox:read`.
        """
        return self._run(GET_MEETING, (meeting_id,), {}, how)

    def cancel_meeting(
        self,
        meeting_id: str,
        **how: Unpack[ChangeOptions],
    ) -> Meeting:
        """Cancel a meeting

        Only meetings booked here can be cancelled; their guests are told so. Cancelling a meeting again changes nothing. Needs the scope `send`.
        """
        return self._run(CANCEL_MEETING, (meeting_id,), {}, how)

    def book_meeting(
        self,
        *,
        title: str,
        day: str,
        start: str,
        minutes: Literal[15, 30, 45, 60, 90, 120],
        guests: Sequence[str] | None | NotGiven = NOT_GIVEN,
        agenda: str | None | NotGiven = NOT_GIVEN,
        calendar: str | None | NotGiven = NOT_GIVEN,
        check: bool | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> MeetingOrCheck:
        """Book a meeting

        Invites the guests by mail. With `check: true` nothing is booked, the answer shows what would happen, and the scope `inbox:read` is enough. Needs the scope `send`.

        :param title: The title of the meeting.
        :param day: The day in the time zone of the workspace, as YYYY-MM-DD.
        :param start: The time of day at which it starts, in the time zone of the workspace, as HH:MM.
        :param minutes: The duration in minutes.

            - `15`: a quarter of an hour.
            - `30`: half an hour.
            - `45`: three quarters of an hour.
            - `60`: an hour.
            - `90`: an hour and a half.
            - `120`: two hours.
        :param guests: The e-mail addresses of the guests, at most 20; each guest gets an invitation.
        :param agenda: The agenda; the description in invitations.
        :param calendar: The id of the calendar; by default your own.
        :param check: True books nothing and only shows what would happen.
        """
        return self._run(BOOK_MEETING, (), {
            "title": title,
            "day": day,
            "start": start,
            "minutes": minutes,
            "guests": guests,
            "agenda": agenda,
            "calendar": calendar,
            "check": check,
        }, how)

    def move_meeting(
        self,
        meeting_id: str,
        *,
        day: str,
        start: str,
        minutes: Literal[15, 30, 45, 60, 90, 120] | None | NotGiven = NOT_GIVEN,
        check: bool | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> MeetingOrCheck:
        """Put a meeting at another time

        Tells its guests the new time by mail; their answers to the former one count no more. Only meetings booked here can be moved. With `check: true` nothing is moved, the answer shows what would happen, and the scope `inbox:read` is enough. Needs the scope `send`.

        :param day: The day in the time zone of the workspace, as YYYY-MM-DD.
        :param start: The time of day at which it starts, in the time zone of the workspace, as HH:MM.
        :param minutes: The new duration in minutes; by default it stays.

            - `15`: a quarter of an hour.
            - `30`: half an hour.
            - `45`: three quarters of an hour.
            - `60`: an hour.
            - `90`: an hour and a half.
            - `120`: two hours.
        :param check: True moves nothing and only shows what would happen.
        """
        return self._run(MOVE_MEETING, (meeting_id,), {
            "day": day,
            "start": start,
            "minutes": minutes,
            "check": check,
        }, how)

    def answer_meeting_proposal(
        self,
        meeting_id: str,
        proposal: str,
        *,
        accept: bool,
        **how: Unpack[ChangeOptions],
    ) -> Meeting:
        """Take or decline another time that a guest proposes

        Accepting moves the meeting to that time and tells all its guests; declining tells the guest who proposed it that the meeting stays when it is. Needs the scope `send`.

        :param accept: True moves the meeting to the proposed time, false declines the proposal.
        """
        return self._run(ANSWER_MEETING_PROPOSAL, (meeting_id, proposal,), {
            "accept": accept,
        }, how)

    def answer_invitation(
        self,
        message_id: str,
        *,
        answer: Literal["accepted", "tentative", "declined"],
        comment: str | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> Message:
        """Send the answer to an invitation

        Sends the answer to the organizer, for them and for their calendar program, as a message of the conversation. Accepted or tentative, the meeting is put into the calendar of the member whose account was invited; declined, it is taken out. It is 404 `not_found` where the message has no invitation. Needs the scope `send`.

        :param answer: The answer.

            - `accepted`: the member takes part.
            - `tentative`: the member may take part.
            - `declined`: the member does not take part.
        :param comment: Words to the organizer.
        """
        return self._run(ANSWER_INVITATION, (message_id,), {
            "answer": answer,
            "comment": comment,
        }, how)

    def get_senders_health(
        self,
        **how: Unpack[CallOptions],
    ) -> SendersHealth:
        """Read the health of the sending accounts

        Health, limits and use of each account that sends. Needs the scope `inbox:read`.
        """
        return self._run(GET_SENDERS_HEALTH, (), {}, how)

    def check_senders_health(
        self,
        *,
        connection: str | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> SendersHealth:
        """Check the health of sending accounts

        Checks one account or all, and answers once that is done. Needs the scope `inbox:write`.

        :param connection: The id of the connection to check; by default all accounts.
        """
        return self._run(CHECK_SENDERS_HEALTH, (), {
            "connection": connection,
        }, how)

    def list_voices(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> Pages[VoiceList, Voice]:
        """List voices

        A voice is a mailbox with the member in whose name its letters are written, and how that member signs. Needs the scope `inbox:read`.

        :param cursor: Not needed: the first page has everything.
        :param limit: Checked, but without effect: this list answers everything at once.
        """
        return self._list(LIST_VOICES, (), {
            "cursor": cursor,
            "limit": limit,
        }, how)

    def list_suppressions(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        address: str | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> Pages[SuppressionList, Suppression]:
        """List suppressed addresses

        One entry for each address and reason, newest first. `unsubscribe` stops campaigns only; the other reasons block replies too. Needs the scope `inbox:read`.

        :param cursor: The `next` of the previous answer, unchanged. Leave it out or empty for the first page.
        :param limit: The most entries that the answer may hold.
        :param address: Only entries for this address.
        """
        return self._list(LIST_SUPPRESSIONS, (), {
            "cursor": cursor,
            "limit": limit,
            "address": address,
        }, how)

    def create_suppression(
        self,
        *,
        address: str,
        **how: Unpack[ChangeOptions],
    ) -> Suppression:
        """Suppress an address

        Nothing more is written to it. An address that is already suppressed stays unchanged. Needs the scope `inbox:write`.

        :param address: An e-mail address, a phone number or a profile address.
        """
        return self._run(CREATE_SUPPRESSION, (), {
            "address": address,
        }, how)

    def get_suppression(
        self,
        suppression_id: str,
        **how: Unpack[CallOptions],
    ) -> Suppression:
        """Read a suppression

        One entry, as the list shows it. Needs the scope `inbox:read`.
        """
        return self._run(GET_SUPPRESSION, (suppression_id,), {}, how)

    def delete_suppression(
        self,
        suppression_id: str,
        **how: Unpack[ChangeOptions],
    ) -> Deleted:
        """Lift a suppression

        The address may be written to again, unless another entry forbids it. Needs the scope `send`.
        """
        return self._run(DELETE_SUPPRESSION, (suppression_id,), {}, how)

    def get_routing(
        self,
        **how: Unpack[CallOptions],
    ) -> Routing:
        """Read the routing rules

        The rules that give new conversations an owner. Needs the scope `inbox:read`.
        """
        return self._run(GET_ROUTING, (), {}, how)

    def update_routing(
        self,
        *,
        do: Literal["add", "drop", "up", "down", "order", "switch"],
        field: Literal["label", "side", "product", "sender", "company", "agent"] | None | NotGiven = NOT_GIVEN,
        value: str | None | NotGiven = NOT_GIVEN,
        member: str | None | NotGiven = NOT_GIVEN,
        rule: str | None | NotGiven = NOT_GIVEN,
        rules: Sequence[str] | None | NotGiven = NOT_GIVEN,
        enabled: bool | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> ChangedRouting:
        """Edit the routing rules

        `do` names the action, which determines the other members. Needs the scope `inbox:write`.

        :param do: The action.

            - `add`: add a rule at the end, by `field`, `value` and `member`.
            - `drop`: delete `rule`.
            - `up`: move `rule` one place up.
            - `down`: move `rule` one place down.
            - `order`: put all rules into the order given by `rules`.
            - `switch`: turn routing on or off, by `enabled`.
        :param field: The part of a conversation that the new rule checks.

            - `label`: a label on the conversation, or a product tag of the person.
            - `side`: the person's side of a product.
            - `product`: a product the person is tagged with.
            - `sender`: the address or domain of the client, or our account.
            - `company`: our company for which the agent writes.
            - `agent`: the agent that writes in the conversation.
        :param value: The value to match: the id or name of the label, product, company or agent, an address, `@domain` or connection, or `buyer` or `seller`.
        :param member: The id of the member who gets the conversation.
        :param rule: The id of the rule to change.
        :param rules: The ids of all rules in their new order.
        :param enabled: Whether new conversations get an owner automatically.
        """
        return self._run(UPDATE_ROUTING, (), {
            "do": do,
            "field": field,
            "value": value,
            "member": member,
            "rule": rule,
            "rules": rules,
            "enabled": enabled,
        }, how)

    def apply_routing(
        self,
        *,
        rule: str | None | NotGiven = NOT_GIVEN,
        depth: Literal["all", "quarter", "month", "week"] | None | NotGiven = NOT_GIVEN,
        cursor: str | None | NotGiven = NOT_GIVEN,
        floor: str | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> RoutingRunResult:
        """Hand out conversations by the rules

        Assigns a batch of the conversations without an owner, even while routing is off. While `cursor` is not null, call again with it and `floor`, using a new key. Needs the scope `send`.

        :param rule: The id of the only rule to apply; by default all rules in order.
        :param depth: Which conversations to include, by their last message.

            - `all`: all conversations.
            - `quarter`: the last 90 days.
            - `month`: the last 30 days.
            - `week`: the last 7 days.
        :param cursor: The `cursor` of the previous answer, to continue.
        :param floor: The `floor` of the previous answer, to continue.
        """
        return self._run(APPLY_ROUTING, (), {
            "rule": rule,
            "depth": depth,
            "cursor": cursor,
            "floor": floor,
        }, how)

    def get_archive(
        self,
        **how: Unpack[CallOptions],
    ) -> Archive:
        """Read the state of the archive parse

        Needs the scope `inbox:read`.
        """
        return self._run(GET_ARCHIVE, (), {}, how)

    def update_archive(
        self,
        *,
        do: Literal["start", "decline"],
        since: str | None | NotGiven = NOT_GIVEN,
        channels: Sequence[str] | None | NotGiven = NOT_GIVEN,
        groups: bool | None | NotGiven = NOT_GIVEN,
        fresh: bool | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> Archive:
        """Parse the archive, or decline it

        Parses earlier correspondence. `start` also needs the scope `send`, because agents may write by themselves afterwards. Needs the scope `inbox:write`.

        :param do: The action.

            - `start`: parse the archive.
            - `decline`: do not parse it, or stop a running parse.
        :param since: Parse correspondence from this day on, as YYYY-MM-DD; by default everything.
        :param channels: The ids of the connections to parse; by default all that keep a history.
        :param groups: Whether to include messenger groups; by default false.
        :param fresh: Whether to parse for new products too; by default false.
        """
        return self._run(UPDATE_ARCHIVE, (), {
            "do": do,
            "since": since,
            "channels": channels,
            "groups": groups,
            "fresh": fresh,
        }, how)

    def list_operations(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        state: Literal["accepted", "running", "waiting", "done", "failed", "cancelled"] | NotGiven = NOT_GIVEN,
        kind: str | NotGiven = NOT_GIVEN,
        from_: str | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> Pages[OperationList, Operation]:
        """List operations

        What became of calls, newest first: those that still run, and those of the last 30 days (without an `Idempotency-Key`, of the last day). With `state` or `kind` a page may hold fewer entries than `limit`, or none, though `next` leads to more. Needs the scope `inbox:read`.

        :param cursor: The `next` of the previous answer, unchanged. Leave it out or empty for the first page.
        :param limit: The most entries that the answer may hold.
        :param state: Only operations in this state.

            - `accepted`: it is recorded and will be started.
            - `running`: it is being carried out.
            - `waiting`: it waits until a certain time, or for a person.
            - `done`: it was carried out.
            - `failed`: it could not be carried out.
            - `cancelled`: it was cancelled.
        :param kind: Only operations of this kind, such as `sendMessage` or `person.edited`, as `kind` shows it.
        :param from_: Only operations of calls that were accepted at this time or later.
        """
        return self._list(LIST_OPERATIONS, (), {
            "cursor": cursor,
            "limit": limit,
            "state": state,
            "kind": kind,
            "from": from_,
        }, how)

    def get_operation(
        self,
        key: str,
        *,
        wait: int | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> Operation:
        """Read what became of a call

        The call is found by its `Idempotency-Key`, while it is being carried out and for 30 days afterwards. With `wait` the answer comes once the operation has ended, or after that time as it is then. At most 5 calls of a token wait at a time, here and for events. Needs the scope `inbox:read`.

        :param wait: For how many seconds to wait for the end of the operation.
        """
        return self._run(GET_OPERATION, (key,), {
            "wait": wait,
        }, how)

    def list_events(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        kinds: Sequence[str] | NotGiven = NOT_GIVEN,
        from_: str | NotGiven = NOT_GIVEN,
        wait: int | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> Pages[EventList, Event]:
        """List events

        What happened, oldest first, kept for 30 days. Keep `cursor`, and send it with the next call to get newer events. With `wait` the answer comes as soon as there is an event. At most 5 calls of a token wait at a time, here and for the end of an operation. Needs the scope `inbox:read`.

        :param cursor: The `next` of the previous answer, unchanged. Leave it out or empty for the first page.
        :param limit: The most entries that the answer may hold.
        :param kinds: Only events of these kinds, with commas between them, such as `message.received,touch.*`.
        :param from_: Where to begin: `now`, or the first event that was recorded at this time or later. A `cursor` goes before it.
        :param wait: For how many seconds to wait for an event if there is none.
        """
        return self._list(LIST_EVENTS, (), {
            "cursor": cursor,
            "limit": limit,
            "kinds": kinds,
            "from": from_,
            "wait": wait,
        }, how)

    def create_webhook(
        self,
        *,
        url: str,
        kinds: Sequence[str] | None | NotGiven = NOT_GIVEN,
        enabled: bool | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> WebhookWithSecret:
        """Create a webhook

        Sends events to an address. The answer shows the secret with which they are signed, only this once. Needs the scope `inbox:write`.

        :param url: The http or https address to send events to.
        :param kinds: The kinds of events to send, such as `message.received`, or `message.*` for all of a group; an empty list means all.
        :param enabled: Whether events are sent; by default true.
        """
        return self._run(CREATE_WEBHOOK, (), {
            "url": url,
            "kinds": kinds,
            "enabled": enabled,
        }, how)

    def list_webhooks(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> Pages[WebhookList, Webhook]:
        """List webhooks

        Needs the scope `inbox:read`.

        :param cursor: Not needed: the first page has everything.
        :param limit: Checked, but without effect: this list answers everything at once.
        """
        return self._list(LIST_WEBHOOKS, (), {
            "cursor": cursor,
            "limit": limit,
        }, how)

    def get_webhook(
        self,
        webhook_id: str,
        **how: Unpack[CallOptions],
    ) -> Webhook:
        """Read a webhook

        Needs the scope `inbox:read`.
        """
        return self._run(GET_WEBHOOK, (webhook_id,), {}, how)

    def update_webhook(
        self,
        webhook_id: str,
        *,
        url: str | None | NotGiven = NOT_GIVEN,
        kinds: Sequence[str] | None | NotGiven = NOT_GIVEN,
        enabled: bool | None | NotGiven = NOT_GIVEN,
        rotate: bool | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> WebhookWithSecret:
        """Edit a webhook

        With `rotate: true` it gets a new secret, which the answer shows only this once. Needs the scope `inbox:write`.

        :param url: The http or https address to send events to.
        :param kinds: The kinds of events to send, such as `message.received`, or `message.*` for all of a group; an empty list means all.
        :param enabled: Whether events are sent.
        :param rotate: True gives it a new secret; both secrets sign for a day.
        """
        return self._run(UPDATE_WEBHOOK, (webhook_id,), {
            "url": url,
            "kinds": kinds,
            "enabled": enabled,
            "rotate": rotate,
        }, how)

    def delete_webhook(
        self,
        webhook_id: str,
        **how: Unpack[ChangeOptions],
    ) -> Deleted:
        """Delete a webhook

        Nothing more is sent to its address, and its deliveries are deleted. Needs the scope `inbox:write`.
        """
        return self._run(DELETE_WEBHOOK, (webhook_id,), {}, how)

    def test_webhook(
        self,
        webhook_id: str,
        **how: Unpack[ChangeOptions],
    ) -> WebhookTest:
        """Send a test to a webhook

        Sends `webhook.test` to its address at once, signed like every event, also where it is disabled. At most six a minute in a workspace. Needs the scope `inbox:write`.
        """
        return self._run(TEST_WEBHOOK, (webhook_id,), {}, how)

    def list_deliveries(
        self,
        webhook_id: str,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> Pages[DeliveryList, Delivery]:
        """List the deliveries of a webhook

        The events that were sent and their outcome, newest first, kept for 30 days. Needs the scope `inbox:read`.

        :param cursor: The `next` of the previous answer, unchanged. Leave it out or empty for the first page.
        :param limit: The most entries that the answer may hold.
        """
        return self._list(LIST_DELIVERIES, (webhook_id,), {
            "cursor": cursor,
            "limit": limit,
        }, how)

    def redeliver_delivery(
        self,
        webhook_id: str,
        delivery: str,
        **how: Unpack[ChangeOptions],
    ) -> Delivery:
        """Deliver an event again

        The event is sent again whatever the outcome so far. Needs the scope `inbox:write`.
        """
        return self._run(REDELIVER_DELIVERY, (webhook_id, delivery,), {}, how)


class AsyncOperations(AsyncRuns):
    """The operations of the API, each a method."""

    async def get_workspace(
        self,
        **how: Unpack[CallOptions],
    ) -> Workspace:
        """Read the workspace

        Needs the scope `inbox:read`.
        """
        return await self._run(GET_WORKSPACE, (), {}, how)

    async def update_workspace(
        self,
        *,
        timezone: str | None | NotGiven = NOT_GIVEN,
        tagging: bool | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> Workspace:
        """Edit the workspace

        Sets the time zone by which days are counted, and whether correspondence is marked automatically. Needs the scope `inbox:write`.

        :param timezone: The IANA name of the time zone by which days and weeks are counted.
        :param tagging: Whether correspondence is marked automatically.
        """
        return await self._run(UPDATE_WORKSPACE, (), {
            "timezone": timezone,
            "tagging": tagging,
        }, how)

    async def get_identity(
        self,
        **how: Unpack[CallOptions],
    ) -> Identity:
        """Read the identity of the token

        Answers the workspace, the member and the application of the token, and its scopes. Needs any valid token.
        """
        return await self._run(GET_IDENTITY, (), {}, how)

    async def get_house_rules(
        self,
        **how: Unpack[CallOptions],
    ) -> House:
        """Read the house rules

        The rules for all agents of the workspace. Needs the scope `inbox:read`.
        """
        return await self._run(GET_HOUSE_RULES, (), {}, how)

    async def get_billing(
        self,
        **how: Unpack[CallOptions],
    ) -> Billing:
        """Read the subscription

        The subscription as the operator has recorded it, and the accounts it covers. Needs the scope `inbox:read`.
        """
        return await self._run(GET_BILLING, (), {}, how)

    async def get_dashboard(
        self,
        *,
        days: int | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> Dashboard:
        """Read the dashboard

        The numbers of recent days, and the current totals. Needs the scope `inbox:read`.

        :param days: The number of days in the chart, including today.
        """
        return await self._run(GET_DASHBOARD, (), {
            "days": days,
        }, how)

    def list_labels(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> AsyncPages[LabelList, WorkspaceLabel]:
        """List labels

        Product tags and conversation labels, each with its number of conversations. Needs the scope `inbox:read`.

        :param cursor: Not needed: the first page has everything.
        :param limit: Checked, but without effect: this list answers everything at once.
        """
        return self._list(LIST_LABELS, (), {
            "cursor": cursor,
            "limit": limit,
        }, how)

    def list_audit_entries(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> AsyncPages[AuditEntryList, AuditEntry]:
        """List audit entries

        Who created tokens, and what was changed with them, newest first. Needs the scope `inbox:read`.

        :param cursor: The `next` of the previous answer, unchanged. Leave it out or empty for the first page.
        :param limit: The most entries that the answer may hold.
        """
        return self._list(LIST_AUDIT_ENTRIES, (), {
            "cursor": cursor,
            "limit": limit,
        }, how)

    def list_channels(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> AsyncPages[ChannelList, Channel]:
        """List connections

        The accounts of the workspace, and whether each of them works. Needs the scope `inbox:read`.

        :param cursor: Not needed: the first page has everything.
        :param limit: Checked, but without effect: this list answers everything at once.
        """
        return self._list(LIST_CHANNELS, (), {
            "cursor": cursor,
            "limit": limit,
        }, how)

    async def create_connect_link(
        self,
        channel_id: str,
        **how: Unpack[ChangeOptions],
    ) -> ConnectLink:
        """Create a link for the consent of an owner

        Makes a link to a page on which the owner of an account that logs in by OAuth 2.0 agrees at its provider. The link works once, for a day. An account that needs no consent answers 409 `invalid_state`. Needs the scopes `inbox:write` and `send`.
        """
        return await self._run(CREATE_CONNECT_LINK, (channel_id,), {}, how)

    def list_messenger_folders(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> AsyncPages[MessengerFolderList, MessengerFolder]:
        """List the folders of messengers

        Each folder with its number of conversations. Needs the scope `inbox:read`.

        :param cursor: Not needed: the first page has everything.
        :param limit: Checked, but without effect: this list answers everything at once.
        """
        return self._list(LIST_MESSENGER_FOLDERS, (), {
            "cursor": cursor,
            "limit": limit,
        }, how)

    def list_members(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> AsyncPages[MemberList, Member]:
        """List members

        The people who work here, and what each of them told the agents about themselves. Needs the scope `inbox:read`.

        :param cursor: Not needed: the first page has everything.
        :param limit: Checked, but without effect: this list answers everything at once.
        """
        return self._list(LIST_MEMBERS, (), {
            "cursor": cursor,
            "limit": limit,
        }, how)

    async def update_member(
        self,
        member_id: str,
        *,
        job_title: str | None | NotGiven = NOT_GIVEN,
        zone: str | None | NotGiven = NOT_GIVEN,
        signature: str | None | NotGiven = NOT_GIVEN,
        default_connection: str | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> Member:
        """Edit a member

        If letters of a campaign are written with what this changes, their agreement is withdrawn. While such a campaign is running, the call also needs `campaigns:write`. Needs the scope `inbox:write`.

        :param job_title: What they do in the company; an empty text erases it.
        :param zone: What they handle, in words; an empty text erases it.
        :param signature: How they sign letters; an empty text erases it.
        :param default_connection: The id of the account of theirs through which their calls write where several fit, in place of a refusal with `sender_ambiguous`; null for none.
        """
        return await self._run(UPDATE_MEMBER, (member_id,), {
            "jobTitle": job_title,
            "zone": zone,
            "signature": signature,
            "defaultConnection": default_connection,
        }, how)

    def list_conversations(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        state: Literal["open", "snoozed", "closed"] | NotGiven = NOT_GIVEN,
        owner: str | NotGiven = NOT_GIVEN,
        label: str | NotGiven = NOT_GIVEN,
        kind: str | NotGiven = NOT_GIVEN,
        person: str | NotGiven = NOT_GIVEN,
        q: str | NotGiven = NOT_GIVEN,
        waiting_for: Literal["us", "client"] | NotGiven = NOT_GIVEN,
        importance: Literal["low", "normal", "high"] | NotGiven = NOT_GIVEN,
        intent: Literal["quote", "question", "interested", "meeting", "not_interested", "complaint", "unsubscribe", "out_of_office", "other"] | NotGiven = NOT_GIVEN,
        via: str | NotGiven = NOT_GIVEN,
        sort: Literal["lastMessageAt", "-lastMessageAt", "waitingSince", "-waitingSince"] | NotGiven = NOT_GIVEN,
        updated_since: str | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> AsyncPages[ConversationList, Conversation]:
        """List conversations

        In order of their last message, newest first, or in that of `sort`. While others make changes, pages in this order may repeat or miss an item. With `updatedSince`, items are listed in the order of their last change (`updatedAt`, then `id`) and none is missed: an item that changes while you read appears again on a later page, or the next time you ask. Needs the scope `inbox:read`.

        :param cursor: The `next` of the previous answer, unchanged. Leave it out or empty for the first page.
        :param limit: The most entries that the answer may hold.
        :param state: Only conversations in this state.

            - `open`: conversations that have to be dealt with.
            - `snoozed`: conversations set aside until a certain time.
            - `closed`: over.
        :param owner: Only conversations owned by this member, by id; empty or `null` for those without an owner.
        :param label: Only conversations with this label, by its id or name.
        :param kind: Only conversations of this kind of channel, such as `email`.
        :param person: Only conversations with this person, by id.
        :param q: Only conversations whose subject or person's name contains this text, ignoring case.
        :param waiting_for: Only conversations that wait for this side.

            - `us`: the client wrote last.
            - `client`: we wrote last.
        :param importance: Only conversations of this importance.

            - `low`: those that can wait.
            - `normal`: those between the two.
            - `high`: those that should be dealt with first.
        :param intent: Only conversations in which the client wants this.

            - `quote`: an offer.
            - `question`: an answer to a question.
            - `interested`: to continue, without a specific request.
            - `meeting`: a meeting.
            - `not_interested`: nothing: they are not interested.
            - `complaint`: to have a problem solved.
            - `unsubscribe`: to receive no more letters.
            - `out_of_office`: nothing: they are away.
            - `other`: something else, or the intent was not recognised.
        :param via: Only conversations through this account of ours: a connection, by its id or account.
        :param sort: The order, by default `-lastMessageAt`; not together with `updatedSince`.

            - `lastMessageAt`: by the last message, oldest first.
            - `-lastMessageAt`: by the last message, newest first.
            - `waitingSince`: by how long they have waited, longest first.
            - `-waitingSince`: by how long they have waited, shortest first.
        :param updated_since: Only what has changed since this time, earliest change first. To continue later, pass the `updatedAt` of the last item you read; items changed at exactly that time are repeated.
        """
        return self._list(LIST_CONVERSATIONS, (), {
            "cursor": cursor,
            "limit": limit,
            "state": state,
            "owner": owner,
            "label": label,
            "kind": kind,
            "person": person,
            "q": q,
            "waitingFor": waiting_for,
            "importance": importance,
            "intent": intent,
            "via": via,
            "sort": sort,
            "updatedSince": updated_since,
        }, how)

    async def open_conversation(
        self,
        *,
        person: str | None | NotGiven = NOT_GIVEN,
        text: str | None | NotGiven = NOT_GIVEN,
        html: str | None | NotGiven = NOT_GIVEN,
        subject: str | None | NotGiven = NOT_GIVEN,
        cc: Sequence[str] | None | NotGiven = NOT_GIVEN,
        bcc: Sequence[str] | None | NotGiven = NOT_GIVEN,
        reply_to: str | None | NotGiven = NOT_GIVEN,
        files: Sequence[str | NewFile] | None | NotGiven = NOT_GIVEN,
        signature: bool | None | NotGiven = NOT_GIVEN,
        to: str | None | NotGiven = NOT_GIVEN,
        via: str | None | NotGiven = NOT_GIVEN,
        send_at: str | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> OpenedConversation:
        """Open a conversation

        Queues a first message to a person, by id or by an address, in a conversation of its own. Exactly one of `person` and `to` is required, and at least one of `text` and `html`. An address that nobody has becomes a new person. Somebody who has unsubscribed may be written to by hand. Needs the scope `send`.

        :param person: The id of the person to write to, at their first address.
        :param text: The text of the message; by default the words of `html`. At least one of both is required.
        :param html: The body in HTML, sent as given, without what mail programs drop, such as style sheets from elsewhere, which `leftOut` names. Scripts, event handlers, forms and `javascript:` are refused; `cid:NAME` shows the file of that name. For e-mail alone.
        :param subject: The subject, in one line; by default that of the thread after “Re:”, or the first line of the text in a new one.
        :param cc: E-mail addresses that get a copy; at most 50 recipients in all. For e-mail alone.
        :param bcc: E-mail addresses that get a copy unseen by the others. For e-mail alone.
        :param reply_to: Not for a first message, as there is nothing that it could answer.
        :param files: Files to attach: ids of files, or their content. At most 20, with 25 MB in all.
        :param signature: Whether the member's signature is put below the text and the HTML; by default not.
        :param to: The address to write to, instead of `person`: of the person who has it, otherwise of a new one.
        :param via: Our account to send it through, by the id of its connection or its address; by default the only one that fits the address, otherwise the `defaultConnection` of the member.
        :param send_at: When to send it, with an offset; by default as soon as the queue reaches it.
        """
        return await self._run(OPEN_CONVERSATION, (), {
            "person": person,
            "text": text,
            "html": html,
            "subject": subject,
            "cc": cc,
            "bcc": bcc,
            "replyTo": reply_to,
            "files": files,
            "signature": signature,
            "to": to,
            "via": via,
            "sendAt": send_at,
        }, how)

    async def count_conversations(
        self,
        *,
        state: Literal["open", "snoozed", "closed"] | NotGiven = NOT_GIVEN,
        owner: str | NotGiven = NOT_GIVEN,
        label: str | NotGiven = NOT_GIVEN,
        kind: str | NotGiven = NOT_GIVEN,
        person: str | NotGiven = NOT_GIVEN,
        q: str | NotGiven = NOT_GIVEN,
        waiting_for: Literal["us", "client"] | NotGiven = NOT_GIVEN,
        importance: Literal["low", "normal", "high"] | NotGiven = NOT_GIVEN,
        intent: Literal["quote", "question", "interested", "meeting", "not_interested", "complaint", "unsubscribe", "out_of_office", "other"] | NotGiven = NOT_GIVEN,
        via: str | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> ConversationCounts:
        """Count conversations

        How many conversations there are to be dealt with, with the filters of `GET /conversations`. All but `snoozed` count open ones. Needs the scope `inbox:read`.

        :param state: Only conversations in this state.

            - `open`: conversations that have to be dealt with.
            - `snoozed`: conversations set aside until a certain time.
            - `closed`: over.
        :param owner: Only conversations owned by this member, by id; empty or `null` for those without an owner.
        :param label: Only conversations with this label, by its id or name.
        :param kind: Only conversations of this kind of channel, such as `email`.
        :param person: Only conversations with this person, by id.
        :param q: Only conversations whose subject or person's name contains this text, ignoring case.
        :param waiting_for: Only conversations that wait for this side.

            - `us`: the client wrote last.
            - `client`: we wrote last.
        :param importance: Only conversations of this importance.

            - `low`: those that can wait.
            - `normal`: those between the two.
            - `high`: those that should be dealt with first.
        :param intent: Only conversations in which the client wants this.

            - `quote`: an offer.
            - `question`: an answer to a question.
            - `interested`: to continue, without a specific request.
            - `meeting`: a meeting.
            - `not_interested`: nothing: they are not interested.
            - `complaint`: to have a problem solved.
            - `unsubscribe`: to receive no more letters.
            - `out_of_office`: nothing: they are away.
            - `other`: something else, or the intent was not recognised.
        :param via: Only conversations through this account of ours: a connection, by its id or account.
        """
        return await self._run(COUNT_CONVERSATIONS, (), {
            "state": state,
            "owner": owner,
            "label": label,
            "kind": kind,
            "person": person,
            "q": q,
            "waitingFor": waiting_for,
            "importance": importance,
            "intent": intent,
            "via": via,
        }, how)

    async def get_conversation(
        self,
        conversation_id: str,
        **how: Unpack[CallOptions],
    ) -> ConversationDetails:
        """Read a conversation

        Answers the conversation with its notes and tasks. Needs the scope `inbox:read`.
        """
        return await self._run(GET_CONVERSATION, (conversation_id,), {}, how)

    async def update_conversation(
        self,
        conversation_id: str,
        *,
        snooze_until: str | None | NotGiven = NOT_GIVEN,
        why: str | None | NotGiven = NOT_GIVEN,
        closed: bool | None | NotGiven = NOT_GIVEN,
        reason: Literal["meeting_booked", "not_interested", "no_response", "wrong_person", "spam", "personal", "other"] | None | NotGiven = NOT_GIVEN,
        owner: str | None | NotGiven = NOT_GIVEN,
        met: bool | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> ConversationDetails:
        """Edit a conversation

        Snoozes it or wakes it up, closes or reopens it, gives it an owner, or records a meeting. All changes of one call are made together or not at all. Needs the scope `inbox:write`.

        :param snooze_until: Snoozes the conversation until this time; null wakes it up.
        :param why: Why it is snoozed, for the team to read.
        :param closed: True closes the conversation, false reopens it.
        :param reason: Why it is closed; by default `other`.

            - `meeting_booked`: a meeting was arranged.
            - `not_interested`: the client is not interested.
            - `no_response`: the client did not reply.
            - `wrong_person`: the client is not the right person.
            - `spam`: it is spam, and its queued messages are cancelled.
            - `personal`: it is personal.
            - `other`: for another reason.
        :param owner: The id of the new owner, a member; null means no owner.
        :param met: True records a meeting that was arranged outside the conversation.
        """
        return await self._run(UPDATE_CONVERSATION, (conversation_id,), {
            "snoozeUntil": snooze_until,
            "why": why,
            "closed": closed,
            "reason": reason,
            "owner": owner,
            "met": met,
        }, how)

    def list_messages(
        self,
        conversation_id: str,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> AsyncPages[MessageList, Message]:
        """List the messages of a conversation

        Newest first, including those that have not been sent yet. Needs the scope `inbox:read`.

        :param cursor: The `next` of the previous answer, unchanged. Leave it out or empty for the first page.
        :param limit: The most entries that the answer may hold.
        """
        return self._list(LIST_MESSAGES, (conversation_id,), {
            "cursor": cursor,
            "limit": limit,
        }, how)

    async def send_message(
        self,
        conversation_id: str,
        *,
        text: str | None | NotGiven = NOT_GIVEN,
        html: str | None | NotGiven = NOT_GIVEN,
        subject: str | None | NotGiven = NOT_GIVEN,
        cc: Sequence[str] | None | NotGiven = NOT_GIVEN,
        bcc: Sequence[str] | None | NotGiven = NOT_GIVEN,
        reply_to: str | None | NotGiven = NOT_GIVEN,
        files: Sequence[str | NewFile] | None | NotGiven = NOT_GIVEN,
        signature: bool | None | NotGiven = NOT_GIVEN,
        to: str | None | NotGiven = NOT_GIVEN,
        via: str | None | NotGiven = NOT_GIVEN,
        send_at: str | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> QueuedMessage:
        """Send a message

        Queues a message to the client, to be sent at once or at a given time. At least one of `text` and `html` is required. Needs the scope `send`.

        :param text: The text of the message; by default the words of `html`. At least one of both is required.
        :param html: The body in HTML, sent as given, without what mail programs drop, such as style sheets from elsewhere, which `leftOut` names. Scripts, event handlers, forms and `javascript:` are refused; `cid:NAME` shows the file of that name. For e-mail alone.
        :param subject: The subject, in one line; by default that of the thread after “Re:”, or the first line of the text in a new one.
        :param cc: E-mail addresses that get a copy; at most 50 recipients in all. For e-mail alone.
        :param bcc: E-mail addresses that get a copy unseen by the others. For e-mail alone.
        :param reply_to: The id of the message in this conversation that it answers; by default the last one received.
        :param files: Files to attach: ids of files, or their content. At most 20, with 25 MB in all.
        :param signature: Whether the member's signature is put below the text and the HTML; by default not.
        :param to: The address of the client to send it to; by default the one from which they wrote the message that it answers.
        :param via: Our account to send it through, by the id of its connection or its address; by default that of the conversation.
        :param send_at: When to send it, with an offset; by default as soon as the queue reaches it.
        """
        return await self._run(SEND_MESSAGE, (conversation_id,), {
            "text": text,
            "html": html,
            "subject": subject,
            "cc": cc,
            "bcc": bcc,
            "replyTo": reply_to,
            "files": files,
            "signature": signature,
            "to": to,
            "via": via,
            "sendAt": send_at,
        }, how)

    async def add_note(
        self,
        conversation_id: str,
        *,
        text: str,
        **how: Unpack[ChangeOptions],
    ) -> Note:
        """Add a note to a conversation

        For the team; the client does not see it. Needs the scope `inbox:write`.

        :param text: The note.
        """
        return await self._run(ADD_NOTE, (conversation_id,), {
            "text": text,
        }, how)

    async def update_conversations(
        self,
        *,
        conversations: Sequence[str],
        change: ConversationChange,
        **how: Unpack[ChangeOptions],
    ) -> ConversationBulkResults:
        """Edit many conversations

        Makes one change in up to 500 conversations, each as `PATCH /conversations/{id}` and the calls for labels do, with the same events, in one transaction. One that is refused changes nothing and refuses no other. Needs the scope `inbox:write`.

        :param conversations: The ids of the conversations.
        :param change: What is changed in each of them.
        """
        return await self._run(UPDATE_CONVERSATIONS, (), {
            "conversations": conversations,
            "change": change,
        }, how)

    async def get_message(
        self,
        message_id: str,
        **how: Unpack[CallOptions],
    ) -> Message:
        """Read a message

        Needs the scope `inbox:read`.
        """
        return await self._run(GET_MESSAGE, (message_id,), {}, how)

    async def cancel_message(
        self,
        message_id: str,
        **how: Unpack[ChangeOptions],
    ) -> QueuedMessage:
        """Cancel a queued message

        Needs the scope `send`.
        """
        return await self._run(CANCEL_MESSAGE, (message_id,), {}, how)

    async def resolve_message(
        self,
        message_id: str,
        *,
        outcome: Literal["sent", "again"],
        **how: Unpack[ChangeOptions],
    ) -> Message:
        """Mark an unconfirmed message as sent, or send it again

        Only a letter that is `sending` with the reason `unconfirmed` can be resolved; any other is 409 `invalid_state`. Look in the Sent folder of the account or ask the recipient before you decide. Needs the scope `send`.

        :param outcome: What becomes of it.

            - `sent`: it arrived, and counts as sent.
            - `again`: it did not arrive, and is sent once more, under the same Message-ID.
        """
        return await self._run(RESOLVE_MESSAGE, (message_id,), {
            "outcome": outcome,
        }, how)

    async def send_message_again(
        self,
        message_id: str,
        **how: Unpack[ChangeOptions],
    ) -> QueuedMessage:
        """Send a failed message anew

        Queues a new message with the words, files and recipients of one that failed. Only a letter that is `failed` can be sent anew, and only once; any other is 409 `invalid_state`. Everything is checked as for a new letter: an address that must not be written to is 422 `recipient_suppressed`. A letter of a campaign is sent anew by POST /campaigns/{id}/touches/{touch}/again. Needs the scope `send`.
        """
        return await self._run(SEND_MESSAGE_AGAIN, (message_id,), {}, how)

    async def get_message_html(
        self,
        message_id: str,
        *,
        images: Literal["true", "false"] | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> str:
        """Read the HTML of a message

        As a page that is safe to show: without scripts, forms, frames and styles that load something, and under a `Content-Security-Policy` with `sandbox`. Inline images are part of it. It is 404 `not_found` where the message has no HTML, and 422 `unreadable_file` where the HTML is such that it cannot be made safe within a few seconds: the text says the same. Needs the scope `inbox:read`.

        :param images: Whether images from the web are shown.

            - `true`: they are shown, and their servers learn when and where the message is read.
            - `false`: their alternative texts are shown in their place.
        """
        return await self._run(GET_MESSAGE_HTML, (message_id,), {
            "images": images,
        }, how)

    async def add_label(
        self,
        conversation_id: str,
        *,
        name: str,
        **how: Unpack[ChangeOptions],
    ) -> LabelledConversation:
        """Put a label on a conversation

        A name that is not in use yet creates a label. Needs the scope `inbox:write`.

        :param name: The name of the label; it is created if it is not in use yet.
        """
        return await self._run(ADD_LABEL, (conversation_id,), {
            "name": name,
        }, how)

    async def remove_label(
        self,
        conversation_id: str,
        label: str,
        **how: Unpack[ChangeOptions],
    ) -> LabelledConversation:
        """Take a label off a conversation

        Removing a label that is not on it changes nothing. Needs the scope `inbox:write`.
        """
        return await self._run(REMOVE_LABEL, (conversation_id, label,), {}, how)

    async def create_task(
        self,
        conversation_id: str,
        *,
        text: str,
        due: str | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> Task:
        """Give an agent a task

        With `due`, an agent writes to the client at that time, which also needs the scope `send`. Without it, the text is an instruction that agents follow in every later task and letter to the person. If letters of a campaign are written with what this changes, their agreement is withdrawn. While such a campaign is running, the call also needs `campaigns:write`. Needs the scope `inbox:write`.

        :param text: What the agent should do, in words.
        :param due: When the agent writes to the client, which needs the scope `send`; without it, or with null, the text is kept as an instruction.
        """
        return await self._run(CREATE_TASK, (conversation_id,), {
            "text": text,
            "due": due,
        }, how)

    async def upload_file(
        self,
        *,
        name: str,
        type: str,
        content: str,
        **how: Unpack[ChangeOptions],
    ) -> UploadedFile:
        """Upload a file

        For messages to attach by its id. It is deleted after a day unless a message has taken it. Needs the scope `inbox:write`.

        :param name: The name of the file, in one line.
        :param type: The media type, such as `application/pdf`.
        :param content: The content in base64.
        """
        return await self._run(UPLOAD_FILE, (), {
            "name": name,
            "type": type,
            "content": content,
        }, how)

    def list_attachments(
        self,
        message_id: str,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> AsyncPages[AttachmentList, Attachment]:
        """List the files of a message

        Inline images are among them. Needs the scope `inbox:read`.

        :param cursor: Not needed: the first page has everything.
        :param limit: Checked, but without effect: this list answers everything at once.
        """
        return self._list(LIST_ATTACHMENTS, (message_id,), {
            "cursor": cursor,
            "limit": limit,
        }, how)

    async def download_file(
        self,
        file_id: str,
        **how: Unpack[CallOptions],
    ) -> bytes:
        """Read a file

        As bytes: the whole file or the requested range. The header `Content-ID` has the name by which the HTML of its message refers to it. Needs the scope `inbox:read`.
        """
        return await self._run(DOWNLOAD_FILE, (file_id,), {}, how)

    def search(
        self,
        *,
        q: str,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        kind: Sequence[Literal["message", "conversation", "person", "note"]] | NotGiven = NOT_GIVEN,
        person: str | NotGiven = NOT_GIVEN,
        conversation: str | NotGiven = NOT_GIVEN,
        owner: str | NotGiven = NOT_GIVEN,
        label: str | NotGiven = NOT_GIVEN,
        from_: str | NotGiven = NOT_GIVEN,
        to: str | NotGiven = NOT_GIVEN,
        has: Literal["files"] | NotGiven = NOT_GIVEN,
        order: Literal["newest", "relevance"] | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> AsyncPages[SearchResultList, SearchResult]:
        """Find messages, people and notes

        Finds words in messages as their writers wrote them (without what they quote), in subjects, notes, names, addresses and names of files. What a suspect message says is not searched. For one page so many texts are looked at: a page may have few results or none, and more are behind `next` until that is null. At most two searches of a workspace run at once; one that takes longer than half a second is refused with 503: ask for more words, or for less with the filters. Needs the scope `inbox:read`.

        :param q: What to look for: words, all of which are there, the last one as a beginning; `"words in quotes"` in that order; `-word` for what is not there. Addresses and numbers are found whole and in part. Case and accents do not matter.
        :param cursor: The `next` of the previous answer, unchanged. Leave it out or empty for the first page.
        :param limit: The most entries that the answer may hold.
        :param kind: Only results of this kind; may be given several times.

            - `message`: a message, by its text without quotations, its subject and the names of its files.
            - `conversation`: a conversation, by its subject.
            - `person`: a person, by name, company and addresses.
            - `note`: a note of a member, by its text.
        :param person: Only what belongs to this person, by id.
        :param conversation: Only what belongs to this conversation, by id.
        :param owner: Only what belongs to conversations of this member, by id; empty or `null` for those without an owner.
        :param label: Only what belongs to conversations with this label, by its id or name.
        :param from_: Only from this time on, or from the beginning of this day.
        :param to: Only before this time, or until the end of this day.
        :param has: Only messages that have this.

            - `files`: at least one file.
        :param order: The order of the results.

            - `newest`: the newest first.
            - `relevance`: the best of the newest 300 of each kind first.
        """
        return self._list(SEARCH, (), {
            "q": q,
            "cursor": cursor,
            "limit": limit,
            "kind": kind,
            "person": person,
            "conversation": conversation,
            "owner": owner,
            "label": label,
            "from": from_,
            "to": to,
            "has": has,
            "order": order,
        }, how)

    def list_people(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        q: str | NotGiven = NOT_GIVEN,
        label: str | NotGiven = NOT_GIVEN,
        side: Literal["buyer", "seller"] | NotGiven = NOT_GIVEN,
        external_id: str | NotGiven = NOT_GIVEN,
        email: str | NotGiven = NOT_GIVEN,
        phone: str | NotGiven = NOT_GIVEN,
        linkedin: str | NotGiven = NOT_GIVEN,
        field: Mapping[str, str] | NotGiven = NOT_GIVEN,
        updated_since: str | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> AsyncPages[PersonList, Person]:
        """List people

        In order of name, those without a name first. While others make changes, pages in this order may repeat or miss an item. With `updatedSince`, items are listed in the order of their last change (`updatedAt`, then `id`) and none is missed: an item that changes while you read appears again on a later page, or the next time you ask. Needs the scope `inbox:read`.

        :param cursor: The `next` of the previous answer, unchanged. Leave it out or empty for the first page.
        :param limit: The most entries that the answer may hold.
        :param q: Only people for whom this text is part of their name, company, job title, city or one of their addresses, ignoring case.
        :param label: Only people who are currently tagged with this product, by its id or exact name.
        :param side: Only people with a tag on this side; can be combined with `label`.

            - `buyer`: those who buy.
            - `seller`: those who sell.
        :param external_id: Only the person with this id of your own.
        :param email: Only people with this e-mail address, whatever its spelling.
        :param phone: Only people with this phone number, whatever its spelling.
        :param linkedin: Only people with this profile in a professional network, whatever its spelling.
        :param field: Only people with this value in a field of your own: `field.NAME=VALUE` or `field[NAME]=VALUE`, with `true`, `false` and numbers as text. Up to ten fields can be combined.
        :param updated_since: Only what has changed since this time, earliest change first. To continue later, pass the `updatedAt` of the last item you read; items changed at exactly that time are repeated.
        """
        return self._list(LIST_PEOPLE, (), {
            "cursor": cursor,
            "limit": limit,
            "q": q,
            "label": label,
            "side": side,
            "externalId": external_id,
            "email": email,
            "phone": phone,
            "linkedin": linkedin,
            "field": field,
            "updatedSince": updated_since,
        }, how)

    async def create_person(
        self,
        *,
        name: str | None | NotGiven = NOT_GIVEN,
        city: str | None | NotGiven = NOT_GIVEN,
        job_title: str | None | NotGiven = NOT_GIVEN,
        email: str | None | NotGiven = NOT_GIVEN,
        emails: Sequence[str] | None | NotGiven = NOT_GIVEN,
        phone: str | None | NotGiven = NOT_GIVEN,
        phones: Sequence[str] | None | NotGiven = NOT_GIVEN,
        linkedin: str | None | NotGiven = NOT_GIVEN,
        company: str | None | NotGiven = NOT_GIVEN,
        external_id: str | None | NotGiven = NOT_GIVEN,
        fields: Mapping[str, str | float | bool | None] | None | NotGiven = NOT_GIVEN,
        tags: Sequence[NewTag] | None | NotGiven = NOT_GIVEN,
        into: str | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> CreatedPerson:
        """Create a person

        If an address is already known, that person is completed instead. If the `externalId` is known, the given members replace those of that person, and given addresses come first. At least one of `email`, `emails`, `phone`, `phones`, `linkedin` and `externalId` is required. Needs the scope `inbox:write`.

        :param name: The name; by default the one before an address, as in `Ana Ruiz <ana@example.test>`. With a known `externalId`, an empty text erases it.
        :param city: The city they live or work in; with a known `externalId`, an empty text erases it.
        :param job_title: What they do at their company; with a known `externalId`, an empty text erases it.
        :param email: An e-mail address; an empty text means none.
        :param emails: All e-mail addresses, in order: letters go to `email`, if it is given, otherwise to the first of these.
        :param phone: A phone number, preferably with the country code; an empty text means none.
        :param phones: All phone numbers, in order, after `phone`.
        :param linkedin: The address of a profile in a professional network; an empty text means none.
        :param company: The company they work for, as text; with a known `externalId`, an empty text erases it.
        :param external_id: The id that your own system gives them, unique in the workspace.
        :param fields: Fields of your own: at most 100, each with a name of up to 60 letters, digits, spaces, `_` and `-`.
        :param tags: Products to tag them with, each with a side. Tags that are there already stay.
        :param into: The id of a person to add these addresses to, instead of creating one.
        """
        return await self._run(CREATE_PERSON, (), {
            "name": name,
            "city": city,
            "jobTitle": job_title,
            "email": email,
            "emails": emails,
            "phone": phone,
            "phones": phones,
            "linkedin": linkedin,
            "company": company,
            "externalId": external_id,
            "fields": fields,
            "tags": tags,
            "into": into,
        }, how)

    async def get_person(
        self,
        person_id: str,
        **how: Unpack[CallOptions],
    ) -> Person:
        """Read a person

        Wherever the id of a person is taken, in paths, queries and bodies, `ext:` and their `externalId` is taken too: `/people/ext:crm-4711`. The id of a card that has become part of another one answers that one. Needs the scope `inbox:read`.
        """
        return await self._run(GET_PERSON, (person_id,), {}, how)

    async def update_person(
        self,
        person_id: str,
        *,
        name: str | None | NotGiven = NOT_GIVEN,
        city: str | None | NotGiven = NOT_GIVEN,
        job_title: str | None | NotGiven = NOT_GIVEN,
        company: str | None | NotGiven = NOT_GIVEN,
        emails: Sequence[str] | None | NotGiven = NOT_GIVEN,
        phones: Sequence[str] | None | NotGiven = NOT_GIVEN,
        external_id: str | None | NotGiven = NOT_GIVEN,
        fields: Mapping[str, str | float | bool | None] | None | NotGiven = NOT_GIVEN,
        held: NewHold | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> Person:
        """Edit a person

        `emails` and `phones` replace what the card has; opt-outs stay with the person. `held` holds the letters of all campaigns to the person, `until` a given time or until `null` releases them. Messages and replies are sent all the same. Needs the scope `inbox:write`.

        :param name: The name; an empty text erases it.
        :param city: The city; an empty text erases it.
        :param job_title: The job title; an empty text erases it.
        :param company: The company; an empty text erases it.
        :param emails: All e-mail addresses, in order: letters go to the first one. Those left out are removed.
        :param phones: All phone numbers, in order. Those left out are removed.
        :param external_id: The id that your own system gives them, unique in the workspace; null removes it.
        :param fields: Fields of your own, added to those that are there; null removes one. A person has at most 100, each with a name of up to 60 letters, digits, spaces, `_` and `-`.
        :param held: Holds the letters of all campaigns to this person; null releases them.
        """
        return await self._run(UPDATE_PERSON, (person_id,), {
            "name": name,
            "city": city,
            "jobTitle": job_title,
            "company": company,
            "emails": emails,
            "phones": phones,
            "externalId": external_id,
            "fields": fields,
            "held": held,
        }, how)

    async def erase_person(
        self,
        person_id: str,
        **how: Unpack[ChangeOptions],
    ) -> ErasedPerson:
        """Erase a person

        Erases a person for good, such as for a request under Article 17 of the GDPR. What is queued for them ends, and the card is gone at once; the operation then erases what they have said and were told, and every place that names them. Ids, times, states and counts stay. Of each address a keyed hash is kept: campaigns never write to it again, an import answers its row `erased`, and creating the person again is refused. Needs the scopes `inbox:write` and `send`.
        """
        return await self._run(ERASE_PERSON, (person_id,), {}, how)

    async def split_person(
        self,
        person_id: str,
        *,
        emails: Sequence[str] | None | NotGiven = NOT_GIVEN,
        phones: Sequence[str] | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> Person:
        """Split a card in two

        For two people who have become one card: moves the given addresses to a new card, and answers that card. Conversations that were held only with these addresses move too, and so do campaigns whose letters went to them; everything else stays. Needs the scope `inbox:write`.

        :param emails: E-mail addresses of the card that belong to somebody else.
        :param phones: Phone numbers of the card that belong to somebody else.
        """
        return await self._run(SPLIT_PERSON, (person_id,), {
            "emails": emails,
            "phones": phones,
        }, how)

    async def tag_person(
        self,
        person_id: str,
        *,
        label: str,
        side: Literal["buyer", "seller"],
        **how: Unpack[ChangeOptions],
    ) -> Person:
        """Tag a person

        Tags a person with a product and a side. A tag that was removed is restored. Needs the scope `inbox:write`.

        :param label: The product, by its id or exact name.
        :param side: The person's side of the product.

            - `buyer`: a client, who buys it.
            - `seller`: a partner, who sells it.
        """
        return await self._run(TAG_PERSON, (person_id,), {
            "label": label,
            "side": side,
        }, how)

    async def untag_person(
        self,
        person_id: str,
        *,
        label: str | NotGiven = NOT_GIVEN,
        side: str | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> Person:
        """Remove a tag from a person

        The tag stays on record as removed. The address or the body names the tag. Needs the scope `inbox:write`.

        :param label: The product of the tag, by its id or exact name.
        :param side: The side of the tag.
        """
        return await self._run(UNTAG_PERSON, (person_id,), {
            "label": label,
            "side": side,
        }, how)

    async def export_person(
        self,
        person_id: str,
        **how: Unpack[CallOptions],
    ) -> PersonExport:
        """Read everything about a person

        Answers everything that is held about a person, such as for a request under Article 15 of the GDPR. It is written while it is read, and may be long: an answer that breaks off is no valid JSON. What changes meanwhile may be in it or not. Needs the scope `inbox:read`.
        """
        return await self._run(EXPORT_PERSON, (person_id,), {}, how)

    async def merge_people(
        self,
        person_id: str,
        *,
        from_: Sequence[str],
        **how: Unpack[ChangeOptions],
    ) -> Person:
        """Merge cards into one

        For one person who has several cards: everything that hangs on the others hangs on this one from now on, and this one gets what it does not have itself. What forbids letters to one of them forbids them to the person. The ids of the others lead to this card: `GET /people/{id}` answers it with `mergedInto`, and their changes are refused with 409 `merged`. Needs the scope `inbox:write`.

        :param from_: The ids of the other cards of this person, which become part of this one.
        """
        return await self._run(MERGE_PEOPLE, (person_id,), {
            "from": from_,
        }, how)

    async def save_people(
        self,
        *,
        people: Sequence[NewPerson],
        mode: Literal["complete", "update"] | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> PeopleBulkResults:
        """Create or complete many people

        Takes up to 500 people as `POST /people` does, in their order, and writes them all in one transaction. A person who is refused changes nothing and refuses nobody else. The card is found by `into`, by `externalId` and by the addresses; people of the same call can be one. Needs the scope `inbox:write`.

        :param people: The people, each with the members of `POST /people`.
        :param mode: What given members do to a card that there is already.

            - `complete`: they fill what is empty; this is the default.
            - `update`: they replace what stands there, and given addresses come first.
        """
        return await self._run(SAVE_PEOPLE, (), {
            "people": people,
            "mode": mode,
        }, how)

    def list_imported_rows(
        self,
        key: str,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> AsyncPages[ImportedRowList, ImportedRow]:
        """List the rows of an import

        Answers what became of each row. Rows appear in order as they are imported, and are kept as long as the operation. Beyond the first thousand problems, `errors` is empty even for refused rows. Needs the scope `inbox:read`.

        :param cursor: The `next` of the previous answer, unchanged. Leave it out or empty for the first page.
        :param limit: The most entries that the answer may hold.
        """
        return self._list(LIST_IMPORTED_ROWS, (key,), {
            "cursor": cursor,
            "limit": limit,
        }, how)

    async def import_people(
        self,
        *,
        file: PeopleFile,
        columns: Sequence[ColumnChoice] | None | NotGiven = NOT_GIVEN,
        commit: bool | None | NotGiven = NOT_GIVEN,
        region: str | None | NotGiven = NOT_GIVEN,
        headings: int | None | NotGiven = NOT_GIVEN,
        sheet: str | None | NotGiven = NOT_GIVEN,
        mode: Literal["complete", "update"] | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> ImportAnswer:
        """Import people from a file

        Reads CSV, XLSX and visiting cards (vCard). A person is found by `externalId`, otherwise by address. A column that means nothing else becomes a field of your own, `fields.<heading>`; one that says who must not be written to suppresses them. Without `commit`, the answer is a plan of what would happen, and no key is needed. With `commit: true`, the people are written. Needs the scope `inbox:write`.

        :param file: The file with the people.
        :param columns: Corrections of the recognised columns, as the plan shows them; those not named stay as recognised.
        :param commit: True writes the people; otherwise the answer is a plan, and nothing is written.
        :param region: The country of phone numbers without a country code, as two letters (ISO 3166); by default that of the workspace, if it has one.
        :param headings: The row of the headings, counted from 1, if it is not the one that the plan names; 0 if the file has none.
        :param sheet: The name of the sheet to read, of those in `sheets` of the plan; by default the one that looks most like people.
        :param mode: How values of the file change a known person; empty cells change nothing.

            - `complete`: they fill only what is empty; this is the default.
            - `update`: they also replace what is there.
        """
        return await self._run(IMPORT_PEOPLE, (), {
            "file": file,
            "columns": columns,
            "commit": commit,
            "region": region,
            "headings": headings,
            "sheet": sheet,
            "mode": mode,
        }, how)

    def list_agents(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> AsyncPages[AgentList, Agent]:
        """List agents

        Needs the scope `inbox:read`.

        :param cursor: Not needed: the first page has everything.
        :param limit: Checked, but without effect: this list answers everything at once.
        """
        return self._list(LIST_AGENTS, (), {
            "cursor": cursor,
            "limit": limit,
        }, how)

    async def get_agent(
        self,
        agent_id: str,
        **how: Unpack[CallOptions],
    ) -> Agent:
        """Read an agent

        Needs the scope `inbox:read`.
        """
        return await self._run(GET_AGENT, (agent_id,), {}, how)

    async def update_agent(
        self,
        agent_id: str,
        *,
        goal: str | None | NotGiven = NOT_GIVEN,
        rules: str | None | NotGiven = NOT_GIVEN,
        knowledge: str | None | NotGiven = NOT_GIVEN,
        enabled: bool | None | NotGiven = NOT_GIVEN,
        labels: Sequence[str] | None | NotGiven = NOT_GIVEN,
        channels: Sequence[str] | None | NotGiven = NOT_GIVEN,
        hours: HoursUpdate | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> Agent:
        """Edit an agent

        If letters of a campaign are written with what this changes, their agreement is withdrawn. While such a campaign is running, the call also needs `campaigns:write`. The same applies to enabling an agent. Needs the scope `inbox:write`.

        :param goal: Its goal; an instruction to the writer.
        :param rules: The rules for everything it writes.
        :param knowledge: What it may use when it writes.
        :param enabled: Whether it writes at all.
        :param labels: The products it handles, by id or exact name; an empty list means all.
        :param channels: The ids of the connections it writes through; an empty list means all channels of its people.
        :param hours: When it works; members that are left out keep their values.
        """
        return await self._run(UPDATE_AGENT, (agent_id,), {
            "goal": goal,
            "rules": rules,
            "knowledge": knowledge,
            "enabled": enabled,
            "labels": labels,
            "channels": channels,
            "hours": hours,
        }, how)

    def list_products(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> AsyncPages[ProductList, Product]:
        """List products

        Needs the scope `inbox:read`.

        :param cursor: Not needed: the first page has everything.
        :param limit: Checked, but without effect: this list answers everything at once.
        """
        return self._list(LIST_PRODUCTS, (), {
            "cursor": cursor,
            "limit": limit,
        }, how)

    async def get_product(
        self,
        product_id: str,
        **how: Unpack[CallOptions],
    ) -> Product:
        """Read a product

        Needs the scope `inbox:read`.
        """
        return await self._run(GET_PRODUCT, (product_id,), {}, how)

    async def update_product(
        self,
        product_id: str,
        *,
        description: str | None | NotGiven = NOT_GIVEN,
        side: Literal["sell", "buy", "both"] | None | NotGiven = NOT_GIVEN,
        goal: Literal["demo", "sale", "partnership"] | None | NotGiven = NOT_GIVEN,
        conditions: Sequence[NewCondition] | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> Product:
        """Edit a product

        If letters of a campaign are written with what this changes, their agreement is withdrawn. While such a campaign is running, the call also needs `campaigns:write`. Needs the scope `inbox:write`.

        :param description: The description of the product.
        :param side: Our side of the product.

            - `sell`: we sell it.
            - `buy`: we buy it.
            - `both`: we do both.
        :param goal: What we want to achieve with a client.

            - `demo`: a demonstration.
            - `sale`: a sale.
            - `partnership`: a partnership.
        :param conditions: Its conditions, as pairs `{key, value, side}` or `{price: "49 EUR"}`; they replace the present ones.
        """
        return await self._run(UPDATE_PRODUCT, (product_id,), {
            "description": description,
            "side": side,
            "goal": goal,
            "conditions": conditions,
        }, how)

    def list_companies(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> AsyncPages[CompanyList, Company]:
        """List companies

        Needs the scope `inbox:read`.

        :param cursor: Not needed: the first page has everything.
        :param limit: Checked, but without effect: this list answers everything at once.
        """
        return self._list(LIST_COMPANIES, (), {
            "cursor": cursor,
            "limit": limit,
        }, how)

    async def get_company(
        self,
        company_id: str,
        **how: Unpack[CallOptions],
    ) -> Company:
        """Read a company

        Needs the scope `inbox:read`.
        """
        return await self._run(GET_COMPANY, (company_id,), {}, how)

    async def update_company(
        self,
        company_id: str,
        *,
        pitch: str | None | NotGiven = NOT_GIVEN,
        policy: str | None | NotGiven = NOT_GIVEN,
        facts: Sequence[NewFact] | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> Company:
        """Edit a company

        If letters of a campaign are written with what this changes, their agreement is withdrawn. While such a campaign is running, the call also needs `campaigns:write`. Needs the scope `inbox:write`.

        :param pitch: What it says about itself.
        :param policy: What it refuses and does not talk about.
        :param facts: Facts about it, as pairs `{label, value}` or `{founded: "2019"}`; they replace the present ones.
        """
        return await self._run(UPDATE_COMPANY, (company_id,), {
            "pitch": pitch,
            "policy": policy,
            "facts": facts,
        }, how)

    def list_deals(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        state: Literal["open", "closed"] | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> AsyncPages[DealList, Deal]:
        """List deals

        Newest first. Needs the scope `inbox:read`.

        :param cursor: The `next` of the previous answer, unchanged. Leave it out or empty for the first page.
        :param limit: The most entries that the answer may hold.
        :param state: Only deals in this state; by default both.

            - `open`: open deals.
            - `closed`: closed deals.
        """
        return self._list(LIST_DEALS, (), {
            "cursor": cursor,
            "limit": limit,
            "state": state,
        }, how)

    async def create_deal(
        self,
        *,
        label: str,
        seller: str,
        buyer: str,
        agent: str,
        **how: Unpack[ChangeOptions],
    ) -> Deal:
        """Create a deal

        Joins a product, a seller, a buyer and the agent that leads both sides. Needs the scope `inbox:write`.

        :param label: The product, by its id or exact name.
        :param seller: The id of the person who sells.
        :param buyer: The id of the person who buys; must differ from the seller.
        :param agent: The id of the agent that leads both sides.
        """
        return await self._run(CREATE_DEAL, (), {
            "label": label,
            "seller": seller,
            "buyer": buyer,
            "agent": agent,
        }, how)

    async def get_deal(
        self,
        deal_id: str,
        **how: Unpack[CallOptions],
    ) -> Deal:
        """Read a deal

        Needs the scope `inbox:read`.
        """
        return await self._run(GET_DEAL, (deal_id,), {}, how)

    async def update_deal(
        self,
        deal_id: str,
        *,
        stage: str | None | NotGiven = NOT_GIVEN,
        closed: bool | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> Deal:
        """Edit a deal

        Moves it to another stage, closes it or reopens it. Each call takes either `stage` or `closed`. Needs the scope `inbox:write`.

        :param stage: Its stage, in your own words; recommended are `new`, `introduced`, `negotiating`, `agreed`, `won` and `lost`.
        :param closed: True closes the deal, false reopens it.
        """
        return await self._run(UPDATE_DEAL, (deal_id,), {
            "stage": stage,
            "closed": closed,
        }, how)

    def list_segments(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> AsyncPages[SegmentList, Segment]:
        """List segments

        Newest first, drafts included. Needs the scope `inbox:read`.

        :param cursor: Not needed: the first page has everything.
        :param limit: Checked, but without effect: this list answers everything at once.
        """
        return self._list(LIST_SEGMENTS, (), {
            "cursor": cursor,
            "limit": limit,
        }, how)

    async def create_segment(
        self,
        *,
        query: str | None | NotGiven = NOT_GIVEN,
        rules: Sequence[NewSegmentRule] | None | NotGiven = NOT_GIVEN,
        refill: bool | None | NotGiven = NOT_GIVEN,
        segment: str | None | NotGiven = NOT_GIVEN,
        name: str | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> JudgedSegment:
        """Create a segment, or judge it further

        Judges as many people as possible within a few seconds. While `remaining` is not 0, call again with `segment`, the same `query`, if any, and a new key. With another query or other rules, everybody is judged again. Needs the scope `campaigns:write`.

        :param query: Who belongs to it, in words; may be left out where a rule has a `field`, or with `segment`.
        :param rules: Rules that narrow the query.
        :param refill: Whether the service adds matching people by itself; by default false.
        :param segment: The id of a segment to continue judging; send its query again.
        :param name: The name; by default the query, or its rules.
        """
        return await self._run(CREATE_SEGMENT, (), {
            "query": query,
            "rules": rules,
            "refill": refill,
            "segment": segment,
            "name": name,
        }, how)

    async def get_segment(
        self,
        segment_id: str,
        **how: Unpack[CallOptions],
    ) -> SegmentDetails:
        """Read a segment

        Answers the segment with its campaigns. Needs the scope `inbox:read`.
        """
        return await self._run(GET_SEGMENT, (segment_id,), {}, how)

    async def update_segment(
        self,
        segment_id: str,
        *,
        name: str | None | NotGiven = NOT_GIVEN,
        saved: bool | None | NotGiven = NOT_GIVEN,
        refill: bool | None | NotGiven = NOT_GIVEN,
        replaces: str | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> SegmentDetails:
        """Edit a segment

        Renames it, saves a draft, turns refill on or off, or replaces a saved segment with a draft. Needs the scope `campaigns:write`.

        :param name: The name.
        :param saved: True saves a draft.
        :param refill: Whether the service adds matching people by itself.
        :param replaces: The id of a saved segment that this draft replaces: its campaigns move to this one, whoever was added to it or taken out of it by hand stays so, and it is deleted.
        """
        return await self._run(UPDATE_SEGMENT, (segment_id,), {
            "name": name,
            "saved": saved,
            "refill": refill,
            "replaces": replaces,
        }, how)

    async def delete_segment(
        self,
        segment_id: str,
        **how: Unpack[ChangeOptions],
    ) -> Deleted:
        """Delete a segment

        Its people stay in the contacts. Needs the scope `campaigns:write`.
        """
        return await self._run(DELETE_SEGMENT, (segment_id,), {}, how)

    def list_segment_people(
        self,
        segment_id: str,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> AsyncPages[SegmentMemberList, SegmentMember]:
        """List the people of a segment

        In order of name, each with a verdict. Needs the scope `inbox:read`.

        :param cursor: The `next` of the previous answer, unchanged. Leave it out or empty for the first page.
        :param limit: The most entries that the answer may hold.
        """
        return self._list(LIST_SEGMENT_PEOPLE, (segment_id,), {
            "cursor": cursor,
            "limit": limit,
        }, how)

    async def add_segment_people(
        self,
        segment_id: str,
        *,
        people: Sequence[str],
        **how: Unpack[ChangeOptions],
    ) -> ExtendedSegment:
        """Add people to a segment

        They belong to it from now on, whatever its rules say. Needs the scope `campaigns:write`.

        :param people: The people, each by id, e-mail address, phone number or profile address.
        """
        return await self._run(ADD_SEGMENT_PEOPLE, (segment_id,), {
            "people": people,
        }, how)

    async def remove_segment_person(
        self,
        segment_id: str,
        person: str,
        **how: Unpack[ChangeOptions],
    ) -> SegmentDetails:
        """Take a person out of a segment

        They stay out, whatever is judged later, until they are added by hand. Their letters that have not gone yet end: `failed`, with the reason `left_segment`. Needs the scope `campaigns:write`.
        """
        return await self._run(REMOVE_SEGMENT_PERSON, (segment_id, person,), {}, how)

    def list_segment_proposals(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> AsyncPages[ProposalList, Proposal]:
        """List proposals for segments

        Create one with `POST /segments`, using its `query` and `name`. Needs the scope `inbox:read`.

        :param cursor: Not needed: the first page has everything.
        :param limit: Checked, but without effect: this list answers everything at once.
        """
        return self._list(LIST_SEGMENT_PROPOSALS, (), {
            "cursor": cursor,
            "limit": limit,
        }, how)

    async def find_people(
        self,
        segment_id: str,
        *,
        words: str | None | NotGiven = NOT_GIVEN,
        channel: Literal["email", "professional_network"] | None | NotGiven = NOT_GIVEN,
        filters: FinderQueryFilters | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> FinderResult:
        """Find people beyond the contacts

        Counts them without adding anybody. Needs the scope `campaigns:write`.

        :param words: The people to look for, in words; by default the query of the segment.
        :param channel: The channel for reaching the people; by default `email`.

            - `email`: people with an e-mail address.
            - `professional_network`: people with a profile in a professional network.
        :param filters: The people to look for, as filters. They take precedence over words, and are returned as given.
        """
        return await self._run(FIND_PEOPLE, (segment_id,), {
            "words": words,
            "channel": channel,
            "filters": filters,
        }, how)

    async def add_found_people(
        self,
        segment_id: str,
        *,
        channel: Literal["email", "professional_network"] | None | NotGiven = NOT_GIVEN,
        filters: FinderAdditionFilters | None | NotGiven = NOT_GIVEN,
        want: int | None | NotGiven = NOT_GIVEN,
        run: str | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> FinderAdded:
        """Add found people to a segment

        They become contacts too; people who are known by an address are completed, not added again. While `run` is not null, call again with it, using a new key. Needs the scope `campaigns:write`.

        :param channel: The channel for reaching the people; by default that of the last find.

            - `email`: people with an e-mail address.
            - `professional_network`: people with a profile in a professional network.
        :param filters: The filters, as `find` answered them; by default those of the last find.
        :param want: The most people to add.
        :param run: The run to continue, as the previous answer named it.
        """
        return await self._run(ADD_FOUND_PEOPLE, (segment_id,), {
            "channel": channel,
            "filters": filters,
            "want": want,
            "run": run,
        }, how)

    def list_campaigns(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> AsyncPages[CampaignList, Campaign]:
        """List campaigns

        Newest first. Needs the scope `inbox:read`.

        :param cursor: The `next` of the previous answer, unchanged. Leave it out or empty for the first page.
        :param limit: The most entries that the answer may hold.
        """
        return self._list(LIST_CAMPAIGNS, (), {
            "cursor": cursor,
            "limit": limit,
        }, how)

    async def create_campaign(
        self,
        *,
        name: str | None | NotGiven = NOT_GIVEN,
        goal: str | None | NotGiven = NOT_GIVEN,
        segment: str | None | NotGiven = NOT_GIVEN,
        agent: str | None | NotGiven = NOT_GIVEN,
        places: int | None | NotGiven = NOT_GIVEN,
        wait_days: Sequence[int] | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> ChangedCampaign:
        """Create a campaign

        It starts as a draft, which writes to nobody. Needs the scope `campaigns:write`.

        :param name: The name; by default the goal.
        :param goal: What the campaign should achieve. An instruction to the writer that is never quoted to clients.
        :param segment: The id of the segment it writes to.
        :param agent: The id of the agent that writes.
        :param places: How many letters it has for each person: 1, 2 or 3, which is the default.
        :param wait_days: The weekdays between each letter after the first and the one before it, from 1 to 60, an entry for each; by default 3 before the second letter and 5 before the third.
        """
        return await self._run(CREATE_CAMPAIGN, (), {
            "name": name,
            "goal": goal,
            "segment": segment,
            "agent": agent,
            "places": places,
            "waitDays": wait_days,
        }, how)

    async def get_campaign(
        self,
        campaign_id: str,
        **how: Unpack[CallOptions],
    ) -> CampaignDetails:
        """Read a campaign

        Answers the campaign with its letters, its numbers, and what holds it up. Needs the scope `inbox:read`.
        """
        return await self._run(GET_CAMPAIGN, (campaign_id,), {}, how)

    async def update_campaign(
        self,
        campaign_id: str,
        *,
        name: str | None | NotGiven = NOT_GIVEN,
        goal: str | None | NotGiven = NOT_GIVEN,
        segment: str | None | NotGiven = NOT_GIVEN,
        agent: str | None | NotGiven = NOT_GIVEN,
        places: int | None | NotGiven = NOT_GIVEN,
        wait_days: Sequence[int] | None | NotGiven = NOT_GIVEN,
        senders: Sequence[str] | None | NotGiven = NOT_GIVEN,
        add_rules: Sequence[str] | None | NotGiven = NOT_GIVEN,
        rules: Sequence[str] | None | NotGiven = NOT_GIVEN,
        materials: Sequence[NewMaterial] | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> ChangedCampaign:
        """Edit a campaign

        Applies to letters that are not written yet. A change of goal, agent, rules or materials withdraws the agreement to its letters. `places` and `waitDays` can be changed only in a draft or while paused, and apply to letters that are not planned yet: the letter after one is planned when that one is sent. Needs the scope `campaigns:write`.

        :param name: The name.
        :param goal: What the campaign should achieve. An instruction to the writer that is never quoted to clients.
        :param segment: The id of the segment it writes to; can be changed only in a draft or while paused.
        :param agent: The id of the agent that writes.
        :param places: How many letters it has for each person: 1, 2 or 3, which is the default.
        :param wait_days: The weekdays between each letter after the first and the one before it, from 1 to 60, an entry for each; by default 3 before the second letter and 5 before the third.
        :param senders: The ids of the connections it sends through; an empty list means those of the agent.
        :param add_rules: Instructions for every letter; they are added to those it has.
        :param rules: All instructions for every letter; they replace those it has.
        :param materials: Texts that the letters rely on; they replace those it has.
        """
        return await self._run(UPDATE_CAMPAIGN, (campaign_id,), {
            "name": name,
            "goal": goal,
            "segment": segment,
            "agent": agent,
            "places": places,
            "waitDays": wait_days,
            "senders": senders,
            "addRules": add_rules,
            "rules": rules,
            "materials": materials,
        }, how)

    async def delete_campaign(
        self,
        campaign_id: str,
        **how: Unpack[ChangeOptions],
    ) -> Deleted:
        """Delete a campaign

        Only a draft can be deleted. Needs the scope `campaigns:write`.
        """
        return await self._run(DELETE_CAMPAIGN, (campaign_id,), {}, how)

    async def set_campaign_state(
        self,
        campaign_id: str,
        *,
        to: Literal["running", "paused", "done"],
        **how: Unpack[ChangeOptions],
    ) -> MovedCampaign:
        """Start, pause, resume or end a campaign

        Takes effect once it is answered: after a pause or an end, no further letter is started. `running` also needs the scope `send`. Needs the scope `campaigns:write`.

        :param to: The new state.

            - `running`: start or resume it.
            - `paused`: write to nobody until it is resumed.
            - `done`: end it for good.
        """
        return await self._run(SET_CAMPAIGN_STATE, (campaign_id,), {
            "to": to,
        }, how)

    async def prepare_letters(
        self,
        campaign_id: str,
        *,
        write: Sequence[int] | None | NotGiven = NOT_GIVEN,
        agree: Sequence[int] | None | NotGiven = NOT_GIVEN,
        templates: Sequence[NewTemplate] | None | NotGiven = NOT_GIVEN,
        preview: LetterPreviewRequest | None | NotGiven = NOT_GIVEN,
        test: LetterTestRequest | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> PreparedLetters:
        """Write and agree letters

        Takes templates for places, writes the example letters of those and of the places in `write`, and agrees the places in `agree`; without any of them, it only answers the letters. Letters of a place are sent only once the place is agreed. `preview` shows one letter and keeps nothing, so that it needs no key; `test` sends one letter to a member and also needs the scope `send`. Needs the scope `campaigns:write`.

        :param write: The places to write an example letter for: 1, 2 or 3.
        :param agree: The places whose letters have been read and are agreed.
        :param templates: Templates in Liquid; those of a place replace what its letters were made from, and withdraw its agreement. An empty list takes the templates off the places in `write`, or off all places if it is given alone: they are written without templates again.
        :param preview: Answers the letter of this place as the person would get it: as it is written for them, or from its template, also from `templates` of the same call, which are not kept then.
        :param test: Sends the letter of this place, as the person would get it, to a member. The subject begins with `[Test]`.
        """
        return await self._run(PREPARE_LETTERS, (campaign_id,), {
            "write": write,
            "agree": agree,
            "templates": templates,
            "preview": preview,
            "test": test,
        }, how)

    def list_touches(
        self,
        campaign_id: str,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        state: Literal["queued", "sending", "sent", "failed", "review"] | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> AsyncPages[TouchList, Touch]:
        """List the touches of a campaign

        A touch is one letter to one person: this is the queue and the log of the campaign. Needs the scope `inbox:read`.

        :param cursor: The `next` of the previous answer, unchanged. Leave it out or empty for the first page.
        :param limit: The most entries that the answer may hold.
        :param state: Only touches in this state.

            - `queued`: it waits until it is due.
            - `review`: it is written and waits until its place is agreed.
            - `sending`: it is being sent, or it may or may not have arrived.
            - `sent`: it was sent.
            - `failed`: it was not sent, or it bounced.
        """
        return self._list(LIST_TOUCHES, (campaign_id,), {
            "cursor": cursor,
            "limit": limit,
            "state": state,
        }, how)

    async def get_touch(
        self,
        campaign_id: str,
        touch: str,
        **how: Unpack[CallOptions],
    ) -> Touch:
        """Read a touch of a campaign

        One letter to one person, as the list shows it. Needs the scope `inbox:read`.
        """
        return await self._run(GET_TOUCH, (campaign_id, touch,), {}, how)

    async def update_touch(
        self,
        campaign_id: str,
        touch: str,
        *,
        subject: str | None | NotGiven = NOT_GIVEN,
        text: str | None | NotGiven = NOT_GIVEN,
        html: str | None | NotGiven = NOT_GIVEN,
        skip: bool | None | NotGiven = NOT_GIVEN,
        agreed: bool | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> Touch:
        """Edit one letter before it goes

        Gives one person a letter in your own words, skips it, or agrees to it. Only a letter that is `queued` or in `review` can be edited. Own words stay as they are, whatever is written anew later; the unsubscribe line is added when the letter is sent. A letter in review goes once its place is agreed, or this letter with `agreed`. Needs the scope `campaigns:write`.

        :param subject: The subject. Empty, it is that of the thread; a first letter must have one. If the letter has none yet, the default is that of its template or its thread, or the first line of the text.
        :param text: The text, which replaces the HTML too unless that is given with it.
        :param html: The text in HTML, without scripts, event handlers, forms and `javascript:`. Without `text`, the text is made from it.
        :param skip: Whether the letter is not to be sent: it fails with the reason `skipped`. After a second letter that is skipped, the third goes at its time; after a first one, the person gets no later letter of the campaign, since those come back to the first. Cannot be combined with other members.
        :param agreed: Whether this letter has been read and may go, also while its place is not agreed.
        """
        return await self._run(UPDATE_TOUCH, (campaign_id, touch,), {
            "subject": subject,
            "text": text,
            "html": html,
            "skip": skip,
            "agreed": agreed,
        }, how)

    async def resolve_touch(
        self,
        campaign_id: str,
        touch: str,
        *,
        outcome: Literal["sent", "again"],
        **how: Unpack[ChangeOptions],
    ) -> Touch:
        """Mark an unconfirmed touch as sent, or send it again

        Only a letter that is `sending` with the reason `unconfirmed` can be resolved; any other is 409 `invalid_state`. Look in the Sent folder of the account or ask the recipient before you decide. A letter of a campaign that is done is not sent again: it fails with the reason `done`. Needs the scopes `send` and `campaigns:write`.

        :param outcome: What becomes of it.

            - `sent`: it arrived, and counts as sent.
            - `again`: it did not arrive, and is sent once more, under the same Message-ID.
        """
        return await self._run(RESOLVE_TOUCH, (campaign_id, touch,), {
            "outcome": outcome,
        }, how)

    async def send_touch_again(
        self,
        campaign_id: str,
        touch: str,
        **how: Unpack[ChangeOptions],
    ) -> Touch:
        """Send a failed touch anew

        Queues a new letter with the words of one that the server refused or that came back, at its place; the later ones follow it. Only a letter that is `failed` can be sent anew, and only once; any other is 409 `invalid_state`. Everything is checked as for a new letter: an address that must not be written to is 422 `recipient_suppressed`. The campaign must be running or paused. Needs the scopes `send` and `campaigns:write`.
        """
        return await self._run(SEND_TOUCH_AGAIN, (campaign_id, touch,), {}, how)

    def list_campaign_people(
        self,
        campaign_id: str,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        outcome: Literal["sent", "replied", "interested", "declined", "bounced", "unsubscribed", "held", "failed"] | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> AsyncPages[CampaignPersonList, CampaignPerson]:
        """List the people of a campaign by outcome

        With `outcome`, everybody of whom it is true: somebody who is interested has also replied, and was sent a letter. Without it, everybody who has a letter of the campaign, once, with what went furthest. In a very large campaign a page may hold fewer people than `limit`: read on until `next` is null. Needs the scope `inbox:read`.

        :param cursor: The `next` of the previous answer, unchanged. Leave it out or empty for the first page.
        :param limit: The most entries that the answer may hold.
        :param outcome: Only people with this outcome.

            - `failed`: a letter could not be sent.
            - `held`: a letter waits because the letters to the person are held.
            - `sent`: a letter was sent.
            - `replied`: the person has replied since the first letter, not automatically.
            - `interested`: the person has replied, and is interested or wants to meet.
            - `declined`: the person has replied that they are not interested, or unsubscribed after a letter.
            - `bounced`: a letter bounced, or none is sent because another one did.
            - `unsubscribed`: the person has unsubscribed.
        """
        return self._list(LIST_CAMPAIGN_PEOPLE, (campaign_id,), {
            "cursor": cursor,
            "limit": limit,
            "outcome": outcome,
        }, how)

    def list_notifications(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> AsyncPages[NotificationList, Notification]:
        """List your notifications

        The notifications of the member to whom the token belongs, newest first. Needs the scope `inbox:read`.

        :param cursor: The `next` of the previous answer, unchanged. Leave it out or empty for the first page.
        :param limit: The most entries that the answer may hold.
        """
        return self._list(LIST_NOTIFICATIONS, (), {
            "cursor": cursor,
            "limit": limit,
        }, how)

    async def mark_notifications_read(
        self,
        *,
        ids: Sequence[str] | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> NotificationsRead:
        """Mark notifications as read

        Marks the given notifications, or all. Needs the scope `inbox:write`.

        :param ids: The ids of the notifications to mark; by default all unread ones.
        """
        return await self._run(MARK_NOTIFICATIONS_READ, (), {
            "ids": ids,
        }, how)

    def get_calendar(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        from_: str | NotGiven = NOT_GIVEN,
        to: str | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> AsyncPages[CalendarView, Meeting]:
        """List calendars and meetings

        Answers all calendars, and the meetings of a period. Needs the scope `inbox:read`.

        :param cursor: Not needed: the first page has everything.
        :param limit: Checked, but without effect: this list answers everything at once.
        :param from_: Only meetings that end after this time, or after the beginning of this day; by default now.
        :param to: Only meetings that start before this time or day; by default 14 days after `from`.
        """
        return self._list(GET_CALENDAR, (), {
            "cursor": cursor,
            "limit": limit,
            "from": from_,
            "to": to,
        }, how)

    async def get_meeting(
        self,
        meeting_id: str,
        **how: Unpack[CallOptions],
    ) -> Meeting:
        """Read a meeting

        Also one that was cancelled. Needs the scope `inbox:read`.
        """
        return await self._run(GET_MEETING, (meeting_id,), {}, how)

    async def cancel_meeting(
        self,
        meeting_id: str,
        **how: Unpack[ChangeOptions],
    ) -> Meeting:
        """Cancel a meeting

        Only meetings booked here can be cancelled; their guests are told so. Cancelling a meeting again changes nothing. Needs the scope `send`.
        """
        return await self._run(CANCEL_MEETING, (meeting_id,), {}, how)

    async def book_meeting(
        self,
        *,
        title: str,
        day: str,
        start: str,
        minutes: Literal[15, 30, 45, 60, 90, 120],
        guests: Sequence[str] | None | NotGiven = NOT_GIVEN,
        agenda: str | None | NotGiven = NOT_GIVEN,
        calendar: str | None | NotGiven = NOT_GIVEN,
        check: bool | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> MeetingOrCheck:
        """Book a meeting

        Invites the guests by mail. With `check: true` nothing is booked, the answer shows what would happen, and the scope `inbox:read` is enough. Needs the scope `send`.

        :param title: The title of the meeting.
        :param day: The day in the time zone of the workspace, as YYYY-MM-DD.
        :param start: The time of day at which it starts, in the time zone of the workspace, as HH:MM.
        :param minutes: The duration in minutes.

            - `15`: a quarter of an hour.
            - `30`: half an hour.
            - `45`: three quarters of an hour.
            - `60`: an hour.
            - `90`: an hour and a half.
            - `120`: two hours.
        :param guests: The e-mail addresses of the guests, at most 20; each guest gets an invitation.
        :param agenda: The agenda; the description in invitations.
        :param calendar: The id of the calendar; by default your own.
        :param check: True books nothing and only shows what would happen.
        """
        return await self._run(BOOK_MEETING, (), {
            "title": title,
            "day": day,
            "start": start,
            "minutes": minutes,
            "guests": guests,
            "agenda": agenda,
            "calendar": calendar,
            "check": check,
        }, how)

    async def move_meeting(
        self,
        meeting_id: str,
        *,
        day: str,
        start: str,
        minutes: Literal[15, 30, 45, 60, 90, 120] | None | NotGiven = NOT_GIVEN,
        check: bool | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> MeetingOrCheck:
        """Put a meeting at another time

        Tells its guests the new time by mail; their answers to the former one count no more. Only meetings booked here can be moved. With `check: true` nothing is moved, the answer shows what would happen, and the scope `inbox:read` is enough. Needs the scope `send`.

        :param day: The day in the time zone of the workspace, as YYYY-MM-DD.
        :param start: The time of day at which it starts, in the time zone of the workspace, as HH:MM.
        :param minutes: The new duration in minutes; by default it stays.

            - `15`: a quarter of an hour.
            - `30`: half an hour.
            - `45`: three quarters of an hour.
            - `60`: an hour.
            - `90`: an hour and a half.
            - `120`: two hours.
        :param check: True moves nothing and only shows what would happen.
        """
        return await self._run(MOVE_MEETING, (meeting_id,), {
            "day": day,
            "start": start,
            "minutes": minutes,
            "check": check,
        }, how)

    async def answer_meeting_proposal(
        self,
        meeting_id: str,
        proposal: str,
        *,
        accept: bool,
        **how: Unpack[ChangeOptions],
    ) -> Meeting:
        """Take or decline another time that a guest proposes

        Accepting moves the meeting to that time and tells all its guests; declining tells the guest who proposed it that the meeting stays when it is. Needs the scope `send`.

        :param accept: True moves the meeting to the proposed time, false declines the proposal.
        """
        return await self._run(ANSWER_MEETING_PROPOSAL, (meeting_id, proposal,), {
            "accept": accept,
        }, how)

    async def answer_invitation(
        self,
        message_id: str,
        *,
        answer: Literal["accepted", "tentative", "declined"],
        comment: str | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> Message:
        """Send the answer to an invitation

        Sends the answer to the organizer, for them and for their calendar program, as a message of the conversation. Accepted or tentative, the meeting is put into the calendar of the member whose account was invited; declined, it is taken out. It is 404 `not_found` where the message has no invitation. Needs the scope `send`.

        :param answer: The answer.

            - `accepted`: the member takes part.
            - `tentative`: the member may take part.
            - `declined`: the member does not take part.
        :param comment: Words to the organizer.
        """
        return await self._run(ANSWER_INVITATION, (message_id,), {
            "answer": answer,
            "comment": comment,
        }, how)

    async def get_senders_health(
        self,
        **how: Unpack[CallOptions],
    ) -> SendersHealth:
        """Read the health of the sending accounts

        Health, limits and use of each account that sends. Needs the scope `inbox:read`.
        """
        return await self._run(GET_SENDERS_HEALTH, (), {}, how)

    async def check_senders_health(
        self,
        *,
        connection: str | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> SendersHealth:
        """Check the health of sending accounts

        Checks one account or all, and answers once that is done. Needs the scope `inbox:write`.

        :param connection: The id of the connection to check; by default all accounts.
        """
        return await self._run(CHECK_SENDERS_HEALTH, (), {
            "connection": connection,
        }, how)

    def list_voices(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> AsyncPages[VoiceList, Voice]:
        """List voices

        A voice is a mailbox with the member in whose name its letters are written, and how that member signs. Needs the scope `inbox:read`.

        :param cursor: Not needed: the first page has everything.
        :param limit: Checked, but without effect: this list answers everything at once.
        """
        return self._list(LIST_VOICES, (), {
            "cursor": cursor,
            "limit": limit,
        }, how)

    def list_suppressions(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        address: str | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> AsyncPages[SuppressionList, Suppression]:
        """List suppressed addresses

        One entry for each address and reason, newest first. `unsubscribe` stops campaigns only; the other reasons block replies too. Needs the scope `inbox:read`.

        :param cursor: The `next` of the previous answer, unchanged. Leave it out or empty for the first page.
        :param limit: The most entries that the answer may hold.
        :param address: Only entries for this address.
        """
        return self._list(LIST_SUPPRESSIONS, (), {
            "cursor": cursor,
            "limit": limit,
            "address": address,
        }, how)

    async def create_suppression(
        self,
        *,
        address: str,
        **how: Unpack[ChangeOptions],
    ) -> Suppression:
        """Suppress an address

        Nothing more is written to it. An address that is already suppressed stays unchanged. Needs the scope `inbox:write`.

        :param address: An e-mail address, a phone number or a profile address.
        """
        return await self._run(CREATE_SUPPRESSION, (), {
            "address": address,
        }, how)

    async def get_suppression(
        self,
        suppression_id: str,
        **how: Unpack[CallOptions],
    ) -> Suppression:
        """Read a suppression

        One entry, as the list shows it. Needs the scope `inbox:read`.
        """
        return await self._run(GET_SUPPRESSION, (suppression_id,), {}, how)

    async def delete_suppression(
        self,
        suppression_id: str,
        **how: Unpack[ChangeOptions],
    ) -> Deleted:
        """Lift a suppression

        The address may be written to again, unless another entry forbids it. Needs the scope `send`.
        """
        return await self._run(DELETE_SUPPRESSION, (suppression_id,), {}, how)

    async def get_routing(
        self,
        **how: Unpack[CallOptions],
    ) -> Routing:
        """Read the routing rules

        The rules that give new conversations an owner. Needs the scope `inbox:read`.
        """
        return await self._run(GET_ROUTING, (), {}, how)

    async def update_routing(
        self,
        *,
        do: Literal["add", "drop", "up", "down", "order", "switch"],
        field: Literal["label", "side", "product", "sender", "company", "agent"] | None | NotGiven = NOT_GIVEN,
        value: str | None | NotGiven = NOT_GIVEN,
        member: str | None | NotGiven = NOT_GIVEN,
        rule: str | None | NotGiven = NOT_GIVEN,
        rules: Sequence[str] | None | NotGiven = NOT_GIVEN,
        enabled: bool | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> ChangedRouting:
        """Edit the routing rules

        `do` names the action, which determines the other members. Needs the scope `inbox:write`.

        :param do: The action.

            - `add`: add a rule at the end, by `field`, `value` and `member`.
            - `drop`: delete `rule`.
            - `up`: move `rule` one place up.
            - `down`: move `rule` one place down.
            - `order`: put all rules into the order given by `rules`.
            - `switch`: turn routing on or off, by `enabled`.
        :param field: The part of a conversation that the new rule checks.

            - `label`: a label on the conversation, or a product tag of the person.
            - `side`: the person's side of a product.
            - `product`: a product the person is tagged with.
            - `sender`: the address or domain of the client, or our account.
            - `company`: our company for which the agent writes.
            - `agent`: the agent that writes in the conversation.
        :param value: The value to match: the id or name of the label, product, company or agent, an address, `@domain` or connection, or `buyer` or `seller`.
        :param member: The id of the member who gets the conversation.
        :param rule: The id of the rule to change.
        :param rules: The ids of all rules in their new order.
        :param enabled: Whether new conversations get an owner automatically.
        """
        return await self._run(UPDATE_ROUTING, (), {
            "do": do,
            "field": field,
            "value": value,
            "member": member,
            "rule": rule,
            "rules": rules,
            "enabled": enabled,
        }, how)

    async def apply_routing(
        self,
        *,
        rule: str | None | NotGiven = NOT_GIVEN,
        depth: Literal["all", "quarter", "month", "week"] | None | NotGiven = NOT_GIVEN,
        cursor: str | None | NotGiven = NOT_GIVEN,
        floor: str | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> RoutingRunResult:
        """Hand out conversations by the rules

        Assigns a batch of the conversations without an owner, even while routing is off. While `cursor` is not null, call again with it and `floor`, using a new key. Needs the scope `send`.

        :param rule: The id of the only rule to apply; by default all rules in order.
        :param depth: Which conversations to include, by their last message.

            - `all`: all conversations.
            - `quarter`: the last 90 days.
            - `month`: the last 30 days.
            - `week`: the last 7 days.
        :param cursor: The `cursor` of the previous answer, to continue.
        :param floor: The `floor` of the previous answer, to continue.
        """
        return await self._run(APPLY_ROUTING, (), {
            "rule": rule,
            "depth": depth,
            "cursor": cursor,
            "floor": floor,
        }, how)

    async def get_archive(
        self,
        **how: Unpack[CallOptions],
    ) -> Archive:
        """Read the state of the archive parse

        Needs the scope `inbox:read`.
        """
        return await self._run(GET_ARCHIVE, (), {}, how)

    async def update_archive(
        self,
        *,
        do: Literal["start", "decline"],
        since: str | None | NotGiven = NOT_GIVEN,
        channels: Sequence[str] | None | NotGiven = NOT_GIVEN,
        groups: bool | None | NotGiven = NOT_GIVEN,
        fresh: bool | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> Archive:
        """Parse the archive, or decline it

        Parses earlier correspondence. `start` also needs the scope `send`, because agents may write by themselves afterwards. Needs the scope `inbox:write`.

        :param do: The action.

            - `start`: parse the archive.
            - `decline`: do not parse it, or stop a running parse.
        :param since: Parse correspondence from this day on, as YYYY-MM-DD; by default everything.
        :param channels: The ids of the connections to parse; by default all that keep a history.
        :param groups: Whether to include messenger groups; by default false.
        :param fresh: Whether to parse for new products too; by default false.
        """
        return await self._run(UPDATE_ARCHIVE, (), {
            "do": do,
            "since": since,
            "channels": channels,
            "groups": groups,
            "fresh": fresh,
        }, how)

    def list_operations(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        state: Literal["accepted", "running", "waiting", "done", "failed", "cancelled"] | NotGiven = NOT_GIVEN,
        kind: str | NotGiven = NOT_GIVEN,
        from_: str | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> AsyncPages[OperationList, Operation]:
        """List operations

        What became of calls, newest first: those that still run, and those of the last 30 days (without an `Idempotency-Key`, of the last day). With `state` or `kind` a page may hold fewer entries than `limit`, or none, though `next` leads to more. Needs the scope `inbox:read`.

        :param cursor: The `next` of the previous answer, unchanged. Leave it out or empty for the first page.
        :param limit: The most entries that the answer may hold.
        :param state: Only operations in this state.

            - `accepted`: it is recorded and will be started.
            - `running`: it is being carried out.
            - `waiting`: it waits until a certain time, or for a person.
            - `done`: it was carried out.
            - `failed`: it could not be carried out.
            - `cancelled`: it was cancelled.
        :param kind: Only operations of this kind, such as `sendMessage` or `person.edited`, as `kind` shows it.
        :param from_: Only operations of calls that were accepted at this time or later.
        """
        return self._list(LIST_OPERATIONS, (), {
            "cursor": cursor,
            "limit": limit,
            "state": state,
            "kind": kind,
            "from": from_,
        }, how)

    async def get_operation(
        self,
        key: str,
        *,
        wait: int | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> Operation:
        """Read what became of a call

        The call is found by its `Idempotency-Key`, while it is being carried out and for 30 days afterwards. With `wait` the answer comes once the operation has ended, or after that time as it is then. At most 5 calls of a token wait at a time, here and for events. Needs the scope `inbox:read`.

        :param wait: For how many seconds to wait for the end of the operation.
        """
        return await self._run(GET_OPERATION, (key,), {
            "wait": wait,
        }, how)

    def list_events(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        kinds: Sequence[str] | NotGiven = NOT_GIVEN,
        from_: str | NotGiven = NOT_GIVEN,
        wait: int | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> AsyncPages[EventList, Event]:
        """List events

        What happened, oldest first, kept for 30 days. Keep `cursor`, and send it with the next call to get newer events. With `wait` the answer comes as soon as there is an event. At most 5 calls of a token wait at a time, here and for the end of an operation. Needs the scope `inbox:read`.

        :param cursor: The `next` of the previous answer, unchanged. Leave it out or empty for the first page.
        :param limit: The most entries that the answer may hold.
        :param kinds: Only events of these kinds, with commas between them, such as `message.received,touch.*`.
        :param from_: Where to begin: `now`, or the first event that was recorded at this time or later. A `cursor` goes before it.
        :param wait: For how many seconds to wait for an event if there is none.
        """
        return self._list(LIST_EVENTS, (), {
            "cursor": cursor,
            "limit": limit,
            "kinds": kinds,
            "from": from_,
            "wait": wait,
        }, how)

    async def create_webhook(
        self,
        *,
        url: str,
        kinds: Sequence[str] | None | NotGiven = NOT_GIVEN,
        enabled: bool | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> WebhookWithSecret:
        """Create a webhook

        Sends events to an address. The answer shows the secret with which they are signed, only this once. Needs the scope `inbox:write`.

        :param url: The http or https address to send events to.
        :param kinds: The kinds of events to send, such as `message.received`, or `message.*` for all of a group; an empty list means all.
        :param enabled: Whether events are sent; by default true.
        """
        return await self._run(CREATE_WEBHOOK, (), {
            "url": url,
            "kinds": kinds,
            "enabled": enabled,
        }, how)

    def list_webhooks(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> AsyncPages[WebhookList, Webhook]:
        """List webhooks

        Needs the scope `inbox:read`.

        :param cursor: Not needed: the first page has everything.
        :param limit: Checked, but without effect: this list answers everything at once.
        """
        return self._list(LIST_WEBHOOKS, (), {
            "cursor": cursor,
            "limit": limit,
        }, how)

    async def get_webhook(
        self,
        webhook_id: str,
        **how: Unpack[CallOptions],
    ) -> Webhook:
        """Read a webhook

        Needs the scope `inbox:read`.
        """
        return await self._run(GET_WEBHOOK, (webhook_id,), {}, how)

    async def update_webhook(
        self,
        webhook_id: str,
        *,
        url: str | None | NotGiven = NOT_GIVEN,
        kinds: Sequence[str] | None | NotGiven = NOT_GIVEN,
        enabled: bool | None | NotGiven = NOT_GIVEN,
        rotate: bool | None | NotGiven = NOT_GIVEN,
        **how: Unpack[ChangeOptions],
    ) -> WebhookWithSecret:
        """Edit a webhook

        With `rotate: true` it gets a new secret, which the answer shows only this once. Needs the scope `inbox:write`.

        :param url: The http or https address to send events to.
        :param kinds: The kinds of events to send, such as `message.received`, or `message.*` for all of a group; an empty list means all.
        :param enabled: Whether events are sent.
        :param rotate: True gives it a new secret; both secrets sign for a day.
        """
        return await self._run(UPDATE_WEBHOOK, (webhook_id,), {
            "url": url,
            "kinds": kinds,
            "enabled": enabled,
            "rotate": rotate,
        }, how)

    async def delete_webhook(
        self,
        webhook_id: str,
        **how: Unpack[ChangeOptions],
    ) -> Deleted:
        """Delete a webhook

        Nothing more is sent to its address, and its deliveries are deleted. Needs the scope `inbox:write`.
        """
        return await self._run(DELETE_WEBHOOK, (webhook_id,), {}, how)

    async def test_webhook(
        self,
        webhook_id: str,
        **how: Unpack[ChangeOptions],
    ) -> WebhookTest:
        """Send a test to a webhook

        Sends `webhook.test` to its address at once, signed like every event, also where it is disabled. At most six a minute in a workspace. Needs the scope `inbox:write`.
        """
        return await self._run(TEST_WEBHOOK, (webhook_id,), {}, how)

    def list_deliveries(
        self,
        webhook_id: str,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        **how: Unpack[CallOptions],
    ) -> AsyncPages[DeliveryList, Delivery]:
        """List the deliveries of a webhook

        The events that were sent and their outcome, newest first, kept for 30 days. Needs the scope `inbox:read`.

        :param cursor: The `next` of the previous answer, unchanged. Leave it out or empty for the first page.
        :param limit: The most entries that the answer may hold.
        """
        return self._list(LIST_DELIVERIES, (webhook_id,), {
            "cursor": cursor,
            "limit": limit,
        }, how)

    async def redeliver_delivery(
        self,
        webhook_id: str,
        delivery: str,
        **how: Unpack[ChangeOptions],
    ) -> Delivery:
        """Deliver an event again

        The event is sent again whatever the outcome so far. Needs the scope `inbox:write`.
        """
        return await self._run(REDELIVER_DELIVERY, (webhook_id, delivery,), {}, how)
