import { bulkEvents } from '#kit/bulk-events.ts'
import { call } from '#web/client.ts'
import { on, onResync } from '#web/realtime/realtime.ts'
import { bulk } from '../addresses.ts'
import { follow, followedBefore, operations, unfollow } from './operations.ts'

/** Synchronizes bulk operations with the server, including those begun before this page or elsewhere. */
export function startBulkLive(): () => void {
  const isFollowed = (id: string) => operations.get().some((one) => one.id === id)
  const off = [
    on(bulkEvents.progress, (progress) => {
      if (progress.id === null) return
      const goesOn = progress.status === 'running' || progress.status === 'paused'
      if (progress.status === 'undone') unfollow(progress.id)
      else if (goesOn || isFollowed(progress.id)) follow({ ...progress, id: progress.id })
    }),
    onResync(() => void readAll(operations.get().map(({ id }) => id))),
  ]
  void readAll(followedBefore())
  return () => {
    for (const one of off) one()
  }
}

async function readAll(ids: readonly string[]): Promise<void> {
  for (const id of ids)
    await call(bulk.get, { params: { id } }, { quiet: true }).then(
      ({ refused: _, ...now }) => {
        const isOver = now.status === 'undone' || (now.undoUntil !== null && Date.parse(now.undoUntil) < Date.now())
        if (isOver) unfollow(id)
        else follow({ ...now, id })
      },
      () => unfollow(id),
    )
}
