import { choiceList } from '#web/choices.ts'
import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'
import { users } from '../addresses.ts'
import type { UserRow } from '../contract.ts'
import { EmailNotice } from './EmailNotice.tsx'

declare module '#web/choices.ts' {
  interface Choices {
    users: UserRow
  }
}

/** Web part of the feature `users`: users of the company and of all companies. */
export const usersWeb: WebFeature = {
  bars: [EmailNotice],
  choices: { users: choiceList(users.list, (page) => page.users) },
  screens: [
    {
      path: '/usuarios',
      title: t('Usuários'),
      icon: 'UsersIcon',
      can: 'users:write',
      menu: { place: 'settings', group: 'Equipe e acesso', order: 1 },
      load: async () => (await import('./Users.tsx')).Users,
    },
    {
      path: '/usuariotenants',
      title: t('Usuários das empresas'),
      icon: 'TenantUsersIcon',
      can: 'platform:write',
      menu: { place: 'installation', group: 'Empresas', order: 2 },
      load: async () => (await import('./TenantUsers.tsx')).TenantUsers,
    },
  ],
}
