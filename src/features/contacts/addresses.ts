import { addresses } from '#kit/addresses.ts'

/** Routes of `contacts`. */
export const contacts = addresses('contacts', {
  list: { method: 'GET', path: '/contacts', can: 'contacts:read' },
  get: { method: 'GET', path: '/contacts/:id', can: 'contacts:read' },
  byNumber: { method: 'GET', path: '/contactsNumber/:number', can: 'contacts:read' },
  create: { method: 'POST', path: '/contacts', can: 'contacts:write', touches: ['contacts'] },
  update: { method: 'PUT', path: '/contacts/:id', can: 'contacts:write', touches: ['contacts'] },
  setTags: { method: 'PUT', path: '/contact-tags/:id', can: 'contacts:write', touches: ['contacts'] },
  setWallets: { method: 'PUT', path: '/contact-wallet/:id', can: 'contacts:write', touches: ['contacts'] },
  identities: { method: 'GET', path: '/contacts/:id/identities', can: 'contacts:read' },
  merges: { method: 'GET', path: '/contacts/:id/merges', can: 'contacts:read' },
  previewMerge: { method: 'GET', path: '/contacts/:id/merge', can: 'contacts:merge' },
  merge: { method: 'POST', path: '/contacts/:id/merge', can: 'contacts:merge', touches: ['contacts'] },
  undoMerge: { method: 'POST', path: '/contacts/merges/:mergeId/undo', can: 'contacts:merge', touches: ['contacts'] },
  duplicates: { method: 'GET', path: '/contacts/duplicates', can: 'contacts:merge' },
  setDistinct: { method: 'POST', path: '/contacts/duplicates/distinct', can: 'contacts:merge', touches: ['contacts'] },
  remove: { method: 'DELETE', path: '/contacts/:id', can: 'contacts:delete', touches: ['contacts'] },
  previewForget: { method: 'GET', path: '/contacts/:id/forget', can: 'contacts:forget' },
  forget: { method: 'POST', path: '/contacts/:id/forget', can: 'contacts:forget', touches: ['contacts'] },
  certificates: { method: 'GET', path: '/contacts/:id/certificates', can: 'contacts:forget' },
  changes: { method: 'GET', path: '/contacts/:id/changes', can: 'contacts:read' },
  closeAll: { method: 'POST', path: '/closeAllContactTickets', can: 'tickets:write', touches: ['contacts'] },
  previewForced: { method: 'GET', path: '/contactsforce/:id', can: 'contacts:force' },
  removeForced: { method: 'DELETE', path: '/contactsforce/:id', can: 'contacts:force', touches: ['contacts'] },
})

/** Routes of `contactsBulk`. */
export const contactsBulk = addresses('contactsBulk', {
  start: { method: 'POST', path: '/contacts/bulk', can: 'contacts:write', touches: ['contacts'] },
})

/** Routes of `contactViews`. */
export const contactViews = addresses('contactViews', {
  list: { method: 'GET', path: '/contactViews', can: 'contacts:read' },
  create: { method: 'POST', path: '/contactViews', can: 'contacts:read', touches: ['contactViews'] },
  update: { method: 'PUT', path: '/contactViews/:id', can: 'contacts:read', touches: ['contactViews'] },
  remove: { method: 'DELETE', path: '/contactViews/:id', can: 'contacts:read', touches: ['contactViews'] },
})
