import { createDecipheriv, createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { pipeline, type Readable, Transform } from 'node:stream'
import type { proto, WAMessageKey, WASocket } from 'baileys'
import { entriesIn } from '#domain/keys.ts'
import type { RemoteFile } from '#domain/messages/data.ts'
import type { FileKind } from '#domain/messages/file-limits.ts'
import { WAVE_BARS } from '#domain/messages/waveform.ts'
import { itemAt } from '#domain/present.ts'
import { type ChannelTools, type JsonValue, sendFailure } from '../port.ts'
import { caOf } from './network.ts'

/** Location and key of a file at WhatsApp; bytes in base64. */
type Pointer = {
  readonly field: keyof typeof FIELDS
  readonly url: string
  readonly path: string
  readonly mediaKey: string
  readonly sum: string
  readonly key: {
    readonly id: string
    readonly remoteJid: string
    readonly fromMe: boolean
    readonly participant: string
  }
}

/** Host of the files, whatever a message contains; another server (`WHATSAPP_WEB_URL`) has its own. */
const HOST = 'mmg.whatsapp.net'
/** Time-outs of a download, and of the sender's renewed upload, in ms. */
const DOWNLOAD_MS = 15 * 60_000
const RENEWAL_MS = 30_000
/** Status codes of an expired file. */
const GONE = new Set([403, 404, 410])
const MAC_BYTES = 10

/** Kinds of files by message field, with the purpose of their key derivation and a default name. */
const FIELDS = {
  imageMessage: { kind: 'image', purpose: 'Image', name: 'imagem' },
  videoMessage: { kind: 'video', purpose: 'Video', name: 'video' },
  audioMessage: { kind: 'audio', purpose: 'Audio', name: 'audio' },
  documentMessage: { kind: 'document', purpose: 'Document', name: 'documento' },
  stickerMessage: { kind: 'sticker', purpose: 'Image', name: 'figurinha' },
} as const satisfies Record<string, { kind: FileKind; purpose: string; name: string }>

const base64 = (bytes: Uint8Array | null | undefined): string => Buffer.from(bytes ?? []).toString('base64')

/** Returns file and caption of a message; null without a file or its key. */
export function fileOf(
  content: proto.IMessage,
  key: WAMessageKey,
): { type: FileKind; body: string; remote: RemoteFile & { pointer: JsonValue } } | null {
  const whole = content.ptvMessage ? { ...content, videoMessage: content.ptvMessage } : content
  for (const [field, { kind, name }] of entriesIn(FIELDS)) {
    const found: proto.Message.IVideoMessage & proto.Message.IDocumentMessage = whole[field] ?? {}
    const { url, directPath, mediaKey, seconds, width, height } = found
    if (!mediaKey?.length || !(url || directPath)) continue
    const { id, remoteJid, fromMe, participant } = key
    const pointer: Pointer = {
      field,
      ...{ url: url ?? '', path: directPath ?? '', mediaKey: base64(mediaKey), sum: base64(found.fileSha256) },
      key: { id: id!, remoteJid: remoteJid!, fromMe: fromMe ?? false, participant: participant ?? '' },
    }
    const about: RemoteFile = {
      name: found.fileName || found.title || name,
      size: Number(found.fileLength ?? 0) || null,
      ...(seconds ? { durationMs: seconds * 1000 } : {}),
      ...(width && height ? { width, height } : {}),
      ...(kind === 'audio' && content.audioMessage?.ptt ? { waveform: waveOf(content.audioMessage) } : {}),
      ...(found.jpegThumbnail?.length ? { thumbnail: base64(found.jpegThumbnail) } : {}),
    }
    return { type: kind, body: found.caption ?? '', remote: { ...about, pointer } }
  }
  return null
}

/** Returns the waveform of a voice note; flat if the sender gives none in the usual form. */
const waveOf = ({ waveform }: proto.Message.IAudioMessage): number[] =>
  Array.from({ length: WAVE_BARS }, (_, bar) =>
    waveform?.length === WAVE_BARS ? Math.min(100, itemAt(waveform, bar)) : 0,
  )

function addressOf({ url, path }: Pointer, { WHATSAPP_WEB_URL: other }: ChannelTools['environment']): string {
  const given = URL.canParse(url) ? new URL(url) : null
  const location = path || (given ? given.pathname + given.search : '')
  if (!location.startsWith('/')) throw sendFailure('refused', 'ERR_NO_MEDIA')
  return `https://${(other && given?.host) || HOST}${location}`
}

/** Opens a file at WhatsApp as a decrypted stream; it ends with an error if the content does not match the message's hash. */
export async function openFile(
  { stream, environment }: Pick<ChannelTools, 'stream' | 'environment'>,
  given: JsonValue,
): Promise<Readable> {
  const pointer = given as unknown as Pointer
  const headers = { origin: 'https://web.whatsapp.com' }
  const answer = await stream(addressOf(pointer, environment), {
    headers,
    answerMs: DOWNLOAD_MS,
    ca: caOf(environment),
  })
  if (answer.status !== 200) {
    answer.body.destroy()
    throw GONE.has(answer.status) ? sendFailure('refused', 'ERR_NO_MEDIA') : new Error(`a file: ${answer.status}`)
  }
  return pipeline(answer.body, decrypting(pointer), () => {})
}

/**
 * Creates an AES-256-CBC decryption stream; a signature of ten bytes at the end is verified before the last bytes are passed
 * on.
 */
function decrypting({ field, mediaKey, sum }: Pointer): Transform {
  const info = `WhatsApp ${FIELDS[field].purpose} Keys`
  const keys = Buffer.from(hkdfSync('sha256', Buffer.from(mediaKey, 'base64'), '', info, 112))
  const [iv, cipherKey, macKey] = [keys.subarray(0, 16), keys.subarray(16, 48), keys.subarray(48, 80)]
  const decipher = createDecipheriv('aes-256-cbc', cipherKey, iv)
  const mac = createHmac('sha256', macKey).update(iv)
  const hash = createHash('sha256')
  let rest: Buffer = Buffer.alloc(0)
  const plain = (bytes: Buffer): Buffer => {
    hash.update(bytes)
    return bytes
  }
  return new Transform({
    transform(chunk: Buffer, _encoding, next) {
      // Bytes that may be the signature are held back until more arrive.
      const all = chunk.length < MAC_BYTES ? Buffer.concat([rest, chunk]) : chunk
      const end = Math.max(0, all.length - MAC_BYTES)
      for (const part of all === chunk ? [rest, chunk.subarray(0, end)] : [all.subarray(0, end)]) {
        mac.update(part)
        this.push(plain(decipher.update(part)))
      }
      rest = all.subarray(end)
      next()
    },
    flush(done) {
      const expected = mac.digest().subarray(0, MAC_BYTES)
      if (rest.length !== MAC_BYTES || !timingSafeEqual(rest, expected))
        return done(new Error('a file with another signature'))
      const last = plain(decipher.final())
      const isIt = sum === '' || hash.digest('base64') === sum
      done(isIt ? null : new Error('a file with another sum'), last)
    },
  })
}

/** Asks the phone that has a file to upload it again; null if it no longer has it. */
export async function renewed(
  { updateMediaMessage }: Pick<WASocket, 'updateMediaMessage'>,
  given: JsonValue,
): Promise<{ pointer: JsonValue } | null> {
  const pointer = given as unknown as Pointer
  const { field, key, url, path, mediaKey } = pointer
  const about = { url, directPath: path, mediaKey: Buffer.from(mediaKey, 'base64') }
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(sendFailure('unreachable', 'ERR_WAPP_NOT_INITIALIZED')), RENEWAL_MS)
  })
  const asked = updateMediaMessage({ key, message: { [field]: about } }).then(
    () => ({ pointer: { ...pointer, path: about.directPath } }),
    () => null,
  )
  return Promise.race([asked, late]).finally(() => clearTimeout(timer))
}
