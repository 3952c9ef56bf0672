import { isRecord } from '../keys.ts'

const isWord = (char: string | undefined): boolean => char !== undefined && /[\p{L}\p{N}]/u.test(char)

/** User or team mentioned in a note, with its name at that time. */
export type Mention = { readonly kind: 'user' | 'team'; readonly id: number; readonly name: string }

/** Mentions of a note: as named, and all users to notify (members of teams, each once). */
export type NoteMentions = { readonly named: readonly Mention[]; readonly userIds: readonly number[] }

const nobody: NoteMentions = { named: [], userIds: [] }

/** Returns the mentions in a message's `data`. */
export function mentionsOf(data: unknown): NoteMentions {
  const mentions = isRecord(data) ? data['mentions'] : null
  return isMentions(mentions) ? mentions : nobody
}

const isMentions = (value: unknown): value is NoteMentions =>
  isRecord(value) && Array.isArray(value['named']) && Array.isArray(value['userIds'])

/**
 * Returns the name mentioned at a position of a text: the longest that follows an `@` and is not part of a word; undefined
 * if none.
 */
export function mentionAt(text: string, at: number, names: readonly string[]): string | undefined {
  if (text[at] !== '@' || isWord(text[at - 1])) return undefined
  return names
    .filter((name) => text.startsWith(name, at + 1) && !isWord(text[at + 1 + name.length]))
    .sort((a, b) => b.length - a.length)[0]
}

/**
 * Returns the candidates mentioned in a text, each once: the longest of names with a common beginning, the first of equal
 * names.
 */
export function mentionedIn<M extends Pick<Mention, 'name'>>(text: string, candidates: readonly M[]): M[] {
  const names = candidates.map(({ name }) => name)
  const found = new Set([...text.matchAll(/@/g)].flatMap(({ index }) => mentionAt(text, index, names) || []))
  return candidates.filter(({ name }, index) => found.has(name) && names.indexOf(name) === index)
}
