import { type Mention, mentionedIn } from '#domain/messages/mentions.ts'
import type { Answer } from '#kit/contract.ts'
import { query, queryClient } from '#web/client.ts'
import { plural, t } from '#web/t.ts'
import { messages } from '../../addresses.ts'
import { matching } from './matching.ts'
import type { Choices } from './suggestions.ts'

type Mentionable = Answer<typeof messages.mentionable>

const read = (ticketId: number): Promise<Mentionable> =>
  queryClient.fetchQuery({ ...query(messages.mentionable, { params: { ticketId } }), staleTime: 60_000 })

const candidates = ({ users, teams }: Mentionable): Mention[] => [
  ...users.map(({ id, name }) => ({ kind: 'user' as const, id, name })),
  ...teams.map(({ id, name }) => ({ kind: 'team' as const, id, name })),
]

/** Loads the `@` suggestions for notes of a ticket: people and teams; a team shows how many members are notified. */
export async function loadMentions(ticketId: number): Promise<Choices> {
  const found = await read(ticketId)
  const sizes = new Map(found.teams.map(({ id, members }) => [id, members]))
  return (typed) =>
    matching(
      candidates(found),
      typed,
      ({ name }) => name,
      () => '',
    ).map((one) => ({
      id: `${one.kind} ${one.id}`,
      title: one.name,
      key: one.kind === 'team' ? t('Equipe') : '',
      preview: one.kind === 'team' ? plural(sizes.get(one.id) ?? 0, t('pessoa'), t('pessoas')) : '',
      answer: `@${one.name} `,
      names: one,
    }))
}

/** Returns the ids of users and teams that a note's text mentions; picked ones win over others of the same name. */
export async function mentionedBy(ticketId: number, text: string, picked: readonly Mention[]) {
  const found = text.includes('@') ? candidates(await read(ticketId)) : []
  const named = mentionedIn(text, [...picked, ...found])
  const ids = (kind: Mention['kind']) => named.filter((one) => one.kind === kind).map(({ id }) => id)
  return { mentionedUsers: ids('user'), mentionedTeams: ids('team') }
}
