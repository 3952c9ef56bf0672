export {
  adapterOf,
  answerWithin,
  type ChannelConversation,
  type OutboxSender,
  provideChannels,
  stopConnection,
} from './channels.ts'
export { type ConsentGate, registerConsentGate } from './consent-gate.ts'
export {
  type ContactBook,
  contactBook,
  type KnownContact,
  registerContactBook,
  type Sender,
  type StagePosition,
} from './contact-book.ts'
export { followCompanies } from './following.ts'
export { type GroupHook, type GroupNews, registerGroupHooks } from './group-news.ts'
export { publishStatuses, registerStatusHooks, type StatusHook } from './statuses.ts'
