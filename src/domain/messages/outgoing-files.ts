import { partBefore } from '../present.ts'
import { type FileKind, type FileLimits, whyNotFile } from './file-limits.ts'
import { typeOfMime } from './types.ts'

/** Requested form of a file at the contact. */
export type FileWish = 'voice' | 'sticker'

/** Conversion of a file before sending: to Ogg Opus, square WebP or MP4. */
export type FileConversion = 'voice' | 'sticker' | 'mp4'

/** Way of sending a file: its message type, conversion, and a notice for the sender. */
export type FileWay = {
  readonly kind: FileKind
  readonly conversion: FileConversion | null
  readonly notice: string | null
}

/** MIME types of recordings that are read without an external program. */
const READ = /^(audio|video)\/(ogg|opus|webm|mpeg|mp3|wav|x-wav|vnd\.wave|wave)$/
const PICTURES = /^image\/(jpeg|png|webp|gif)$/
/** MIME types of videos with a container like MP4. */
const LIKE_MP4 = /^video\/(mp4|x-m4v|quicktime|3gpp)$/

type File = { readonly mime: string; readonly size: number }

/**
 * Returns the way of sending a file by a channel with these limits, or the reason against it; `canTranscode`: the
 * installation has a program that reads every format. Shared by composer and server.
 */
export function wayOf(
  limits: FileLimits,
  { mime: given, size }: File,
  wish: FileWish | null,
  canTranscode: boolean,
): FileWay | { readonly problem: string } {
  const mime = partBefore(given, ';').toLowerCase()
  const kind = typeOfMime(mime)
  const file = { mime, size }
  if (wish === 'sticker') {
    if (!limits.sticker) return { problem: 'Este canal não leva figurinhas.' }
    return PICTURES.test(mime)
      ? { kind: 'sticker', conversion: 'sticker', notice: null }
      : { problem: 'Figurinhas são feitas de imagens JPEG, PNG, WebP ou GIF.' }
  }
  if (wish === 'voice' && limits.audio?.voice) {
    if (READ.test(mime) || (canTranscode && kind !== 'image' && kind !== 'document'))
      return { kind: 'audio', conversion: 'voice', notice: null }
    const plain = plainWay(limits, file, kind, canTranscode)
    if ('problem' in plain) return plain
    const as = plain.kind === 'audio' ? 'arquivo de áudio' : 'documento'
    return { ...plain, notice: `Este servidor não converte este formato em áudio de voz: vai como ${as}.` }
  }
  return plainWay(limits, file, kind, canTranscode)
}

function plainWay(
  limits: FileLimits,
  file: File,
  kind: FileKind,
  canTranscode: boolean,
): FileWay | { readonly problem: string } {
  const problem = whyNotFile(limits, file, kind)
  if (!problem) return { kind, conversion: null, notice: null }
  const mimes = limits[kind]?.mimes
  const isFormat = mimes && !mimes.includes(file.mime)
  if (!isFormat || (kind !== 'audio' && kind !== 'video')) return { problem }
  const canBeDocument = whyNotFile(limits, file, 'document') === null
  if (kind === 'video' && mimes.includes('video/mp4') && (canTranscode || (canBeDocument && LIKE_MP4.test(file.mime))))
    return {
      ...{ kind, conversion: 'mp4' },
      notice: canTranscode
        ? 'Vai convertido em MP4.'
        : 'Vai em MP4 se o conteúdo já couber nele; senão, como documento.',
    }
  if (!canBeDocument) return { problem }
  return { kind: 'document', conversion: null, notice: 'O canal não leva este formato: vai como documento.' }
}

/** Returns the forms in which a file of this type can be sent. */
export function wishesFor(limits: FileLimits, mime: string): FileWish[] {
  const kind = typeOfMime(mime)
  if (kind === 'audio' && limits.audio?.voice) return ['voice']
  return limits.sticker && PICTURES.test(mime) ? ['sticker'] : []
}
