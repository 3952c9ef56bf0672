import type { BulkArgs } from '#features/tickets/bulk-contract.ts'
import { runOne } from '#features/tickets/web/bulk/one.ts'
import { t } from '#web/t.ts'
import type { Macro } from '../contract.ts'

/** Uses a macro on one ticket, with the way back in the toast; whether it was done. `args`: why it is resolved, where the macro does not say it. */
export const runMacro = (ticketId: number, { id, name }: Macro, args: BulkArgs): Promise<boolean> =>
  runOne(ticketId, 'macro', { ...args, macroId: id }, t('Macro {name} usada', { name }))
