import { partBefore } from '../present.ts'
import { withoutEnd } from '../text.ts'
import { mentionAt } from './mentions.ts'

/** Mentioned person: identity on the channel, and the name after the `@`. */
export type Mentioned = { readonly identity: string; readonly name: string }

/**
 * Mentions of a group message. `people` are in its text as `@Name`; `everyone` is written as `@todos` (`shown`) or not
 * written (`hidden`).
 */
export type MessageMentions = {
  readonly people: readonly Mentioned[]
  readonly everyone: 'shown' | 'hidden' | null
}

/** Word that mentions all members. */
export const EVERYONE = 'todos'

/** Returns the names behind an `@` in its text. */
export const mentionedNames = ({ people, everyone }: MessageMentions): string[] => [
  ...people.map(({ name }) => name),
  ...(everyone === 'shown' ? [EVERYONE] : []),
]

type Member = Mentioned & { readonly number: string | null }

/** Returns the members that a text mentions by name, each once; null if none. */
export function mentionsIn(text: string, members: readonly Mentioned[]): MessageMentions | null {
  const names = [...members.map(({ name }) => name), EVERYONE].filter((name) => text.includes(`@${name}`))
  const found = new Set([...text.matchAll(/@/g)].flatMap(({ index }) => mentionAt(text, index, names) ?? []))
  const people = members.filter(({ name }) => found.has(name)).map(({ identity, name }) => ({ identity, name }))
  const isAll = found.has(EVERYONE)
  return people.length > 0 || isAll ? { people, everyone: isAll ? 'shown' : null } : null
}

// Identities and numbers in a text: without spaces, perhaps followed by a server's name.
const address = /(?<![\p{L}\p{N}])@([\p{L}\p{N}+:._-]{1,100})(@[\w.-]{1,100})?/gu

/** Replaces identities (with or without server) and numbers after an `@` by the members' names. */
export function withNames(text: string, members: readonly Member[]): string {
  const names = new Map<string, string>()
  for (const { identity, number, name } of members)
    for (const key of [partBefore(identity, '@'), number, identity]) if (key) names.set(key, name)
  if (names.size === 0) return text
  return text.replace(address, (all: string, local: string, server = '') => {
    for (const found of [local + server, local, withoutEnd(local + server, /[.:_-]/), withoutEnd(local, /[.:_-]/)]) {
      const name = names.get(found)
      if (name !== undefined) return `@${name}${all.slice(1 + found.length)}`
    }
    return all
  })
}

/** Replaces `@Name` by channel addresses (identities without server). */
export function withAddresses(text: string, people: readonly Mentioned[]): string {
  const left = [...people]
  const names = people.map(({ name }) => name)
  let out = ''
  for (let at = 0; at < text.length; ) {
    const name = mentionAt(text, at, names)
    // Two people with the same name are mentioned once each, in order.
    const index = name === undefined ? -1 : left.findIndex((one) => one.name === name)
    const person = left.splice(index, index < 0 ? 0 : 1)[0] ?? people.find((one) => one.name === name)
    out += person ? `@${person.identity.split('@')[0]}` : text[at]
    at += person ? person.name.length + 1 : 1
  }
  return out
}

/** Prepends `@Name` for each of the given people who is not mentioned in the text. */
export function mentioning(text: string, people: readonly Mentioned[]): string {
  const there = new Set(mentionsIn(text, people)?.people.map(({ name }) => name))
  const missing = [...new Set(people.map(({ name }) => name))].filter((name) => !there.has(name))
  return [...missing.map((name) => `@${name}`), text].join(' ')
}

/** Prepends the mention of all members unless the text has it. */
export const mentioningAll = (text: string): string =>
  mentionsIn(text, [])?.everyone === 'shown' ? text : `@${EVERYONE} ${text}`
