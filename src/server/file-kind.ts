import { withoutEnds } from '#domain/text.ts'
/** Actual type of a file, and a name whose ending agrees with it; null for refused types. */
export type FileKind = { mime: string; name: string }

/** MIME type of files that are only downloaded and never opened by the product. */
const OTHER = 'application/octet-stream'

/** Minimum number of bytes read from the beginning of a file to detect its type. */
export const SNIFFED_BYTES = 4100

const TAKEN =
  /^(image\/(jpeg|png|apng|webp|gif)|audio\/[\w.+-]+|video\/(mp4|x-m4v|webm|3gpp|quicktime)|application\/(pdf|ogg|zip|x-cfb|rtf|vnd\.openxmlformats-officedocument\.[\w.]+(document|presentation|slideshow|sheet)|vnd\.oasis\.opendocument\.(text|spreadsheet|presentation))|text\/vcard)$/
const TEXT_NAMES = /\.(txt|csv|tsv|log|md|vcf|ics|json)$/i
// Extensions that no system executes; a file of two types (a picture that is a page as well) keeps no other.
const KNOWN_NAMES =
  /\.(jpe?g|a?png|webp|gif|mp3|m4a|aac|ogg|oga|opus|wav|amr|flac|weba|mp4|m4v|webm|3gp|mov|pdf|zip|docx?|xlsx?|pptx?|ppsx|odt|ods|odp|rtf|txt|csv|tsv|vcf)$/i
// Containers of many formats (design files, mails of Outlook): another extension means another format.
const CONTAINERS = /^application\/(zip|x-cfb)$/
// Extensions that systems execute or browsers render, including documents with macros; such files are refused whatever
// they contain.
const PROGRAM_EXTENSIONS = new Set(
  [
    'exe com scr pif bat cmd msi msp mst msix appx dll sys drv cpl ocx xll jar jnlp class app apk aab ipa deb rpm dmg pkg run elf so',
    'ps1 psm1 psd1 ps1xml vb vbs vbe vbscript js jse mjs cjs ws wsf wsc wsh sct sh bash zsh csh command py pyc pyw pl rb',
    'php php3 php4 php5 php7 php8 phtml asp aspx jsp htm html xhtm xhtml xht sht shtm shtml mht mhtm mhtml hta svg svgz xsl xslt',
    'swf chm hlp gadget msc application appref-ms lnk url desktop webloc website scf inf reg library-ms search-ms',
    'searchconnector-ms settingcontent-ms theme iqy slk docm dotm xlsm xltm xlsb xlam pptm potm ppsm ppam sldm iso img vhd vhdx',
  ].flatMap((some) => some.split(' ')),
)
const isProgramName = (name: string): boolean => PROGRAM_EXTENSIONS.has(name.toLowerCase().split('.').at(-1) ?? '')
const PROGRAM_TYPES =
  /macroenabled|^application\/(x-msdownload|x-elf|x-mach-binary|java-vm|java-archive|wasm|x-ms-shortcut|x-ms-installer|x-deb|x-rpm|x-apple-diskimage|vnd\.android\.package-archive|vnd\.ms-htmlhelp|x-shockwave-flash)/
const EXTENSIONS: Readonly<Record<string, string>> = { 'application/x-cfb': 'doc', 'audio/ogg': 'ogg' }
const MARKUP = /^#!|<(script|svg|html|body|iframe|!doctype\s{1,9}(?:html|svg)|\?php)/i

/**
 * Detects the type of a file by its first bytes; the name chooses between kinds of plain text. Unknown types are stored
 * under their own name for download only; programs, pages and documents with macros are refused (null).
 */
export async function kindOf(start: Uint8Array, givenName: string): Promise<FileKind | null> {
  const name = cleanName(givenName)
  const { fileTypeFromBuffer } = await import('file-type')
  const type = await fileTypeFromBuffer(start)
  const hasName = /\.\w{1,10}$/.test(name)
  if (type) {
    const mime = /^(audio\/ogg; codecs=opus|application\/ogg)$/.test(type.mime) ? 'audio/ogg' : type.mime
    if (PROGRAM_TYPES.test(mime)) return null
    if (TAKEN.test(mime) && KNOWN_NAMES.test(name)) return { mime, name }
    if (TAKEN.test(mime) && !(CONTAINERS.test(mime) && hasName))
      return { mime, name: `${name}.${EXTENSIONS[mime] ?? type.ext}` }
  }
  if (isProgramName(name)) return null
  // A mail as a file is only downloaded, and opened by programs that run nothing in it.
  if (/\.eml$/i.test(name) && isMail(start)) return { mime: 'message/rfc822', name }
  const text = textIn(start)
  if (text !== null && MARKUP.test(text)) return null
  if (text === null || type || (hasName && !TEXT_NAMES.test(name)))
    return { mime: OTHER, name: hasName ? name : `${name}.${type?.ext ?? 'bin'}` }
  return { mime: /\.csv$/i.test(name) ? 'text/csv' : 'text/plain', name: hasName ? name : `${name}.txt` }
}

/** Returns a file name without path, control characters and marks that reverse its end, at most 180 letters. */
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

// A mail begins with its header, which has one of these fields.
const isMail = (start: Uint8Array): boolean =>
  /^(from|to|subject|date|received|message-id|mime-version|return-path|delivered-to)\s{0,3}:/im.test(
    Buffer.from(start)
      .toString('latin1')
      .split(/\r?\n\r?\n/, 1)[0] ?? '',
  ) && !start.includes(0)

/**
 * Decodes bytes as text: UTF-8, marked UTF-16, or an older Western encoding with a minority of letters beyond ASCII; else
 * null.
 */
function textIn(start: Uint8Array): string | null {
  if ((start[0] === 0xff && start[1] === 0xfe) || (start[0] === 0xfe && start[1] === 0xff))
    return new TextDecoder(start[0] === 0xff ? 'utf-16le' : 'utf-16be').decode(start, { stream: true })
  if (start.some((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27))) return null
  const text = Buffer.from(start).toString('latin1')
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: true })
    return text
  } catch {
    return start.filter((byte) => byte > 127).length < start.length * 0.3 ? text : null
  }
}
