import type { Tx } from '#server/db/db.ts'

/** Moves connections from one queue to another. */
export async function moveConnections(db: Tx, from: number, to: number): Promise<void> {
  await db.updateTable('connections').set({ queue_id: to }).where('queue_id', '=', from).execute()
}

/** Removes a leaving colleague as receiver of connections' new conversations. */
export async function forgetReceiver(db: Tx, { id }: { readonly id: number }): Promise<void> {
  await db.updateTable('connections').set({ user_id: null }).where('user_id', '=', id).execute()
}
