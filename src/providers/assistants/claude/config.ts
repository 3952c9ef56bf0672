import { modelConfig } from '../llm.ts'

/** Config of Anthropic’s models. */
export const claudeConfig = modelConfig('claude', {
  name: 'Claude',
  help: 'Crie uma chave em console.anthropic.com, em API keys, cole aqui e escolha o modelo.',
  baseUrl: 'https://api.anthropic.com/v1',
})
