import { chatCompletions } from '../openai-chat.ts'
import type { MakeAssistantAdapter } from '../port.ts'

/** Speaks to Grok by chat completions. */
export const makeAdapter: MakeAssistantAdapter = (values, tools) => chatCompletions(values, tools)
