import { addresses } from '#kit/addresses.ts'

/** Routes of `groups`. */
export const groups = addresses('groups', {
  participants: { method: 'POST', path: '/messages/listParticipants', can: 'tickets:read', touches: [] },
  mention: { method: 'POST', path: '/messages/mentionMessage', can: 'tickets:write', touches: [] },
  mentionAll: { method: 'POST', path: '/messages/mentionAllMessage', can: 'tickets:write', touches: [] },
  ghost: { method: 'POST', path: '/messages/ghostMessage', can: 'tickets:write', touches: [] },
})
