import type { WebFeature } from '#web/shell/screens.ts'

/** Web part of the feature `webchat`: the webchat of customers' sites: channel, public API, sockets. */
export const webchatWeb: WebFeature = {
  screens: [
    {
      path: '/configuracoes/webchat',
      title: 'WebChat',
      icon: 'WebchatIcon',
      can: 'webchat:write',
      menu: { place: 'settings', group: 'Canais e integrações' },
      load: async () => (await import('./WebchatSettings.tsx')).WebchatSettings,
    },
  ],
}
