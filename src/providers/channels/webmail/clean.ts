import sanitizeHtml from 'sanitize-html'
import { isTooDeep } from './plain-text.ts'
import type { MailFile } from './read-mail.ts'

/** Maximum length of a cleaned HTML, in characters; a longer one is not stored, and read as plain text. */
const MOST_HTML = 300_000
/** Maximum length of an HTML that is cleaned, in characters, as cleaning takes time. */
const MOST_SOURCE = 2_000_000
/** Maximum number of tags, styles and entities in it, as each takes time. */
const MOST_MARKS = 150_000
const MARKS = new Set('<&;(')
/** Maximum size of an inline picture, and of all of them, in bytes; larger ones become files. */
const MOST_PICTURE = 30_000
const MOST_PICTURES = 150_000
const PICTURES = /^image\/(png|jpeg|gif|webp)$/

const size = [/^\d{1,4}(\.\d+)?(px|pt|em|rem|%)?$/, /^auto$/]
const sizes = [/^(\d{1,4}(\.\d+)?(px|pt|em|rem|%)?|auto)(\s+(\d{1,4}(\.\d+)?(px|pt|em|rem|%)?|auto)){0,3}$/]
const color = [/^#[0-9a-f]{3,8}$/i, /^rgba?\([\d\s,.%]{1,40}\)$/i, /^[a-z]{3,20}$/i]
const word = [/^[a-z-]{2,20}$/i]

const STYLES: Readonly<Record<string, RegExp[]>> = {
  ...{ color, 'background-color': color, 'border-color': color, 'text-align': word, 'text-decoration': word },
  ...{ 'font-weight': [/^(\d{3}|bold|bolder|normal|lighter)$/], 'font-style': word, 'vertical-align': word },
  ...{ 'font-size': size, 'font-family': [/^[\w\s,'"-]{1,120}$/], 'line-height': size, 'white-space': word },
  ...{ width: size, 'max-width': size, height: size, padding: sizes, margin: sizes, 'border-collapse': word },
  ...{ 'padding-left': size, 'padding-right': size, 'padding-top': size, 'padding-bottom': size },
  ...{ 'margin-left': size, 'margin-right': size, 'margin-top': size, 'margin-bottom': size },
  border: [/^(\d{1,2}(px|pt)?(\s+|$))?((solid|dashed|dotted|none)(\s+|$))?(#[0-9a-f]{3,8}|[a-z]{3,20})?$/i],
}
const TAGS = [
  ...['a', 'abbr', 'address', 'b', 'big', 'blockquote', 'br', 'caption', 'center', 'cite', 'code', 'col', 'colgroup'],
  ...['dd', 'del', 'div', 'dl', 'dt', 'em', 'font', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'i', 'img', 'ins'],
  ...['kbd', 'li', 'mark', 'ol', 'p', 'pre', 'q', 's', 'small', 'span', 'strike', 'strong', 'sub', 'sup', 'table'],
  ...['tbody', 'td', 'tfoot', 'th', 'thead', 'tr', 'tt', 'u', 'ul'],
]
const OF_CELLS = ['align', 'valign', 'width', 'height', 'bgcolor', 'colspan', 'rowspan', 'cellpadding', 'cellspacing']

/** Cleaned HTML of a mail, and the files that are not inline in it. */
type Formatted = { readonly html: string | null; readonly rest: readonly MailFile[] }

/**
 * Sanitizes the HTML of a mail: no scripts, no requests, no overlays. Its own small pictures are inlined; remote ones get
 * `data-src`, so that they are only loaded on the reader's request.
 */
export function formattedOf(html: string | null, files: readonly MailFile[]): Formatted {
  if (html === null || html.length > MOST_SOURCE || hasManyMarks(html) || isTooDeep(html))
    return { html: null, rest: files }
  const within = picturesWithin(files)
  const clean = sanitizeHtml(html, {
    allowedTags: TAGS,
    allowedAttributes: {
      '*': ['style', 'dir', 'lang', 'title'],
      a: ['href', 'target', 'rel'],
      img: ['src', 'data-src', 'alt', 'width', 'height'],
      font: ['color', 'size', 'face'],
      ...Object.fromEntries(['table', 'td', 'th', 'tr', 'col', 'colgroup'].map((tag) => [tag, OF_CELLS])),
    },
    allowedStyles: { '*': STYLES },
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    allowedSchemesByTag: { img: ['data'] },
    allowProtocolRelative: false,
    nonTextTags: ['style', 'script', 'textarea', 'option', 'noscript', 'title', 'head', 'svg', 'math', 'template'],
    nestingLimit: 200,
    transformTags: {
      a: (tagName, { href = '', title = '', style = '' }) => ({
        tagName,
        attribs: { href: href.trim(), title, style, target: '_blank', rel: 'noopener noreferrer nofollow' },
      }),
      // `src` first, because the display searches for it.
      img: (tagName, { src = '', alt = '', width = '', height = '', style = '' }) => ({
        tagName,
        attribs: { ...pictureAt(src.trim(), within), alt, ...(width && { width }), ...(height && { height }), style },
      }),
    },
    exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !attribs['src'] && !attribs['data-src'],
  })
  if (clean.length > MOST_HTML + MOST_PICTURES * 1.4) return { html: null, rest: files }
  const isWithin = ({ cid }: MailFile) => cid !== null && within.has(cid)
  return { html: clean.trim() === '' ? null : clean, rest: files.filter((file) => !isWithin(file)) }
}

function hasManyMarks(html: string): boolean {
  let count = 0
  for (const letter of html) if (MARKS.has(letter)) count += 1
  return count > MOST_MARKS
}

function picturesWithin(files: readonly MailFile[]): ReadonlyMap<string, string> {
  const within = new Map<string, string>()
  let all = 0
  for (const { cid, mime, bytes } of files) {
    if (cid === null || !PICTURES.test(mime) || bytes.length > MOST_PICTURE) continue
    all += bytes.length
    if (all > MOST_PICTURES) break
    within.set(cid, `data:${mime};base64,${Buffer.from(bytes).toString('base64')}`)
  }
  return within
}

function pictureAt(src: string, within: ReadonlyMap<string, string>): Record<string, string> {
  if (/^cid:/i.test(src)) return { src: within.get(src.slice(4)) ?? '' }
  if (/^data:image\/(png|jpeg|gif|webp);base64,[a-z0-9+/=\s]+$/i.test(src))
    return src.length > MOST_PICTURE ? {} : { src }
  return /^https?:\/\//i.test(src) ? { 'data-src': src } : {}
}
