import { callOf, callText } from '#domain/messages/calls.ts'
import { groupEventOf, groupEventText } from '#domain/messages/group-event.ts'
import type { MessageRow } from '#features/ledger/message-rows.ts'
import { formatTime } from '#web/format.ts'
import { CallIcon, TransferIcon, UsersIcon } from '#web/ui/icons.ts'
import { Separator } from '../rows/separators.tsx'

/** Line between messages for a transfer, a call or a group event. */
export function EventRow({ message: { data, body, timestamp } }: { message: MessageRow }) {
  const event = groupEventOf(data)
  const call = callOf(data)
  const Icon = event ? UsersIcon : call ? CallIcon : TransferIcon
  return (
    <Separator>
      <Icon size={14} />
      <span>{event ? groupEventText(event) : call ? callText(call) : body}</span>
      <time>{`· ${formatTime(timestamp)}`}</time>
    </Separator>
  )
}
