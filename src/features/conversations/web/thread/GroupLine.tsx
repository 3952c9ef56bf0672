import { groupEventOf, groupEventText } from '#domain/messages/group-event.ts'
import type { MessageRow } from '#features/conversations/messages-contract.ts'
import { UsersIcon } from '#web/ui/icons.ts'
import { EventSeparator } from './separators.tsx'

/** What happened to a group, as a line between messages. */
export function GroupLine({ message: { data, timestamp } }: { message: MessageRow }) {
  const event = groupEventOf(data)
  return event && <EventSeparator text={groupEventText(event)} at={timestamp} icon={UsersIcon} />
}
