import { accessWeb } from '#features/access/web/index.ts'
import { announcementsWeb } from '#features/announcements/web/index.ts'
import { apiDocsWeb } from '#features/api-docs/web/index.ts'
import { apiServiceWeb } from '#features/api-service/web/index.ts'
import { assistantsWeb, loadAssistants, loadTranscript } from '#features/assistants/web/index.ts'
import { attendanceWeb } from '#features/attendance/web/index.ts'
import { auditWeb } from '#features/audit/web/index.ts'
import { authWeb } from '#features/auth/web/index.ts'
import { billingWeb } from '#features/billing/web/index.ts'
import { birthdaysWeb } from '#features/birthdays/web/index.ts'
import { bulkWeb } from '#features/bulk/web/index.ts'
import { calendarWeb } from '#features/calendar/web/index.ts'
import { campaignsWeb } from '#features/campaigns/web/index.ts'
import { catalogWeb } from '#features/catalog/web/index.ts'
import { companyChannelsWeb } from '#features/company-channels/web/index.ts'
import { connectionsWeb, registerProviderTabs } from '#features/connections/web/index.ts'
import { consentsTab } from '#features/consents/web/index.ts'
import { contactScreens, contactsWeb, registerContactTabs } from '#features/contacts/web/index.ts'
import { dashboardWeb } from '#features/dashboard/web/index.ts'
import { flowScreens, flowsWeb } from '#features/flows/web/index.ts'
import { funnelWeb, loadOpportunities } from '#features/funnel/web/index.ts'
import { groupToolsWeb } from '#features/group-tools/web/index.ts'
import { guideWeb } from '#features/guide/web/index.ts'
import { loadMaintenance } from '#features/history/web/index.ts'
import { hoursWeb } from '#features/hours/web/index.ts'
import { identityProviderWeb } from '#features/identity-provider/web/index.ts'
import { journalWeb } from '#features/journal/web/index.ts'
import { kanbanWeb } from '#features/kanban/web/index.ts'
import { labWeb } from '#features/lab/web/index.ts'
import { macrosWeb } from '#features/macros/web/index.ts'
import { mailWeb } from '#features/mail/web/index.ts'
import { loadTemplatesTab, templateScreens } from '#features/message-templates/web/index.ts'
import { registerContactScreens } from '#features/messages/web/registries/contact-screens.ts'
import { registerFlowScreens } from '#features/messages/web/registries/flow-screens.ts'
import { registerTemplateScreens } from '#features/messages/web/registries/template-screens.ts'
import { notesWeb } from '#features/notes/web/index.ts'
import { operationWeb } from '#features/operation/web/index.ts'
import { privateChatWeb } from '#features/private-chat/web/index.ts'
import { profileWeb } from '#features/profile/web/index.ts'
import { loadNumbersTab } from '#features/provider-numbers/web/index.ts'
import { loadSignupTab } from '#features/provider-signup/web/index.ts'
import { pushWeb } from '#features/push/web/index.ts'
import { queuesWeb } from '#features/queues/web/index.ts'
import { ratingsWeb } from '#features/ratings/web/index.ts'
import { reportsWeb } from '#features/reports/web/index.ts'
import { rulesWeb } from '#features/rules/web/index.ts'
import { schedulesWeb } from '#features/schedules/web/index.ts'
import { registerMaintenance, settingsWeb } from '#features/settings/web/index.ts'
import { signupWeb } from '#features/signup/web/index.ts'
import { slaWeb } from '#features/sla/web/index.ts'
import { subscriptionWeb } from '#features/subscription/web/index.ts'
import { tasksWeb } from '#features/tasks/web/index.ts'
import { teamsWeb } from '#features/teams/web/index.ts'
import { tenantsWeb } from '#features/tenants/web/index.ts'
import { tutorialsWeb } from '#features/tutorials/web/index.ts'
import { usersWeb } from '#features/users/web/index.ts'
import { variablesWeb } from '#features/variables/web/index.ts'
import { voiceWeb } from '#features/voice/web/index.ts'
import { webchatWeb } from '#features/webchat/web/index.ts'
import { webhookEndpointsWeb } from '#features/webhook-endpoints/web/index.ts'
import { addChoices } from './choices.ts'
import { listScreens, type Screen, type WebFeature } from './shell/screens.ts'

/** Every feature with screens, one line each; the only place in `web` that names features. */
const features: readonly WebFeature[] = [
  dashboardWeb,
  reportsWeb,
  contactsWeb,
  usersWeb,
  profileWeb,
  teamsWeb,
  queuesWeb,
  catalogWeb,
  variablesWeb,
  tutorialsWeb,
  funnelWeb,
  calendarWeb,
  kanbanWeb,
  birthdaysWeb,
  tasksWeb,
  campaignsWeb,
  groupToolsWeb,
  connectionsWeb,
  attendanceWeb,
  privateChatWeb,
  macrosWeb,
  schedulesWeb,
  notesWeb,
  bulkWeb,
  pushWeb,
  labWeb,
  webchatWeb,
  voiceWeb,
  webhookEndpointsWeb,
  apiServiceWeb,
  flowsWeb,
  assistantsWeb,
  rulesWeb,
  slaWeb,
  hoursWeb,
  ratingsWeb,
  settingsWeb,
  guideWeb,
  accessWeb,
  auditWeb,
  journalWeb,
  tenantsWeb,
  subscriptionWeb,
  companyChannelsWeb,
  operationWeb,
  announcementsWeb,
  signupWeb,
  billingWeb,
  mailWeb,
  identityProviderWeb,
  authWeb,
  apiDocsWeb,
]

registerContactScreens({ ...contactScreens, loadOpportunities })
registerContactTabs([consentsTab])
registerFlowScreens({ ...flowScreens, loadAssistants, loadTranscript })
registerTemplateScreens(templateScreens)
registerProviderTabs([loadSignupTab, loadTemplatesTab, loadNumbersTab])
registerMaintenance(loadMaintenance)
for (const { choices } of features) addChoices(choices)

/** Every screen of the product. */
export const screens: readonly Screen[] = listScreens(features.flatMap((feature) => feature.screens))

/** Loads the panel of the bell. */
export const loadBell = features.find(({ bell }) => bell)?.bell

/** Loads the dialog of “Tutoriais”. */
export const loadTutorials = features.find(({ tutorials }) => tutorials)?.tutorials

/** Bars above every screen. */
export const bars = features.flatMap((feature) => feature.bars ?? [])

/** Reads the health of what is configured on screens. */
export const readHealth = features.find(({ health }) => health)?.health
