import { t } from '#web/t.ts'
import type { TicketRow } from '../../tickets-contract.ts'
import { runOne } from './one.ts'

/** Resolves one ticket, with the way back in the toast; whether it was done. */
export const resolve = ({ id, name }: Pick<TicketRow, 'id' | 'name'>, isUnrated: boolean): Promise<boolean> =>
  runOne(id, 'close', isUnrated ? { unrated: true } : {}, t('Atendimento de {name} resolvido', { name }))
