import type { FigureList } from '#domain/tickets/figures.ts'
import type { BulkAction, BulkArgs } from '#features/tickets/bulk-contract.ts'
import { ticketCommands } from '#features/tickets/commands-addresses.ts'
import { countOf, runBulk, show } from '#features/tickets/web/bulk/run.tsx'
import { asksAtEnd } from '#features/tickets/web/closing/resolve.ts'
import { readFilter } from '#features/tickets/web/lists/list-filter.ts'
import { notifyError } from '#web/api.ts'
import { call } from '#web/client.ts'
import { t } from '#web/t.ts'
import { confirm } from '#web/ui/feedback/confirm.tsx'

/** Runs an action on all tickets of a list; `seen` is the number that the person saw. */
export async function runOn(list: FigureList, action: BulkAction, args: BulkArgs, seen?: number): Promise<boolean> {
  const filter = readFilter({ ...list, showAll: true })
  try {
    return await runBulk({ filter, expected: seen ?? (await countOf(filter)) }, action, args)
  } catch (error) {
    notifyError(error)
    return false
  }
}

/** Closes all tickets of a list at once, or opens the closing dialog first. */
export async function closeAll(list: FigureList, ask: () => void, seen?: number): Promise<void> {
  try {
    if (await asksAtEnd()) return ask()
  } catch (error) {
    return notifyError(error)
  }
  await runOn(list, 'close', {}, seen)
}

/** Marks all messages of the company as read, with undo in the toast. */
export async function readAll(): Promise<void> {
  const title = t('Marcar todas as mensagens como lidas?')
  const text = t('Nenhum atendimento da empresa fica com mensagens não lidas. Por pouco tempo dá para desfazer.')
  if (!(await confirm({ title, text, action: t('Marcar como lidas'), tone: 'brand' }))) return
  try {
    show(await call(ticketCommands.readAll, { body: {} }, { quiet: true, long: true }))
  } catch (error) {
    notifyError(error)
  }
}
