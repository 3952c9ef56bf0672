import type { FlowScreens } from '#features/messages/web/registries/flow-screens.ts'
import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'

/** Chat flow screens for conversations. */
export const flowScreens: FlowScreens = {
  loadWhy: async () => (await import('./WhyBot.tsx')).WhyBot,
}

/** Web feature of chat flows: list, builder and auto replies. */
export const flowsWeb: WebFeature = {
  screens: [
    {
      path: '/chat-flow',
      title: t('Chatbots'),
      icon: 'FlowIcon',
      can: 'flows:write',
      menu: { place: 'automation', order: 1 },
      load: async () => (await import('./Flows.tsx')).Flows,
    },
    {
      path: '/auto-resposta',
      title: t('Respostas automáticas'),
      icon: 'AutoReplyIcon',
      can: 'flows:write',
      menu: { place: 'automation', order: 2 },
      load: async () => (await import('./AutoReplies.tsx')).AutoReplies,
    },
    {
      path: '/chat-flow/builder',
      title: t('Construtor de chatbot'),
      can: 'flows:write',
      fill: true,
      needsWidth: true,
      load: async () => (await import('./builder/Builder.tsx')).Builder,
    },
  ],
}
