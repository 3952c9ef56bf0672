import { choiceList } from '#web/choices.ts'
import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'
import { UsersIcon } from '#web/ui/icons.ts'
import { users } from '../addresses.ts'
import type { UserRow } from '../contract.ts'
import { EmailNotice } from './EmailNotice.tsx'

declare module '#web/choices.ts' {
  interface Choices {
    users: UserRow
  }
}

/** Users: the company's, and those of all companies. */
export const usersWeb: WebFeature = {
  bars: [EmailNotice],
  choices: { users: choiceList(users.list, (page) => page.users) },
  screens: [
    {
      path: '/usuarios',
      title: t('Usuários'),
      icon: UsersIcon,
      can: 'users:write',
      menu: { group: 'Administração' },
      load: async () => (await import('./Users.tsx')).Users,
    },
    {
      path: '/usuariotenants',
      title: t('Usuários das Empresas'),
      icon: UsersIcon,
      can: 'platform:write',
      menu: { group: 'Empresas e Licença' },
      load: async () => (await import('./TenantUsers.tsx')).TenantUsers,
    },
  ],
}
