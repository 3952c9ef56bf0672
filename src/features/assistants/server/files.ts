import { buffer } from 'node:stream/consumers'
import type { AttachedFile } from '#providers/assistants/port.ts'
import type { Platform } from '#server/platform.ts'
import type { WrittenRow } from './queries-turns.ts'

/** So many files go along with a question, each up to so many bytes. */
const MOST_FILES = 4
const MOST_BYTES = 5 * 1024 * 1024
/** What models read beside text; others pass over what they cannot. */
const READABLE = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'application/pdf']
/** What some hear, where nothing of it was written down. */
const AUDIBLE = ['audio/ogg', 'audio/mpeg', 'audio/mp4', 'audio/aac', 'audio/wav', 'audio/flac']

/** Reads the files that go along with what a customer wrote; one that is not there any more stays out. */
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
