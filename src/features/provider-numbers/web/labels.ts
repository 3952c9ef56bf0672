import type { NumberStatePart } from '#domain/connections/number-state.ts'
import { isApiError, sentence } from '#web/api.ts'
import { formatNumber } from '#web/format.ts'
import { t } from '#web/t.ts'
import type { Tone } from '#web/ui/identity/badges.tsx'

type Label = { readonly text: string; readonly tone: Tone }

const QUALITIES: Readonly<Record<string, Label>> = {
  GREEN: { text: t('Alta'), tone: 'pos' },
  YELLOW: { text: t('Média'), tone: 'warn' },
  RED: { text: t('Baixa'), tone: 'neg' },
}

const STATES: Readonly<Record<string, Label>> = {
  CONNECTED: { text: t('Em uso'), tone: 'pos' },
  PENDING: { text: t('Falta registrar'), tone: 'info' },
  UNVERIFIED: { text: t('Falta verificar'), tone: 'info' },
  FLAGGED: { text: t('Marcado por baixa qualidade'), tone: 'neg' },
  RESTRICTED: { text: t('Restrito'), tone: 'neg' },
  RATE_LIMITED: { text: t('Limitado'), tone: 'neg' },
  BANNED: { text: t('Banido'), tone: 'neg' },
  DISCONNECTED: { text: t('Desligado'), tone: 'neg' },
  MIGRATED: { text: t('Levado a outra conta'), tone: 'warn' },
  DELETED: { text: t('Excluído'), tone: 'neg' },
}

const NAMES: Readonly<Record<string, Label>> = {
  APPROVED: { text: t('Aprovado'), tone: 'pos' },
  AVAILABLE_WITHOUT_REVIEW: { text: t('Aprovado'), tone: 'pos' },
  PENDING_REVIEW: { text: t('Em análise'), tone: 'info' },
  DECLINED: { text: t('Recusado'), tone: 'neg' },
  REJECTED: { text: t('Recusado'), tone: 'neg' },
  EXPIRED: { text: t('Vencido'), tone: 'warn' },
  NONE: { text: t('Sem nome'), tone: 'plain' },
}

const labelOf = (labels: Readonly<Record<string, Label>>, value: string | null): Label =>
  labels[value ?? ''] ?? { text: value || t('Não informado'), tone: 'plain' }

export const qualityLabel = (quality: string | null): Label => labelOf(QUALITIES, quality)
export const stateLabel = (status: string): Label => labelOf(STATES, status)
export const nameLabel = (status: string): Label => labelOf(NAMES, status)

/** Formats the daily limit of first messages. */
export const limitText = (limit: number | null): string =>
  limit === null
    ? t('Não informado')
    : limit === 0
      ? t('Sem limite')
      : t('{n} contatos por dia', { n: formatNumber(limit) })

const PARTS: Readonly<Record<NumberStatePart, string>> = {
  quality: t('Qualidade'),
  limit: t('Limite'),
  status: t('Situação'),
  name: t('Nome'),
  restriction: t('Restrição'),
  payment: t('Pagamento'),
}

/** Formats a change: attribute, previous and new value. */
export function changeText(
  what: NumberStatePart,
  before: string | null,
  after: string,
): { part: string; text: string } {
  const label = (value: string | null): string => {
    if (what === 'quality') return qualityLabel(value).text
    if (what === 'limit') return limitText(value === null ? null : Number(value))
    return what === 'status' ? stateLabel(value ?? '').text : nameLabel(value ?? '').text
  }
  const part = PARTS[what]
  if (what === 'payment') return { part, text: t('Falta um pagamento: mensagens não são entregues') }
  if (what === 'restriction') return { part, text: after || t('A conta foi restrita') }
  return {
    part,
    text: before === null ? label(after) : t('{before} → {after}', { before: label(before), after: label(after) }),
  }
}

/** Returns the display text of a refusal, with the provider's reason. */
export function refusalText(error: unknown): string {
  const reason = isApiError(error) && error.code === 'ERR_NUMBER_PROVIDER' ? error.details['reason'] : undefined
  return typeof reason === 'string' ? reason : sentence(error)
}
