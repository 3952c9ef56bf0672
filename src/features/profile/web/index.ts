import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'
import { PersonIcon } from '#web/ui/icons.ts'

/** Web part of the feature `profile`: the user's own account. */
export const profileWeb: WebFeature = {
  screens: [
    {
      path: '/perfil',
      title: t('Meu perfil'),
      icon: PersonIcon,
      can: 'session',
      whenOverdue: 'also',
      load: async () => (await import('./Profile.tsx')).Profile,
    },
  ],
}
