import { keysIn } from '../keys.ts'
import type { TicketLogType } from '../tickets/logs.ts'

/** Switches that exclude parts of a measured time; without any, the whole time between two moments counts. */
export const SWITCHES = {
  openHours: {
    name: 'Só o expediente',
    sentence: 'Conta só o expediente da fila, ou o da empresa onde a fila não tem um próprio, como está hoje.',
  },
  withoutPauses: { name: 'Sem pausas', sentence: 'Não conta o tempo em que o atendimento esteve pausado.' },
  withoutBot: { name: 'Sem o bot', sentence: 'Não conta o tempo em que um fluxo ou um assistente atendia.' },
} as const

/** Switch that excludes parts of a measured time. */
export type TimeSwitch = keyof typeof SWITCHES

/** Keys of all time switches. */
export const ALL_SWITCHES = keysIn(SWITCHES)

/** Period of a ticket: it begins with one kind of log line, and ends with the next of others. */
export type Stretch = { readonly from: TicketLogType; readonly until: readonly TicketLogType[] }

/** Log lines of a change of status or agent, which ends a pause. */
const HANDED_ON: readonly TicketLogType[] = [
  ...(['open', 'pending', 'closed', 'autoClose', 'connectionRemoved', 'delete', 'merged', 'force', 'undo'] as const),
  ...(['transfered', 'receivedTransfer', 'userDefine', 'retriesLimitUserDefine'] as const),
  ...(['distributed', 'overflow', 'ownerAway'] as const),
]

/** Period in which a ticket is paused. */
export const PAUSED: Stretch = { from: 'pause', until: ['resume', ...HANDED_ON] }

/** Period in which an assistant attends. */
export const ASSISTED: Stretch = { from: 'assistantOn', until: ['assistantOff', 'assistantFailed', ...HANDED_ON] }
