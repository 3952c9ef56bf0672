import type { ChannelConfig } from '#providers/channels/configs.ts'
import type { Screen } from '#web/shell/screens.ts'
import { channelLook } from '#web/ui/identity/channels.ts'

/** A screen for each provider that is set once for all of its connections. */
export const providerScreens = (configs: readonly ChannelConfig[]): Screen[] =>
  configs.flatMap(({ settings, ...config }) =>
    settings && !config.isUnfinished
      ? [
          {
            path: `/configuracoes/${config.id}`,
            title: settings.name,
            icon: channelLook(config.types[0]!.type).Icon,
            can: 'connections:write',
            menu: { group: 'Configuração e API' },
            load: async () => (await import('./provider-screen.tsx')).providerScreen({ ...config, settings }),
          } as const,
        ]
      : [],
  )
