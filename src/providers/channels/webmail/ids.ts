import { createHash } from 'node:crypto'

/** The longest Message-ID that is stored as it is; a longer one is named by what is in it. */
const MOST_ID = 200
/** So many of a chain are looked at, from its end. */
const MOST_PARENTS = 30

const hash = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex')

/** The ids of a header that has any number of them, with their brackets, each once; nothing where it is empty. */
export function idsIn(header: string | undefined): string[] {
  // Encoded words bring NUL and the like, by which a database could not look for anything.
  const text = (header ?? '')
    .replace(/\s+/g, ' ')
    .replace(/\p{Cc}/gu, '')
    .trim()
  const bracketed = text.match(/<[^<>]{1,2000}>/g)
  // Some write theirs without brackets.
  const given = bracketed ?? text.split(' ').filter((one) => /^[^\s<>@]+@[^\s<>@]+$/.test(one))
  return [...new Set(given.map(idOf).filter((id) => id !== '<>'))]
}

function idOf(given: string): string {
  const bare = given.replace(/[<>\s]/g, '')
  return bare.length > MOST_ID ? `<${hash(bare).slice(0, 40)}@hash>` : `<${bare}>`
}

/** The ids of the mails that one answers: the direct one first, then the chain from its end. */
export const parentsOf = (inReplyTo: string | undefined, references: string | undefined): string[] =>
  [...new Set([...idsIn(inReplyTo), ...idsIn(references).reverse()])].slice(0, MOST_PARENTS)

/** The id of a mail that has none: always the same for the same bytes. */
export const idOfBytes = (source: Uint8Array): string => `<${hash(source).slice(0, 40)}@sem-id>`

/** What tells a mail from another one that bears the same id. */
export const markOf = (...parts: readonly string[]): string => hash(parts.join('\n')).slice(0, 8)

/** The name of a mail whose id another one has already. */
export const withMark = (id: string, mark: string): string => `<${id.slice(1, -1)}+${mark}>`

/** The Message-ID of a message of ours, which is known before it leaves; `from` is the address that sends it. */
export const ownIdOf = (messageId: string, from: string): string => `<${messageId}@${from.split('@')[1]}>`

/** Our message in one of our Message-IDs, whatever domain it left by; null in others. */
export const messageIdIn = (id: string): string | null =>
  id.match(/^<([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})@/)?.[1] ?? null
