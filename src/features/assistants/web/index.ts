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
    screen('chatgpt', t('ChatGPT'), 'chat-gpt'),
    screen('claude', t('Claude')),
    screen('gemini', t('Gemini')),
    screen('ollama', t('Ollama')),
    screen('lm', t('LM Studio')),
    screen('grok', t('Grok')),
    screen('deepseek', t('DeepSeek')),
    screen('qwen', t('Qwen')),
    screen('groqcloud', t('GroqCloud')),
    screen('typebot', t('Typebot')),
    screen('dialogflow', t('Dialogflow')),
    screen('dify', t('Dify')),
    screen('n8n', t('n8n')),
    screen('vapi', t('Vapi (voz)')),
  ],
}
