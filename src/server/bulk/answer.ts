import type { z } from 'zod'
import { seesAsAdmin } from '#domain/access/profiles.ts'
import { MOST_NAMED } from '#domain/bulk/limits.ts'
import { type bulkAnswer, bulkEvents } from '#kit/bulk.ts'
import { errorText, fail } from '#kit/errors.ts'
import type { Actor } from '../actors.ts'
import type { Ctx } from '../context.ts'
import type { Queryable } from '../db/db.ts'
import { kindOf } from './kind.ts'
import { countItems, findOperation, listRefused, type Operation } from './queries.ts'

/** Answer of an operation, as a handler may return it. */
export type Answer = z.input<typeof bulkAnswer>

/** Formats a refused record for the answer. */
export const refusal = ({ id, code }: { id: number; code: string }) => ({ id, code, text: errorText(code) })

/** Returns an operation of this person; 404 ERR_NO_BULK_FOUND for others', unless an admin asks. */
export async function requireOperation(db: Queryable, user: Actor, id: string, isLocked: boolean): Promise<Operation> {
  const operation = await findOperation(db, id, isLocked)
  return operation && (operation.user_id === user.id || seesAsAdmin(user)) ? operation : fail('ERR_NO_BULK_FOUND')
}

/** Returns the current state of an operation. */
export async function answerOf(db: Queryable, operation: Operation): Promise<Answer> {
  const { id, kind, status, action, total, missing, undo_until: undoUntil } = operation
  const counts = await countItems(db, id)
  const refused = counts.refused > 0 ? await listRefused(db, id, 'refused', MOST_NAMED) : []
  return {
    id,
    kind,
    status,
    action,
    total,
    done: total - counts.waiting - counts.refused - missing.length,
    refusedCount: counts.refused + missing.length,
    refused: [...refused, ...missing.map((one) => ({ id: one, code: kindOf(operation.kind).missing }))]
      .slice(0, MOST_NAMED)
      .map(refusal),
    undoUntil: status === 'done' || status === 'canceled' ? undoUntil : null,
  }
}

/** Sends its state to the owner of the operation. */
export async function publishProgress(ctx: Ctx, operation: Operation): Promise<void> {
  if (operation.user_id === null) return
  const { refused: _, ...payload } = await answerOf(ctx.db, operation)
  ctx.emit(bulkEvents.progress, payload, { kind: 'users', ids: [operation.user_id] })
}
