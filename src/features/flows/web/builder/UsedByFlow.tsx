import { useQuery } from '@tanstack/react-query'
import { ticketCommands } from '#features/tickets/commands-addresses.ts'
import { query } from '#web/client.ts'
import { UsedBy } from '../UsedBy.tsx'

/**
 * Says which connections' new conversations begin with the chat flow of this id, as soon as it is read; `publish` publishes it
 * before, and says whether it could.
 */
export function UsedByFlow(props: { id: number; publish?: () => Promise<boolean>; onClose: () => void }) {
  const { id, ...rest } = props
  const { data } = useQuery({ ...query(ticketCommands.chatFlows), staleTime: 0 })
  const row = data?.chatFlow.find((one) => one.id === id)
  return row ? <UsedBy row={row} {...rest} /> : null
}
