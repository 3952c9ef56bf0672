import { isOneOf, isRecord } from '../keys.ts'

/** Kinds of changes to a group: its members, admins, subject and picture. */
export const GROUP_CHANGES = ['add', 'remove', 'promote', 'demote', 'subject', 'picture'] as const

/** Kind of change to a group. */
export type GroupChange = (typeof GROUP_CHANGES)[number]

/** Person named in a group event; `id` distinguishes members. */
export type GroupPerson = { readonly id: number; readonly name: string }

/** `data` of a group event; `by` is null where the channel does not name the author. */
export type GroupEvent = {
  readonly change: GroupChange
  readonly people: readonly GroupPerson[]
  readonly by: GroupPerson | null
  /** New subject of the group. */
  readonly subject?: string
}

const isPerson = (data: unknown): data is GroupPerson =>
  isRecord(data) && typeof data['id'] === 'number' && typeof data['name'] === 'string'

/** Returns the group event in a message's `data`; null if none. */
export function groupEventOf(data: unknown): GroupEvent | null {
  if (!isRecord(data)) return null
  const { change, people } = data
  if (!isOneOf(GROUP_CHANGES, change) || !Array.isArray(people)) return null
  return {
    change,
    people: people.filter(isPerson),
    by: isPerson(data['by']) ? data['by'] : null,
    ...(typeof data['subject'] === 'string' ? { subject: data['subject'] } : {}),
  }
}

const NAMED = 3

const listed = (people: readonly GroupPerson[]): string => {
  const names = people.slice(0, NAMED).map(({ name }) => name)
  const more = people.length - names.length
  if (more > 0) return `${names.join(', ')} e mais ${more}`
  return names.length < 2 ? (names[0] ?? 'Alguém') : `${names.slice(0, -1).join(', ')} e ${names.at(-1)}`
}

/** Formats a group event as one Portuguese sentence. */
export function groupEventText({ change, people, by, subject }: GroupEvent): string {
  const who = listed(people)
  const isMany = people.length > 1
  // A member who is the only one affected acted themselves.
  const other = by && people.every(({ id }) => id !== by.id) ? by.name : null
  switch (change) {
    case 'add':
      return other ? `${other} adicionou ${who}` : `${who} ${isMany ? 'entraram' : 'entrou'} no grupo`
    case 'remove':
      return other ? `${other} removeu ${who}` : `${who} ${isMany ? 'saíram' : 'saiu'} do grupo`
    case 'promote':
      return `${who} ${isMany ? 'agora administram' : 'agora administra'} o grupo`
    case 'demote':
      return `${who} ${isMany ? 'não administram' : 'não administra'} mais o grupo`
    case 'subject':
      return `${by ? `${by.name} mudou o nome do grupo para` : 'O grupo agora se chama'} “${subject ?? ''}”`
    case 'picture':
      return by ? `${by.name} mudou a imagem do grupo` : 'A imagem do grupo mudou'
  }
}
