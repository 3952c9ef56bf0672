import { modelConfig } from '../llm.ts'

/** Config of xAI’s models. */
export const grokConfig = modelConfig('grok', {
  name: 'Grok',
  help: 'Crie uma chave em console.x.ai, cole aqui e escolha o modelo.',
  baseUrl: 'https://api.x.ai/v1',
})
