import { NEW_FLOW } from '#domain/flow/document.ts'
import type { ReplayCounts } from '#features/flows/server/queries-replay.ts'
import { type FeatureMakers, rowsOf, ticketOf } from './maker.ts'

const NOTHING: ReplayCounts = {
  ...{ total: 0, unplayable: 0, isCapped: false },
  ...{ same: 0, words: 0, way: 0, end: 0, stuck: 0 },
}

// A version is counted in its flow: this number is of one flow alone.
let version = 1000

export const makers: FeatureMakers = {
  params: {
    'flows.id': (making) =>
      rowsOf(making).insert('chat_flows', making.tenantId, { name: 'Recepção', definition: JSON.stringify(NEW_FLOW) }),
    'flows.version': async ({ product, tenantId, beside }) => {
      const row = { chat_flow_id: Number(beside['id']), version: ++version, definition: JSON.stringify(NEW_FLOW) }
      await product.platform.db.asPlatform((db) =>
        db
          .insertInto('chat_flow_versions')
          .values({ tenant_id: tenantId, ...row })
          .execute(),
      )
      return row.version
    },
    'flows.caseId': (making) =>
      rowsOf(making).insert('flow_cases', making.tenantId, {
        ...{ chat_flow_id: Number(making.beside['id']), name: 'Caso' },
        conversation: JSON.stringify({ at: 0, events: [], answers: [], contactId: null, channel: null }),
        expect: '{}',
      }),
    'flowStats.id': (making) =>
      rowsOf(making).insert('chat_flows', making.tenantId, { name: 'Recepção', definition: JSON.stringify(NEW_FLOW) }),
    'flowReplays.id': (making) =>
      rowsOf(making).insert('chat_flows', making.tenantId, { name: 'Recepção', definition: JSON.stringify(NEW_FLOW) }),
    'flowReplays.replayId': (making) =>
      rowsOf(making).insert('flow_replays', making.tenantId, {
        ...{ chat_flow_id: Number(making.beside['id']), definition: JSON.stringify(NEW_FLOW) },
        ...{ from_at: new Date(0), to_at: new Date(1), counts: JSON.stringify(NOTHING) },
      }),
    'ticketFlow.id': ticketOf,
  },
  bodies: { 'flows.update': { name: 'Recepção', flow: NEW_FLOW }, 'flows.import': NEW_FLOW },
  queries: { 'flowStats.conversations': { nodeId: 'a' }, 'flowReplays.pairs': { outcome: 'way' } },
  // What an import has beside the flow survives it.
  open: ['flows.import'],
}
