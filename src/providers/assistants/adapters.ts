import type { MakeAssistantAdapter } from './port.ts'

type Load = () => Promise<MakeAssistantAdapter>

/** Loaders of assistant adapters by provider id, imported on first use. */
export const assistantAdapters: Readonly<Record<string, Load>> = {
  typebot: async () => (await import('./typebot/adapter.ts')).makeAdapter,
  dialogflow: async () => (await import('./dialogflow/adapter.ts')).makeAdapter,
  n8n: async () => (await import('./n8n/adapter.ts')).makeAdapter,
  dify: async () => (await import('./dify/adapter.ts')).makeAdapter,
  chatgpt: async () => (await import('./chatgpt/adapter.ts')).makeAdapter,
  ollama: async () => (await import('./ollama/adapter.ts')).makeAdapter,
  lm: async () => (await import('./lm/adapter.ts')).makeAdapter,
  grok: async () => (await import('./grok/adapter.ts')).makeAdapter,
  gemini: async () => (await import('./gemini/adapter.ts')).makeAdapter,
  deepseek: async () => (await import('./deepseek/adapter.ts')).makeAdapter,
  qwen: async () => (await import('./qwen/adapter.ts')).makeAdapter,
  claude: async () => (await import('./claude/adapter.ts')).makeAdapter,
  groqcloud: async () => (await import('./groqcloud/adapter.ts')).makeAdapter,
  vapi: async () => (await import('./vapi/adapter.ts')).makeAdapter,
}
