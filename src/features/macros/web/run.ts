import type { BulkArgs } from '#features/tickets/bulk-contract.ts'
import { runOne } from '#features/tickets/web/bulk/one.ts'
import { t } from '#web/t.ts'
import type { Macro } from '../contract.ts'

/**
 * Runs a macro on one ticket, with undo in the toast; returns whether it was done. `args`: close reason, if the macro has
 * none.
 */
export const runMacro = (ticketId: number, { id, name }: Macro, args: BulkArgs): Promise<boolean> =>
  runOne(ticketId, 'macro', { ...args, macroId: id }, t('Macro {name} usada', { name }))
