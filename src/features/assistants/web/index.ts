import type { AssistantScreens } from '#features/conversations/web/index.ts'
import type { Screen, WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'
import { BotIcon } from '#web/ui/icons.ts'

/** What assistants show within conversations. */
export const assistantScreens: AssistantScreens = {
  loadTurns: async () => (await import('./TicketAssistants.tsx')).TicketAssistants,
}

const screen = (id: string, title: string, path = id): Screen => ({
  path: `/configuracoes/${path}`,
  title,
  icon: BotIcon,
  can: 'assistants:write',
  menu: { place: 'settings', group: 'Bots e IA' },
  load: async () => (await import('./assistant-screen.tsx')).assistantScreen(id),
})

/** Assistants: a screen per provider. */
export const assistantsWeb: WebFeature = {
  screens: [
    screen('chatgpt', 'ChatGPT', 'chat-gpt'),
    screen('claude', 'Claude'),
    screen('gemini', 'Gemini'),
    screen('ollama', 'Ollama'),
    screen('lm', 'LM Studio'),
    screen('grok', 'Grok'),
    screen('deepseek', 'DeepSeek'),
    screen('qwen', 'Qwen'),
    screen('groqcloud', 'GroqCloud'),
    screen('typebot', 'Typebot'),
    screen('dialogflow', 'Dialogflow'),
    screen('dify', 'Dify'),
    screen('n8n', 'n8n'),
    screen('vapi', t('Vapi (voz)')),
  ],
}
