import { t } from '#web/t.ts'
import type { Macro } from '../../macros-contract.ts'
import { runOne } from '../bulk/one.ts'

/** Uses a macro on one ticket, with the way back in the toast; whether it was done. */
export const runMacro = (ticketId: number, { id, name }: Macro): Promise<boolean> =>
  runOne(ticketId, 'macro', { macroId: id }, t('Macro {name} usada', { name }))
