import { groups } from '#features/conversations/addresses.ts'
import type { Participant } from '#features/conversations/groups-contract.ts'
import { call } from '#web/client.ts'

/** How the members of a ticket's group are read; they are asked for again after a minute. */
export const membersOf = (ticketId: number) => ({
  queryKey: ['groups', ticketId],
  queryFn: (): Promise<{ participants: Participant[] }> =>
    call(groups.participants, { body: { ticketId } }, { quiet: true }),
  staleTime: 60_000,
})
