import type { ComponentType } from 'react'
import { keysIn } from '#domain/keys.ts'
import { t } from '../t.ts'
import {
  AgendaIcon,
  BotIcon,
  CampaignIcon,
  ColleaguesChatIcon,
  ContactsIcon,
  FunnelIcon,
  GroupsIcon,
  HomeIcon,
  InstallationIcon,
  LabIcon,
  ReportsIcon,
  SettingsIcon,
  TicketsIcon,
} from '../ui/icons.ts'

/**
 * Entry of the menu. Its screens are its tabs, or (`groups`) the entries of a list of its own; `phone` 1–4 puts it in the
 * phone's bar, `isApart` draws a hairline above it.
 */
export type Place = {
  readonly name: string
  readonly icon: ComponentType<{ size?: number | string }>
  readonly groups?: readonly string[]
  readonly phone?: 1 | 2 | 3 | 4
  readonly isApart?: boolean
}

// Groups of the menu by name; looked up where they are shown.
const menuGroups = {
  settings: [
    'Geral',
    'Equipe e acesso',
    'Atendimento',
    'Canais e integrações',
    'Bots e IA',
    'CRM',
    'API e segurança',
    'Empresa',
  ],
  installation: ['Empresas', 'Sistema'],
}

const table = {
  home: { name: t('Início'), icon: HomeIcon, phone: 3 },
  attendance: { name: t('Atendimentos'), icon: TicketsIcon, phone: 1 },
  contacts: { name: t('Contatos'), icon: ContactsIcon, phone: 2 },
  chat: { name: t('Chat privado'), icon: ColleaguesChatIcon },
  funnel: { name: t('Funil'), icon: FunnelIcon },
  agenda: { name: t('Agenda'), icon: AgendaIcon },
  campaigns: { name: t('Campanhas'), icon: CampaignIcon },
  groups: { name: t('Grupos'), icon: GroupsIcon },
  automation: { name: t('Automação'), icon: BotIcon },
  reports: { name: t('Relatórios'), icon: ReportsIcon },
  lab: { name: t('Laboratório'), icon: LabIcon, isApart: true },
  settings: { name: t('Configurações'), icon: SettingsIcon, isApart: true, groups: menuGroups.settings },
  installation: { name: t('Instalação'), icon: InstallationIcon, groups: menuGroups.installation },
} as const satisfies Record<string, Place>

/** Name of a place in the screens table. */
export type PlaceId = keyof typeof table

/** Places of the menu in order: daily ones, then those that are set up once. At most fourteen (design/experience.md). */
export const places: Readonly<Record<PlaceId, Place>> = table

/** Names of the places in the order of the menu. */
export const placeIds = keysIn(table)
