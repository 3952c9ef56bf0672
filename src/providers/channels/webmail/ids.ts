import { createHash } from 'node:crypto'

/** Maximum length of a stored Message-ID; a longer one is hashed. */
const MOST_ID = 200
/** Maximum number of parents of a mail, from the end of its chain. */
const MOST_PARENTS = 30

const hash = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex')

/** Parses the ids of a header, with brackets, each once; empty if there are none. */
export function idsIn(header: string | undefined): string[] {
  // Encoded words may contain NUL and similar characters, which a database query refuses.
  const text = (header ?? '')
    .replace(/\s+/g, ' ')
    .replace(/\p{Cc}/gu, '')
    .trim()
  const bracketed = text.match(/<[^<>]{1,2000}>/g)
  // Some programs write ids without brackets.
  const given = bracketed ?? text.split(' ').filter((one) => /^[^\s<>@]+@[^\s<>@]+$/.test(one))
  return [...new Set(given.map(idOf).filter((id) => id !== '<>'))]
}

function idOf(given: string): string {
  const bare = given.replace(/[<>\s]/g, '')
  return bare.length > MOST_ID ? `<${hash(bare).slice(0, 40)}@hash>` : `<${bare}>`
}

/** Returns the ids of the mails that a mail answers: the direct one first, then the chain from its end. */
export const parentsOf = (inReplyTo: string | undefined, references: string | undefined): string[] =>
  [...new Set([...idsIn(inReplyTo), ...idsIn(references).reverse()])].slice(0, MOST_PARENTS)

/** Returns an id for a mail without one, derived from its bytes. */
export const idOfBytes = (source: Uint8Array): string => `<${hash(source).slice(0, 40)}@sem-id>`

/** Returns a hash that distinguishes mails with the same id. */
export const markOf = (...parts: readonly string[]): string => hash(parts.join('\n')).slice(0, 8)

/** Returns the id of a mail whose Message-ID another mail has already. */
export const withMark = (id: string, mark: string): string => `<${id.slice(1, -1)}+${mark}>`

/** Returns the Message-ID of a message of ours, known before it is sent; `from` is the sending address. */
export const ownIdOf = (messageId: string, from: string): string => `<${messageId}@${from.split('@')[1]}>`

/** Returns our message id in one of our Message-IDs, of any domain; null for others. */
export const messageIdIn = (id: string): string | null =>
  id.match(/^<([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})@/)?.[1] ?? null
