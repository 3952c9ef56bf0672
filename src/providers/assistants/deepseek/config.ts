import { modelConfig } from '../llm.ts'

/** Config of DeepSeek’s models. */
export const deepseekConfig = modelConfig('deepseek', {
  name: 'DeepSeek',
  help: 'Crie uma chave em platform.deepseek.com, cole aqui e escolha o modelo.',
  baseUrl: 'https://api.deepseek.com',
})
