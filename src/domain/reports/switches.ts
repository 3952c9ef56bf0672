import { keysIn } from '../keys.ts'
import type { TicketLogType } from '../tickets/logs.ts'

/** Options that exclude time from measures; without any, the whole time between two moments counts. */
export const SWITCHES = {
  openHours: {
    name: 'Só o expediente',
    sentence: 'Conta só o expediente da fila, ou o da empresa onde a fila não tem um próprio, como está hoje.',
  },
  withoutPauses: { name: 'Sem pausas', sentence: 'Não conta o tempo em que o atendimento esteve pausado.' },
  withoutBot: { name: 'Sem o bot', sentence: 'Não conta o tempo em que um fluxo ou um assistente atendia.' },
} as const

/** One of the switches of measures of time. */
export type TimeSwitch = keyof typeof SWITCHES

/** All of them. */
export const ALL_SWITCHES = keysIn(SWITCHES)

/** A stretch of a ticket: it begins with a line of its log, and ends with the next one of others. */
export type Stretch = { readonly from: TicketLogType; readonly until: readonly TicketLogType[] }

/** Lines that are written when a ticket gets another status or another person, which ends a pause. */
const HANDED_ON: readonly TicketLogType[] = [
  ...(['open', 'pending', 'closed', 'autoClose', 'connectionRemoved', 'delete', 'merged', 'force', 'undo'] as const),
  ...(['transfered', 'receivedTransfer', 'userDefine', 'retriesLimitUserDefine'] as const),
  ...(['distributed', 'overflow', 'ownerAway'] as const),
]

/** While an attendance is paused. */
export const PAUSED: Stretch = { from: 'pause', until: ['resume', ...HANDED_ON] }

/** While an assistant attends. */
export const ASSISTED: Stretch = { from: 'assistantOn', until: ['assistantOff', 'assistantFailed', ...HANDED_ON] }
