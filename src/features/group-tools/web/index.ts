import type { GroupRuleKind } from '#domain/groups/tools.ts'
import type { Screen, WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'

const can = 'groups:write'
const rulesOf = (
  kind: GroupRuleKind,
  way: string,
  title: string,
  icon: Screen['icon'] & string,
  order: number,
): Screen => ({
  ...{ path: `/grupo/${way}`, title, icon, can, menu: { place: 'groups', order } },
  load: async () => (await import('./rules-screen.tsx')).rulesScreen(kind),
})

/** Web part of the feature `group-tools`: bulk jobs and automatic rules for WhatsApp groups. */
export const groupToolsWeb: WebFeature = {
  screens: [
    {
      path: '/grupo/massagrupos',
      title: t('Grupos e participantes'),
      icon: 'GroupsIcon',
      can,
      menu: { place: 'groups', order: 1 },
      redirects: { '/grupo': '/grupo/massagrupos' },
      load: async () => (await import('./GroupList.tsx')).GroupList,
    },
    {
      path: '/grupo/massagrupos2',
      title: t('Manipular grupos'),
      icon: 'GroupEditIcon',
      can,
      menu: { place: 'groups', order: 2 },
      load: async () => (await import('./ChangeGroups.tsx')).ChangeGroups,
    },
    {
      path: '/grupo/massausuarios',
      title: t('Manipular usuários'),
      icon: 'GroupMembersIcon',
      can,
      menu: { place: 'groups', order: 3 },
      load: async () => (await import('./ChangeMembers.tsx')).ChangeMembers,
    },
    rulesOf('greeting', 'saudacao', t('Saudação'), 'GreetingIcon', 4),
    rulesOf('farewell', 'despedida', t('Despedida'), 'GroupFarewellIcon', 5),
    rulesOf('ban', 'banlist', t('Números banidos'), 'BannedIcon', 6),
    rulesOf('word', 'wordlist', t('Palavras proibidas'), 'WordsIcon', 7),
  ],
}
