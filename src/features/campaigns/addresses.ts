import { addresses, type EventAddresses } from '#kit/addresses.ts'

const can = 'campaigns:write'
const touches = ['campaigns']
/** Maximum size of a message's file, in bytes. */
export const MOST_BYTES = 16 * 1024 * 1024
const upload = { maxFiles: 1, maxBytes: MOST_BYTES }

/** Addresses of `campaigns`. */
export const campaigns = addresses('campaigns', {
  list: { method: 'GET', path: '/campaigns', can },
  get: { method: 'GET', path: '/campaigns/:id', can },
  create: { method: 'POST', path: '/campaigns', can, upload, touches },
  update: { method: 'PUT', path: '/campaigns/:id', can, upload, touches },
  remove: { method: 'DELETE', path: '/campaigns/:id', can, touches },
  start: { method: 'POST', path: '/campaigns/start/:id', can, touches },
  cancel: { method: 'POST', path: '/campaigns/cancel/:id', can, touches },
  pause: { method: 'POST', path: '/campaigns/pause/:id', can, touches },
  resume: { method: 'POST', path: '/campaigns/resume/:id', can, touches },
  finish: { method: 'POST', path: '/campaigns/finish/:id', can, touches },
  skip: { method: 'POST', path: '/campaigns-skip-message/:id', can, touches },
  duplicate: { method: 'POST', path: '/campaigns/:id/duplicate', can, touches },
  plan: { method: 'GET', path: '/campaigns/:id/plan', can },
  preview: { method: 'GET', path: '/campaigns/:id/preview/:contactId', can },
  rhythm: { method: 'GET', path: '/campaigns/:id/rhythm', can },
  variants: { method: 'GET', path: '/campaigns/:id/variants', can },
  report: { method: 'GET', path: '/campaigns/:id/report', can },
  test: { method: 'POST', path: '/campaigns/:id/test', can },
  audience: { method: 'GET', path: '/contacts-report-campaign', can },
  contacts: { method: 'GET', path: '/campaigns/contacts/:id', can },
  acks: { method: 'PUT', path: '/campaigns/contactsAck/:id', can, touches },
  addContacts: { method: 'POST', path: '/campaigns/contacts/:id', can, touches },
  removeContact: { method: 'DELETE', path: '/campaigns/contacts/:id/:contactId', can, touches },
  clear: { method: 'DELETE', path: '/campaigns/deleteall/contacts/:id', can, touches },
})

/** Addresses of `outreach`. */
export const outreach = addresses('outreach', {
  get: { method: 'GET', path: '/whatsapp/:id/outreach', can },
})

/** Names of `campaignEvents`. */
export const campaignEvents = {
  changed: { channel: 'campaigns', type: 'campaigns:changed', durable: true },
  progress: { channel: 'campaigns', type: 'campaigns:progress', durable: false },
} as const satisfies EventAddresses
