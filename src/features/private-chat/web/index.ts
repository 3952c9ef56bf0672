import type { WebFeature } from '#web/shell/screens.ts'
import { deferred } from '#web/start/deferred.ts'
import { t } from '#web/t.ts'
import { ColleaguesChatIcon } from '#web/ui/icons.ts'

// Private messages are received and counted on every screen.
deferred(async () => (await import('./live.ts')).startPrivateChat)

/** Loads the dialog that forwards messages to colleagues. */
export const loadForwardToColleague = async () => (await import('./ForwardToColleague.tsx')).ForwardToColleague

/** Web part of the feature `private-chat`: the private chat of colleagues. */
export const privateChatWeb: WebFeature = {
  screens: [
    {
      path: '/chat-privado',
      title: t('Chat privado'),
      icon: ColleaguesChatIcon,
      can: 'private-chat:use',
      menu: { place: 'chat' },
      children: ['$userId', 'equipe/$teamId'],
      shortcut: 'g p',
      countsUnread: 'private',
      fill: true,
      drawer: async () => (await import('./ChatDrawer.tsx')).ChatDrawer,
      load: async () => (await import('./PrivateChat.tsx')).PrivateChat,
    },
  ],
}
