/** Content of Outlook's winmail.dat (TNEF, [MS-OXTNEF]): plain text, if any, and files. */
type Unwrapped = { readonly text: string; readonly files: readonly { name: string; bytes: Uint8Array }[] }

const SIGNATURE = 0x223e9f78
const BODY = 0x0002800c
const ATTACHMENT_BEGINS = 0x00069002
const ATTACHMENT_NAME = 0x00018010
const ATTACHMENT_DATA = 0x0006800f
const ATTACHMENT_PROPERTIES = 0x00069005
const LONG_NAME = 0x3707
const MOST_FILES = 50

/** Whether a part is a TNEF file. */
export const isWinmail = (name: string, mime: string): boolean =>
  /^application\/(vnd\.)?ms-tnef$/i.test(mime) || /^winmail\.dat$/i.test(name)

/** Unwraps a TNEF file as far as it can be read; null if it is none. */
export function unwrap(bytes: Uint8Array): Unwrapped | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.byteLength < 6 || view.getUint32(0, true) !== SIGNATURE) return null
  const latin = new TextDecoder('windows-1252')
  const letters = (part: Uint8Array) => latin.decode(part).replace(/\0[\s\S]*/, '')
  const files: { name: string; bytes: Uint8Array }[] = []
  let text = ''
  // Each attribute: level (1), type (4), length (4), bytes, checksum (2).
  for (let at = 6; at + 11 <= bytes.byteLength; ) {
    const attribute = view.getUint32(at + 1, true)
    const length = view.getUint32(at + 5, true)
    const end = at + 9 + length
    if (end > bytes.byteLength) break
    const part = bytes.subarray(at + 9, end)
    if (attribute === BODY) text = letters(part)
    if (attribute === ATTACHMENT_BEGINS && files.length < MOST_FILES) files.push({ name: '', bytes: new Uint8Array() })
    const file = files.at(-1)
    if (file && attribute === ATTACHMENT_NAME) file.name ||= letters(part)
    if (file && attribute === ATTACHMENT_DATA) file.bytes = part
    if (file && attribute === ATTACHMENT_PROPERTIES) file.name = longName(part) || file.name
    at = end + 2
  }
  return { text, files: files.filter(({ bytes: content }) => content.byteLength > 0) }
}

/** Returns the long name among a file's properties; '' if missing. */
function longName(part: Uint8Array): string {
  const view = new DataView(part.buffer, part.byteOffset, part.byteLength)
  for (let at = 4; at + 12 <= part.byteLength; at += 4) {
    const type = view.getUint16(at, true)
    if (view.getUint16(at + 2, true) !== LONG_NAME || (type !== 0x1e && type !== 0x1f)) continue
    const length = view.getUint32(at + 8, true)
    if (view.getUint32(at + 4, true) !== 1 || at + 12 + length > part.byteLength) continue
    const encoded = part.subarray(at + 12, at + 12 + length)
    return new TextDecoder(type === 0x1f ? 'utf-16le' : 'windows-1252').decode(encoded).replace(/\0[\s\S]*/, '')
  }
  return ''
}
