import { chatCompletions } from '../openai-chat.ts'
import type { MakeAssistantAdapter } from '../port.ts'

/** Adapter of Qwen's chat completions. */
export const makeAdapter: MakeAssistantAdapter = (values, tools) => chatCompletions(values, tools)
