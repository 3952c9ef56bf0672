import { MIMEType } from 'node:util'
import { Parser } from 'htmlparser2'

/** Metadata of a page; texts are one line of plain text, `picture` is an absolute http or https address. */
export type PageInfo = { title: string; description: string; site: string; picture: string | null }

const MOST_TITLE = 200
const MOST_DESCRIPTION = 300
const MOST_SITE = 80
/** Number of bytes searched for a declared encoding; it belongs into the first kilobyte, but some pages begin with a comment. */
const DECLARED_WITHIN = 4096
/** Maximum depth of nesting, as the time of parsing grows with the square of it; no page is that deep. */
const DEEPEST = 500

/**
 * Parses title, description, site and picture of an HTML in any encoding, possibly truncated; null without a title. `url`:
 * address that it was read from.
 */
export function readPage(
  html: Uint8Array,
  { url, contentType }: { url: string; contentType: string },
): PageInfo | null {
  const { title, meta } = walk(decode(html, contentType))
  const of = (most: number, ...texts: (string | undefined)[]) =>
    texts.map((text) => oneLine(text ?? '', most)).find((text) => text !== '') ?? ''
  const shown = of(MOST_TITLE, meta.get('og:title'), meta.get('twitter:title'), title)
  if (!shown) return null
  const pictures = ['og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src']
  return {
    title: shown,
    description: of(
      MOST_DESCRIPTION,
      meta.get('og:description'),
      meta.get('twitter:description'),
      meta.get('description'),
    ),
    site: of(MOST_SITE, meta.get('og:site_name'), new URL(url).hostname.replace(/^www\./, '')),
    picture: pictures.map((name) => addressIn(meta.get(name), url)).find((address) => address !== null) ?? null,
  }
}

/** Parses media type and charset of a Content-Type; null if invalid. */
function typeOf(contentType: string): { essence: string; charset: string | null } | null {
  try {
    const type = new MIMEType(contentType)
    return { essence: type.essence, charset: type.params.get('charset') }
  } catch {
    return null
  }
}

/** Whether a response is a readable page (HTML or XHTML). */
export const isPage = (contentType: string): boolean =>
  ['text/html', 'application/xhtml+xml'].includes(typeOf(contentType)?.essence ?? '')

type Found = { title: string; meta: ReadonlyMap<string, string>; charset: string | null }

// The first of each kind counts; an inline drawing has its own titles.
function walk(html: string): Found {
  const meta = new Map<string, string>()
  let charset: string | null = null
  let title = ''
  let titleIs: 'awaited' | 'read' | 'over' = 'awaited'
  let drawings = 0
  let depth = 0
  const parser = new Parser({
    onopentag(name, attributes) {
      if (++depth > DEEPEST) parser.pause()
      if (name === 'svg') drawings++
      if (name === 'title' && titleIs === 'awaited' && drawings === 0) titleIs = 'read'
      if (name !== 'meta') return
      const { content = '' } = attributes
      const about = (attributes['property'] ?? attributes['name'] ?? '').toLowerCase()
      if (about && content && !meta.has(about)) meta.set(about, content)
      const isType = attributes['http-equiv']?.toLowerCase() === 'content-type'
      charset ??= attributes['charset'] ?? (isType ? (typeOf(content)?.charset ?? null) : null)
    },
    ontext(text) {
      if (titleIs === 'read') title += text
    },
    onclosetag(name) {
      depth--
      if (name === 'svg') drawings--
      if (name === 'title' && titleIs === 'read') titleIs = 'over'
    },
  })
  parser.end(html)
  return { title, meta, charset }
}

// The encoding of the header precedes that of the page; without both UTF-8, or the old Western encoding.
function decode(html: Uint8Array, contentType: string): string {
  const start = html.subarray(0, DECLARED_WITHIN)
  const declared = typeOf(contentType)?.charset ?? walk(new TextDecoder('latin1').decode(start)).charset
  const decoder = (declared === null ? null : decoderOf(declared)) ?? new TextDecoder()
  if (declared !== null) return decoder.decode(html)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(html, { stream: true })
  } catch {
    return new TextDecoder('windows-1252').decode(html)
  }
}

function decoderOf(charset: string): TextDecoder | null {
  try {
    return new TextDecoder(charset)
  } catch {
    return null
  }
}

function addressIn(text: string | undefined, base: string): string | null {
  if (!text || !URL.canParse(text, base)) return null
  const { href, protocol } = new URL(text, base)
  return protocol === 'http:' || protocol === 'https:' ? href : null
}

// Removes direction marks, which would affect neighbouring text.
function oneLine(text: string, most: number): string {
  const plain = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zs}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\p{Cf}\ufffd]/gu, (mark) => (mark === '\u200d' ? mark : ''))
    .trim()
  const letters = [...plain]
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : plain
}
