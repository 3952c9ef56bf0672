/** One setting of a tenant: its default, what it does in a sentence, and what it cannot be combined with (decision B11). */
export type SettingSpec = {
  readonly default: string
  readonly label: string
  readonly effect: string
  readonly conflicts?: readonly string[]
}

/** Every setting that has an effect today. Values are 'enabled'/'disabled', text or a number as text. */
export const settingsRegistry = {
  NotViewTicketsChatBot: {
    default: 'disabled',
    label: 'Não visualizar atendimentos no chatbot',
    effect: 'Atendimentos que só o chatbot atende ficam fora das listas.',
    conflicts: ['NotViewAssignedTickets', 'nullTickets'],
  },
  DirectTicketsToWallets: {
    default: 'disabled',
    label: 'Forçar atendimento via carteira',
    effect: 'Clientes de uma carteira são atendidos e vistos pelo dono dela.',
  },
  NotViewAssignedTickets: {
    default: 'disabled',
    label: 'Não visualizar atendimentos de outros usuários',
    effect: 'Cada um vê os seus e os que não têm responsável.',
    conflicts: ['NotViewTicketsChatBot', 'nullTickets'],
  },
  nullTickets: {
    default: 'disabled',
    label: 'Mostrar atendimentos sem fila',
    effect: 'Quem só vê as próprias filas vê também o que não tem fila nem responsável.',
    conflicts: ['NotViewTicketsChatBot', 'NotViewAssignedTickets'],
  },
  supervisorAdmin: {
    default: 'disabled',
    label: 'Limitar supervisores',
    effect: 'Supervisores perdem a visão ampla e seguem as regras dos usuários.',
  },
  showGroupsForAll: {
    default: 'disabled',
    label: 'Mostrar grupos para todos',
    effect: 'Conversas em grupo aparecem para todos.',
  },
  showClosedForAll: {
    default: 'disabled',
    label: 'Mostrar resolvidos para todos',
    effect: 'Atendimentos resolvidos aparecem para todos, nas filas de cada um.',
  },
  listByLastMessage: {
    default: 'disabled',
    label: 'Ordenar pela última mensagem',
    effect: 'A lista segue a última mensagem, não a última mudança.',
  },
  forcePendingUser: {
    default: 'disabled',
    label: 'Manter o responsável ao devolver',
    effect: 'Devolver à fila não tira o responsável.',
  },
  signed: {
    default: 'disabled',
    label: 'Assinatura obrigatória',
    effect: 'Usuários não podem desligar a assinatura nas mensagens.',
  },
  forceLogout: {
    default: 'disabled',
    label: 'Forçar logout',
    effect: 'Entrar em outro dispositivo encerra a sessão que estava aberta.',
  },
  useUserBusinessHours: {
    default: 'disabled',
    label: 'Respeitar o horário de cada usuário',
    effect: 'Fora do horário do próprio cadastro ninguém entra, e quem está dentro sai.',
  },
  menuVisibility: {
    default: '{}',
    label: 'Itens de menu escondidos',
    effect: 'Esconde telas de todos na empresa, menos do superadministrador.',
  },
  systemColors: { default: '[]', label: 'Cores da empresa', effect: 'Cores da interface e do webchat.' },
} as const satisfies Record<string, SettingSpec>

/** The name of a setting. */
export type SettingKey = keyof typeof settingsRegistry

/** All settings of a tenant, defaults filled in, with the two facts that rules need beside them. */
export type TenantSettings = {
  readonly values: Readonly<Record<SettingKey, string>>
  readonly tenantHasQueues: boolean
  readonly timezone: string
  readonly tenantName: string
  readonly tenantStatus: 'active' | 'inactive'
}

/** Whether a switch is on. */
export const isOn = (settings: TenantSettings, key: SettingKey): boolean => settings.values[key] === 'enabled'
