import { t } from '#web/t.ts'
import type { TicketRow } from '../../tickets-contract.ts'
import { runOne } from './one.ts'

/** Resolves one ticket, with the way back in the toast. */
export async function resolve({ id, name }: Pick<TicketRow, 'id' | 'name'>, isUnrated: boolean): Promise<void> {
  await runOne(id, 'close', isUnrated ? { unrated: true } : {}, t('Atendimento de {name} resolvido', { name }))
}
