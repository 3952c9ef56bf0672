import type { Acting } from './acting.ts'
import { acting as store } from './acting.ts'
import { EditDialog } from './EditDialog.tsx'
import { ExtraDialog } from './ExtraDialog.tsx'
import { ForwardDialog } from './ForwardDialog.tsx'
import { ReactDialog } from './ReactDialog.tsx'

const close = (): void => store.set(null)

/** The dialog of what somebody is about to do with a message, or to send that is no text. */
export function ActDialog({
  acting,
  connectionId,
  onOpen,
}: {
  acting: Acting
  connectionId: number
  onOpen: (id: number) => void
}) {
  if (acting.ticket) return <ExtraDialog what={acting.what} ticket={acting.ticket} onClose={close} />
  if (acting.what === 'forward') {
    const several = acting.all ?? [acting.message]
    return <ForwardDialog messages={several} connectionId={connectionId} onOpen={onOpen} onClose={close} />
  }
  if (acting.what === 'edit') return <EditDialog message={acting.message} onClose={close} />
  return <ReactDialog message={acting.message} onClose={close} />
}
