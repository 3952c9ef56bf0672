import { type FileKind, whyNotFile } from '#domain/messages/file-limits.ts'
import { type FileConversion, type FileWish, wayOf } from '#domain/messages/outgoing-files.ts'
import { typeOfMime } from '#domain/messages/types.ts'
import { fail } from '#kit/errors.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import { isInfrastructure } from '#server/db/faults.ts'
import { toMp4, toVoice } from '#server/media/convert.ts'
import { transcoderOf } from '#server/media/ffmpeg.ts'
import { makeSticker } from '#server/media/sticker.ts'
import type { Voice } from '#server/media/voice.ts'
import type { Platform } from '#server/platform.ts'
import type { StoredFile } from '#server/storage.ts'

/** Outgoing file; `kind` overrides the kind detected from its bytes, `voice` holds the data of a voice note. */
export type OutgoingFile = StoredFile & { readonly kind?: FileKind; readonly voice?: Voice }

type Sending = {
  readonly tenantId: number
  readonly channel: string
  readonly files: readonly StoredFile[]
  readonly wish: FileWish | null
}

const NAMES: Readonly<Record<FileConversion, (name: string) => string>> = {
  voice: () => 'audio.ogg',
  sticker: () => 'figurinha.webp',
  mp4: (name) => `${name.replace(/\.\w{1,5}$/, '')}.mp4`,
}
/** Maximum size of a converted file in bytes; may exceed the channel's limit, which is checked afterwards. */
const MOST_BYTES = 100 * 1024 * 1024

/**
 * Converts waiting files to what their channel supports (voice notes, stickers, MP4), passes them to `work`, and deletes
 * converted files that were not stored. A recording or film that cannot be converted is sent unchanged, else as a document.
 */
export async function withOutgoing<T>(
  platform: Platform,
  { tenantId, channel, files, wish }: Sending,
  work: (files: readonly OutgoingFile[]) => Promise<T>,
): Promise<T> {
  const { files: limits } = capabilitiesOf(channel)
  const transcoder = transcoderOf(platform.env)
  const made: StoredFile[] = []

  async function convert(file: StoredFile, conversion: FileConversion): Promise<OutgoingFile> {
    const options = { name: NAMES[conversion](file.name), maxBytes: MOST_BYTES, now: platform.now() }
    const { mime } = file
    const works: Readonly<Record<FileConversion, (from: string, to: string) => Promise<Voice | undefined>>> = {
      voice: (from, to) => toVoice(transcoder, { mime, from, to }),
      sticker: (from, to) => makeSticker(from, to).then(() => undefined),
      mp4: (from, to) => toMp4(transcoder, { mime, from, to }).then(() => undefined),
    }
    const { file: converted, result } = await platform.storage.transform(tenantId, file, options, works[conversion])
    made.push(converted)
    return result ? { ...converted, voice: result } : converted
  }

  async function prepare(given: StoredFile): Promise<OutgoingFile> {
    // Browsers record audio into containers that are also used for video.
    const file = wish === 'voice' ? { ...given, mime: given.mime.replace(/^video\//, 'audio/') } : given
    const way = wayOf(limits, file, wish, transcoder !== null)
    if ('problem' in way) return fail('ERR_FILE_NOT_CARRIED', { reason: way.problem })
    if (!way.conversion) return { ...file, kind: way.kind }
    try {
      return { ...(await convert(given, way.conversion)), kind: way.kind }
    } catch (err) {
      if (isInfrastructure(err)) throw err
      platform.log.warn({ err, tenantId, mime: file.mime, conversion: way.conversion }, 'a file could not be converted')
      if (way.kind === 'sticker') return fail('ERR_FILE_NOT_CARRIED', { reason: 'Esta imagem não serve de figurinha.' })
      const kind = typeOfMime(file.mime)
      return { ...file, kind: whyNotFile(limits, file, kind) === null ? kind : 'document' }
    }
  }

  try {
    const prepared: OutgoingFile[] = []
    for (const file of files) prepared.push(await prepare(file))
    return await work(prepared)
  } finally {
    await platform.storage.discard(made)
  }
}
