import { type FileLimits, whyNotFile } from '#domain/messages/file-limits.ts'
import { typeOfMime } from '#domain/messages/types.ts'
import { t } from '#web/t.ts'
import type { OutboxFile } from './outbox-state.ts'

/** A file in the tray, with its caption and, when the channel would refuse it, why. */
export type Attachment = { id: string; blob: Blob; name: string; caption: string; problem: string | null }

/** At most so many files leave at once. */
export const mostFiles = 10

/** Why a file cannot go through this channel, or null: told before anything is sent. */
export const problemOf = ({ size, type }: Pick<Blob, 'size' | 'type'>, files: FileLimits): string | null =>
  size === 0 ? t('O arquivo está vazio.') : whyNotFile(files, { size, mime: type })

/** The file as the outbox keeps it; pictures are measured so that their bubble has its size at once. */
export async function toOutboxFile(blob: Blob, name: string, durationMs: number | null = null): Promise<OutboxFile> {
  const mime = blob.type || 'application/octet-stream'
  const size = typeOfMime(mime) === 'image' ? await measure(blob) : { width: null, height: null }
  return { blob, name, mime, size: blob.size, durationMs, ...size }
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
export function nameOf(file: File, now: Date): string {
  if (file.name && file.name !== 'image.png') return file.name
  const stamp = now.toISOString().slice(0, 19).replace(/\D/g, '')
  return `imagem-${stamp}.${file.type.split('/')[1] ?? 'png'}`
}
