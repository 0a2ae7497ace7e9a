import type { Route } from '../route.ts'
import { routes as agents } from './agents.ts'
import { routes as archive } from './archive.ts'
import { routes as audit } from './audit.ts'
import { routes as billing } from './billing.ts'
import { routes as calendar } from './calendar.ts'
import { routes as campaignRun } from './campaign-run.ts'
import { routes as campaigns } from './campaigns.ts'
import { routes as channels } from './channels.ts'
import { routes as companies } from './companies.ts'
import { routes as conversationEdit } from './conversation-edit.ts'
import { routes as conversationNotes } from './conversation-notes.ts'
import { routes as conversationTasks } from './conversation-tasks.ts'
import { routes as conversations } from './conversations.ts'
import { routes as dashboard } from './dashboard.ts'
import { routes as deals } from './deals.ts'
import { routes as deliveries } from './deliveries.ts'
import { routes as events } from './events.ts'
import { routes as files } from './files.ts'
import { routes as finder } from './finder.ts'
import { routes as folders } from './folders.ts'
import { routes as house } from './house.ts'
import { routes as identity } from './identity.ts'
import { routes as labels } from './labels.ts'
import { routes as members } from './members.ts'
import { routes as messages } from './messages.ts'
import { routes as notifications } from './notifications.ts'
import { routes as operations } from './operations.ts'
import { routes as people } from './people.ts'
import { routes as peopleCreate } from './people-create.ts'
import { routes as peopleImport } from './people-import.ts'
import { routes as peopleSplit } from './people-split.ts'
import { routes as peopleTags } from './people-tags.ts'
import { routes as products } from './products.ts'
import { routes as proposals } from './proposals.ts'
import { routes as routing } from './routing.ts'
import { routes as segmentEdit } from './segment-edit.ts'
import { routes as segments } from './segments.ts'
import { routes as senders } from './senders.ts'
import { routes as suppressions } from './suppressions.ts'
import { routes as voices } from './voices.ts'
import { routes as webhooks } from './webhooks.ts'
import { routes as workspace } from './workspace.ts'

/** Every address of this service. What is not in this table is answered 404 no_such_route. */
export const routes: Route[] = [
  ...senders,
  ...calendar,
  ...campaignRun,
  ...campaigns,
  ...segments,
  ...segmentEdit,
  ...finder,
  ...proposals,
  ...identity,
  ...operations,
  ...agents,
  ...audit,
  ...channels,
  ...companies,
  ...conversations,
  ...conversationEdit,
  ...conversationTasks,
  ...messages,
  ...house,
  ...members,
  ...people,
  ...peopleCreate,
  ...peopleImport,
  ...peopleSplit,
  ...peopleTags,
  ...products,
  ...billing,
  ...conversationNotes,
  ...dashboard,
  ...deals,
  ...files,
  ...folders,
  ...labels,
  ...notifications,
  ...suppressions,
  ...voices,
  ...archive,
  ...routing,
  ...events,
  ...webhooks,
  ...deliveries,
  ...workspace,
]
