import { modelFields } from '../llm.ts'
import type { AssistantConfig } from '../port.ts'
import { transcriptionFields } from '../transcription-fields.ts'

/** Config of Groq, whose fast models transcribe speech. */
export const groqcloudConfig: AssistantConfig = {
  ...{ id: 'groqcloud', ticketSwitch: null, kind: 'model', hasEffects: false, listsModels: true },
  name: 'GroqCloud',
  help: 'Transcreve os áudios e ajuda a equipe como copiloto. Crie uma chave em console.groq.com, cole aqui e escolha o modelo.',
  fields: {
    ...modelFields({ baseUrl: 'https://api.groq.com/openai/v1', keyIsNeeded: true }),
    ...transcriptionFields('whisper-large-v3-turbo'),
  },
}
