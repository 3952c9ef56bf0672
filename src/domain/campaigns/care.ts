import { isFall, type NumberStateChange } from '../connections/number-state.ts'

/** Outcomes of a number's last dispatch messages: refused by the channel, answered with an opt-out, answered. */
export type Outcomes = {
  readonly sent: number
  readonly refused: number
  /** Number of refused messages whose recipient does not exist. */
  readonly unknown: number
  readonly stops: number
  readonly replied: number
}

/** Data that decides whether a number may continue a dispatch. */
export type NumberFacts = {
  /** Whether haste costs it: a linked device or a gateway. */
  readonly isLinked: boolean
  /** Days since the first connection; null if unknown. */
  readonly age: number | null
  readonly outcomes: Outcomes
  /** Provider's quality rating; null if the provider has none. */
  readonly quality: 'GREEN' | 'YELLOW' | 'RED' | null
  readonly status: string
  readonly firstContactsToday: number
  /** Daily limit of first messages; null: none. */
  readonly firstContactsLimit: number | null
}

/** Level at which a number may continue sending, with each reason as a sentence. */
export type Outreach = { readonly level: 'good' | 'warn' | 'stop'; readonly reasons: readonly string[] }

/** Number of last messages that are evaluated. */
export const LAST_SENT = 100
/** Maximum number of refused messages and of opt-outs; above either, the number stops. */
const MOST_REFUSED = 5
const MOST_STOPS = 3
/** Minimum number of replies to `LAST_SENT` messages; below, the number gets a warning. */
const LEAST_REPLIES = 2
/** Days for which a linked number counts as new. */
const NEW_DAYS = 7
/** Minimum interval between two messages of a linked number, in seconds. */
export const LEAST_DELAY = 5

/** Returns the outreach level of a number, with the reasons. */
export function outreachOf(facts: NumberFacts): Outreach {
  const { isLinked, age, outcomes, quality, status, firstContactsToday: today, firstContactsLimit: limit } = facts
  const stops: string[] = []
  const warnings: string[] = []
  if (outcomes.refused > MOST_REFUSED)
    stops.push(`${outcomes.refused} das últimas ${outcomes.sent} mensagens foram recusadas pelo canal.`)
  else if (outcomes.refused > MOST_REFUSED / 2)
    warnings.push(`${outcomes.refused} das últimas ${outcomes.sent} mensagens foram recusadas pelo canal.`)
  if (outcomes.stops > MOST_STOPS)
    stops.push(`${outcomes.stops} das últimas ${outcomes.sent} pessoas pediram para não receber mais.`)
  else if (outcomes.stops > MOST_STOPS / 2)
    warnings.push(`${outcomes.stops} das últimas ${outcomes.sent} pessoas pediram para não receber mais.`)
  if (outcomes.unknown > MOST_REFUSED / 2)
    warnings.push(`${outcomes.unknown} das últimas ${outcomes.sent} mensagens foram para números que não existem.`)
  if (outcomes.sent >= LAST_SENT && outcomes.replied < LEAST_REPLIES)
    warnings.push(`Quase ninguém respondeu às últimas ${outcomes.sent} mensagens.`)
  if (isLinked && age !== null && age < NEW_DAYS)
    warnings.push('O número está conectado há menos de uma semana: comece com poucos contatos por dia.')
  if (quality === 'RED') stops.push('A qualidade do número está baixa no provedor.')
  if (quality === 'YELLOW') warnings.push('A qualidade do número caiu no provedor.')
  if (['RESTRICTED', 'BANNED', 'FLAGGED', 'RATE_LIMITED'].includes(status))
    stops.push('O provedor restringiu o número.')
  if (limit !== null && today >= limit) warnings.push('O limite de primeiros contatos de hoje foi atingido.')
  const level = stops.length > 0 ? 'stop' : warnings.length > 0 ? 'warn' : 'good'
  return { level, reasons: [...stops, ...warnings] }
}

const FALLS: Readonly<Record<NumberStateChange['what'], string | null>> = {
  quality: 'A qualidade do número caiu no provedor.',
  limit: 'O limite do número caiu no provedor.',
  status: 'O provedor restringiu o número.',
  restriction: 'O provedor restringiu o número.',
  payment: 'Falta um pagamento na conta do número.',
  // Without the name recipients see the number; sending is not affected.
  name: null,
}

/** Returns the reason for which a number's changes pause a dispatch; null if no change is a decline. */
export const fallOf = (changes: readonly NumberStateChange[]): string | null =>
  changes.filter(isFall).flatMap(({ what }) => FALLS[what] ?? [])[0] ?? null

/**
 * Returns the outreach level of a number for a planned interval; an interval below `LEAST_DELAY` stops, and `delay` suggests
 * a valid one.
 */
export function planOf(
  { delay }: { readonly delay: number },
  facts: NumberFacts,
): Outreach & { readonly delay: number | null } {
  const { level, reasons } = outreachOf(facts)
  if (!facts.isLinked || delay >= LEAST_DELAY) return { level, reasons, delay: null }
  const hasty = `Números conectados por QR Code enviam no máximo uma mensagem a cada ${LEAST_DELAY} segundos.`
  return { level: 'stop', reasons: [hasty, ...reasons], delay: LEAST_DELAY * 4 }
}
