import { buffer } from 'node:stream/consumers'
import type { AttachedFile } from '#providers/assistants/port.ts'
import type { Platform } from '#server/platform.ts'
import type { WrittenRow } from './queries-turns.ts'

/** Maximum number of files sent with a question, and maximum size of each. */
const MOST_FILES = 4
const MOST_BYTES = 5 * 1024 * 1024
/** File types that models read; others are skipped. */
const READABLE = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'application/pdf']
/** Audio types that some models accept, for recordings without transcript. */
const AUDIBLE = ['audio/ogg', 'audio/mpeg', 'audio/mp4', 'audio/aac', 'audio/wav', 'audio/flac']

/** Reads the files of a customer's messages; missing files are omitted. */
export async function readFiles(platform: Platform, written: readonly WrittenRow[]): Promise<AttachedFile[]> {
  const files = written.flatMap(({ file, transcript }) => {
    const types = transcript === null ? [...READABLE, ...AUDIBLE] : READABLE
    return file && types.includes(file.mime) && file.size <= MOST_BYTES ? [file] : []
  })
  const read = files.slice(-MOST_FILES).map(async ({ path, name, mime }) => {
    const bytes = await buffer(platform.storage.read(path)).catch(() => null)
    return bytes && { name, mime, base64: bytes.toString('base64') }
  })
  return (await Promise.all(read)).filter((one) => one !== null)
}
