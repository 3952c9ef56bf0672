import { mentionAt } from '#domain/messages/mentions.ts'
import { ownMember } from '../keys.ts'
import { itemAt } from '../present.ts'

/** Parsed part of a message's text. */
export type Piece =
  | { kind: 'text'; text: string }
  | { kind: 'bold' | 'italic' | 'strike'; of: readonly Piece[] }
  | { kind: 'mono' | 'block'; text: string }
  | { kind: 'link'; text: string; href: string }
  | { kind: 'mention'; text: string }

const marks = { '*': 'bold', _: 'italic', '~': 'strike' } as const
const isWord = (char: string | undefined): boolean => char !== undefined && /[\p{L}\p{N}]/u.test(char)
const isSpace = (char: string | undefined): boolean => char === undefined || /\s/.test(char)

// Texts come from anyone and may have sixty thousand letters: parts have a maximum length, so that parsing stays fast.
/** URLs and e-mail addresses that become links: http, https, www and e-mail only. */
const link =
  /\bhttps?:\/\/[^\s<>"']+|\bwww\.[^\s<>"'.]+\.[^\s<>"']+|\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/giu
const DEEPEST = 5

/**
 * Parses WhatsApp's formatting: `*bold*`, `_italic_`, `~strike~`, `` `mono` `` and ``` blocks, links, and (in notes) `@Name`
 * for the given names. A mark counts only at a word's edge and never around spaces or across lines, so that `2*3*4` and
 * `snake_case_name` remain.
 */
export function parseText(text: string, names: readonly string[] = []): Piece[] {
  const pieces: Piece[] = []
  const parts = text.split('```')
  // An odd number of fences leaves the last one as it was written.
  if (parts.length % 2 === 0) parts.splice(-2, 2, parts.slice(-2).join('```'))
  for (const [index, part] of parts.entries()) {
    if (index % 2 === 0) for (const piece of inline(part, names)) pieces.push(piece)
    else if (part.trim()) pieces.push({ kind: 'block', text: part.replace(/^\n|\n$/g, '') })
    else pieces.push({ kind: 'text', text: `\`\`\`${part}\`\`\`` })
  }
  return pieces
}

function inline(text: string, names: readonly string[], depth = 0): Piece[] {
  const pieces: Piece[] = []
  const inLink = new Uint8Array(text.length)
  for (const match of text.matchAll(link)) inLink.fill(1, match.index, match.index + match[0].length)
  // Position up to which the search for a closing mark failed: a later search fails too.
  const vain = new Map<string, number>()
  let plain = ''
  const flush = () => {
    if (plain) for (const piece of plainPieces(plain, names)) pieces.push(piece)
    plain = ''
  }
  for (let at = 0; at < text.length; ) {
    const char = itemAt(text, at)
    const kind = char === '`' ? 'mono' : ownMember(marks, char)
    const isMark = kind !== undefined && depth < DEEPEST && !inLink[at] && at >= (vain.get(char) ?? 0)
    const end = isMark ? closing(text, at, vain) : -1
    if (kind === undefined || end < 0) {
      plain += char
      at += 1
      continue
    }
    const inner = text.slice(at + 1, end)
    flush()
    if (kind === 'mono') pieces.push({ kind, text: inner })
    else pieces.push({ kind, of: inline(inner, names, depth + 1) })
    at = end + 1
  }
  flush()
  return pieces
}

/**
 * Returns the position of the mark that closes the one at `at`, or −1: on the same line, without spaces inside or letters
 * outside its edges.
 */
function closing(text: string, at: number, vain: Map<string, number>): number {
  const mark = itemAt(text, at)
  if (isWord(text[at - 1]) || isSpace(text[at + 1]) || text[at + 1] === mark) return -1
  let end = at + 2
  for (; end < text.length && text[end] !== '\n'; end++) {
    if (text[end] === mark && !isSpace(text[end - 1]) && !isWord(text[end + 1])) return end
  }
  vain.set(mark, end)
  return -1
}

function plainPieces(text: string, names: readonly string[]): Piece[] {
  const pieces: Piece[] = []
  let from = 0
  for (const match of text.matchAll(link)) {
    const address = trimAddress(match[0])
    if (match.index > from) for (const piece of mentioned(text.slice(from, match.index), names)) pieces.push(piece)
    pieces.push({ kind: 'link', text: address, href: hrefOf(address) })
    from = match.index + address.length
  }
  if (from < text.length) for (const piece of mentioned(text.slice(from), names)) pieces.push(piece)
  return pieces
}

// A full stop or bracket after an address belongs to the sentence, unless the bracket was opened inside.
function trimAddress(text: string): string {
  const opened = text.indexOf('(')
  let end = text.length
  while (/[.,;:!?*_~)\]]/.test(text[end - 1] ?? '')) {
    if (text[end - 1] === ')' && opened >= 0 && opened < end) break
    end -= 1
  }
  return text.slice(0, end)
}

const hrefOf = (address: string): string => {
  if (/^https?:/i.test(address)) return address
  return address.includes('@') && !/^www\./i.test(address) ? `mailto:${address}` : `https://${address}`
}

function mentioned(text: string, names: readonly string[]): Piece[] {
  const pieces: Piece[] = []
  let plain = ''
  const flush = () => {
    if (plain) pieces.push({ kind: 'text', text: plain })
    plain = ''
  }
  for (let at = 0; at < text.length; ) {
    const name = mentionAt(text, at, names)
    if (name) {
      flush()
      pieces.push({ kind: 'mention', text: `@${name}` })
      at += name.length + 1
    } else {
      plain += text[at]
      at += 1
    }
  }
  flush()
  return pieces
}

/** Removes the formatting marks from a text, for one line in a list or quote. */
export function plainText(text: string): string {
  const read = (piece: Piece): string => ('of' in piece ? piece.of.map(read).join('') : piece.text)
  return parseText(text).map(read).join('')
}

/** Returns the links in a text, in order. */
export const linksIn = (text: string): { text: string; href: string }[] => {
  const read = (piece: Piece): { text: string; href: string }[] =>
    piece.kind === 'link' ? [{ text: piece.text, href: piece.href }] : 'of' in piece ? piece.of.flatMap(read) : []
  return parseText(text).flatMap(read)
}
