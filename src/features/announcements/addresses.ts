import { addresses, type EventAddresses } from '#kit/addresses.ts'

const touches = ['announcements']

/** API routes of `announcements`. */
export const announcements = addresses('announcements', {
  list: { method: 'GET', path: '/notificationsAll', can: 'platform:read' },
  create: { method: 'POST', path: '/notifications', can: 'platform:write', touches },
  removeAll: { method: 'DELETE', path: '/notificationsAll', can: 'platform:write', touches },
  mine: { method: 'GET', path: '/notificationsMine', can: 'session' },
  read: { method: 'PUT', path: '/notifications/:noticeId', can: 'session' },
  remove: { method: 'DELETE', path: '/notifications/:noticeId', can: 'platform:write', touches },
})

/** Event names of `announcementEvents`. */
export const announcementEvents = {
  created: { channel: 'announcements', type: 'announcements:create', durable: true },
} as const satisfies EventAddresses
