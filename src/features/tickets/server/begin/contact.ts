import { findContact } from '#features/ledger/server/changes/index.ts'
import { contactBook } from '#features/ledger/server/ports/index.ts'
import { fail, required } from '#kit/errors.ts'
import type { Actor } from '#server/actors.ts'
import type { ReadCtx } from '#server/context.ts'
import type { Queryable } from '#server/db/db.ts'

/** Returns the contact to write to (for a merged one, the person); throws 404 if the user may not see them. */
export async function requireContact(ctx: Pick<ReadCtx, 'settings'> & { db: Queryable; user: Actor }, id: number) {
  const contact = required(await findContact(ctx.db, id), 'ERR_NO_CONTACT_FOUND')
  return (await contactBook().isSeen(ctx, contact.id)) ? contact : fail('ERR_NO_CONTACT_FOUND')
}
