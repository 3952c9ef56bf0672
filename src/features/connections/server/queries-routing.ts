import type { Tx } from '#server/db/db.ts'

/** Moves connections from one queue to another. */
export async function moveConnections(db: Tx, from: number, to: number): Promise<void> {
  await db.updateTable('connections').set({ queue_id: to }).where('queue_id', '=', from).execute()
}

/** What arrives on connections goes to who leaves no longer. */
export async function forgetReceiver(db: Tx, { id }: { readonly id: number }): Promise<void> {
  await db.updateTable('connections').set({ user_id: null }).where('user_id', '=', id).execute()
}
