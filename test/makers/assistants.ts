import { connectionOf, type FeatureMakers, rowsOf, ticketOf } from './maker.ts'

export const makers: FeatureMakers = {
  params: {
    'assistants.id': (making) => {
      const at = making.product.platform.now()
      const row = { kind: 'assistant', provider: 'ollama', name: 'Minha conta', created_at: at, updated_at: at }
      return rowsOf(making).insert('provider_settings', making.tenantId, row)
    },
    'connectionAssistants.id': connectionOf('lab'),
    'assistantTurns.id': ticketOf,
  },
  bodies: {
    'assistants.create': { provider: 'ollama', config: { model: 'llama3.2' }, secrets: {} },
    'assistants.update': { config: {}, secrets: {} },
    'connectionAssistants.set': { assistantId: null, agentId: null },
  },
}
