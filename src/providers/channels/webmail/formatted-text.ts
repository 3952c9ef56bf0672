import { type Piece, parseText } from '#domain/messages/rich-text.ts'
import { memberOf } from '#domain/present.ts'

const TAGS = { bold: 'b', italic: 'i', strike: 's', mono: 'code', block: 'pre' } as const
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escaped = (text: string): string => text.replace(/[&<>"]/g, (letter) => memberOf(ENTITIES, letter))
const withBreaks = (text: string): string => escaped(text).replace(/\r?\n/g, '<br>\n')

/** Converts a text with marks into HTML, with the plain signature below it. */
export const htmlOf = (body: string, signature: string): string =>
  `<div>${parseText(body).map(pieceOf).join('')}</div>${signature ? `<div><br>-- <br>${withBreaks(signature)}</div>` : ''}`

function pieceOf(piece: Piece): string {
  if ('of' in piece) return tagged(TAGS[piece.kind], piece.of.map(pieceOf).join(''))
  if (piece.kind === 'mono' || piece.kind === 'block') return tagged(TAGS[piece.kind], escaped(piece.text))
  if (piece.kind === 'link') return `<a href="${escaped(piece.href)}">${escaped(piece.text)}</a>`
  return withBreaks(piece.text)
}

const tagged = (tag: string, content: string): string => `<${tag}>${content}</${tag}>`
