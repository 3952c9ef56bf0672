/** Data of a recipient, read right before sending. */
export type Recipient = {
  readonly isGone: boolean
  readonly isGroup: boolean
  readonly isBlocked: boolean
  /** Whether the recipient has revoked consent for the dispatch's purpose. */
  readonly isRevoked: boolean
  /** Whether the recipient was imported without a declared source, and has neither consented nor written recently. */
  readonly isUnasked: boolean
  /** Whether a channel reaches the number; null where none was asked. */
  readonly isReachable: boolean | null
  /** Number of other dispatches that wrote to the recipient within the last seven days. */
  readonly recent: number
  /** Whether the recipient has an open ticket. */
  readonly isInConversation: boolean
}

/** Rules for the selection of a dispatch's recipients. */
export type EligibilityRules = {
  /** Maximum number of dispatches per contact and week; null: no limit. */
  readonly perWeek: number | null
  readonly skipsOpen: boolean
  readonly takesGroups: boolean
  /** Whether the channel reaches only numbers that exist on it. */
  readonly needsReach: boolean
}

/** Reasons for skipping a recipient, with their display texts. */
export const SKIP_REASONS = {
  gone: 'Contato excluído',
  group: 'É um grupo',
  blocked: 'Contato bloqueado',
  revoked: 'Pediu para não receber',
  unasked: 'Importado sem origem declarada',
  unreachable: 'Número sem WhatsApp',
  capped: 'Já recebeu o limite de campanhas da semana',
  conversation: 'Está em atendimento',
  person: 'Pulada por uma pessoa',
  ended: 'Campanha finalizada antes',
} as const
export type SkipReason = keyof typeof SKIP_REASONS

/** Returns the reason for skipping a recipient; null if eligible. */
export function obstacleTo(recipient: Recipient, rules: EligibilityRules): SkipReason | null {
  if (recipient.isGone) return 'gone'
  if (recipient.isGroup && !rules.takesGroups) return 'group'
  if (recipient.isBlocked) return 'blocked'
  if (recipient.isRevoked) return 'revoked'
  if (recipient.isUnasked) return 'unasked'
  if (rules.needsReach && recipient.isReachable === false) return 'unreachable'
  if (rules.perWeek !== null && recipient.recent >= rules.perWeek) return 'capped'
  return rules.skipsOpen && recipient.isInConversation ? 'conversation' : null
}
