// Made from the OpenAPI document of Postroom 0.4.0 by `npm run clients`: do not edit. One file, because it is one
// document.

import type { Call, CallOptions, ChangeOptions, Described, List } from '../types.ts'
import type {
  Agent,
  AgentList,
  AgentUpdate,
  Archive,
  ArchiveChange,
  AttachmentList,
  AuditEntryList,
  Billing,
  CalendarView,
  CampaignDetails,
  CampaignList,
  CampaignPersonList,
  CampaignStateChange,
  CampaignUpdate,
  ChangedCampaign,
  ChangedRouting,
  ChannelList,
  Company,
  CompanyList,
  CompanyUpdate,
  ConnectLink,
  ConversationBulkResults,
  ConversationBulkUpdate,
  ConversationCounts,
  ConversationDetails,
  ConversationList,
  ConversationUpdate,
  CountConversationsQuery,
  CreatedPerson,
  Dashboard,
  Deal,
  DealList,
  DealUpdate,
  Deleted,
  Delivery,
  DeliveryList,
  ErasedPerson,
  EventList,
  ExtendedSegment,
  FinderAdded,
  FinderAddition,
  FinderQuery,
  FinderResult,
  GetCalendarQuery,
  GetDashboardQuery,
  GetMessageHtmlQuery,
  GetOperationQuery,
  House,
  Identity,
  ImportAnswer,
  ImportedRowList,
  InvitationAnswer,
  JudgedSegment,
  LabelList,
  LabelledConversation,
  LetterPreparation,
  ListAgentsQuery,
  ListAttachmentsQuery,
  ListAuditEntriesQuery,
  ListCampaignPeopleQuery,
  ListCampaignsQuery,
  ListChannelsQuery,
  ListCompaniesQuery,
  ListConversationsQuery,
  ListDealsQuery,
  ListDeliveriesQuery,
  ListEventsQuery,
  ListImportedRowsQuery,
  ListLabelsQuery,
  ListMembersQuery,
  ListMessagesQuery,
  ListMessengerFoldersQuery,
  ListNotificationsQuery,
  ListOperationsQuery,
  ListPeopleQuery,
  ListProductsQuery,
  ListSegmentPeopleQuery,
  ListSegmentProposalsQuery,
  ListSegmentsQuery,
  ListSuppressionsQuery,
  ListTouchesQuery,
  ListVoicesQuery,
  ListWebhooksQuery,
  Meeting,
  MeetingMove,
  MeetingOrCheck,
  Member,
  MemberList,
  MemberUpdate,
  Message,
  MessageList,
  MessengerFolderList,
  MovedCampaign,
  NewCampaign,
  NewConversation,
  NewDeal,
  NewFile,
  NewLabel,
  NewMeeting,
  NewMessage,
  NewNote,
  NewPerson,
  NewSegment,
  NewSuppression,
  NewTag,
  NewTask,
  NewWebhook,
  Note,
  NotificationList,
  NotificationSelection,
  NotificationsRead,
  OpenedConversation,
  Operation,
  OperationList,
  PeopleBulk,
  PeopleBulkResults,
  PeopleImport,
  Person,
  PersonExport,
  PersonList,
  PersonMerge,
  PersonSplit,
  PersonUpdate,
  PreparedLetters,
  Product,
  ProductList,
  ProductUpdate,
  ProposalAnswer,
  ProposalList,
  QueuedMessage,
  Resolution,
  Routing,
  RoutingRun,
  RoutingRunResult,
  RoutingUpdate,
  SearchQuery,
  SearchResultList,
  SegmentAddition,
  SegmentDetails,
  SegmentList,
  SegmentMemberList,
  SegmentUpdate,
  SenderCheck,
  SendersHealth,
  Suppression,
  SuppressionList,
  Task,
  Touch,
  TouchList,
  TouchUpdate,
  UntagPersonQuery,
  UploadedFile,
  VoiceList,
  Webhook,
  WebhookList,
  WebhookTest,
  WebhookUpdate,
  WebhookWithSecret,
  Workspace,
  WorkspaceUpdate,
} from './schemas.ts'

export const operations: Record<keyof Operations, Described> = {
  getWorkspace: {"method":"GET","path":"/workspace"},
  updateWorkspace: {"method":"PATCH","path":"/workspace","takes":"body"},
  getIdentity: {"method":"GET","path":""},
  getHouseRules: {"method":"GET","path":"/house"},
  getBilling: {"method":"GET","path":"/billing"},
  getDashboard: {"method":"GET","path":"/dashboard","takes":"query"},
  listLabels: {"method":"GET","path":"/labels","takes":"query","items":"labels"},
  listAuditEntries: {"method":"GET","path":"/audit","takes":"query","items":"entries"},
  listChannels: {"method":"GET","path":"/channels","takes":"query","items":"channels"},
  createConnectLink: {"method":"POST","path":"/channels/{id}/connect"},
  listMessengerFolders: {"method":"GET","path":"/channels/messenger-folders","takes":"query","items":"folders"},
  listMembers: {"method":"GET","path":"/members","takes":"query","items":"members"},
  updateMember: {"method":"PATCH","path":"/members/{id}","takes":"body"},
  listConversations: {"method":"GET","path":"/conversations","takes":"query","items":"conversations"},
  openConversation: {"method":"POST","path":"/conversations","takes":"body"},
  countConversations: {"method":"GET","path":"/conversations/counts","takes":"query"},
  getConversation: {"method":"GET","path":"/conversations/{id}"},
  updateConversation: {"method":"PATCH","path":"/conversations/{id}","takes":"body"},
  listMessages: {"method":"GET","path":"/conversations/{id}/messages","takes":"query","items":"messages"},
  sendMessage: {"method":"POST","path":"/conversations/{id}/messages","takes":"body"},
  addNote: {"method":"POST","path":"/conversations/{id}/notes","takes":"body"},
  updateConversations: {"method":"POST","path":"/conversations/bulk","takes":"body"},
  getMessage: {"method":"GET","path":"/messages/{id}"},
  cancelMessage: {"method":"DELETE","path":"/messages/{id}"},
  resolveMessage: {"method":"POST","path":"/messages/{id}/resolve","takes":"body"},
  sendMessageAgain: {"method":"POST","path":"/messages/{id}/again"},
  getMessageHtml: {"method":"GET","path":"/messages/{id}/html","takes":"query","answers":"text"},
  addLabel: {"method":"POST","path":"/conversations/{id}/labels","takes":"body"},
  removeLabel: {"method":"DELETE","path":"/conversations/{id}/labels/{label}"},
  createTask: {"method":"POST","path":"/conversations/{id}/tasks","takes":"body"},
  uploadFile: {"method":"POST","path":"/files","takes":"body"},
  listAttachments: {"method":"GET","path":"/messages/{id}/files","takes":"query","items":"files"},
  downloadFile: {"method":"GET","path":"/files/{id}","answers":"blob"},
  search: {"method":"GET","path":"/search","takes":"query","items":"results"},
  listPeople: {"method":"GET","path":"/people","takes":"query","items":"people"},
  createPerson: {"method":"POST","path":"/people","takes":"body"},
  getPerson: {"method":"GET","path":"/people/{id}"},
  updatePerson: {"method":"PATCH","path":"/people/{id}","takes":"body"},
  erasePerson: {"method":"DELETE","path":"/people/{id}"},
  splitPerson: {"method":"POST","path":"/people/{id}/split","takes":"body"},
  tagPerson: {"method":"POST","path":"/people/{id}/tags","takes":"body"},
  untagPerson: {"method":"DELETE","path":"/people/{id}/tags","takes":"query"},
  exportPerson: {"method":"GET","path":"/people/{id}/export"},
  mergePeople: {"method":"POST","path":"/people/{id}/merge","takes":"body"},
  savePeople: {"method":"POST","path":"/people/bulk","takes":"body"},
  listImportedRows: {"method":"GET","path":"/people/import/{key}/rows","takes":"query","items":"rows"},
  importPeople: {"method":"POST","path":"/people/import","takes":"body"},
  listAgents: {"method":"GET","path":"/agents","takes":"query","items":"agents"},
  getAgent: {"method":"GET","path":"/agents/{id}"},
  updateAgent: {"method":"PATCH","path":"/agents/{id}","takes":"body"},
  listProducts: {"method":"GET","path":"/products","takes":"query","items":"products"},
  getProduct: {"method":"GET","path":"/products/{id}"},
  updateProduct: {"method":"PATCH","path":"/products/{id}","takes":"body"},
  listCompanies: {"method":"GET","path":"/companies","takes":"query","items":"companies"},
  getCompany: {"method":"GET","path":"/companies/{id}"},
  updateCompany: {"method":"PATCH","path":"/companies/{id}","takes":"body"},
  listDeals: {"method":"GET","path":"/deals","takes":"query","items":"deals"},
  createDeal: {"method":"POST","path":"/deals","takes":"body"},
  getDeal: {"method":"GET","path":"/deals/{id}"},
  updateDeal: {"method":"PATCH","path":"/deals/{id}","takes":"body"},
  listSegments: {"method":"GET","path":"/segments","takes":"query","items":"segments"},
  createSegment: {"method":"POST","path":"/segments","takes":"body"},
  getSegment: {"method":"GET","path":"/segments/{id}"},
  updateSegment: {"method":"PATCH","path":"/segments/{id}","takes":"body"},
  deleteSegment: {"method":"DELETE","path":"/segments/{id}"},
  listSegmentPeople: {"method":"GET","path":"/segments/{id}/people","takes":"query","items":"people"},
  addSegmentPeople: {"method":"POST","path":"/segments/{id}/people","takes":"body"},
  removeSegmentPerson: {"method":"DELETE","path":"/segments/{id}/people/{person}"},
  listSegmentProposals: {"method":"GET","path":"/segments/proposals","takes":"query","items":"proposals"},
  findPeople: {"method":"POST","path":"/segments/{id}/find","takes":"body"},
  addFoundPeople: {"method":"POST","path":"/segments/{id}/find/add","takes":"body"},
  listCampaigns: {"method":"GET","path":"/campaigns","takes":"query","items":"campaigns"},
  createCampaign: {"method":"POST","path":"/campaigns","takes":"body"},
  getCampaign: {"method":"GET","path":"/campaigns/{id}"},
  updateCampaign: {"method":"PATCH","path":"/campaigns/{id}","takes":"body"},
  deleteCampaign: {"method":"DELETE","path":"/campaigns/{id}"},
  setCampaignState: {"method":"POST","path":"/campaigns/{id}/state","takes":"body"},
  prepareLetters: {"method":"POST","path":"/campaigns/{id}/letters","takes":"body"},
  listTouches: {"method":"GET","path":"/campaigns/{id}/touches","takes":"query","items":"touches"},
  getTouch: {"method":"GET","path":"/campaigns/{id}/touches/{touch}"},
  updateTouch: {"method":"PATCH","path":"/campaigns/{id}/touches/{touch}","takes":"body"},
  resolveTouch: {"method":"POST","path":"/campaigns/{id}/touches/{touch}/resolve","takes":"body"},
  sendTouchAgain: {"method":"POST","path":"/campaigns/{id}/touches/{touch}/again"},
  listCampaignPeople: {"method":"GET","path":"/campaigns/{id}/people","takes":"query","items":"people"},
  listNotifications: {"method":"GET","path":"/notifications","takes":"query","items":"notifications"},
  markNotificationsRead: {"method":"POST","path":"/notifications/read","takes":"body"},
  getCalendar: {"method":"GET","path":"/calendar","takes":"query","items":"meetings"},
  getMeeting: {"method":"GET","path":"/calendar/meetings/{id}"},
  cancelMeeting: {"method":"DELETE","path":"/calendar/meetings/{id}"},
  bookMeeting: {"method":"POST","path":"/calendar/meetings","takes":"body"},
  moveMeeting: {"method":"POST","path":"/calendar/meetings/{id}/move","takes":"body"},
  answerMeetingProposal: {"method":"POST","path":"/calendar/meetings/{id}/proposals/{proposal}","takes":"body"},
  answerInvitation: {"method":"POST","path":"/messages/{id}/invitation","takes":"body"},
  getSendersHealth: {"method":"GET","path":"/senders/health"},
  checkSendersHealth: {"method":"POST","path":"/senders/health/check","takes":"body"},
  listVoices: {"method":"GET","path":"/senders/voices","takes":"query","items":"voices"},
  listSuppressions: {"method":"GET","path":"/suppressions","takes":"query","items":"suppressions"},
  createSuppression: {"method":"POST","path":"/suppressions","takes":"body"},
  getSuppression: {"method":"GET","path":"/suppressions/{id}"},
  deleteSuppression: {"method":"DELETE","path":"/suppressions/{id}"},
  getRouting: {"method":"GET","path":"/routing"},
  updateRouting: {"method":"POST","path":"/routing","takes":"body"},
  applyRouting: {"method":"POST","path":"/routing/apply","takes":"body"},
  getArchive: {"method":"GET","path":"/archive"},
  updateArchive: {"method":"POST","path":"/archive","takes":"body"},
  listOperations: {"method":"GET","path":"/operations","takes":"query","items":"operations"},
  getOperation: {"method":"GET","path":"/operations/{key}","takes":"query"},
  listEvents: {"method":"GET","path":"/events","takes":"query","items":"events","commas":["kinds"]},
  createWebhook: {"method":"POST","path":"/webhooks","takes":"body"},
  listWebhooks: {"method":"GET","path":"/webhooks","takes":"query","items":"webhooks"},
  getWebhook: {"method":"GET","path":"/webhooks/{id}"},
  updateWebhook: {"method":"PATCH","path":"/webhooks/{id}","takes":"body"},
  deleteWebhook: {"method":"DELETE","path":"/webhooks/{id}"},
  testWebhook: {"method":"POST","path":"/webhooks/{id}/test"},
  listDeliveries: {"method":"GET","path":"/webhooks/{id}/deliveries","takes":"query","items":"deliveries"},
  redeliverDelivery: {"method":"POST","path":"/webhooks/{id}/deliveries/{delivery}/redeliver"},
}

/** The operations of the API, each a method. */
export interface Operations {
  /**
   * Read the workspace
   *
   * Needs the scope `inbox:read`.
   */
  getWorkspace(options?: CallOptions): Call<Workspace>
  /**
   * Edit the workspace
   *
   * Sets the time zone by which days are counted, and whether correspondence is marked automatically. Needs the scope `inbox:write`.
   */
  updateWorkspace(body?: WorkspaceUpdate, options?: ChangeOptions): Call<Workspace>
  /**
   * Read the identity of the token
   *
   * Answers the workspace, the member and the application of the token, and its scopes. Needs any valid token.
   */
  getIdentity(options?: CallOptions): Call<Identity>
  /**
   * Read the house rules
   *
   * The rules for all agents of the workspace. Needs the scope `inbox:read`.
   */
  getHouseRules(options?: CallOptions): Call<House>
  /**
   * Read the subscription
   *
   * The subscription as the operator has recorded it, and the accounts it covers. Needs the scope `inbox:read`.
   */
  getBilling(options?: CallOptions): Call<Billing>
  /**
   * Read the dashboard
   *
   * The numbers of recent days, and the current totals. Needs the scope `inbox:read`.
   */
  getDashboard(query?: GetDashboardQuery, options?: CallOptions): Call<Dashboard>
  /**
   * List labels
   *
   * Product tags and conversation labels, each with its number of conversations. Needs the scope `inbox:read`.
   */
  listLabels(query?: ListLabelsQuery, options?: CallOptions): List<LabelList, LabelList["labels"][number]>
  /**
   * List audit entries
   *
   * Who created tokens, and what was changed with them, newest first. Needs the scope `inbox:read`.
   */
  listAuditEntries(query?: ListAuditEntriesQuery, options?: CallOptions): List<AuditEntryList, AuditEntryList["entries"][number]>
  /**
   * List connections
   *
   * The accounts of the workspace, and whether each of them works. Needs the scope `inbox:read`.
   */
  listChannels(query?: ListChannelsQuery, options?: CallOptions): List<ChannelList, ChannelList["channels"][number]>
  /**
   * Create a link for the consent of an owner
   *
   * Makes a link to a page on which the owner of an account that logs in by OAuth 2.0 agrees at its provider. The link works once, for a day. An account that needs no consent answers 409 `invalid_state`. Needs the scopes `inbox:write` and `send`.
   */
  createConnectLink(id: string, options?: ChangeOptions): Call<ConnectLink>
  /**
   * List the folders of messengers
   *
   * Each folder with its number of conversations. Needs the scope `inbox:read`.
   */
  listMessengerFolders(query?: ListMessengerFoldersQuery, options?: CallOptions): List<MessengerFolderList, MessengerFolderList["folders"][number]>
  /**
   * List members
   *
   * The people who work here, and what each of them told the agents about themselves. Needs the scope `inbox:read`.
   */
  listMembers(query?: ListMembersQuery, options?: CallOptions): List<MemberList, MemberList["members"][number]>
  /**
   * Edit a member
   *
   * If letters of a campaign are written with what this changes, their agreement is withdrawn. While such a campaign is running, the call also needs `campaigns:write`. Needs the scope `inbox:write`.
   */
  updateMember(id: string, body?: MemberUpdate, options?: ChangeOptions): Call<Member>
  /**
   * List conversations
   *
   * In order of their last message, newest first, or in that of `sort`. While others make changes, pages in this order may repeat or miss an item. With `updatedSince`, items are listed in the order of their last change (`updatedAt`, then `id`) and none is missed: an item that changes while you read appears again on a later page, or the next time you ask. Needs the scope `inbox:read`.
   */
  listConversations(query?: ListConversationsQuery, options?: CallOptions): List<ConversationList, ConversationList["conversations"][number]>
  /**
   * Open a conversation
   *
   * Queues a first message to a person, by id or by an address, in a conversation of its own. Exactly one of `person` and `to` is required, and at least one of `text` and `html`. An address that nobody has becomes a new person. Somebody who has unsubscribed may be written to by hand. Needs the scope `send`.
   */
  openConversation(body: NewConversation, options?: ChangeOptions): Call<OpenedConversation>
  /**
   * Count conversations
   *
   * How many conversations there are to be dealt with, with the filters of `GET /conversations`. All but `snoozed` count open ones. Needs the scope `inbox:read`.
   */
  countConversations(query?: CountConversationsQuery, options?: CallOptions): Call<ConversationCounts>
  /**
   * Read a conversation
   *
   * Answers the conversation with its notes and tasks. Needs the scope `inbox:read`.
   */
  getConversation(id: string, options?: CallOptions): Call<ConversationDetails>
  /**
   * Edit a conversation
   *
   * Snoozes it or wakes it up, closes or reopens it, gives it an owner, or records a meeting. All changes of one call are made together or not at all. Needs the scope `inbox:write`.
   */
  updateConversation(id: string, body?: ConversationUpdate, options?: ChangeOptions): Call<ConversationDetails>
  /**
   * List the messages of a conversation
   *
   * Newest first, including those that have not been sent yet. Needs the scope `inbox:read`.
   */
  listMessages(id: string, query?: ListMessagesQuery, options?: CallOptions): List<MessageList, MessageList["messages"][number]>
  /**
   * Send a message
   *
   * Queues a message to the client, to be sent at once or at a given time. At least one of `text` and `html` is required. Needs the scope `send`.
   */
  sendMessage(id: string, body: NewMessage, options?: ChangeOptions): Call<QueuedMessage>
  /**
   * Add a note to a conversation
   *
   * For the team; the client does not see it. Needs the scope `inbox:write`.
   */
  addNote(id: string, body: NewNote, options?: ChangeOptions): Call<Note>
  /**
   * Edit many conversations
   *
   * Makes one change in up to 500 conversations, each as `PATCH /conversations/{id}` and the calls for labels do, with the same events, in one transaction. One that is refused changes nothing and refuses no other. Needs the scope `inbox:write`.
   */
  updateConversations(body: ConversationBulkUpdate, options?: ChangeOptions): Call<ConversationBulkResults>
  /**
   * Read a message
   *
   * Needs the scope `inbox:read`.
   */
  getMessage(id: string, options?: CallOptions): Call<Message>
  /**
   * Cancel a queued message
   *
   * Needs the scope `send`.
   */
  cancelMessage(id: string, options?: ChangeOptions): Call<QueuedMessage>
  /**
   * Mark an unconfirmed message as sent, or send it again
   *
   * Only a letter that is `sending` with the reason `unconfirmed` can be resolved; any other is 409 `invalid_state`. Look in the Sent folder of the account or ask the recipient before you decide. Needs the scope `send`.
   */
  resolveMessage(id: string, body: Resolution, options?: ChangeOptions): Call<Message>
  /**
   * Send a failed message anew
   *
   * Queues a new message with the words, files and recipients of one that failed. Only a letter that is `failed` can be sent anew, and only once; any other is 409 `invalid_state`. Everything is checked as for a new letter: an address that must not be written to is 422 `recipient_suppressed`. A letter of a campaign is sent anew by POST /campaigns/{id}/touches/{touch}/again. Needs the scope `send`.
   */
  sendMessageAgain(id: string, options?: ChangeOptions): Call<QueuedMessage>
  /**
   * Read the HTML of a message
   *
   * As a page that is safe to show: without scripts, forms, frames and styles that load something, and under a `Content-Security-Policy` with `sandbox`. Inline images are part of it. It is 404 `not_found` where the message has no HTML, and 422 `unreadable_file` where the HTML is such that it cannot be made safe within a few seconds: the text says the same. Needs the scope `inbox:read`.
   */
  getMessageHtml(id: string, query?: GetMessageHtmlQuery, options?: CallOptions): Call<string>
  /**
   * Put a label on a conversation
   *
   * A name that is not in use yet creates a label. Needs the scope `inbox:write`.
   */
  addLabel(id: string, body: NewLabel, options?: ChangeOptions): Call<LabelledConversation>
  /**
   * Take a label off a conversation
   *
   * Removing a label that is not on it changes nothing. Needs the scope `inbox:write`.
   */
  removeLabel(id: string, label: string, options?: ChangeOptions): Call<LabelledConversation>
  /**
   * Give an agent a task
   *
   * With `due`, an agent writes to the client at that time, which also needs the scope `send`. Without it, the text is an instruction that agents follow in every later task and letter to the person. If letters of a campaign are written with what this changes, their agreement is withdrawn. While such a campaign is running, the call also needs `campaigns:write`. Needs the scope `inbox:write`.
   */
  createTask(id: string, body: NewTask, options?: ChangeOptions): Call<Task>
  /**
   * Upload a file
   *
   * For messages to attach by its id. It is deleted after a day unless a message has taken it. Needs the scope `inbox:write`.
   */
  uploadFile(body: NewFile, options?: ChangeOptions): Call<UploadedFile>
  /**
   * List the files of a message
   *
   * Inline images are among them. Needs the scope `inbox:read`.
   */
  listAttachments(id: string, query?: ListAttachmentsQuery, options?: CallOptions): List<AttachmentList, AttachmentList["files"][number]>
  /**
   * Read a file
   *
   * As bytes: the whole file or the requested range. The header `Content-ID` has the name by which the HTML of its message refers to it. Needs the scope `inbox:read`.
   */
  downloadFile(id: string, options?: CallOptions): Call<Blob>
  /**
   * Find messages, people and notes
   *
   * Finds words in messages as their writers wrote them (without what they quote), in subjects, notes, names, addresses and names of files. What a suspect message says is not searched. For one page so many texts are looked at: a page may have few results or none, and more are behind `next` until that is null. At most two searches of a workspace run at once; one that takes longer than half a second is refused with 503: ask for more words, or for less with the filters. Needs the scope `inbox:read`.
   */
  search(query: SearchQuery, options?: CallOptions): List<SearchResultList, SearchResultList["results"][number]>
  /**
   * List people
   *
   * In order of name, those without a name first. While others make changes, pages in this order may repeat or miss an item. With `updatedSince`, items are listed in the order of their last change (`updatedAt`, then `id`) and none is missed: an item that changes while you read appears again on a later page, or the next time you ask. Needs the scope `inbox:read`.
   */
  listPeople(query?: ListPeopleQuery, options?: CallOptions): List<PersonList, PersonList["people"][number]>
  /**
   * Create a person
   *
   * If an address is already known, that person is completed instead. If the `externalId` is known, the given members replace those of that person, and given addresses come first. At least one of `email`, `emails`, `phone`, `phones`, `linkedin` and `externalId` is required. Needs the scope `inbox:write`.
   */
  createPerson(body: NewPerson, options?: ChangeOptions): Call<CreatedPerson>
  /**
   * Read a person
   *
   * Wherever the id of a person is taken, in paths, queries and bodies, `ext:` and their `externalId` is taken too: `/people/ext:crm-4711`. The id of a card that has become part of another one answers that one. Needs the scope `inbox:read`.
   */
  getPerson(id: string, options?: CallOptions): Call<Person>
  /**
   * Edit a person
   *
   * `emails` and `phones` replace what the card has; opt-outs stay with the person. `held` holds the letters of all campaigns to the person, `until` a given time or until `null` releases them. Messages and replies are sent all the same. Needs the scope `inbox:write`.
   */
  updatePerson(id: string, body?: PersonUpdate, options?: ChangeOptions): Call<Person>
  /**
   * Erase a person
   *
   * Erases a person for good, such as for a request under Article 17 of the GDPR. What is queued for them ends, and the card is gone at once; the operation then erases what they have said and were told, and every place that names them. Ids, times, states and counts stay. Of each address a keyed hash is kept: campaigns never write to it again, an import answers its row `erased`, and creating the person again is refused. Needs the scopes `inbox:write` and `send`.
   */
  erasePerson(id: string, options?: ChangeOptions): Call<ErasedPerson>
  /**
   * Split a card in two
   *
   * For two people who have become one card: moves the given addresses to a new card, and answers that card. Conversations that were held only with these addresses move too, and so do campaigns whose letters went to them; everything else stays. Needs the scope `inbox:write`.
   */
  splitPerson(id: string, body: PersonSplit, options?: ChangeOptions): Call<Person>
  /**
   * Tag a person
   *
   * Tags a person with a product and a side. A tag that was removed is restored. Needs the scope `inbox:write`.
   */
  tagPerson(id: string, body: NewTag, options?: ChangeOptions): Call<Person>
  /**
   * Remove a tag from a person
   *
   * The tag stays on record as removed. The address or the body names the tag. Needs the scope `inbox:write`.
   */
  untagPerson(id: string, query?: UntagPersonQuery, options?: ChangeOptions): Call<Person>
  /**
   * Read everything about a person
   *
   * Answers everything that is held about a person, such as for a request under Article 15 of the GDPR. It is written while it is read, and may be long: an answer that breaks off is no valid JSON. What changes meanwhile may be in it or not. Needs the scope `inbox:read`.
   */
  exportPerson(id: string, options?: CallOptions): Call<PersonExport>
  /**
   * Merge cards into one
   *
   * For one person who has several cards: everything that hangs on the others hangs on this one from now on, and this one gets what it does not have itself. What forbids letters to one of them forbids them to the person. The ids of the others lead to this card: `GET /people/{id}` answers it with `mergedInto`, and their changes are refused with 409 `merged`. Needs the scope `inbox:write`.
   */
  mergePeople(id: string, body: PersonMerge, options?: ChangeOptions): Call<Person>
  /**
   * Create or complete many people
   *
   * Takes up to 500 people as `POST /people` does, in their order, and writes them all in one transaction. A person who is refused changes nothing and refuses nobody else. The card is found by `into`, by `externalId` and by the addresses; people of the same call can be one. Needs the scope `inbox:write`.
   */
  savePeople(body: PeopleBulk, options?: ChangeOptions): Call<PeopleBulkResults>
  /**
   * List the rows of an import
   *
   * Answers what became of each row. Rows appear in order as they are imported, and are kept as long as the operation. Beyond the first thousand problems, `errors` is empty even for refused rows. Needs the scope `inbox:read`.
   */
  listImportedRows(key: string, query?: ListImportedRowsQuery, options?: CallOptions): List<ImportedRowList, ImportedRowList["rows"][number]>
  /**
   * Import people from a file
   *
   * Reads CSV, XLSX and visiting cards (vCard). A person is found by `externalId`, otherwise by address. A column that means nothing else becomes a field of your own, `fields.<heading>`; one that says who must not be written to suppresses them. Without `commit`, the answer is a plan of what would happen, and no key is needed. With `commit: true`, the people are written. Needs the scope `inbox:write`.
   */
  importPeople(body: PeopleImport, options?: ChangeOptions): Call<ImportAnswer>
  /**
   * List agents
   *
   * Needs the scope `inbox:read`.
   */
  listAgents(query?: ListAgentsQuery, options?: CallOptions): List<AgentList, AgentList["agents"][number]>
  /**
   * Read an agent
   *
   * Needs the scope `inbox:read`.
   */
  getAgent(id: string, options?: CallOptions): Call<Agent>
  /**
   * Edit an agent
   *
   * If letters of a campaign are written with what this changes, their agreement is withdrawn. While such a campaign is running, the call also needs `campaigns:write`. The same applies to enabling an agent. Needs the scope `inbox:write`.
   */
  updateAgent(id: string, body?: AgentUpdate, options?: ChangeOptions): Call<Agent>
  /**
   * List products
   *
   * Needs the scope `inbox:read`.
   */
  listProducts(query?: ListProductsQuery, options?: CallOptions): List<ProductList, ProductList["products"][number]>
  /**
   * Read a product
   *
   * Needs the scope `inbox:read`.
   */
  getProduct(id: string, options?: CallOptions): Call<Product>
  /**
   * Edit a product
   *
   * If letters of a campaign are written with what this changes, their agreement is withdrawn. While such a campaign is running, the call also needs `campaigns:write`. Needs the scope `inbox:write`.
   */
  updateProduct(id: string, body?: ProductUpdate, options?: ChangeOptions): Call<Product>
  /**
   * List companies
   *
   * Needs the scope `inbox:read`.
   */
  listCompanies(query?: ListCompaniesQuery, options?: CallOptions): List<CompanyList, CompanyList["companies"][number]>
  /**
   * Read a company
   *
   * Needs the scope `inbox:read`.
   */
  getCompany(id: string, options?: CallOptions): Call<Company>
  /**
   * Edit a company
   *
   * If letters of a campaign are written with what this changes, their agreement is withdrawn. While such a campaign is running, the call also needs `campaigns:write`. Needs the scope `inbox:write`.
   */
  updateCompany(id: string, body?: CompanyUpdate, options?: ChangeOptions): Call<Company>
  /**
   * List deals
   *
   * Newest first. Needs the scope `inbox:read`.
   */
  listDeals(query?: ListDealsQuery, options?: CallOptions): List<DealList, DealList["deals"][number]>
  /**
   * Create a deal
   *
   * Joins a product, a seller, a buyer and the agent that leads both sides. Needs the scope `inbox:write`.
   */
  createDeal(body: NewDeal, options?: ChangeOptions): Call<Deal>
  /**
   * Read a deal
   *
   * Needs the scope `inbox:read`.
   */
  getDeal(id: string, options?: CallOptions): Call<Deal>
  /**
   * Edit a deal
   *
   * Moves it to another stage, closes it or reopens it. Each call takes either `stage` or `closed`. Needs the scope `inbox:write`.
   */
  updateDeal(id: string, body: DealUpdate, options?: ChangeOptions): Call<Deal>
  /**
   * List segments
   *
   * Newest first, drafts included. Needs the scope `inbox:read`.
   */
  listSegments(query?: ListSegmentsQuery, options?: CallOptions): List<SegmentList, SegmentList["segments"][number]>
  /**
   * Create a segment, or judge it further
   *
   * Judges as many people as possible within a few seconds. While `remaining` is not 0, call again with `segment`, the same `query`, if any, and a new key. With another query or other rules, everybody is judged again. Needs the scope `campaigns:write`.
   */
  createSegment(body?: NewSegment, options?: ChangeOptions): Call<JudgedSegment>
  /**
   * Read a segment
   *
   * Answers the segment with its campaigns. Needs the scope `inbox:read`.
   */
  getSegment(id: string, options?: CallOptions): Call<SegmentDetails>
  /**
   * Edit a segment
   *
   * Renames it, saves a draft, turns refill on or off, or replaces a saved segment with a draft. Needs the scope `campaigns:write`.
   */
  updateSegment(id: string, body?: SegmentUpdate, options?: ChangeOptions): Call<SegmentDetails>
  /**
   * Delete a segment
   *
   * Its people stay in the contacts. Needs the scope `campaigns:write`.
   */
  deleteSegment(id: string, options?: ChangeOptions): Call<Deleted>
  /**
   * List the people of a segment
   *
   * In order of name, each with a verdict. Needs the scope `inbox:read`.
   */
  listSegmentPeople(id: string, query?: ListSegmentPeopleQuery, options?: CallOptions): List<SegmentMemberList, SegmentMemberList["people"][number]>
  /**
   * Add people to a segment
   *
   * They belong to it from now on, whatever its rules say. Needs the scope `campaigns:write`.
   */
  addSegmentPeople(id: string, body: SegmentAddition, options?: ChangeOptions): Call<ExtendedSegment>
  /**
   * Take a person out of a segment
   *
   * They stay out, whatever is judged later, until they are added by hand. Their letters that have not gone yet end: `failed`, with the reason `left_segment`. Needs the scope `campaigns:write`.
   */
  removeSegmentPerson(id: string, person: string, options?: ChangeOptions): Call<SegmentDetails>
  /**
   * List proposals for segments
   *
   * Create one with `POST /segments`, using its `query` and `name`. Needs the scope `inbox:read`.
   */
  listSegmentProposals(query?: ListSegmentProposalsQuery, options?: CallOptions): List<ProposalList, ProposalList["proposals"][number]>
  /**
   * Find people beyond the contacts
   *
   * Counts them without adding anybody. Needs the scope `campaigns:write`.
   */
  findPeople(id: string, body?: FinderQuery, options?: ChangeOptions): Call<FinderResult>
  /**
   * Add found people to a segment
   *
   * They become contacts too; people who are known by an address are completed, not added again. While `run` is not null, call again with it, using a new key. Needs the scope `campaigns:write`.
   */
  addFoundPeople(id: string, body?: FinderAddition, options?: ChangeOptions): Call<FinderAdded>
  /**
   * List campaigns
   *
   * Newest first. Needs the scope `inbox:read`.
   */
  listCampaigns(query?: ListCampaignsQuery, options?: CallOptions): List<CampaignList, CampaignList["campaigns"][number]>
  /**
   * Create a campaign
   *
   * It starts as a draft, which writes to nobody. Needs the scope `campaigns:write`.
   */
  createCampaign(body?: NewCampaign, options?: ChangeOptions): Call<ChangedCampaign>
  /**
   * Read a campaign
   *
   * Answers the campaign with its letters, its numbers, and what holds it up. Needs the scope `inbox:read`.
   */
  getCampaign(id: string, options?: CallOptions): Call<CampaignDetails>
  /**
   * Edit a campaign
   *
   * Applies to letters that are not written yet. A change of goal, agent, rules or materials withdraws the agreement to its letters. `places` and `waitDays` can be changed only in a draft or while paused, and apply to letters that are not planned yet: the letter after one is planned when that one is sent. Needs the scope `campaigns:write`.
   */
  updateCampaign(id: string, body?: CampaignUpdate, options?: ChangeOptions): Call<ChangedCampaign>
  /**
   * Delete a campaign
   *
   * Only a draft can be deleted. Needs the scope `campaigns:write`.
   */
  deleteCampaign(id: string, options?: ChangeOptions): Call<Deleted>
  /**
   * Start, pause, resume or end a campaign
   *
   * Takes effect once it is answered: after a pause or an end, no further letter is started. `running` also needs the scope `send`. Needs the scope `campaigns:write`.
   */
  setCampaignState(id: string, body: CampaignStateChange, options?: ChangeOptions): Call<MovedCampaign>
  /**
   * Write and agree letters
   *
   * Takes templates for places, writes the example letters of those and of the places in `write`, and agrees the places in `agree`; without any of them, it only answers the letters. Letters of a place are sent only once the place is agreed. `preview` shows one letter and keeps nothing, so that it needs no key; `test` sends one letter to a member and also needs the scope `send`. Needs the scope `campaigns:write`.
   */
  prepareLetters(id: string, body?: LetterPreparation, options?: ChangeOptions): Call<PreparedLetters>
  /**
   * List the touches of a campaign
   *
   * A touch is one letter to one person: this is the queue and the log of the campaign. Needs the scope `inbox:read`.
   */
  listTouches(id: string, query?: ListTouchesQuery, options?: CallOptions): List<TouchList, TouchList["touches"][number]>
  /**
   * Read a touch of a campaign
   *
   * One letter to one person, as the list shows it. Needs the scope `inbox:read`.
   */
  getTouch(id: string, touch: string, options?: CallOptions): Call<Touch>
  /**
   * Edit one letter before it goes
   *
   * Gives one person a letter in your own words, skips it, or agrees to it. Only a letter that is `queued` or in `review` can be edited. Own words stay as they are, whatever is written anew later; the unsubscribe line is added when the letter is sent. A letter in review goes once its place is agreed, or this letter with `agreed`. Needs the scope `campaigns:write`.
   */
  updateTouch(id: string, touch: string, body?: TouchUpdate, options?: ChangeOptions): Call<Touch>
  /**
   * Mark an unconfirmed touch as sent, or send it again
   *
   * Only a letter that is `sending` with the reason `unconfirmed` can be resolved; any other is 409 `invalid_state`. Look in the Sent folder of the account or ask the recipient before you decide. A letter of a campaign that is done is not sent again: it fails with the reason `done`. Needs the scopes `send` and `campaigns:write`.
   */
  resolveTouch(id: string, touch: string, body: Resolution, options?: ChangeOptions): Call<Touch>
  /**
   * Send a failed touch anew
   *
   * Queues a new letter with the words of one that the server refused or that came back, at its place; the later ones follow it. Only a letter that is `failed` can be sent anew, and only once; any other is 409 `invalid_state`. Everything is checked as for a new letter: an address that must not be written to is 422 `recipient_suppressed`. The campaign must be running or paused. Needs the scopes `send` and `campaigns:write`.
   */
  sendTouchAgain(id: string, touch: string, options?: ChangeOptions): Call<Touch>
  /**
   * List the people of a campaign by outcome
   *
   * With `outcome`, everybody of whom it is true: somebody who is interested has also replied, and was sent a letter. Without it, everybody who has a letter of the campaign, once, with what went furthest. In a very large campaign a page may hold fewer people than `limit`: read on until `next` is null. Needs the scope `inbox:read`.
   */
  listCampaignPeople(id: string, query?: ListCampaignPeopleQuery, options?: CallOptions): List<CampaignPersonList, CampaignPersonList["people"][number]>
  /**
   * List your notifications
   *
   * The notifications of the member to whom the token belongs, newest first. Needs the scope `inbox:read`.
   */
  listNotifications(query?: ListNotificationsQuery, options?: CallOptions): List<NotificationList, NotificationList["notifications"][number]>
  /**
   * Mark notifications as read
   *
   * Marks the given notifications, or all. Needs the scope `inbox:write`.
   */
  markNotificationsRead(body?: NotificationSelection, options?: ChangeOptions): Call<NotificationsRead>
  /**
   * List calendars and meetings
   *
   * Answers all calendars, and the meetings of a period. Needs the scope `inbox:read`.
   */
  getCalendar(query?: GetCalendarQuery, options?: CallOptions): List<CalendarView, CalendarView["meetings"][number]>
  /**
   * Read a meeting
   *
   * Also one that was cancelled. Needs the scope `inbox:read`.
   */
  getMeeting(id: string, options?: CallOptions): Call<Meeting>
  /**
   * Cancel a meeting
   *
   * Only meetings booked here can be cancelled; their guests are told so. Cancelling a meeting again changes nothing. Needs the scope `send`.
   */
  cancelMeeting(id: string, options?: ChangeOptions): Call<Meeting>
  /**
   * Book a meeting
   *
   * Invites the guests by mail. With `check: true` nothing is booked, the answer shows what would happen, and the scope `inbox:read` is enough. Needs the scope `send`.
   */
  bookMeeting(body: NewMeeting, options?: ChangeOptions): Call<MeetingOrCheck>
  /**
   * Put a meeting at another time
   *
   * Tells its guests the new time by mail; their answers to the former one count no more. Only meetings booked here can be moved. With `check: true` nothing is moved, the answer shows what would happen, and the scope `inbox:read` is enough. Needs the scope `send`.
   */
  moveMeeting(id: string, body: MeetingMove, options?: ChangeOptions): Call<MeetingOrCheck>
  /**
   * Take or decline another time that a guest proposes
   *
   * Accepting moves the meeting to that time and tells all its guests; declining tells the guest who proposed it that the meeting stays when it is. Needs the scope `send`.
   */
  answerMeetingProposal(id: string, proposal: string, body: ProposalAnswer, options?: ChangeOptions): Call<Meeting>
  /**
   * Send the answer to an invitation
   *
   * Sends the answer to the organizer, for them and for their calendar program, as a message of the conversation. Accepted or tentative, the meeting is put into the calendar of the member whose account was invited; declined, it is taken out. It is 404 `not_found` where the message has no invitation. Needs the scope `send`.
   */
  answerInvitation(id: string, body: InvitationAnswer, options?: ChangeOptions): Call<Message>
  /**
   * Read the health of the sending accounts
   *
   * Health, limits and use of each account that sends. Needs the scope `inbox:read`.
   */
  getSendersHealth(options?: CallOptions): Call<SendersHealth>
  /**
   * Check the health of sending accounts
   *
   * Checks one account or all, and answers once that is done. Needs the scope `inbox:write`.
   */
  checkSendersHealth(body?: SenderCheck, options?: ChangeOptions): Call<SendersHealth>
  /**
   * List voices
   *
   * A voice is a mailbox with the member in whose name its letters are written, and how that member signs. Needs the scope `inbox:read`.
   */
  listVoices(query?: ListVoicesQuery, options?: CallOptions): List<VoiceList, VoiceList["voices"][number]>
  /**
   * List suppressed addresses
   *
   * One entry for each address and reason, newest first. `unsubscribe` stops campaigns only; the other reasons block replies too. Needs the scope `inbox:read`.
   */
  listSuppressions(query?: ListSuppressionsQuery, options?: CallOptions): List<SuppressionList, SuppressionList["suppressions"][number]>
  /**
   * Suppress an address
   *
   * Nothing more is written to it. An address that is already suppressed stays unchanged. Needs the scope `inbox:write`.
   */
  createSuppression(body: NewSuppression, options?: ChangeOptions): Call<Suppression>
  /**
   * Read a suppression
   *
   * One entry, as the list shows it. Needs the scope `inbox:read`.
   */
  getSuppression(id: string, options?: CallOptions): Call<Suppression>
  /**
   * Lift a suppression
   *
   * The address may be written to again, unless another entry forbids it. Needs the scope `send`.
   */
  deleteSuppression(id: string, options?: ChangeOptions): Call<Deleted>
  /**
   * Read the routing rules
   *
   * The rules that give new conversations an owner. Needs the scope `inbox:read`.
   */
  getRouting(options?: CallOptions): Call<Routing>
  /**
   * Edit the routing rules
   *
   * `do` names the action, which determines the other members. Needs the scope `inbox:write`.
   */
  updateRouting(body: RoutingUpdate, options?: ChangeOptions): Call<ChangedRouting>
  /**
   * Hand out conversations by the rules
   *
   * Assigns a batch of the conversations without an owner, even while routing is off. While `cursor` is not null, call again with it and `floor`, using a new key. Needs the scope `send`.
   */
  applyRouting(body?: RoutingRun, options?: ChangeOptions): Call<RoutingRunResult>
  /**
   * Read the state of the archive parse
   *
   * Needs the scope `inbox:read`.
   */
  getArchive(options?: CallOptions): Call<Archive>
  /**
   * Parse the archive, or decline it
   *
   * Parses earlier correspondence. `start` also needs the scope `send`, because agents may write by themselves afterwards. Needs the scope `inbox:write`.
   */
  updateArchive(body: ArchiveChange, options?: ChangeOptions): Call<Archive>
  /**
   * List operations
   *
   * What became of calls, newest first: those that still run, and those of the last 30 days (without an `Idempotency-Key`, of the last day). With `state` or `kind` a page may hold fewer entries than `limit`, or none, though `next` leads to more. Needs the scope `inbox:read`.
   */
  listOperations(query?: ListOperationsQuery, options?: CallOptions): List<OperationList, OperationList["operations"][number]>
  /**
   * Read what became of a call
   *
   * The call is found by its `Idempotency-Key`, while it is being carried out and for 30 days afterwards. With `wait` the answer comes once the operation has ended, or after that time as it is then. At most 5 calls of a token wait at a time, here and for events. Needs the scope `inbox:read`.
   */
  getOperation(key: string, query?: GetOperationQuery, options?: CallOptions): Call<Operation>
  /**
   * List events
   *
   * What happened, oldest first, kept for 30 days. Keep `cursor`, and send it with the next call to get newer events. With `wait` the answer comes as soon as there is an event. At most 5 calls of a token wait at a time, here and for the end of an operation. Needs the scope `inbox:read`.
   */
  listEvents(query?: ListEventsQuery, options?: CallOptions): List<EventList, EventList["events"][number]>
  /**
   * Create a webhook
   *
   * Sends events to an address. The answer shows the secret with which they are signed, only this once. Needs the scope `inbox:write`.
   */
  createWebhook(body: NewWebhook, options?: ChangeOptions): Call<WebhookWithSecret>
  /**
   * List webhooks
   *
   * Needs the scope `inbox:read`.
   */
  listWebhooks(query?: ListWebhooksQuery, options?: CallOptions): List<WebhookList, WebhookList["webhooks"][number]>
  /**
   * Read a webhook
   *
   * Needs the scope `inbox:read`.
   */
  getWebhook(id: string, options?: CallOptions): Call<Webhook>
  /**
   * Edit a webhook
   *
   * With `rotate: true` it gets a new secret, which the answer shows only this once. Needs the scope `inbox:write`.
   */
  updateWebhook(id: string, body?: WebhookUpdate, options?: ChangeOptions): Call<WebhookWithSecret>
  /**
   * Delete a webhook
   *
   * Nothing more is sent to its address, and its deliveries are deleted. Needs the scope `inbox:write`.
   */
  deleteWebhook(id: string, options?: ChangeOptions): Call<Deleted>
  /**
   * Send a test to a webhook
   *
   * Sends `webhook.test` to its address at once, signed like every event, also where it is disabled. At most six a minute in a workspace. Needs the scope `inbox:write`.
   */
  testWebhook(id: string, options?: ChangeOptions): Call<WebhookTest>
  /**
   * List the deliveries of a webhook
   *
   * The events that were sent and their outcome, newest first, kept for 30 days. Needs the scope `inbox:read`.
   */
  listDeliveries(id: string, query?: ListDeliveriesQuery, options?: CallOptions): List<DeliveryList, DeliveryList["deliveries"][number]>
  /**
   * Deliver an event again
   *
   * The event is sent again whatever the outcome so far. Needs the scope `inbox:write`.
   */
  redeliverDelivery(id: string, delivery: string, options?: ChangeOptions): Call<Delivery>
}
