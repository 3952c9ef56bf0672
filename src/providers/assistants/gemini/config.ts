import { modelConfig } from '../llm.ts'

/** Config of Google’s models. */
export const geminiConfig = modelConfig('gemini', {
  name: 'Gemini',
  help: 'Crie uma chave em aistudio.google.com, em Get API key, cole aqui e escolha o modelo.',
  baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
})
