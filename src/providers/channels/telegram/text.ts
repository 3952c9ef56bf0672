import type { MessageEntity } from 'grammy/types'
import { ownMember } from '#domain/keys.ts'
import { type Piece, parseText } from '#domain/messages/rich-text.ts'

const MARKS = { bold: '*', italic: '_', strikethrough: '~', code: '`' } as const
const KINDS = { bold: 'bold', italic: 'italic', strike: 'strikethrough', mono: 'code', block: 'pre' } as const
const isWord = (char: string | undefined): boolean => char !== undefined && /[\p{L}\p{N}]/u.test(char)

/** Converts a text into the Bot API's form: plain text, with its marks as entities. */
export function formatted(body: string): { text: string; entities: MessageEntity[] } {
  let text = ''
  const entities: MessageEntity[] = []
  const add = (pieces: readonly Piece[]) => {
    for (const piece of pieces) {
      const offset = text.length
      if ('of' in piece) add(piece.of)
      else text += piece.text
      const type = ownMember(KINDS, piece.kind)
      if (type) entities.push({ type, offset, length: text.length - offset })
    }
  }
  add(parseText(body))
  return { text, entities }
}

/** Formatting entity of a received text. */
type Entity = Partial<Record<'type' | 'url', string | undefined> & Record<'offset' | 'length', number | undefined>>
type Insertion = { readonly at: number; readonly order: number; readonly text: string }

/** Converts the entities of a Telegram text into our marks; omits those that our grammar does not support. */
export function marked(text: string, entities: readonly Entity[] = []): string {
  const insertions = entities.flatMap((entity, index) => insertionsOf(text, entity, index + 1))
  // At one position, end marks come before begin marks, innermost first.
  insertions.sort((a, b) => a.at - b.at || a.order - b.order)
  let out = ''
  let from = 0
  for (const { at, text: mark } of insertions) {
    out += text.slice(from, at) + mark
    from = at
  }
  return out + text.slice(from)
}

function insertionsOf(text: string, entity: Entity, index: number): Insertion[] {
  const { type, offset = -1, length = 0 } = entity
  const end = offset + length
  if (!(offset >= 0 && length > 0 && end <= text.length)) return []
  const around = (from: number, to: number, mark: string): Insertion[] => [
    { at: from, order: index, text: mark },
    { at: to, order: -index, text: mark },
  ]
  if (type === 'text_link') {
    const isShown = text.slice(offset, end) === entity.url
    return isShown ? [] : [{ at: end, order: -index, text: ` (${entity.url})` }]
  }
  if (type === 'pre') return around(offset, end, '```')
  const mark = ownMember(MARKS, type ?? '')
  if (!mark) return []
  // Marks apply within one line, at word boundaries.
  return [...text.slice(offset, end).matchAll(/[^\s](?:.*[^\s])?/g)].flatMap((part) => {
    const from = offset + part.index
    const to = from + part[0].length
    const isReadable = !isWord(text[from - 1]) && !isWord(text[to]) && !part[0].includes(mark)
    return isReadable ? around(from, to, mark) : []
  })
}
