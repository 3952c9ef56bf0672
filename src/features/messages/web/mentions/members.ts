import { EVERYONE } from '#domain/messages/group-mentions.ts'
import { groups } from '#features/messages/groups-addresses.ts'
import type { Participant } from '#features/messages/groups-contract.ts'
import { call, queryClient } from '#web/client.ts'
import { isRestricted } from '#web/session/permissions.ts'
import { t } from '#web/t.ts'
import { matching } from './matching.ts'
import type { Choice, Choices } from './suggestions.ts'

/** Query of a group's members; stale after a minute. */
export const membersOf = (ticketId: number) => ({
  queryKey: ['groups', ticketId],
  queryFn: (): Promise<{ participants: Participant[] }> =>
    call(groups.participants, { body: { ticketId } }, { quiet: true }),
  staleTime: 60_000,
})

/** Loads the `@` suggestions of a group: everybody, and each member; none for users from whom members are masked. */
export async function loadMembers(ticketId: number): Promise<Choices> {
  const data = isRestricted() ? null : await queryClient.fetchQuery(membersOf(ticketId)).catch(() => null)
  if (!data) return () => []
  const all = { id: 'all', title: EVERYONE, key: '', preview: t('Menciona o grupo inteiro'), answer: `@${EVERYONE} ` }
  const one = ({ userId, name, number }: Participant): Choice => ({
    ...{ id: String(userId), title: name, key: '', preview: number ? `+${number}` : '', answer: `@${name} ` },
  })
  const choices = [all, ...data.participants.map(one)]
  return (typed) =>
    matching(
      choices,
      typed,
      ({ title }) => String(title),
      () => '',
    )
}
