import type { WebFeature } from '#web/shell/screens.ts'
import { deferred } from '#web/start/deferred.ts'
import { t } from '#web/t.ts'
import { BroadcastIcon } from '#web/ui/icons.ts'

// New announcements are shown on every screen.
deferred(async () => (await import('./live.tsx')).startAnnouncements)

/** Web part of the feature `announcements`: announcements of the superadmin to users. */
export const announcementsWeb: WebFeature = {
  screens: [
    {
      ...{ path: '/notificacao', title: t('Avisos'), icon: BroadcastIcon, can: 'platform:write' },
      menu: { place: 'installation', group: 'Empresas', order: 4 },
      load: async () => (await import('./Announcements.tsx')).Announcements,
    },
  ],
}
