/** Piece of a message's text: plain, marked, or a link. */
export type Piece =
  | string
  | { mark: 'strong' | 'em' | 's'; inside: Piece[] }
  | { mark: 'code'; text: string }
  | { mark: 'link'; href: string }

const MARKS = { '*': 'strong', _: 'em', '~': 's' } as const
const TOKENS =
  /```(?<block>[\s\S]+?)```|`(?<code>[^`\n]+)`|(?<![\p{L}\p{N}])(?<sign>[*_~])|(?<link>https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]'*_~])/gu

/** Maximum depth of nested marks. */
const DEEPEST = 5

/** Parses WhatsApp's marks (`*bold*` `_italic_` `~strike~` `` `code` ``) and web addresses; everything else stays text. */
export function pieces(text: string, depth = 0): Piece[] {
  const found: Piece[] = []
  // Position up to which the search for a closing sign failed: a later search fails too.
  const vain: Record<string, number> = {}
  let from = 0
  for (let at = 0; ; ) {
    TOKENS.lastIndex = at
    const match = TOKENS.exec(text)
    if (!match) break
    const { block, code, sign, link } = match.groups as Record<string, string | undefined>
    const { index } = match
    let end = TOKENS.lastIndex
    if (sign) end = depth === DEEPEST || index < (vain[sign] ?? 0) ? 0 : closing(text, index, sign, vain)
    at = end || index + 1
    if (end === 0) continue
    if (index > from) found.push(text.slice(from, index))
    if (link) found.push({ mark: 'link', href: link })
    else if (sign)
      found.push({ mark: MARKS[sign as keyof typeof MARKS], inside: pieces(text.slice(index + 1, end - 1), depth + 1) })
    else found.push({ mark: 'code', text: block ?? code ?? '' })
    from = end
  }
  if (from < text.length) found.push(text.slice(from))
  return found
}

/**
 * Returns the end of the text that a sign marks: in the same row, with no space within its edges and no letter behind it; 0:
 * none.
 */
function closing(text: string, at: number, sign: string, vain: Record<string, number>): number {
  if (!/\S/.test(text[at + 1] ?? ' ')) return 0
  let end = at + 2
  for (; end < text.length && text[end] !== '\n'; end++)
    if (text[end] === sign && /\S/.test(text[end - 1]!) && !/[\p{L}\p{N}]/u.test(text[end + 1] ?? '')) return end + 1
  vain[sign] = end
  return 0
}
