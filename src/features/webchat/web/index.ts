import type { WebFeature } from '#web/shell/screens.ts'

/** The settings of the company's webchat channels. */
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
