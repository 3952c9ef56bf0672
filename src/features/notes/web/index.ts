import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'

/** Web part of the feature `notes`: lists of internal notes and protocols. */
export const notesWeb: WebFeature = {
  screens: [
    {
      path: '/notas',
      title: t('Notas'),
      icon: 'NoteIcon',
      can: 'notes:read',
      menu: { place: 'reports', order: 2 },
      load: async () => (await import('./lists.ts')).Notes,
    },
    {
      path: '/protocolos',
      title: t('Protocolos'),
      icon: 'ProtocolIcon',
      can: 'protocols:read',
      menu: { place: 'reports', order: 3 },
      load: async () => (await import('./lists.ts')).Protocols,
    },
  ],
}
