import { firstOf } from '#domain/present.ts'
import type { ChannelLooks } from '#providers/channels/config.ts'
import type { Screen } from '#web/shell/screens.ts'
import { channelLook } from '#web/ui/identity/channels.ts'

/** Returns a screen for each provider with common settings for all of its connections. */
export const providerScreens = (channels: readonly ChannelLooks[]): Screen[] =>
  channels.flatMap(({ id, types, settingsName }) =>
    settingsName
      ? [
          {
            path: `/configuracoes/${id}`,
            title: settingsName,
            icon: channelLook(firstOf(types).type).Icon,
            can: 'connections:write',
            menu: { place: 'settings', group: 'Canais e integrações' },
            finds: async () => (await import('./provider-findable.ts')).findableOf(id),
            load: async () => (await import('./provider-screen.tsx')).providerScreen(id),
          } as const,
        ]
      : [],
  )
