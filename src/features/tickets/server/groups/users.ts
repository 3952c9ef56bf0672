import { replaceGroupUsers } from '#features/ledger/server/commands/index.ts'
import { groupTickets } from '#features/ledger/server/groups/index.ts'
import { countChange } from '#features/ledger/server/sets/index.ts'
import { announceAll, lockTicket } from '#features/visibility/server/index.ts'
import { fail } from '#kit/errors.ts'
import type { Actor } from '#server/actors.ts'
import type { Ctx } from '#server/context.ts'

/**
 * Sets which users see a group, in all of its tickets; throws 400 if the contact is no group, 404 ERR_NO_USER_FOUND for
 * unknown users.
 */
export async function setGroupUsers(
  ctx: Ctx & { user: Actor },
  contactId: number,
  userIds: readonly number[],
): Promise<void> {
  const ids = await groupTickets(ctx.db, contactId)
  if (ids.length === 0) fail('ERR_VALIDATION', { groupUserIdArray: 'Só grupos têm usuários do grupo.' })
  const before = []
  for (const id of ids) {
    before.push(await lockTicket(ctx, id))
    if (!(await replaceGroupUsers(ctx.db, id, userIds))) fail('ERR_NO_USER_FOUND')
  }
  await countChange(ctx.db, ids, { by: ctx.user.id, now: ctx.now })
  await announceAll(ctx, before)
}
