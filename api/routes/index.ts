// biome-ignore-all assist/source/organizeImports: the imports stand in the order of the interface, like the table.
import type { Route } from '../route.ts'

// Identity and workspace
import { routes as identity } from './workspace/workspace.ts'
import { conversationLabels, routes as labels } from './conversations/labels.ts'
import { routes as audit } from './events/audit.ts'
import { routes as channels } from './accounts/channels.ts'
import { routes as members } from './workspace/members.ts'

// Conversations
import { routes as conversations } from './conversations/conversations.ts'
import { routes as conversationEdit } from './conversations/edit.ts'
import { routes as conversationBulk } from './conversations/bulk.ts'
import { routes as conversationOpen } from './conversations/open.ts'
import { routes as messages } from './conversations/messages.ts'
import { routes as messageResolve } from './conversations/one-message.ts'
import { routes as tasks } from './conversations/tasks.ts'
import { routes as files } from './conversations/files.ts'
import { routes as search } from './conversations/search.ts'

// People
import { routes as people } from './people/people.ts'
import { routes as peopleTags } from './people/tags.ts'
import { routes as peopleCreate } from './people/create.ts'
import { routes as peopleErase } from './people/erase.ts'
import { routes as peopleExport } from './people/export.ts'
import { routes as peopleMerge } from './people/merge.ts'
import { routes as peopleBulk } from './people/bulk.ts'
import { routes as peopleImport } from './people/import.ts'

// Agents, products, companies, deals
import { routes as agents } from './workspace/agents.ts'
import { routes as products } from './workspace/products.ts'
import { routes as companies } from './workspace/companies.ts'
import { routes as deals } from './workspace/deals.ts'

// Segments
import { routes as segments } from './segments/segments.ts'
import { routes as proposals } from './segments/proposals.ts'
import { routes as finder } from './segments/finder.ts'

// Campaigns
import { routes as campaigns } from './campaigns/campaigns.ts'
import { routes as letters } from './campaigns/letters.ts'
import { routes as touches } from './campaigns/touches.ts'
import { routes as campaignPeople } from './campaigns/people.ts'

// Notifications, calendar, senders
import { routes as notifications } from './events/notifications.ts'
import { routes as calendar } from './calendar/calendar.ts'
import { routes as meetingMove } from './calendar/move.ts'
import { routes as invitationAnswer } from './calendar/invitation.ts'
import { routes as senders } from './accounts/senders.ts'
import { routes as suppressions } from './accounts/suppressions.ts'

// Routing and archive
import { routes as routing } from './conversations/routing.ts'
import { routes as archive } from './archive/archive.ts'

// Operations, events, webhooks
import { operationRoutes } from './operations/operations.ts'
import { routes as events } from './events/events.ts'
import { routes as webhooks } from './events/webhooks.ts'

/** Every address of this service. Anything that is not in this table is answered 404 no_such_route. */
export const routes: Route[] = [
  // Identity and workspace
  ...identity,
  ...labels,
  ...audit,
  ...channels,
  ...members,

  // Conversations
  ...conversations,
  ...conversationBulk,
  ...conversationOpen,
  ...conversationEdit,
  ...messages,
  ...messageResolve,
  ...conversationLabels,
  ...tasks,
  ...files,
  ...search,

  // People
  ...people,
  ...peopleTags,
  ...peopleCreate,
  ...peopleErase,
  ...peopleExport,
  ...peopleMerge,
  ...peopleBulk,
  ...peopleImport,

  // Agents, products, companies, deals
  ...agents,
  ...products,
  ...companies,
  ...deals,

  // Segments
  ...segments,
  ...proposals,
  ...finder,

  // Campaigns
  ...campaigns,
  ...letters,
  ...touches,
  ...campaignPeople,

  // Notifications, calendar, senders
  ...notifications,
  ...calendar,
  ...meetingMove,
  ...invitationAnswer,
  ...senders,
  ...suppressions,

  // Routing and archive
  ...routing,
  ...archive,

  // Operations, events, webhooks
  ...operationRoutes(() => routes),
  ...events,
  ...webhooks,
]
