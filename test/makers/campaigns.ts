import { connectionOf, type FeatureMakers, type Making, rowsOf } from './maker.ts'

const dispatchOf =
  (kind: string) =>
  async (making: Making): Promise<number> => {
    const at = making.product.platform.now()
    const connection_id = await connectionOf('lab')(making)
    return rowsOf(making).insert('dispatches', making.tenantId, {
      ...{ kind, name: 'Minha campanha', start_at: at, connection_id, delay: 20 },
      messages: JSON.stringify([{ body: 'Oi', weight: 1 }]),
      ...{ window_start: '00:00', window_end: '24:00', weekdays: '[0,1,2,3,4,5,6]', skips_holidays: false },
      ...{ purpose: 'marketing', skips_open: false, created_at: at, updated_at: at },
    })
  }

const contactOf = async (making: Making): Promise<number> => {
  const contactId = await rowsOf(making).contact(making.tenantId)
  const { id: dispatchId } = making.beside
  if (making.op.name !== 'removeContact') return contactId
  await rowsOf(making).insert('dispatch_items', making.tenantId, {
    ...{ dispatch_id: Number(dispatchId), contact_id: contactId, connection_id: await connectionOf('lab')(making) },
    ...{ line: `c${contactId}`, message_id: crypto.randomUUID() },
  })
  return contactId
}

const written = {
  ...{ message1: 'Oi', start: '2199-12-01T12:00:00.000Z', template: null, mediaUrl: '' },
  ...{ replyFlowId: null, recurrence: null, followUp: null },
}

const dispatched = { kind: 'text', message: 'Oi', template: null, min: 20, max: 20, mediaUrl: '', groups: [] }

export const makers: FeatureMakers = {
  params: {
    'campaigns.id': dispatchOf('campaign'),
    'dispatches.id': dispatchOf('text'),
    'campaigns.contactId': contactOf,
    'outreach.id': connectionOf('lab'),
  },
  bodies: {
    'campaigns.create': written,
    'campaigns.update': written,
    'dispatches.create': dispatched,
    'dispatches.plan': dispatched,
    'campaigns.addContacts': { contacts: [], filter: undefined, expected: undefined },
  },
}
