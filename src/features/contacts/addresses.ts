import { addresses } from '#kit/addresses.ts'

/** The addresses of `contacts`. */
export const contacts = addresses('contacts', {
  list: { method: 'GET', path: '/contacts', can: 'contacts:read' },
  get: { method: 'GET', path: '/contacts/:id', can: 'contacts:read' },
  byNumber: { method: 'GET', path: '/contactsNumber/:number', can: 'contacts:read' },
  create: { method: 'POST', path: '/contacts', can: 'contacts:write', touches: ['contacts'] },
  update: { method: 'PUT', path: '/contacts/:id', can: 'contacts:write', touches: ['contacts'] },
  setTags: { method: 'PUT', path: '/contact-tags/:id', can: 'contacts:write', touches: ['contacts'] },
  setWallets: { method: 'PUT', path: '/contact-wallet/:id', can: 'contacts:write', touches: ['contacts'] },
  remove: { method: 'DELETE', path: '/contacts/:id', can: 'contacts:delete', touches: ['contacts'] },
})
