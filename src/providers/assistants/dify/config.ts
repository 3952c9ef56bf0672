import { conversationFields } from '../llm.ts'
import type { AssistantConfig } from '../port.ts'

/** Config of Dify's applications. */
export const difyConfig: AssistantConfig = {
  ...{ id: 'dify', ticketSwitch: 'dify', kind: 'flow', hasEffects: true },
  name: 'Dify',
  help: 'No aplicativo do Dify, abra “API Access”, crie uma chave e diga de que tipo ele é.',
  fields: {
    baseUrl: {
      kind: 'url',
      label: 'Endereço da API',
      required: true,
      missing: 'Informe o endereço.',
      default: 'https://api.dify.ai/v1',
    },
    apiKey: {
      kind: 'secret',
      label: 'Chave do aplicativo',
      required: true,
      missing: 'Informe a chave.',
      again: 'Informe a chave de novo: o endereço mudou.',
    },
    type: {
      kind: 'choice',
      label: 'Tipo do aplicativo',
      required: true,
      options: { chatBot: 'Chatbot', agent: 'Agente', textGenerator: 'Gerador de texto', workflow: 'Workflow' },
      default: 'chatBot',
    },
    restartWord: { kind: 'text', label: 'Palavra para recomeçar', max: 60 },
    ...conversationFields,
  },
}
