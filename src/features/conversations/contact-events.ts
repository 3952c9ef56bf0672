import { z } from 'zod'
import { events } from '#kit/events.ts'

/** What is told about contacts: ids alone, because who may see a contact depends on its wallets. */
export const contactEvents = events({
  update: { channel: 'contactList', type: 'contact:update', kept: true, payload: z.object({ id: z.number().int() }) },
  delete: { channel: 'contactList', type: 'contact:delete', kept: true, payload: z.object({ id: z.number().int() }) },
})
