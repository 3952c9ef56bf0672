import { conversationFields } from '../llm.ts'
import type { AssistantConfig } from '../port.ts'

/** Config of n8n workflows. */
export const n8nConfig: AssistantConfig = {
  ...{ id: 'n8n', ticketSwitch: 'n8n', kind: 'flow', hasEffects: true },
  name: 'n8n',
  help: 'No n8n, comece o workflow com um Webhook (POST) ou um Chat Trigger, ative-o e cole aqui a “Production URL”. Um workflow demorado responde com um HTTP Request (POST: JSON, texto, ou formulário com arquivos) ao callbackUrl que recebe.',
  fields: {
    baseUrl: { kind: 'url', label: 'Endereço do webhook', required: true, missing: 'Informe o endereço do webhook.' },
    mode: {
      kind: 'choice',
      label: 'Como o workflow começa',
      options: { webhook: 'Webhook', chat: 'Chat Trigger' },
      default: 'webhook',
    },
    authHeader: { kind: 'text', label: 'Cabeçalho da chave', max: 100, default: 'Authorization' },
    apiKey: {
      kind: 'secret',
      label: 'Chave',
      hint: 'Só se o webhook pedir (Header Auth).',
      again: 'Informe a chave de novo: o endereço mudou.',
    },
    ...conversationFields,
  },
}
