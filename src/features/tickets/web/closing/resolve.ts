import type { TicketRow } from '#features/ledger/ticket-rows.ts'
import { notifyError } from '#web/api.ts'
import { choices } from '#web/choices.ts'
import { readPreferences } from '#web/preferences.ts'
import { fetchChoices } from '#web/resource/read-all.ts'
import { isSettingOn } from '#web/session/permissions.ts'
import { t } from '#web/t.ts'
import type { BulkArgs } from '../../bulk-contract.ts'
import type { Doors, Resolving } from '../actions/doors.ts'
import { runOne } from '../bulk/one.ts'

const calmMs = 5 * 60_000

/** The reasons that are offered. */
export const offeredReasons = () => ({ ...choices('reasons', { isActive: 'true' }), staleTime: calmMs })

/** The farewells to choose from. */
export const farewellChoices = () => ({ ...choices('farewells'), staleTime: calmMs })

/** Whether there is anything to say at the end of an attendance: a reason, a farewell. */
export async function asksAtEnd(): Promise<boolean> {
  const [reasons, farewells] = await Promise.all([fetchChoices(offeredReasons()), fetchChoices(farewellChoices())])
  return reasons.length > 0 || farewells.length > 0 || isSettingOn('forceReason')
}

/** Resolves one ticket, with the way back in the toast; whether it was done. */
export const close = ({ id, name }: Pick<TicketRow, 'id' | 'name'>, args: BulkArgs): Promise<boolean> =>
  runOne(id, 'close', args, t('Atendimento de {name} resolvido', { name }))

/** What becomes of the screen when a ticket was resolved. */
export const afterwards = (id: number, doors: Doors, leaves: boolean | undefined): void =>
  leaves && !readPreferences().opensNext ? doors.gone(id) : doors.next(id)

/** Resolves at once, or asks first for what is said at the end. */
export async function resolve(
  row: Pick<TicketRow, 'id' | 'name'>,
  doors: Doors,
  { isUnrated = false, leaves }: Resolving,
): Promise<void> {
  try {
    if (await asksAtEnd()) return doors.ask(isUnrated ? 'resolve-unrated' : 'resolve', row.id, leaves)
  } catch (error) {
    return notifyError(error)
  }
  if (await close(row, isUnrated ? { unrated: true } : {})) afterwards(row.id, doors, leaves)
}
