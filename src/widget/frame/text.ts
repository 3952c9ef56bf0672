/** A piece of a message's text: plain, marked, or a link. */
export type Piece =
  | string
  | { mark: 'strong' | 'em' | 's'; inside: Piece[] }
  | { mark: 'code'; text: string }
  | { mark: 'link'; href: string }

const MARKS = { '*': 'strong', _: 'em', '~': 's' } as const
const TOKENS =
  /```(?<block>[\s\S]+?)```|`(?<code>[^`\n]+)`|(?<![\p{L}\p{N}])(?<sign>[*_~])(?=\S)(?<inside>[^\n]*?\S)\k<sign>(?![\p{L}\p{N}])|(?<link>https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]'*_~])/gu

/** Reads WhatsApp's marks (`*bold*` `_italic_` `~strike~` `` `code` ``) and web addresses; everything else stays text. */
export function pieces(text: string): Piece[] {
  const found: Piece[] = []
  let from = 0
  for (const match of text.matchAll(TOKENS)) {
    const { block, code, sign, inside, link } = match.groups as Record<string, string | undefined>
    if (match.index > from) found.push(text.slice(from, match.index))
    if (link) found.push({ mark: 'link', href: link })
    else if (sign && inside) found.push({ mark: MARKS[sign as keyof typeof MARKS], inside: pieces(inside) })
    else found.push({ mark: 'code', text: block ?? code ?? '' })
    from = match.index + match[0].length
  }
  if (from < text.length) found.push(text.slice(from))
  return found
}
