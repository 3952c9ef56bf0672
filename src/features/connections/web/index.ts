import { channelLooks } from '#providers/channels/looks.ts'
import { choiceList } from '#web/choices.ts'
import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'
import { connectionList } from '../addresses.ts'
import type { ConnectionRow } from '../contract.ts'
import { ChannelsNotice } from './ChannelsNotice.tsx'
import { providerScreens } from './provider-screens.ts'

export { NameAndQueue } from './NameAndQueue.tsx'
export {
  type LoadProviderTab,
  type ProviderOf,
  type ProviderPart,
  type ProviderTab,
  registerProviderTabs,
} from './provider-tabs.ts'
/** Loads the status pill of a connection, which other screens show too. */
export const loadStatePill = async () => (await import('./StatePill.tsx')).StatePill

declare module '#web/choices.ts' {
  interface Choices {
    connections: ConnectionRow
  }
}

/** Web feature of the company's connections, which many screens choose from. */
export const connectionsWeb: WebFeature = {
  bars: [ChannelsNotice],
  choices: {
    connections: choiceList(connectionList.list, (page) => page.connections),
  },
  screens: [
    {
      path: '/sessoes',
      redirects: { '/configuracoes/sessoes': '/sessoes' },
      title: t('Canais'),
      icon: 'SignalIcon',
      can: 'connections:list',
      menu: { place: 'settings', group: 'Canais e integrações', order: 1 },
      load: async () => (await import('./Connections.tsx')).Connections,
    },
    {
      path: '/configuracoes/proxy',
      title: t('Proxies'),
      icon: 'ProxyIcon',
      can: 'connections:write',
      menu: { place: 'settings', group: 'Canais e integrações' },
      load: async () => (await import('./Proxies.tsx')).Proxies,
    },
    ...providerScreens(channelLooks),
  ],
}
