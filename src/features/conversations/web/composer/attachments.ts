import type { FileLimits } from '#domain/messages/file-limits.ts'
import { type FileWish, wayOf, wishesFor } from '#domain/messages/outgoing-files.ts'
import { typeOfMime } from '#domain/messages/types.ts'
import { uuid } from '#web/api.ts'
import { t } from '#web/t.ts'
import type { OutboxFile } from './outbox-state.ts'

/** What the channel and the installation can do with files. */
export type FileAbilities = { readonly files: FileLimits; readonly transcodes: boolean }

/**
 * A file in the tray: its caption (which follows by itself where none goes with it: `isAlone`), what it is wanted as and may
 * be wanted as, what the person should know of how it leaves, and, when the channel would refuse it, why.
 */
export type Attachment = {
  readonly id: string
  readonly blob: Blob
  readonly name: string
  readonly caption: string
  readonly wish: FileWish | null
  readonly wishes: readonly FileWish[]
  readonly isAlone: boolean
  readonly notice: string | null
  readonly problem: string | null
  /** The file as it was given, and its name. */
  readonly given: File
}

/** At most so many files leave at once. */
export const mostFiles = 10

/** A file that was given, as the channel would take it. */
export const attach = (given: File, can: FileAbilities): Attachment => {
  const name = nameOf(given, new Date())
  return judged({ id: uuid(), blob: given, name, caption: '', wish: null, given }, can)
}

type Unjudged = Pick<Attachment, 'id' | 'blob' | 'name' | 'caption' | 'wish' | 'given'>

function judged(file: Unjudged, { files, transcodes }: FileAbilities): Attachment {
  const { blob, wish, given } = file
  const way = wayOf(files, { mime: blob.type, size: blob.size }, wish, transcodes)
  const known = { ...file, wishes: wishesFor(files, given.type) }
  if (blob.size === 0) return { ...known, isAlone: false, notice: null, problem: t('O arquivo está vazio.') }
  return 'problem' in way
    ? { ...known, isAlone: false, notice: null, problem: way.problem }
    : { ...known, isAlone: files[way.kind]?.caption === false, notice: way.notice, problem: null }
}

/** The same file, wanted as something else: as the server would make it. */
export const wanted = (file: Attachment, wish: FileWish | null, can: FileAbilities): Attachment =>
  judged({ ...file, wish, blob: file.given, name: nameOf(file.given, new Date()) }, can)

/** The same, made here as far as this browser can; null where it cannot. */
export async function converted(file: Attachment, can: FileAbilities): Promise<Attachment | null> {
  if (file.wish !== 'voice') return null
  const blob = await (await import('./to-voice.ts')).toVoice(file.given)
  return blob && judged({ ...file, blob, name: 'audio.ogg' }, can)
}

/** The pictures and films among files that leave together; null where there are fewer than two. */
export function albumOf(files: readonly Attachment[]) {
  const count = (kind: string) => files.filter(({ blob, wish }) => !wish && typeOfMime(blob.type) === kind).length
  const about = { id: uuid(), images: count('image'), videos: count('video') }
  const has = ({ blob, wish }: Attachment) => !wish && /^(image|video)$/.test(typeOfMime(blob.type))
  return about.images + about.videos > 1 ? { about, has } : null
}

/** The file as the outbox keeps it; pictures are measured so that their bubble has its size at once. */
export async function toOutboxFile(
  blob: Blob,
  name: string,
  { durationMs = null, wish = null }: Partial<Pick<OutboxFile, 'durationMs' | 'wish'>> = {},
): Promise<OutboxFile> {
  const mime = blob.type || 'application/octet-stream'
  const size = typeOfMime(mime) === 'image' ? await measure(blob) : { width: null, height: null }
  return { blob, name, mime, size: blob.size, durationMs, wish, ...size }
}

async function measure(blob: Blob): Promise<{ width: number | null; height: number | null }> {
  try {
    const picture = await createImageBitmap(blob)
    const { width, height } = picture
    picture.close()
    return { width, height }
  } catch {
    return { width: null, height: null }
  }
}

/** A name for a pasted picture, which has none. */
function nameOf(file: File, now: Date): string {
  if (file.name && file.name !== 'image.png') return file.name
  const stamp = now.toISOString().slice(0, 19).replace(/\D/g, '')
  return `imagem-${stamp}.${file.type.split('/')[1] ?? 'png'}`
}
