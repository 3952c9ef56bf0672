import { channelConfigs } from '#providers/channels/configs.ts'
import { choiceList } from '#web/choices.ts'
import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'
import { ForwardIcon, SignalIcon } from '#web/ui/icons.ts'
import { connections, proxies } from '../addresses.ts'
import type { ConnectionRow } from '../contract.ts'
import type { CompanyProxy } from '../proxies-contract.ts'
import { ChannelsNotice } from './ChannelsNotice.tsx'
import { providerScreens } from './provider-screens.ts'

export { NameAndQueue } from './NameAndQueue.tsx'
/** Loads how a connection stands in few words, which other screens show too. */
export const loadStatePill = async () => (await import('./StatePill.tsx')).StatePill

declare module '#web/choices.ts' {
  interface Choices {
    connections: ConnectionRow
    proxies: CompanyProxy
  }
}

/** The company's connections to channels, which many screens choose from. */
export const connectionsWeb: WebFeature = {
  bars: [ChannelsNotice],
  choices: {
    connections: choiceList(connections.list, (page) => page.connections),
    proxies: choiceList(proxies.list, (page) => page.items),
  },
  screens: [
    {
      path: '/sessoes',
      redirects: { '/configuracoes/sessoes': '/sessoes' },
      title: t('Canais de Comunicação'),
      icon: SignalIcon,
      can: 'connections:list',
      menu: { group: 'Administração', label: t('Canais') },
      load: async () => (await import('./Connections.tsx')).Connections,
    },
    {
      path: '/configuracoes/proxy',
      title: t('Proxies'),
      icon: ForwardIcon,
      can: 'connections:write',
      menu: { group: 'Configuração e API' },
      load: async () => (await import('./Proxies.tsx')).Proxies,
    },
    ...providerScreens(channelConfigs),
  ],
}
