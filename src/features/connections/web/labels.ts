import { causeTexts } from '#domain/connections/cause-texts.ts'
import type { Health } from '#domain/connections/health.ts'
import { formatBrazilian } from '#domain/phone/brazil.ts'
import { formatDateTime, formatSpan } from '#web/format.ts'
import { plural, t } from '#web/t.ts'
import type { Tone } from '#web/ui/identity/badges.tsx'
import type { ConnectionRow } from '../contract.ts'

type Status = ConnectionRow['status']

const states: Readonly<Record<Status, { tone: Tone; text: string }>> = {
  CONNECTED: { tone: 'pos', text: t('Conexão estabelecida') },
  OPENING: { tone: 'info', text: t('Estabelecendo conexão') },
  qrcode: { tone: 'warn', text: t('Esperando leitura do QR Code') },
  PAIRING: { tone: 'info', text: t('Código lido, entrando na conta') },
  TIMEOUT: { tone: 'warn', text: t('A conexão com o celular foi perdida') },
  DISCONNECTED: { tone: 'neg', text: t('Desconectado: nada entra nem sai') },
}

type Stand = Pick<ConnectionRow, 'status' | 'cause' | 'wasConnected'>

const neverStarted: { tone: Tone; text: string; advice: string } = {
  tone: 'info',
  text: t('Ainda não conectado'),
  advice: t('Conecte para começar a receber por aqui.'),
}

/** Returns text and tone of a connection's status; `advice` says what to do, if anything. */
export function stateOf({ status, cause, wasConnected }: Stand): { tone: Tone; text: string; advice?: string } {
  const isAway = status === 'DISCONNECTED' || status === 'TIMEOUT'
  if (status === 'qrcode') return { ...states[status], advice: t('Abra o QR Code e leia-o com o telefone.') }
  if (status === 'DISCONNECTED' && cause === null && !wasConnected) return neverStarted
  if (!isAway || cause === null || cause === 'person') return states[status]
  return { tone: states[status].tone, text: causeTexts[cause].text, advice: causeTexts[cause].advice }
}

/**
 * Returns a sentence on the time until which new conversations start more slowly, because the channel refused some for being
 * too fast; null if none.
 */
export const slowText = ({ slowUntil }: Pick<ConnectionRow, 'slowUntil'>, now = Date.now()): string | null =>
  slowUntil !== null && slowUntil > now
    ? t('O canal recusou conversas novas: até {when}, os primeiros contatos saem mais devagar.', {
        when: formatDateTime(slowUntil),
      })
    : null

/** Whether a connection needs a person's attention. */
export const needsAttention = (row: Stand): boolean => ['warn', 'neg'].includes(stateOf(row).tone)

/** Formats a connection's own number; '' if it has none. */
export const numberOf = ({ number }: Pick<ConnectionRow, 'number'>): string =>
  number ? (formatBrazilian(number) ?? number) : ''

/** Summary of the channels: “3 de 10 canais do plano · 2 conectados, 1 pede atenção”. */
export function factsOf(rows: readonly ConnectionRow[], most: number | undefined): string {
  const up = rows.filter(({ status }) => status === 'CONNECTED').length
  const down = rows.filter(needsAttention).length
  const used =
    most === undefined
      ? plural(rows.length, t('canal'), t('canais'))
      : t('{used} de {most} canais do plano', { used: rows.length, most })
  const states = [
    plural(up, t('conectado'), t('conectados')),
    ...(down > 0 ? [plural(down, t('pede atenção'), t('pedem atenção'))] : []),
  ]
  return `${used} · ${states.join(', ')}`
}

/** Formats the health of a connection: “98,6% no ar, 1 queda, 30 min fora”. */
export function healthText({ outages, awayMs, knownMs }: Health): string {
  if (knownMs <= 0) return t('sem registro')
  if (outages === 0) return t('sem quedas')
  const share = (Math.floor((1 - awayMs / knownMs) * 1000) / 10).toLocaleString('pt-BR')
  const away = awayMs < 60_000 ? t('menos de 1 min') : formatSpan(awayMs)
  return t('{share}% no ar, {outages}, {away} fora', { share, away, outages: plural(outages, t('queda'), t('quedas')) })
}
