import type { Permission } from '#domain/access/permissions.ts'
import type { Feature } from '#domain/access/plan.ts'
import type { BusinessDay } from '#domain/calendar/business-hours.ts'
import { listProblem } from '#domain/messages/unwanted.ts'

/** The groups of the settings screen, in their order. */
export const settingGroups = [
  'Quem vê o quê',
  'Atendimento',
  'Chegada de mensagens',
  'Encerramento automático',
  'Fora do horário',
  'Segurança',
] as const

/**
 * One setting of a tenant (decision B11): screen, validation, endpoints and cache are made from it.
 * - `default`: the value as text; switches are 'enabled' or 'disabled'.
 * - `effect`: what it does, in one sentence. A key without an effect fails a test.
 * - `group`: where the settings screen shows it; null for what has a screen of its own.
 * - `can`: who may change it, where that is not whoever may change settings.
 * - `conflicts`: switches that may not be on at the same time.
 * - `browser`: every browser of the tenant may know it.
 * - `under`: the switch without which it means nothing.
 * - `alias`: the old address of a tenant flag, `PUT /{alias}/{id}` with the value under `field` (or the key).
 */
export type SettingSpec = {
  readonly default: string
  readonly label: string
  readonly effect: string
  readonly group: (typeof settingGroups)[number] | null
  readonly can?: Permission
  readonly conflicts?: readonly string[]
  readonly browser?: true
  readonly under?: string
  readonly alias?: string
  readonly field?: string
} & (
  | { readonly kind: 'switch' }
  | { readonly kind: 'number'; readonly min: number; readonly max: number; readonly unit: string }
  | {
      readonly kind: 'text'
      readonly max: number
      readonly lines?: true
      /** What else is wrong with a text, in Portuguese. */
      readonly problem?: (text: string) => string | null
    }
  | { readonly kind: 'choice'; readonly options: readonly { readonly value: string; readonly label: string }[] }
  /** Written through an address of its own, which knows its shape. */
  | { readonly kind: 'json' }
)

/** Every setting that has an effect today. */
export const settingsRegistry = {
  NotViewTicketsChatBot: {
    kind: 'switch',
    default: 'disabled',
    group: 'Quem vê o quê',
    label: 'Não visualizar atendimentos no chatbot',
    effect: 'Atendimentos que só o chatbot atende ficam fora das listas.',
    conflicts: ['NotViewAssignedTickets', 'nullTickets'],
    browser: true,
  },
  NotViewAssignedTickets: {
    kind: 'switch',
    default: 'disabled',
    group: 'Quem vê o quê',
    label: 'Não visualizar atendimentos de outros usuários',
    effect: 'Cada um vê os seus e os que não têm responsável.',
    conflicts: ['NotViewTicketsChatBot', 'nullTickets'],
    browser: true,
  },
  nullTickets: {
    kind: 'switch',
    default: 'disabled',
    group: 'Quem vê o quê',
    label: 'Mostrar atendimentos sem fila',
    effect: 'Quem só vê as próprias filas vê também o que não tem fila nem responsável.',
    conflicts: ['NotViewTicketsChatBot', 'NotViewAssignedTickets'],
    browser: true,
    alias: 'tenantsNullTickets',
  },
  supervisorAdmin: {
    kind: 'switch',
    default: 'disabled',
    group: 'Quem vê o quê',
    label: 'Limitar supervisores',
    effect: 'Supervisores perdem a visão ampla e seguem as regras dos usuários.',
    browser: true,
    alias: 'tenantsSupervisorAdmin',
  },
  showGroupsForAll: {
    kind: 'switch',
    default: 'disabled',
    group: 'Quem vê o quê',
    label: 'Mostrar grupos para todos',
    effect: 'Conversas em grupo aparecem para todos.',
    browser: true,
    alias: 'tenantsShowGroupsForAll',
  },
  showClosedForAll: {
    kind: 'switch',
    default: 'disabled',
    group: 'Quem vê o quê',
    label: 'Mostrar resolvidos para todos',
    effect: 'Atendimentos resolvidos aparecem para todos, nas filas de cada um.',
    browser: true,
    alias: 'tenantsShowClosedForAll',
  },
  DirectTicketsToWallets: {
    kind: 'switch',
    default: 'disabled',
    group: 'Atendimento',
    label: 'Forçar atendimento via carteira',
    effect: 'Clientes de uma carteira são atendidos e vistos pelo dono dela.',
    browser: true,
  },
  serviceTransfer: {
    kind: 'switch',
    default: 'disabled',
    group: 'Atendimento',
    label: 'Transbordo de mensagens',
    effect: 'Se o dono da carteira está offline, o atendimento novo fica pendente para todos.',
    under: 'DirectTicketsToWallets',
    alias: 'tenantsServiceTransfer',
  },
  listByLastMessage: {
    kind: 'switch',
    default: 'disabled',
    group: 'Atendimento',
    label: 'Ordenar pela última mensagem',
    effect: 'A lista segue a última mensagem, não a última mudança.',
    browser: true,
    alias: 'tenantsListByLastMessage',
  },
  forcePendingUser: {
    kind: 'switch',
    default: 'disabled',
    group: 'Atendimento',
    label: 'Manter o responsável ao devolver',
    effect: 'Devolver à fila não tira o responsável.',
    conflicts: ['forceAdmin'],
    browser: true,
    alias: 'tenantsForcePending',
  },
  forceAdmin: {
    kind: 'switch',
    default: 'disabled',
    group: 'Atendimento',
    label: 'Devolver ao administrador',
    effect: 'O que volta para a fila fica com o dono da empresa como responsável.',
    conflicts: ['forcePendingUser'],
    alias: 'tenantsForceAdmin',
  },
  controlFeatures: {
    kind: 'switch',
    default: 'disabled',
    group: 'Atendimento',
    label: 'Restringir o encerramento forçado',
    effect: 'Usuários não forçam a situação nem o responsável de um atendimento.',
    alias: 'tenantsControlFeatures',
  },
  ticketLimit: {
    kind: 'switch',
    default: 'disabled',
    group: 'Atendimento',
    label: 'Filtrar atendimentos antigos',
    effect: 'A lista mostra só o que mudou nos últimos dias; a busca continua encontrando o resto.',
    browser: true,
  },
  ticketLimitDaysAgo: {
    kind: 'number',
    default: '30',
    min: 1,
    max: 3650,
    unit: 'dias',
    group: 'Atendimento',
    label: 'Mostrar os últimos',
    effect: 'Atendimentos que não mudaram nesse tempo saem da lista.',
    under: 'ticketLimit',
    browser: true,
  },
  ticketPage: {
    kind: 'number',
    default: '30',
    min: 10,
    max: 100,
    unit: 'atendimentos',
    group: 'Atendimento',
    label: 'Tamanho da página da lista',
    effect: 'Quantos atendimentos a lista lê de cada vez.',
    alias: 'tenantsTicketLimit',
    field: 'ticketLimit',
    browser: true,
  },
  signed: {
    kind: 'switch',
    default: 'disabled',
    group: 'Atendimento',
    label: 'Assinatura obrigatória',
    effect: 'Usuários não podem desligar a assinatura nas mensagens.',
    browser: true,
  },
  notificationSilenced: {
    kind: 'switch',
    default: 'enabled',
    group: 'Atendimento',
    label: 'Notificações sonoras',
    effect: 'Atendimentos, mensagens e menções tocam um som; cada um escolhe os seus no perfil.',
    browser: true,
  },
  ignoreGroupMsg: {
    kind: 'switch',
    default: 'disabled',
    group: 'Chegada de mensagens',
    label: 'Ignorar mensagens de grupo',
    effect: 'Mensagens de grupos não abrem atendimento e não são guardadas.',
  },
  forbiddenNumbers: {
    kind: 'text',
    default: '',
    max: 5000,
    lines: true,
    problem: listProblem,
    group: 'Chegada de mensagens',
    label: 'Números bloqueados',
    effect: 'Mensagens destes números são ignoradas. Um por linha, com código do país e DDD.',
  },
  autoClose: {
    kind: 'switch',
    default: 'disabled',
    group: 'Encerramento automático',
    label: 'Resolver conversas paradas',
    effect: 'Resolve sozinho o atendimento em que o cliente deixou de responder; quem espera por nós fica.',
  },
  autoCloseTime: {
    kind: 'choice',
    default: '1440',
    options: [
      { value: '10', label: '10 minutos' },
      { value: '60', label: '1 hora' },
      { value: '1440', label: '1 dia' },
      { value: '7200', label: '5 dias' },
      { value: '14400', label: '10 dias' },
    ],
    group: 'Encerramento automático',
    label: 'Depois de',
    effect: 'Tempo sem nenhuma mensagem na conversa.',
    under: 'autoClose',
  },
  autoCloseMessage: {
    kind: 'text',
    default: '',
    max: 1000,
    lines: true,
    group: 'Encerramento automático',
    label: 'Mensagem de encerramento',
    effect: 'Enviada ao cliente antes de resolver. Vazia não envia nada.',
    under: 'autoClose',
  },
  maxRetries: {
    kind: 'number',
    default: '1',
    min: 1,
    max: 10,
    unit: 'por atendimento',
    group: 'Fora do horário',
    label: 'Mensagens de ausência',
    effect: 'Quantas vezes, no máximo, o mesmo atendimento recebe a mensagem de ausência.',
    alias: 'tenantsMaxRetries',
  },
  userCreation: {
    kind: 'switch',
    default: 'enabled',
    group: 'Segurança',
    label: 'Permitir novos usuários',
    effect: 'Desligado, ninguém da empresa cadastra usuários.',
  },
  forceLogout: {
    kind: 'switch',
    default: 'disabled',
    group: 'Segurança',
    label: 'Forçar logout',
    effect: 'Entrar em outro dispositivo encerra a sessão que estava aberta.',
    alias: 'tenantsForceLogout',
  },
  requireSecondFactor: {
    kind: 'switch',
    default: 'disabled',
    group: 'Segurança',
    label: 'Exigir segundo fator',
    effect: 'Quem entra com senha confirma com um código do celular; quem ainda não tem configura na próxima entrada.',
    alias: 'tenantsA2F',
  },
  useUserBusinessHours: {
    kind: 'switch',
    default: 'disabled',
    group: 'Fora do horário',
    label: 'Respeitar o horário de cada usuário',
    effect: 'Fora do horário do próprio cadastro ninguém entra, e quem está dentro sai.',
    browser: true,
    alias: 'tenantsUseUserBusinessHours',
  },
  menuVisibility: {
    kind: 'json',
    default: '{}',
    group: null,
    label: 'Itens de menu escondidos',
    effect: 'Esconde telas de todos na empresa, menos do superadministrador.',
    can: 'platform:write',
    browser: true,
  },
  businessHours: {
    kind: 'json',
    default: '[]',
    group: null,
    label: 'Horário de atendimento',
    effect: 'Fora dele, quem escreve recebe a mensagem de ausência.',
  },
  messageBusinessHours: {
    kind: 'text',
    default: '',
    max: 1000,
    lines: true,
    group: null,
    label: 'Mensagem de ausência',
    effect: 'Enviada a quem escreve fora do horário. Vazia não envia nada.',
  },
  holidays: {
    kind: 'json',
    default: '[]',
    group: null,
    label: 'Feriados',
    effect: 'Dias em que ninguém atende.',
  },
  rating: {
    kind: 'json',
    default: '[]',
    group: null,
    label: 'Notas da avaliação',
    effect: 'Os nomes das notas de 0 a 5 e a resposta de cada uma.',
  },
  ratingStoreUse: {
    kind: 'switch',
    default: 'disabled',
    group: null,
    label: 'Pedir avaliação ao resolver',
    effect: 'O cliente de um atendimento resolvido é convidado a dar uma nota de 0 a 5.',
    browser: true,
  },
  ratingStore: {
    kind: 'text',
    default: 'Obrigado pela sua avaliação!',
    max: 1000,
    lines: true,
    group: null,
    label: 'Agradecimento',
    effect: 'Enviado a quem avalia, quando a nota não tem resposta própria. Vazio não envia nada.',
  },
  ratingStoreError: {
    kind: 'text',
    default: 'Não entendi. Responda com um número de 0 a 5.',
    max: 1000,
    lines: true,
    group: null,
    label: 'Resposta inválida',
    effect: 'Enviada a quem tenta dar uma nota e não consegue. Vazia não envia nada.',
  },
  ratingStoreAttemp: {
    kind: 'text',
    default: 'Tudo bem, encerramos por aqui. Obrigado!',
    max: 1000,
    lines: true,
    group: null,
    label: 'Fim das tentativas',
    effect: 'Enviada depois da terceira resposta que não é uma nota. Vazia não envia nada.',
  },
  ratingStoreTime: {
    kind: 'number',
    default: '600000',
    min: 60_000,
    max: 604_800_000,
    unit: 'ms',
    group: null,
    label: 'Tempo para avaliar',
    effect: 'Depois dele a avaliação termina sem nota; o que o cliente escrever abre um atendimento.',
  },
  systemColors: {
    kind: 'json',
    default: '[]',
    group: null,
    label: 'Cores da empresa',
    effect: 'Cores da interface e do webchat.',
    browser: true,
  },
} as const satisfies Record<string, SettingSpec>

/** The name of a setting. */
export type SettingKey = keyof typeof settingsRegistry

/** All settings of a tenant, defaults filled in, with the facts that rules need beside them. */
export type TenantSettings = {
  readonly values: Readonly<Record<SettingKey, string>>
  readonly tenantHasQueues: boolean
  /** Queues with hours or an absence message of their own, by id. */
  readonly queueHours: Readonly<Record<number, { readonly week: readonly BusinessDay[]; readonly message: string }>>
  readonly ownerId: number | null
  readonly timezone: string
  readonly tenantName: string
  readonly tenantStatus: 'active' | 'inactive'
  /** What the company's plan includes; null: everything. */
  readonly features: readonly Feature[] | null
}

/** Whether a switch is on. */
export const isOn = (settings: TenantSettings, key: SettingKey): boolean => settings.values[key] === 'enabled'

/** Every setting with its name, in the registry's order. */
export const settingEntries = (): [SettingKey, SettingSpec][] =>
  Object.entries(settingsRegistry) as [SettingKey, SettingSpec][]

/** What any browser of the tenant may know: the settings marked so, and the tenant's time zone. */
export const browserSettings = ({ values, timezone }: TenantSettings): Record<string, string> => ({
  ...Object.fromEntries(settingEntries().flatMap(([key, { browser }]) => (browser ? [[key, values[key]]] : []))),
  timezone,
})

/** What is wrong with a value, in Portuguese; null when it may be kept. */
export function settingProblem(spec: SettingSpec, value: string): string | null {
  switch (spec.kind) {
    case 'switch':
      return value === 'enabled' || value === 'disabled' ? null : 'Use enabled ou disabled.'
    case 'number': {
      const fits = /^\d{1,9}$/.test(value) && Number(value) >= spec.min && Number(value) <= spec.max
      return fits ? null : `Use um número inteiro de ${spec.min} a ${spec.max}.`
    }
    case 'text':
      return value.length <= spec.max ? (spec.problem?.(value) ?? null) : `Use no máximo ${spec.max} caracteres.`
    case 'choice':
      return spec.options.some((option) => option.value === value)
        ? null
        : `Escolha entre: ${spec.options.map((option) => option.label).join(', ')}.`
    case 'json':
      return 'Esta configuração tem um endereço próprio.'
  }
}
