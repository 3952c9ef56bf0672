import { answerAbsent } from '#features/absence/server/index.ts'
import { accessFeature } from '#features/access/server/index.ts'
import { announcementsFeature } from '#features/announcements/server/index.ts'
import { apiDocsFeature } from '#features/api-docs/server/index.ts'
import { apiServiceFeature, forgetTools } from '#features/api-service/server/index.ts'
import { assistantsFeature, attendByAssistant, endAssistants } from '#features/assistants/server/index.ts'
import { ticketsKind } from '#features/attendance/server/bulk/index.ts'
import { attendanceFeature } from '#features/attendance/server/index.ts'
import { auditFeature } from '#features/audit/server/index.ts'
import { authFeature } from '#features/auth/server/index.ts'
import { billingFeature } from '#features/billing/server/index.ts'
import { birthdaysFeature } from '#features/birthdays/server/index.ts'
import { bulkFeature } from '#features/bulk/server/index.ts'
import { calendarFeature } from '#features/calendar/server/index.ts'
import {
  campaignsFeature,
  followStatuses,
  forgetRecipients,
  takeCampaignAnswers,
} from '#features/campaigns/server/index.ts'
import { catalogFeature, forgetReplies, registerTagMerging } from '#features/catalog/server/index.ts'
import { companyChannelsFeature } from '#features/company-channels/server/index.ts'
import { connectionsFeature } from '#features/connections/server/index.ts'
import { forgetStates } from '#features/connections/server/queries-leases.ts'
import { forgetReceiver } from '#features/connections/server/queries-routing.ts'
import {
  consentGate,
  consentsFeature,
  forgetConsentNotes,
  leaveToPeople,
  takeOptOuts,
} from '#features/consents/server/index.ts'
import {
  contactBook,
  contactsFeature,
  contactsKind,
  forgetContactViews,
  forgetImports,
  forgetWallets,
  mergeTagsOfContacts,
} from '#features/contacts/server/index.ts'
import { dashboardFeature } from '#features/dashboard/server/index.ts'
import { devicesFeature } from '#features/devices/server/index.ts'
import { distributionFeature } from '#features/distribution/server/index.ts'
import { filesFeature } from '#features/files/server/index.ts'
import {
  attendByFlow,
  beginAtClosing,
  beginByHand,
  flowsFeature,
  forgetSessions,
  mergeTagsOfFlows,
} from '#features/flows/server/index.ts'
import {
  forgetCards,
  funnelFeature,
  mergeTagsOfActions,
  opportunitiesKind,
  opportunitiesOfTasks,
  releaseCardsOf,
} from '#features/funnel/server/index.ts'
import { groupRulesHook, groupToolsFeature } from '#features/group-tools/server/index.ts'
import { guideFeature } from '#features/guide/server/index.ts'
import { historyFeature } from '#features/history/server/index.ts'
import { hoursFeature, isOpenNow } from '#features/hours/server/index.ts'
import { identityProviderFeature } from '#features/identity-provider/server/index.ts'
import { isolationFeature } from '#features/isolation/server/index.ts'
import { journalFeature } from '#features/journal/server/index.ts'
import { kanbanFeature } from '#features/kanban/server/index.ts'
import { labFeature } from '#features/lab/server/index.ts'
import { forgetConversations } from '#features/ledger/server/forgetting/index.ts'
import { registerHooks } from '#features/ledger/server/hooks/index.ts'
import { ledgerFeature } from '#features/ledger/server/index.ts'
import {
  registerConsentGate,
  registerContactBook,
  registerGroupHooks,
  registerStatusHooks,
} from '#features/ledger/server/ports/index.ts'
import { forgetColleague } from '#features/ledger/server/sets/index.ts'
import { registerStaff } from '#features/ledger/server/turns/index.ts'
import { forgetMacros, macrosFeature } from '#features/macros/server/index.ts'
import { mailFeature } from '#features/mail/server/index.ts'
import { messageTemplatesFeature } from '#features/message-templates/server/index.ts'
import { messagesFeature } from '#features/messages/server/index.ts'
import { readReceipts } from '#features/messages/server/presence/index.ts'
import { notesFeature } from '#features/notes/server/index.ts'
import { operationFeature } from '#features/operation/server/index.ts'
import { forgetForwarded, privateChatFeature } from '#features/private-chat/server/index.ts'
import { providerNumbersFeature } from '#features/provider-numbers/server/index.ts'
import { providerSignupFeature } from '#features/provider-signup/server/index.ts'
import { pushFeature } from '#features/push/server/index.ts'
import { queuesFeature } from '#features/queues/server/index.ts'
import {
  askRatings,
  forgetRatings,
  ratingsFeature,
  removeQuestions,
  takeRatingAnswers,
} from '#features/ratings/server/index.ts'
import { reportsFeature } from '#features/reports/server/index.ts'
import {
  actOnAssigned,
  actOnClosed,
  actOnMessages,
  actOnOpened,
  mergeTagsOfRules,
  rulesFeature,
} from '#features/rules/server/index.ts'
import { adoptSchedules, schedulesFeature } from '#features/schedules/server/index.ts'
import { forgetFactors, secondFactorFeature } from '#features/second-factor/server/index.ts'
import { settingsFeature } from '#features/settings/server/index.ts'
import { signupFeature } from '#features/signup/server/index.ts'
import { mergeTagsOfPolicies, slaFeature } from '#features/sla/server/index.ts'
import { subscriptionFeature } from '#features/subscription/server/index.ts'
import { registerOpportunities, tasksFeature } from '#features/tasks/server/index.ts'
import { forgetMember, teamsFeature } from '#features/teams/server/index.ts'
import { tenantsFeature } from '#features/tenants/server/index.ts'
import { closeByKeyword, sendFarewell } from '#features/tickets/server/closing/index.ts'
import { ticketsFeature } from '#features/tickets/server/index.ts'
import { notifyReceivers } from '#features/tickets/server/notifications/index.ts'
import { mergeTagsOfTickets, releaseTicketsOf } from '#features/tickets/server/sets/index.ts'
import { forgetViews } from '#features/tickets/server/views/index.ts'
import { tutorialsFeature } from '#features/tutorials/server/index.ts'
import { upkeepFeature } from '#features/upkeep/server/index.ts'
import { userEvents } from '#features/users/contract.ts'
import { usersFeature } from '#features/users/server/feature.ts'
import { registerLeavingHooks } from '#features/users/server/index.ts'
import { variablesFeature } from '#features/variables/server/index.ts'
import { forgetCalls, voiceFeature } from '#features/voice/server/index.ts'
import { forgetVisitors, mailWhenAway, webchatFeature } from '#features/webchat/server/index.ts'
import { forgetReceived, webhookEndpointsFeature } from '#features/webhook-endpoints/server/index.ts'
import { registerBulkKinds } from './bulk/kind.ts'
import { forgetImages } from './bulk/queries.ts'
import { type Feature, register } from './feature.ts'
import { registerForgetting } from './forgetting.ts'
import { forgetAnswers } from './http/queries.ts'
import { forgetChanges } from './realtime/queries.ts'

export { ownerSetupLink } from '#features/auth/server/index.ts'

// Hooks of conversations: called at each point in this order, within its transaction (decision 0022).
registerHooks({
  onArrival: [takeRatingAnswers],
  onOpened: [removeQuestions, adoptSchedules, actOnOpened],
  onAssigned: [notifyReceivers, actOnAssigned],
  onChatFlow: [beginByHand],
  onMessageSent: [
    mailWhenAway,
    takeCampaignAnswers,
    takeOptOuts,
    closeByKeyword,
    actOnMessages,
    leaveToPeople,
    attendByFlow,
    attendByAssistant,
    answerAbsent,
  ],
  onRead: [readReceipts],
  onClosed: [endAssistants, sendFarewell, beginAtClosing, askRatings, actOnClosed],
})

// Hooks of message statuses.
registerStatusHooks([followStatuses])

// Hooks of groups.
registerGroupHooks([groupRulesHook])

registerContactBook(contactBook)
registerConsentGate(consentGate)
registerStaff({ isOpenNow, changes: [userEvents.online.type, userEvents.changed.type] })

registerOpportunities(opportunitiesOfTasks)

// Kinds of records with bulk operations and undo (decision 0032).
registerBulkKinds([ticketsKind, contactsKind, opportunitiesKind])

// Hooks for the records of a deleted user, in this order.
registerLeavingHooks({
  onReleased: [releaseTicketsOf, releaseCardsOf],
  onLeft: [
    forgetWallets,
    forgetColleague,
    forgetViews,
    forgetContactViews,
    forgetMacros,
    forgetMember,
    forgetFactors,
    forgetReplies,
    forgetReceiver,
  ],
})

// Erasures of a person's data (decision 0072), in this order; the feed last, because it repeats all others.
registerForgetting([
  forgetForwarded,
  forgetConversations,
  forgetConsentNotes,
  forgetRatings,
  forgetSessions,
  forgetVisitors,
  forgetImports,
  forgetRecipients,
  forgetCards,
  forgetStates,
  forgetImages,
  forgetAnswers,
  forgetTools,
  forgetReceived,
  forgetCalls,
  forgetChanges,
])

// Features that refer to tags, contacts before their tickets.
registerTagMerging([
  mergeTagsOfContacts,
  mergeTagsOfTickets,
  mergeTagsOfRules,
  mergeTagsOfFlows,
  mergeTagsOfPolicies,
  mergeTagsOfActions,
])

/** Registry of the server's features; a feature that is not in this list is not loaded. */
export const features: readonly Feature[] = register([
  authFeature,
  secondFactorFeature,
  identityProviderFeature,
  tenantsFeature,
  signupFeature,
  billingFeature,
  settingsFeature,
  hoursFeature,
  ratingsFeature,
  usersFeature,
  accessFeature,
  mailFeature,
  devicesFeature,
  filesFeature,
  queuesFeature,
  teamsFeature,
  catalogFeature,
  variablesFeature,
  tutorialsFeature,
  contactsFeature,
  ledgerFeature,
  ticketsFeature,
  attendanceFeature,
  messagesFeature,
  schedulesFeature,
  historyFeature,
  macrosFeature,
  notesFeature,
  distributionFeature,
  privateChatFeature,
  pushFeature,
  kanbanFeature,
  consentsFeature,
  birthdaysFeature,
  tasksFeature,
  campaignsFeature,
  groupToolsFeature,
  funnelFeature,
  calendarFeature,
  connectionsFeature,
  messageTemplatesFeature,
  providerNumbersFeature,
  providerSignupFeature,
  bulkFeature,
  journalFeature,
  reportsFeature,
  dashboardFeature,
  labFeature,
  webchatFeature,
  voiceFeature,
  flowsFeature,
  assistantsFeature,
  rulesFeature,
  slaFeature,
  webhookEndpointsFeature,
  apiServiceFeature,
  auditFeature,
  upkeepFeature,
  isolationFeature,
  guideFeature,
  subscriptionFeature,
  companyChannelsFeature,
  operationFeature,
  announcementsFeature,
  apiDocsFeature,
])
