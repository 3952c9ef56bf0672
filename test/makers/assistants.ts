import { connectionOf, type FeatureMakers, ownCompany, rowsOf, ticketOf } from './maker.ts'

export const makers: FeatureMakers = {
  params: {
    'assistantAnswers.token': async () => 'x'.repeat(40),
    'assistants.id': (making) => {
      const at = making.product.platform.now()
      const row = { kind: 'assistant', provider: 'ollama', name: 'Minha conta', created_at: at, updated_at: at }
      return rowsOf(making).insert('provider_settings', making.tenantId, row)
    },
    'connectionAssistants.id': connectionOf('lab'),
    'phoneAssistants.id': ownCompany,
    'queueAssistants.id': (making) => rowsOf(making).queue(making.tenantId),
    'assistantTurns.id': ticketOf,
    'copilot.id': ticketOf,
    'transcripts.recordingId:uuid': async (making) =>
      rowsOf(making).message(making.tenantId, await ticketOf(making), { media_type: 'audio' }),
    'copilot.answerId:uuid': async ({ tenantId, userId, product }) => {
      const id = crypto.randomUUID()
      const call = {
        id,
        purpose: 'copilot',
        user_id: userId,
        provider: 'ollama',
        ms: 1,
        created_at: product.platform.now(),
      }
      await product.platform.db.asPlatform((db) =>
        db
          .insertInto('assistant_calls')
          .values({ tenant_id: tenantId, ...call })
          .execute(),
      )
      return id
    },
  },
  open: ['assistantAnswers.receive'],
  bodies: {
    'assistants.create': { provider: 'ollama', config: { model: 'llama3.2' }, secrets: {} },
    'assistants.update': { config: {}, secrets: {} },
    'queueAssistants.set': { assistantId: null },
    'phoneAssistants.call': { customers: ['5511999990000'] },
    'connectionAssistants.set': { assistantId: null, agentId: null },
  },
}
