import { chatgptConfig } from './chatgpt/config.ts'
import { claudeConfig } from './claude/config.ts'
import { deepseekConfig } from './deepseek/config.ts'
import { dialogflowConfig } from './dialogflow/config.ts'
import { difyConfig } from './dify/config.ts'
import { geminiConfig } from './gemini/config.ts'
import { grokConfig } from './grok/config.ts'
import { groqcloudConfig } from './groqcloud/config.ts'
import { lmConfig } from './lm/config.ts'
import { n8nConfig } from './n8n/config.ts'
import { ollamaConfig } from './ollama/config.ts'
import type { AssistantConfig } from './port.ts'
import { qwenConfig } from './qwen/config.ts'
import { typebotConfig } from './typebot/config.ts'
import { vapiConfig } from './vapi/config.ts'

export type { AssistantConfig } from './port.ts'

/** Configs of all assistant providers, one line each. */
export const assistantConfigs: readonly AssistantConfig[] = [
  typebotConfig,
  dialogflowConfig,
  n8nConfig,
  difyConfig,
  chatgptConfig,
  ollamaConfig,
  lmConfig,
  grokConfig,
  geminiConfig,
  deepseekConfig,
  qwenConfig,
  claudeConfig,
  groqcloudConfig,
  vapiConfig,
]
