import { useQuery } from '@tanstack/react-query'
import { ticketCommands } from '#features/tickets/commands-addresses.ts'
import { query } from '#web/client.ts'
import { UsedBy } from '../UsedBy.tsx'

/**
 * Dialog of the connections whose new conversations start the chat flow with this id; loads it first. `publish` publishes
 * the flow before and returns whether that worked.
 */
export function UsedByFlow(props: { id: number; publish?: () => Promise<boolean>; onClose: () => void }) {
  const { id, ...rest } = props
  const { data } = useQuery({ ...query(ticketCommands.chatFlows), staleTime: 0 })
  const row = data?.chatFlow.find((one) => one.id === id)
  return row ? <UsedBy row={row} {...rest} /> : null
}
