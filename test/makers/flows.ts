import { NEW_FLOW } from '#domain/flow/document.ts'
import type { ReplayCounts } from '#features/flows/server/queries-replay.ts'
import { type FeatureMakers, type Making, rowsOf, ticketOf } from './maker.ts'

const NOTHING: ReplayCounts = { total: 0, unplayable: 0, isCapped: false, same: 0, words: 0, way: 0, end: 0, stuck: 0 }

// A version is counted in its flow: this number is of one flow alone.
let version = 1000

// Higher than what the sequence of a test gives.
let part = 1_000_000

/** Creates an auto reply with a step and, as the next id, the step's action. */
async function replyOf(making: Making, stepId: number): Promise<number> {
  const at = making.product.platform.now()
  const to = { action: 0, nextStepId: stepId, queueId: null, userIdDestination: null, replyDefinition: '' }
  const step = { id: stepId, reply: 'Oi', initialStep: true, actions: [{ id: stepId + 1, words: '1', ...to }] }
  const row = { name: 'Recepção', steps: JSON.stringify([step]), created_at: at, updated_at: at }
  return rowsOf(making).insert('auto_replies', making.tenantId, row)
}
const nextPart = () => {
  part += 2
  return part
}

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
    'autoReplies.id': (making) => replyOf(making, nextPart()),
    'autoReplies.stepId': async (making) => {
      const id = Number(making.beside['id'])
      const { steps } = await making.product.platform.db.asPlatform((db) =>
        db.selectFrom('auto_replies').select('steps').where('id', '=', id).executeTakeFirstOrThrow(),
      )
      return (steps as { id: number }[])[0]!.id
    },
    'autoReplies.actionId': async (making) => {
      const stepId = nextPart()
      await replyOf(making, stepId)
      return stepId + 1
    },
  },
  bodies: {
    'flows.update': { name: 'Recepção', flow: NEW_FLOW },
    'flows.import': NEW_FLOW,
    'autoReplies.create': { steps: [] },
    'autoReplies.update': { name: 'Recepção', steps: [] },
    'autoReplies.createAction': { words: '1', action: 1, queueId: 1 },
    'autoReplies.updateAction': { words: '1', action: 1, queueId: 1 },
  },
  queries: { 'flowStats.conversations': { nodeId: 'a' }, 'flowReplays.pairs': { outcome: 'way' } },
  // Other fields of an import remain in the flow.
  open: ['flows.import'],
}
