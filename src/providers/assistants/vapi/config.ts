import type { AssistantConfig } from '../port.ts'

/** Config of Vapi's voice assistants. */
export const vapiConfig: AssistantConfig = {
  ...{ id: 'vapi', ticketSwitch: null, kind: 'voice', hasEffects: true },
  name: 'Vapi',
  help: 'Assistentes de voz que ligam para os clientes. Em dashboard.vapi.ai, copie a chave privada. Com um assistente escolhido, “Testar” conversa com ele por texto.',
  fields: {
    baseUrl: {
      kind: 'url',
      label: 'Endereço da API',
      required: true,
      missing: 'Informe o endereço.',
      default: 'https://api.vapi.ai',
    },
    apiKey: {
      kind: 'secret',
      label: 'Chave privada',
      required: true,
      missing: 'Informe a chave.',
      again: 'Informe a chave de novo: o endereço mudou.',
    },
    assistantId: { kind: 'text', label: 'Assistente', max: 120 },
    webhookSecret: {
      kind: 'secret',
      label: 'Segredo do webhook (x-vapi-secret)',
      hint: 'O mesmo em Server URL, na Vapi. Sem ele o resumo das ligações não entra nos atendimentos.',
    },
    callPrice: { kind: 'number', label: 'Preço da ligação (R$ por minuto)', min: 0 },
  },
}
