import { t } from '#web/t.ts'
import type { BulkArgs } from '../../bulk-contract.ts'
import type { Macro } from '../../macros-contract.ts'
import { runOne } from '../bulk/one.ts'

/** Uses a macro on one ticket, with the way back in the toast; whether it was done. `args`: why it is resolved, where the macro does not say it. */
export const runMacro = (ticketId: number, { id, name }: Macro, args: BulkArgs): Promise<boolean> =>
  runOne(ticketId, 'macro', { ...args, macroId: id }, t('Macro {name} usada', { name }))
