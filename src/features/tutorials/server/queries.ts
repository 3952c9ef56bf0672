import { type SqlBool, sql } from 'kysely'
import type { Tx } from '#server/db/db.ts'
import { tableOf } from '#server/table.ts'
import { type Tutorial, tutorials } from '../contract.ts'

/** A tutorial as it is stored. */
export type TutorialRow = Omit<Tutorial, 'thumbnail'> & { fileId: string | null }

/** The tutorials. */
export const tutorialRows = tableOf<TutorialRow>(tutorials.spec, [sql`file_id as "fileId"`])

/** Those that everybody sees. */
export const active = sql<SqlBool>`is_active`

/** Gives a tutorial its picture; null: none. */
export async function setFile(db: Tx, id: number, fileId: string | null, now: Date): Promise<void> {
  await db.updateTable('tutorials').set({ file_id: fileId, updated_at: now }).where('id', '=', id).execute()
}
