import { EVERYONE } from '#domain/messages/group-mentions.ts'
import { groups } from '#features/conversations/addresses.ts'
import type { Participant } from '#features/conversations/groups-contract.ts'
import type { TicketDetail } from '#features/conversations/tickets-contract.ts'
import { call, queryClient } from '#web/client.ts'
import { isRestricted } from '#web/session/permissions.ts'
import { t } from '#web/t.ts'
import { fill, quickReplies, valuesOf } from './quick-replies.ts'
import { type Find, matching } from './suggestions.ts'

/** How the members of a ticket's group are read; they are asked for again after a minute. */
export const membersOf = (ticketId: number) => ({
  queryKey: ['groups', ticketId],
  queryFn: (): Promise<{ participants: Participant[] }> =>
    call(groups.participants, { body: { ticketId } }, { quiet: true }),
  staleTime: 60_000,
})

/** Whom `@` offers in a group: everybody, then each member; nobody to those who do not read their names. */
export async function members({ id }: TicketDetail): Promise<Find> {
  if (isRestricted()) return () => []
  const { participants } = await queryClient.fetchQuery(membersOf(id))
  const all = { id: 'all', title: EVERYONE, key: '', preview: t('Menciona o grupo inteiro'), answer: `@${EVERYONE} ` }
  const choices = participants.map(({ userId, name, number }) => ({
    ...{ id: String(userId), title: name, key: '', preview: number ? `+${number}` : '', answer: `@${name} ` },
  }))
  return (typed) =>
    matching(
      [all, ...choices],
      typed,
      ({ title }) => title,
      () => '',
    )
}

/** The quick replies that `/` offers, with the variables of the conversation filled in. */
export async function replies(ticket: TicketDetail): Promise<Find> {
  const all = (await queryClient.fetchQuery(quickReplies)).flatMap(({ items }) => items)
  return (typed) => {
    const values = valuesOf(ticket, Date.now())
    return matching(
      all,
      typed,
      (one) => one.key,
      (one) => `${one.title} ${one.message}`,
    ).map((one) => {
      const answer = fill(one, values)
      const title = one.title || one.key
      return { id: String(one.id), title, key: `/${one.key}`, preview: answer.replace(/\s+/g, ' '), answer }
    })
  }
}
