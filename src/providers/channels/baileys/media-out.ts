import type { AnyMessageContent } from 'baileys'
import { isViewOnce } from '#domain/messages/data.ts'
import { type ChannelTools, type Outbound, sendFailure } from '../port.ts'
import type { Library } from './library.ts'
import { contentOf } from './outbound.ts'

type OutboundFile = NonNullable<Outbound['file']>
type ReadFile = Pick<ChannelTools, 'readFile'>

/** Longer side of a preview, and size of the largest picture read for one, in pixels. */
const PREVIEW_SIDE = 72
const MOST_PIXELS = 100_000_000
/** Bytes per second of a slow connection, for the time-out of an upload. */
const SLOWEST = 100_000

/** Returns the time-out of uploading a message's file, in ms. */
export const uploadMs = (file: Outbound['file']): number => (file ? 10_000 + (file.size / SLOWEST) * 1000 : 0)

/** Converts a message into the library's form, with or without a file. */
export const wholeContent = async (library: Library, tools: ReadFile, message: Outbound): Promise<AnyMessageContent> =>
  message.file ? fileContent(library, tools, message, message.file) : contentOf(message)

/** Converts a message with a file; properties that the library would determine with other programs are given or omitted. */
async function fileContent(
  { getAudioDuration }: Pick<Library, 'getAudioDuration'>,
  tools: ReadFile,
  { type, body, data, isForwarded }: Outbound,
  file: OutboundFile,
): Promise<AnyMessageContent> {
  const once = isViewOnce(data) ? { viewOnce: true } : {}
  const context = { ...once, ...(isForwarded ? { contextInfo: { isForwarded: true, forwardingScore: 1 } } : {}) }
  const caption = body === '' ? {} : { caption: body }
  const media = { stream: tools.readFile(file.path) }
  if (type === 'image') {
    const preview = await previewOf(tools, file)
    return { image: media, mimetype: file.mime, ...preview, ...caption, ...context }
  }
  // A preview or a length of null is not determined by the library.
  if (type === 'video')
    return { video: media, mimetype: file.mime, jpegThumbnail: null, ...caption, ...context } as never
  if (type === 'audio') {
    const isVoice = file.waveform !== null
    const seconds = Math.round((file.durationMs ?? (await lengthOf(getAudioDuration, tools, file))) / 1000)
    const mimetype = isVoice ? 'audio/ogg; codecs=opus' : file.mime
    return {
      audio: media,
      ptt: isVoice,
      mimetype,
      seconds,
      waveform: file.waveform && Uint8Array.from(file.waveform),
      ...context,
    } as never
  }
  if (type === 'document') return { document: media, mimetype: file.mime, fileName: file.name, ...caption, ...context }
  if (type === 'sticker') return { sticker: media, mimetype: file.mime, ...context }
  media.stream.destroy()
  throw sendFailure('refused', 'ERR_CHANNEL_CANNOT')
}

async function previewOf(tools: ReadFile, { path }: OutboundFile) {
  const { default: sharp } = await import('sharp')
  const picture = tools.readFile(path).pipe(sharp({ limitInputPixels: MOST_PIXELS, failOn: 'none' }))
  const small = picture.clone().autoOrient().resize(PREVIEW_SIDE, PREVIEW_SIDE, { fit: 'inside' }).jpeg({ quality: 50 })
  const [{ autoOrient }, preview] = await Promise.all([picture.metadata(), small.toBuffer()])
  const { width, height } = autoOrient
  return { width, height, jpegThumbnail: preview.toString('base64') }
}

// If the length is unknown, the phone shows it once it has the file.
async function lengthOf(
  measure: Library['getAudioDuration'],
  tools: ReadFile,
  { path }: OutboundFile,
): Promise<number> {
  const seconds = await measure(tools.readFile(path)).catch(() => 0)
  return (seconds ?? 0) * 1000
}
