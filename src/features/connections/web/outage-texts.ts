import { partBefore } from '#domain/present.ts'
import { formatDateTime, formatSpan, formatTime } from '#web/format.ts'
import { plural, t } from '#web/t.ts'
import type { Outage } from '../contract.ts'

/** Time after an outage in which a report of recovered messages is awaited, in ms. */
const CHECK_MS = 120_000

const dayOf = (at: number): string => partBefore(formatDateTime(at), ' ')

/** Formats the period of an outage, with both days if it passes midnight; while it lasts, only its beginning. */
export function spanOf({ beganAt, endedAt }: Pick<Outage, 'beganAt' | 'endedAt'>): string {
  if (endedAt === null) return t('Fora desde {time}', { time: formatDateTime(beganAt) })
  const isSameDay = dayOf(beganAt) === dayOf(endedAt)
  const to = isSameDay ? formatTime(endedAt) : formatDateTime(endedAt)
  const span = endedAt - beganAt < 60_000 ? t('menos de 1 min') : formatSpan(endedAt - beganAt)
  return `${t('Fora de {from} a {to}', { from: formatDateTime(beganAt), to })} (${span})`
}

/** Formats the result of recovering messages after an outage; '' while it lasts. */
export function gapOf(
  { endedAt, recovered, missing }: Pick<Outage, 'endedAt' | 'recovered' | 'missing'>,
  now = Date.now(),
): string {
  if (endedAt === null) return ''
  if (recovered === null)
    return now - endedAt < CHECK_MS
      ? t('Conferindo o que chegou enquanto isso')
      : t('Não foi possível conferir o que chegou enquanto isso')
  const back = plural(recovered, t('mensagem recuperada'), t('mensagens recuperadas'))
  if (missing === null) return t('{back}; não foi possível conferir se falta alguma', { back })
  return `${back}, ${plural(missing, t('faltando'), t('faltando'))}`
}
