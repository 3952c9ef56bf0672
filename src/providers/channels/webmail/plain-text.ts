import { Parser } from 'htmlparser2'

/** Depth of nesting below which text is not read; no mail is that deep. */
const DEEPEST = 500
/** Depth of nesting at which parsing stops, as its time grows with the square of it: hours for a few megabytes. */
const MOST_DEPTH = 5000
/** Minimum length of an HTML that can be too deep. */
const SHORTEST_DEEP = 3 * MOST_DEPTH
const MOST_TEXT = 200_000
const MOST_LINK = 300
const HIDDEN = new Set(['head', 'style', 'script', 'title', 'template', 'noscript', 'object', 'svg'])
const VOID = new Set(['br', 'img', 'hr', 'meta', 'link', 'input', 'area', 'base', 'col', 'embed', 'source', 'wbr'])
const BLOCKS = new Set([
  ...['p', 'div', 'table', 'tr', 'ul', 'ol', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'pre', 'section'],
  ...['article', 'header', 'footer', 'hr', 'li', 'dl', 'dt', 'dd', 'center', 'address', 'form', 'fieldset'],
])
/** White space and invisible characters between words. */
const BLANK = /[\u034f\s\u200b-\u200d\u00ad]+/g

/** Parses an HTML until it is too deep; returns whether it was parsed to its end. */
function readWhole(html: string, handler: ConstructorParameters<typeof Parser>[0]): boolean {
  let depth = 0
  let isWhole = true
  const parser = new Parser({
    ...handler,
    onopentag(...tag) {
      if (++depth > MOST_DEPTH) {
        isWhole = false
        parser.pause()
      }
      handler?.onopentag?.(...tag)
    },
    onclosetag(...tag) {
      depth--
      handler?.onclosetag?.(...tag)
    },
  })
  parser.write(html)
  if (isWhole) parser.end()
  return isWhole
}

/** Whether an HTML is nested too deeply to be parsed. */
export const isTooDeep = (html: string): boolean => html.length > SHORTEST_DEEP && !readWhole(html, {})

/** Converts an HTML into text, with its visible lines and quotations (`> `). */
export function textOfHtml(html: string): string {
  const rows: string[] = []
  let row = ''
  let size = 0
  let hidden = 0
  let depth = 0
  let quotes = 0
  let link: { href: string; row: number; shown: string } | null = null
  /** Whether the current line is empty or ends with a space; tracked because testing the line would copy it with every word. */
  let isSpaced = true
  const endRow = () => {
    rows.push(`${row.trim() === '' && quotes === 0 ? '' : '> '.repeat(Math.min(quotes, 5))}${row.trim()}`)
    row = ''
    isSpaced = true
  }
  const endBlock = () => {
    if (row.trim() !== '') endRow()
  }
  const add = (piece: string) => {
    if (depth > DEEPEST || size > MOST_TEXT) return
    size += piece.length
    const added = isSpaced ? piece.trimStart() : piece
    if (added === '') return
    row += added
    if (link) link.shown += added
    isSpaced = added.endsWith(' ')
  }
  readWhole(html, {
    onopentag(name, { href = '', alt = '', style = '' }) {
      depth++
      if (hidden > 0 || HIDDEN.has(name) || /display\s*:\s*none/i.test(style)) {
        if (!VOID.has(name)) hidden++
        return
      }
      if (name === 'br') endRow()
      if (BLOCKS.has(name)) endBlock()
      if (name === 'blockquote') quotes++
      if (name === 'li') add('• ')
      if (name === 'img' && alt.trim()) add(`[${alt.trim().slice(0, 80)}]`)
      if (name === 'a') link = { href, row: rows.length, shown: '' }
    },
    ontext(piece) {
      if (hidden === 0) add(piece.replace(BLANK, ' '))
    },
    onclosetag(name) {
      depth--
      if (hidden > 0) {
        if (!VOID.has(name)) hidden--
        return
      }
      if (name === 'a' && link) {
        const shown = link.row === rows.length ? link.shown.trim() : ''
        const isElsewhere = /^https?:/i.test(link.href) && shown !== '' && !link.href.includes(shown)
        if (isElsewhere && link.href.length <= MOST_LINK) add(` (${link.href})`)
        link = null
      }
      if (name === 'td' || name === 'th') add(' ')
      if (BLOCKS.has(name)) endBlock()
      if (name === 'blockquote') quotes--
      if (name === 'p' && rows.at(-1)?.trim()) endRow()
    },
  })
  endRow()
  return rows
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
