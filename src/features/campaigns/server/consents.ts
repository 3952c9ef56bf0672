import type { Queryable } from '#server/db/db.ts'
import { findRevoked } from './queries-turn.ts'

/** Returns those of some contacts who want nothing of a purpose. The outbox has the last word. */
export const revokedAmong = async (
  db: Queryable,
  _purpose: 'marketing' | 'utility',
  contactIds: readonly number[],
): Promise<ReadonlySet<number>> => new Set(await findRevoked(db, contactIds))
