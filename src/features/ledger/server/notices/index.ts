export { notify, notifyLate, publishTo } from './notify.ts'
export { findDraft, type StoredDraft, saveDraft } from './queries-drafts.ts'
export {
  countUnread,
  followedNews,
  listNotifications,
  type NotificationRecord,
  notifiedSince,
  REPLAY_NOTE,
  readNotifications,
  readUpTo,
  removeTransfers,
} from './queries-notifications.ts'
export { countBehind, findMessageCursor, movePosition } from './queries-reading.ts'
