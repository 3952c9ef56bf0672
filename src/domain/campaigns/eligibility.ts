/** Facts about a recipient right before sending. */
export type Recipient = {
  readonly isGone: boolean
  readonly isGroup: boolean
  readonly isBlocked: boolean
  /** Opted out of such messages. */
  readonly isRevoked: boolean
  /** Came by an imported list without a declared source, and neither agreed nor wrote of late. */
  readonly isUnasked: boolean
  /** Whether a channel reaches the number; null where none was asked. */
  readonly isReachable: boolean | null
  /** Number of other dispatches that wrote to them within the last seven days. */
  readonly recent: number
  /** A conversation with them is open. */
  readonly isInConversation: boolean
}

/** Selection rules of a dispatch. */
export type EligibilityRules = {
  /** Maximum number of dispatches per contact and week; null: no limit. */
  readonly perWeek: number | null
  readonly skipsOpen: boolean
  readonly takesGroups: boolean
  /** The channel reaches only numbers that it has verified. */
  readonly needsReach: boolean
}

/** Why a recipient is left out, with what the report says. */
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

/** Why a recipient is not written to; null where they are. */
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
