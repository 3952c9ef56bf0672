import { randomUUID } from 'node:crypto'
import { insertImport } from '#features/ledger/server/history/queries.ts'
import { connectionOf, type FeatureMakers, rowsOf, ticketOf } from './maker.ts'

export const makers: FeatureMakers = {
  params: {
    'tickets.id': (making) =>
      making.op.name === 'tickets.answer'
        ? rowsOf(making).ticket(making.tenantId, { user_id: making.userId, status: 'open', channel: 'webmail' })
        : ticketOf(making),
    'ticketCommands.id': ticketOf,
    'distribution.id': ticketOf,
    'tickets.a': (making) => rowsOf(making).contact(making.tenantId),
    'tickets.b': connectionOf('lab'),
    'messages.ticketId': ticketOf,
    'tickets.contactId': (making) => rowsOf(making).contact(making.tenantId),
    'messages.contactId': (making) => rowsOf(making).contact(making.tenantId),
    'messages.id': ticketOf,
    'history.id:uuid': async (making) => {
      const { product, tenantId, userId } = making
      const id = randomUUID()
      const connectionId = await connectionOf('lab')(making)
      await product.platform.db.write(tenantId, (db) =>
        insertImport(db, {
          ...{ id, connectionId, userId, conversationKey: null, perChat: 1, now: product.platform.now() },
          ...{ since: null, until: null, hasGroups: true },
        }),
      )
      return id
    },
    'messages.id:uuid': async (making) =>
      rowsOf(making).message(making.tenantId, await ticketOf(making), {
        from_me: true,
        status: 'failed',
        user_id: making.userId,
        data: JSON.stringify({ mail: { subject: 'Pedido', to: [], cc: [], hasHtml: true } }),
      }),
    'ticketViews.id': (making) => {
      const at = making.product.platform.now()
      const row = { name: 'Minha visão', audience: 'person', user_id: making.userId, position: 1 }
      return rowsOf(making).insert('ticket_views', making.tenantId, { ...row, created_at: at, updated_at: at })
    },
    'macros.ticketId': ticketOf,
    'macros.id': (making) => {
      const at = making.product.platform.now()
      const row = { name: 'Minha macro', color: '#3874B6', audience: 'company', user_id: making.userId }
      const actions = JSON.stringify([{ kind: 'close' }])
      return rowsOf(making).insert('macros', making.tenantId, { ...row, actions, created_at: at, updated_at: at })
    },
    'notifications.id:uuid': async (making) => {
      const ticketId = await ticketOf(making)
      const note = await rowsOf(making).message(making.tenantId, ticketId, { from_me: true, is_note: true })
      const { tenantId, userId, product } = making
      await product.platform.db.write(tenantId, (db) =>
        db
          .insertInto('mentions')
          .values({
            ...{ tenant_id: tenantId, message_id: note, ticket_id: ticketId, user_id: userId },
            ...{ message_at: product.platform.now(), message_seq: 1 },
          })
          .execute(),
      )
      return note
    },
  },
  bodies: {
    'messages.change': { body: 'Outro texto' },
    'messages.forward': { contact: 1, contacts: undefined },
    'tickets.begin': { number: '+5511987654321', contactId: undefined },
    'messages.poll': { options: ['Sim', 'Não'] },
    'ticketsBulk.start': { ids: [1], action: 'read', args: {} },
    'macros.create': { actions: [{ kind: 'close' }] },
    'macros.update': { actions: [{ kind: 'close' }] },
  },
  queries: {
    'messages.search': { searchParam: 'teste' },
    'tickets.hidden': { searchParam: 'teste' },
    'tickets.reach': { number: '+5511987654321', contactId: undefined },
  },
  writing: ['ticketCommands.clearByGet', 'ticketCommands.readAllByGet'],
  // Callers of the wire that came before ours send more.
  open: ['messages.typing', 'messages.recording', 'messages.paused'],
}
