import { modelConfig } from '../llm.ts'
import { transcriptionFields } from '../transcription-fields.ts'

/** Config of OpenAI’s models. */
export const chatgptConfig = modelConfig('chatgpt', {
  name: 'ChatGPT',
  help: 'Crie uma chave em platform.openai.com, em API keys, cole aqui e escolha o modelo.',
  baseUrl: 'https://api.openai.com/v1',
  more: {
    assistantId: {
      kind: 'text',
      label: 'Assistente antigo da OpenAI (assistantId)',
      hint: 'A OpenAI encerrou os Assistants em agosto de 2026, e ele não responde mais. No lugar dele, copie o que ele sabia para “Instruções”, escolha o modelo e apague este campo.',
      max: 120,
      isOld: true,
    },
    organizationId: { kind: 'text', label: 'Organização', max: 100 },
    api: {
      kind: 'choice',
      label: 'Como falar com a OpenAI',
      hint: 'Outros servidores compatíveis costumam ter só Chat Completions.',
      options: { responses: 'Responses', chat: 'Chat Completions' },
      default: 'responses',
    },
    ...transcriptionFields('gpt-4o-mini-transcribe'),
    voice: { kind: 'boolean', label: 'Responder em áudio', hint: 'Onde o canal leva áudio; o texto fica sob ele.' },
    voiceModel: {
      kind: 'choice',
      label: 'Voz',
      options: { alloy: 'Alloy', echo: 'Echo', fable: 'Fable', onyx: 'Onyx', nova: 'Nova', shimmer: 'Shimmer' },
      default: 'alloy',
    },
    speechModel: { kind: 'text', label: 'Modelo da fala', max: 120, default: 'gpt-4o-mini-tts' },
    speechPrice: { kind: 'number', label: 'Preço da fala (R$ por mil caracteres)', min: 0 },
  },
})
