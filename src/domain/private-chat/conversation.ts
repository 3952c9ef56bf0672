/** Peer of a private chat: a colleague or a team. */
export type Peer = { readonly id: number; readonly isGroup: boolean }

/** Returns the key of a user's conversation: `u:3:5` of two people, `g:7` of a team. */
export const conversationOf = (userId: number, { id, isGroup }: Peer): string =>
  isGroup ? `g:${id}` : `u:${Math.min(userId, id)}:${Math.max(userId, id)}`

/** Position in a conversation: messages are ordered by time (epoch ms), then id. */
export type Moment = { readonly timestamp: number; readonly id: string }

/** Compares two positions; negative if the first is earlier. */
export const compareMoments = (a: Moment, b: Moment): number =>
  a.timestamp - b.timestamp || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

/** Returns the members of a team that a text mentions by `@name`. */
export const mentionedPeople = <P extends { readonly name: string }>(text: string, people: readonly P[]): P[] =>
  text.includes('@') ? people.filter(({ name }) => text.includes(`@${name}`)) : []
