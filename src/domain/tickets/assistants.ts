/** The twelve assistants' switches on the wire; one map inside (decision A29). */
export const ASSISTANTS = [
  'dify',
  'lm',
  'gemini',
  'deepseek',
  'qwen',
  'claude',
  'grok',
  'ollama',
  'n8n',
  'typebot',
  'dialogflow',
  'chatgpt',
] as const
