import { withoutEnds } from '#domain/text.ts'
/** What a file really is, and a name that does not pretend otherwise; null for what is not taken. */
export type FileKind = { mime: string; name: string }

/** How many bytes from the beginning of a file are looked at, at least. */
export const SNIFFED_BYTES = 4100

const TAKEN =
  /^(image\/(jpeg|png|apng|webp|gif)|audio\/[\w.+-]+|video\/(mp4|x-m4v|webm|3gpp|quicktime)|application\/(pdf|ogg|zip|x-cfb|rtf|vnd\.openxmlformats-officedocument\.[\w.]+(document|presentation|slideshow|sheet)|vnd\.oasis\.opendocument\.(text|spreadsheet|presentation))|text\/vcard)$/
const TEXT_NAMES = /\.(txt|csv|tsv|log|md|vcf|ics|json)$/i
// Names under which no system runs anything; a file of two natures (a picture that is a page as well) keeps no other.
const KNOWN_NAMES =
  /\.(jpe?g|a?png|webp|gif|mp3|m4a|aac|ogg|oga|opus|wav|amr|flac|weba|mp4|m4v|webm|3gp|mov|pdf|zip|docx?|xlsx?|pptx?|ppsx|odt|ods|odp|rtf|txt|csv|tsv|vcf)$/i
const EXTENSIONS: Readonly<Record<string, string>> = { 'application/x-cfb': 'doc', 'audio/ogg': 'ogg' }
const MARKUP = /^#!|<(script|svg|html|body|iframe|!doctype|\?php)/i

/** Looks into the first bytes of a file; its name only chooses between kinds of plain text. */
export async function kindOf(start: Uint8Array, givenName: string): Promise<FileKind | null> {
  const name = cleanName(givenName)
  const { fileTypeFromBuffer } = await import('file-type')
  const type = await fileTypeFromBuffer(start)
  if (type) {
    const mime = /^(audio\/ogg; codecs=opus|application\/ogg)$/.test(type.mime) ? 'audio/ogg' : type.mime
    if (!TAKEN.test(mime)) return null
    return { mime, name: KNOWN_NAMES.test(name) ? name : `${name}.${EXTENSIONS[mime] ?? type.ext}` }
  }
  // A mail as a file: it is downloaded, and opens in nothing that runs what is in it.
  if (/\.eml$/i.test(name) && isMail(start)) return { mime: 'message/rfc822', name }
  const hasName = /\.\w{1,10}$/.test(name)
  if (!isText(start) || (hasName && !TEXT_NAMES.test(name))) return null
  return { mime: /\.csv$/i.test(name) ? 'text/csv' : 'text/plain', name: hasName ? name : `${name}.txt` }
}

/** A name without a path, without control characters or marks that turn its end around, at most 180 letters. */
export function cleanName(given: string): string {
  const letters = withoutEnds(
    given
      .toWellFormed()
      .replace(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
      .replace(/[/\\<>:"|?*]/g, '_'),
    /[.\s]/,
  )
  return (
    [...letters]
      .slice(-180)
      .join('')
      .replace(/^[.\s]+/, '') || 'arquivo'
  )
}

// Its header comes first, of which every mail has some of these.
const isMail = (start: Uint8Array): boolean =>
  /^(from|to|subject|date|received|message-id|mime-version|return-path|delivered-to)\s{0,3}:/im.test(
    Buffer.from(start)
      .toString('latin1')
      .split(/\r?\n\r?\n/, 1)[0] ?? '',
  ) && !start.includes(0)

// UTF-8, or an older Western encoding, in which letters beyond ASCII are the smaller part.
function isText(start: Uint8Array): boolean {
  if (start.some((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27))) return false
  const text = Buffer.from(start).toString('latin1')
  if (MARKUP.test(text)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: true })
    return true
  } catch {
    return start.filter((byte) => byte > 127).length < start.length * 0.3
  }
}
