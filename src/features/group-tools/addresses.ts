import { addresses, type EventAddresses } from '#kit/addresses.ts'

const can = 'groups:write'
const touches = ['groupTools', 'groupJobs'] as const

/** API routes of `groupTools`. */
export const groupTools = addresses('groupTools', {
  list: { method: 'GET', path: '/listGroup', can },
  refresh: { method: 'POST', path: '/listGroup', can, touches: ['groupTools'] },
  ids: { method: 'GET', path: '/listGroupIds', can },
  get: { method: 'GET', path: '/listGroupById', can },
  participants: { method: 'GET', path: '/listParticipants', can },
  exportParticipants: { method: 'GET', path: '/listParticipants/export', can },
  create: { method: 'POST', path: '/createGroups', can, touches },
  titles: { method: 'POST', path: '/changeTitles', can, touches },
  descriptions: { method: 'POST', path: '/changeDescriptions', can, touches },
  picturesUrl: { method: 'POST', path: '/changePicturesUrl', can, touches },
  picturesFile: {
    method: 'POST',
    path: '/changePicturesFile',
    can,
    upload: { maxFiles: 1, maxBytes: 5 * 1024 * 1024 },
    touches,
  },
  adminsOnly: { method: 'POST', path: '/setAdminsOnlyForGroups', can, touches },
  promote: { method: 'POST', path: '/promoteParticipantsInGroups', can, touches },
  demote: { method: 'POST', path: '/demoteParticipantsInGroups', can, touches },
  add: { method: 'POST', path: '/addParticipantsToGroups', can, touches },
  remove: { method: 'POST', path: '/removeParticipantsFromGroups', can, touches },
})

/** API routes of `groupJobs`. */
export const groupJobs = addresses('groupJobs', {
  list: { method: 'GET', path: '/groupJobs', can },
  get: { method: 'GET', path: '/groupJobs/:id', can },
  items: { method: 'GET', path: '/groupJobs/:id/items', can },
  pause: { method: 'POST', path: '/groupJobs/:id/pause', can, touches: ['groupJobs'] },
  resume: { method: 'POST', path: '/groupJobs/:id/resume', can, touches: ['groupJobs'] },
  cancel: { method: 'POST', path: '/groupJobs/:id/cancel', can, touches: ['groupJobs'] },
  retry: { method: 'POST', path: '/groupJobs/:id/retry', can, touches: ['groupJobs'] },
})

/** API routes of `groupRules`. */
export const groupRules = addresses('groupRules', {
  list: { method: 'GET', path: '/groupRules', can },
  get: { method: 'GET', path: '/groupRules/:id', can },
  create: { method: 'POST', path: '/groupRules', can, touches: ['groupRules'] },
  update: { method: 'PUT', path: '/groupRules/:id', can, touches: ['groupRules'] },
  remove: { method: 'DELETE', path: '/groupRules/:id', can, touches: ['groupRules'] },
  clear: { method: 'DELETE', path: '/groupRules', can, touches: ['groupRules'] },
})

/** Event names of `groupToolEvents`. */
export const groupToolEvents = {
  changed: { channel: 'groupTools', type: 'groupTools:changed', durable: true },
} as const satisfies EventAddresses
