import { type SqlBool, sql } from 'kysely'
import type { Tx } from '#server/db/db.ts'
import { tableOf } from '#server/table.ts'
import { type Tutorial, tutorials } from '../contract.ts'

/** Row of a tutorial. */
export type TutorialRow = Omit<Tutorial, 'thumbnail'> & { fileId: string | null }

/** Table access to tutorials. */
export const tutorialRows = tableOf<TutorialRow>(tutorials.spec, [sql`file_id as "fileId"`])

/** SQL filter for active tutorials, which every user sees. */
export const active = sql<SqlBool>`is_active`

/** Sets the picture of a tutorial; null: none. */
export async function setFile(db: Tx, id: number, fileId: string | null, now: Date): Promise<void> {
  await db.updateTable('tutorials').set({ file_id: fileId, updated_at: now }).where('id', '=', id).execute()
}
