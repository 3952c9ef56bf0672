import { chatCompletions } from '../openai-chat.ts'
import type { MakeAssistantAdapter } from '../port.ts'
import { transcriber } from '../transcribe.ts'

/** Adapter of Groq's chat completions. */
export const makeAdapter: MakeAssistantAdapter = (values, tools) => ({
  ...chatCompletions(values, tools),
  transcribe: transcriber(values, tools),
})
