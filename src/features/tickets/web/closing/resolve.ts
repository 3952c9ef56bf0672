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

/** Query of the active closing reasons. */
export const offeredReasons = () => ({ ...choices('reasons', { isActive: 'true' }), staleTime: calmMs })

/** Query of the farewells. */
export const farewellChoices = () => ({ ...choices('farewells'), staleTime: calmMs })

/** Checks whether closing needs a dialog: there are reasons or farewells, or a reason is required. */
export async function asksAtEnd(): Promise<boolean> {
  const [reasons, farewells] = await Promise.all([fetchChoices(offeredReasons()), fetchChoices(farewellChoices())])
  return reasons.length > 0 || farewells.length > 0 || isSettingOn('forceReason')
}

/** Closes one ticket, with undo in the toast; returns whether it was done. */
export const close = ({ id, name }: Pick<TicketRow, 'id' | 'name'>, args: BulkArgs): Promise<boolean> =>
  runOne(id, 'close', args, t('Atendimento de {name} resolvido', { name }))

/** Updates the screen after a ticket was closed. */
export const afterwards = (id: number, doors: Doors, leaves: boolean | undefined): void =>
  leaves && !readPreferences().opensNext ? doors.gone(id) : doors.next(id)

/** Closes a ticket at once, or after the closing dialog. */
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
