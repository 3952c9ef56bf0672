import { fail } from '#kit/errors.ts'
import type { Actor } from '#server/actors.ts'
import type { Ctx } from '#server/context.ts'
import { announceAll, lockTicket } from '../tickets/access.ts'
import { countChange } from '../tickets/queries-bulk.ts'
import { replaceGroupUsers } from '../tickets/queries-commands.ts'
import { groupTickets } from './queries.ts'

export { groupUsersOf } from './queries.ts'

/** Says who sees a group, in every ticket of it; 400 where the contact is none, 404 ERR_NO_USER_FOUND for who is not there. */
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
