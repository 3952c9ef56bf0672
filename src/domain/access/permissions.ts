import { isRouteHidden, type MenuVisibility } from './menu.ts'
import { FEATURE_REFUSAL, type Feature } from './plan.ts'
import { type Profile, seesWide } from './profiles.ts'

const TEAM = ['user', 'super', 'admin', 'superadmin'] as const
const LEADS = ['super', 'admin', 'superadmin'] as const
const ADMIN = ['admin', 'superadmin'] as const
const PLATFORM = ['superadmin'] as const

/** One permission as data. */
export type PermissionSpec = {
  /** What it lets somebody do, as an administrator reads it. */
  readonly allows: string
  /** Who has it. The superadmin runs the installation and, in the own company, is an admin. */
  readonly profiles: readonly Profile[]
  /** The screens on which it is used: where all of them are hidden, it is taken away (decision A1). None: others need it. */
  readonly screens?: readonly string[]
  /** What the company's plan has to include for it. */
  readonly feature?: Feature
  /** Restricted users lack it: customers' data stays out of their sight (product facts 6.4). */
  readonly unrestricted?: true
  /** Part of the wide view: limited supervisors lack it, support users have it (decisions A3, A13). */
  readonly wide?: true
}

/** Every permission; which operations ask for it stands in their contracts (`can`), and on the screen of accesses. */
export const PERMISSIONS = {
  'platform:read': { allows: 'Ver as empresas, os planos e a saúde da instalação', profiles: PLATFORM },
  'platform:write': { allows: 'Administrar as empresas, os planos e a instalação', profiles: PLATFORM },

  'dashboard:read': { allows: 'Ver o painel', profiles: TEAM, screens: ['/home'] },
  'tickets:read': { allows: 'Ver os atendimentos ao seu alcance', profiles: TEAM, screens: ['/atendimento'] },
  'tickets:write': { allows: 'Atender, responder, transferir e resolver', profiles: TEAM, screens: ['/atendimento'] },
  'tickets:start': {
    allows: 'Iniciar uma conversa com um contato',
    profiles: TEAM,
    screens: ['/atendimento'],
    unrestricted: true,
  },
  'tickets:all': {
    allows: 'Ver os atendimentos de todos e filtrar por pessoa',
    profiles: LEADS,
    screens: ['/atendimento'],
    wide: true,
  },
  'contacts:read': { allows: 'Ver os contatos com todos os dados', profiles: TEAM, unrestricted: true },
  'contacts:write': { allows: 'Cadastrar e alterar contatos', profiles: TEAM, unrestricted: true },
  'contacts:delete': { allows: 'Excluir contatos', profiles: LEADS, screens: ['/contatos'], unrestricted: true },

  'queues:read': { allows: 'Escolher entre as filas', profiles: TEAM },
  'tags:read': { allows: 'Escolher entre as etiquetas', profiles: TEAM },
  'connections:read': { allows: 'Escolher entre os canais', profiles: TEAM },
  'connections:write': { allows: 'Criar, alterar, conectar e desconectar canais', profiles: ADMIN },
  'users:read': { allows: 'Ver quem são os colegas', profiles: TEAM },
  'settings:read': { allows: 'Conhecer as configurações que valem para si', profiles: TEAM },
  'teams:read': { allows: 'Ver as equipes', profiles: TEAM },
  'queues:write': { allows: 'Criar, alterar e excluir filas', profiles: LEADS, screens: ['/filas'] },
  'teams:write': { allows: 'Criar, alterar e excluir equipes', profiles: LEADS, screens: ['/equipes'] },
  'tags:write': { allows: 'Criar, alterar e excluir etiquetas', profiles: LEADS, screens: ['/etiquetas'] },
  'fast-replies:write': {
    allows: 'Criar, alterar e excluir mensagens rápidas',
    profiles: TEAM,
    screens: ['/mensagens-rapidas'],
  },
  'users:write': { allows: 'Administrar usuários e os acessos deles', profiles: ADMIN, screens: ['/usuarios'] },
  'settings:write': { allows: 'Mudar as configurações da empresa', profiles: ADMIN, screens: ['/configuracoes'] },
  'hours:write': {
    allows: 'Definir o horário de atendimento, a mensagem de ausência e os feriados',
    profiles: LEADS,
    screens: ['/horario-atendimento'],
  },
  'ratings:read': {
    allows: 'Ver as avaliações dos atendimentos ao seu alcance',
    profiles: LEADS,
    screens: ['/avaliacoes'],
  },
  'ratings:delete': { allows: 'Excluir avaliações', profiles: ADMIN, screens: ['/avaliacoes'] },
  'ratings:write': { allows: 'Configurar a avaliação', profiles: ADMIN, screens: ['/avaliacoes'] },
  'audit:read': { allows: 'Ver a auditoria da empresa', profiles: ADMIN, screens: ['/auditoria'] },
  'journal:write': {
    allows: 'Ver os eventos separados e tentar de novo',
    profiles: ADMIN,
    screens: ['/eventos-separados'],
  },
  'webchat:write': {
    allows: 'Configurar o WebChat',
    profiles: ADMIN,
    screens: ['/configuracoes/webchat'],
    feature: 'channel:webchat',
  },
  'lab:use': {
    allows: 'Usar o laboratório de canais',
    profiles: LEADS,
    screens: ['/laboratorio'],
    feature: 'channel:lab',
    // Whoever holds a phone of the lab reads and speaks as the customer.
    unrestricted: true,
  },
} as const satisfies Record<string, PermissionSpec>

/** The name of a permission, as contracts and screens ask for it. */
export type Permission = keyof typeof PERMISSIONS

/** What permissions depend on; `supervisorsLimited` is the tenant's `supervisorAdmin: enabled`. */
export type Permitted = {
  readonly profile: Profile
  readonly isSupport?: boolean
  readonly restrictedUser?: boolean
  readonly supervisorsLimited?: boolean
  /** What the company's plan includes; left out or null: everything. */
  readonly features?: readonly Feature[] | null
  /** What the superadmin hides in the whole company. */
  readonly menuVisibility?: MenuVisibility
  /** What is hidden for this person (true = hidden, as above). */
  readonly menuPermissions?: MenuVisibility
}

/** Why somebody lacks a permission. */
export type Refusal = 'profile' | 'plan' | 'supervisorsLimited' | 'restricted' | 'hiddenByTenant' | 'hiddenForPerson'

/** Whether the person has the permission. */
export const can = (person: Permitted, permission: Permission): boolean => whyNot(person, permission) === null

/** The first reason for which the person lacks the permission; null when they have it. */
export function whyNot(person: Permitted, permission: Permission): Refusal | null {
  const { profiles, screens = [], feature, unrestricted, wide }: PermissionSpec = PERMISSIONS[permission]
  if (wide ? !mayBeWide(person, profiles) : !profiles.includes(person.profile)) return 'profile'
  if (feature && person.features?.includes(feature) === false) return 'plan'
  if (wide && !seesWide(person, person.supervisorsLimited ?? false)) return 'supervisorsLimited'
  if (unrestricted && person.restrictedUser) return 'restricted'
  const hidden = screens.map((screen) => whyHidden(person, screen))
  if (hidden.length === 0 || hidden.includes(null)) return null
  return hidden.includes('hiddenForPerson') ? 'hiddenForPerson' : 'hiddenByTenant'
}

/** The code with which the person is refused the permission; null when they have it. */
export function refusalCode(
  person: Permitted,
  permission: Permission,
): 'ERR_NO_PERMISSION' | typeof FEATURE_REFUSAL | null {
  const reason = whyNot(person, permission)
  return reason === 'plan' ? FEATURE_REFUSAL : reason && 'ERR_NO_PERMISSION'
}

/** Why a path is hidden from the person's menu; null when it is not. Nothing is hidden from the superadmin. */
export function whyHidden(person: Permitted, path: string): 'hiddenByTenant' | 'hiddenForPerson' | null {
  if (person.profile === 'superadmin') return null
  if (isRouteHidden(person.menuVisibility ?? {}, path)) return 'hiddenByTenant'
  return isRouteHidden(person.menuPermissions ?? {}, path) ? 'hiddenForPerson' : null
}

/** The permissions that the person has. */
export const permissionsOf = (person: Permitted): Permission[] =>
  (Object.keys(PERMISSIONS) as Permission[]).filter((permission) => can(person, permission))

const mayBeWide = (person: Permitted, profiles: readonly Profile[]): boolean =>
  person.isSupport === true || profiles.includes(person.profile)
