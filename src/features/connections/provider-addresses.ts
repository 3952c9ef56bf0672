import { addresses } from '#kit/addresses.ts'

/** Addresses of `providerApps`. */
export const providerApps = addresses('providerApps', {
  list: { method: 'GET', path: '/provider-apps', can: 'platform:read' },
  create: { method: 'POST', path: '/provider-apps', can: 'platform:write', touches: ['providerApps'] },
  update: { method: 'PUT', path: '/provider-apps/:id', can: 'platform:write', touches: ['providerApps'] },
  remove: { method: 'DELETE', path: '/provider-apps/:id', can: 'platform:write', touches: ['providerApps'] },
})

/** Addresses of `providers`. */
export const providers = addresses('providers', {
  list: { method: 'GET', path: '/providers', can: 'connections:write' },
  get: { method: 'GET', path: '/providers/:id', can: 'connections:write' },
  save: { method: 'PUT', path: '/providers/:id', can: 'connections:write', touches: ['providers'] },
  test: { method: 'POST', path: '/providers/:id/test', can: 'connections:write' },
  accounts: { method: 'GET', path: '/hub-channel', can: 'connections:write' },
})

/** Addresses of `contactChecks`, which contacts answer. */
export const contactChecks = addresses('contactChecks', {
  checkAll: { method: 'POST', path: '/checkContacts', can: 'connections:write' },
  removePictures: {
    method: 'POST',
    path: '/whatsappRemovePicture/:id',
    can: 'connections:write',
    touches: ['contacts', 'tickets'],
  },
})
