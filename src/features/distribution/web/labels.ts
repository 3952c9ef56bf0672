import { DISTRIBUTION_MODES } from '#domain/distribution/distribute.ts'
import type { Answer } from '#kit/contract.ts'
import { formatDateTime, formatTime } from '#web/format.ts'
import { t } from '#web/t.ts'
import type { distribution } from '../addresses.ts'

/** Explanation of a ticket's assignment, from the API. */
export type Why = Answer<typeof distribution.why>

const states: Readonly<Record<Exclude<Why['state'], 'given' | 'waiting'>, string>> = {
  taken: t('Não veio pela distribuição: alguém assumiu, transferiu ou um fluxo escolheu a pessoa.'),
  now: t('Vai ser entregue agora.'),
  later: t('Há muitos esperando antes dele.'),
  off: t('A distribuição está desligada nesta fila: espera até que alguém o assuma.'),
  kept: t('Está pendente, mas já tem responsável: não é distribuído.'),
  bot: t('Um chatbot ou assistente está atendendo: é distribuído quando ele terminar.'),
  snoozed: t('Está adiado: é distribuído quando voltar à lista.'),
  group: t('Grupos não são distribuídos.'),
  closed: t('Está resolvido.'),
}

const chosen = {
  B: t('tinha a menor carga entre as pessoas livres; no empate, vale a vez'),
  S: t('era a vez desta pessoa'),
  R: t('foi o sorteio entre as pessoas livres'),
} as const

/** Formats why a ticket was assigned, or has no agent. */
export function whyOf({ state, mode, at, user, people }: Why): string {
  if (state === 'given' && user && mode && mode !== 'N' && at)
    return t('Veio para {name} em {at}, por distribuição {mode}: {why}.', {
      name: user.name,
      at: formatDateTime(new Date(at)),
      mode: DISTRIBUTION_MODES[mode].toLowerCase(),
      why: chosen[mode],
    })
  if (state !== 'given' && state !== 'waiting') return states[state]
  return people.length === 0
    ? t('Ninguém trabalha nesta fila.')
    : t('Ninguém da fila pode receber agora. É entregue a quem primeiro puder.')
}

/** Formats the pending overflow of a ticket; null if none. */
export const overflowOf = ({ overflow }: Why): string | null =>
  overflow &&
  t('Se ninguém puder até {at}, vai para a fila {queue}.', {
    at: formatTime(new Date(overflow.at).getTime()),
    queue: overflow.queue,
  })

/** Formats why an agent did not get the ticket. */
export function whyNot(reason: Why['people'][number]['reason'], mode: Why['mode']): string {
  if (reason === 'turn') {
    if (mode === 'B') return t('Estava livre; não tinha a menor carga, ou a vez era de outra pessoa')
    return mode === 'S' ? t('Estava livre; a vez era de outra pessoa') : t('Estava livre; não saiu no sorteio')
  }
  return {
    offline: t('Não está online'),
    paused: t('Está em pausa'),
    hours: t('Está fora do horário'),
    wallet: t('O cliente está na carteira de outra pessoa'),
    full: t('Já atende o máximo que pode'),
  }[reason]
}
