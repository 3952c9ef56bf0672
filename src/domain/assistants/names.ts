import { partBefore } from '../present.ts'

/** Display names of all assistant providers in menu order; one string, since every page loads it. */
const NAMES = 'ChatGPT,Claude,Gemini,Ollama,LM Studio,Grok,DeepSeek,Qwen,GroqCloud,Typebot,Dialogflow,Dify,n8n,Vapi'

/** Menu entries of the assistant providers; a provider's id is the first word of its name. */
export const assistantScreens = NAMES.split(',').map((title) => {
  const id = partBefore(title, ' ').toLowerCase()
  return { id, title, path: `/configuracoes/${id.replace('tg', 't-g')}` }
})
