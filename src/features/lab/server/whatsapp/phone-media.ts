import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import { aesEncryptGCM, getMediaKeys, hkdf, type MediaType, proto } from 'baileys'
import { entriesIn } from '#domain/keys.ts'
import { lookUp } from '#domain/present.ts'
import type { MediaHost } from './media.ts'
import { type BinaryNode, child, node } from './nodes.ts'
import { unwrapped } from './unwrapped.ts'

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()

/** Encrypts a file for upload; returns it with its metadata for the message. */
export async function encryptFile(bytes: Uint8Array, type: MediaType) {
  const mediaKey = randomBytes(32)
  const { cipherKey, iv, macKey } = await getMediaKeys(mediaKey, type)
  const cipher = createCipheriv('aes-256-cbc', cipherKey, iv)
  const body = Buffer.concat([cipher.update(bytes), cipher.final()])
  const mac = createHmac('sha256', macKey!).update(iv).update(body).digest().subarray(0, 10)
  const encrypted = Buffer.concat([body, mac])
  return {
    encrypted,
    about: { mediaKey, fileLength: bytes.length, fileSha256: sha256(bytes), fileEncSha256: sha256(encrypted) },
  }
}

/** Decrypts a file; throws if it does not match the message's hash. */
export async function decryptFile(
  encrypted: Buffer,
  about: { mediaKey?: Uint8Array | null; fileSha256?: Uint8Array | null },
  type: MediaType,
): Promise<Buffer> {
  const { cipherKey, iv, macKey } = await getMediaKeys(about.mediaKey, type)
  const body = encrypted.subarray(0, -10)
  const mac = createHmac('sha256', macKey!).update(iv).update(body).digest().subarray(0, 10)
  if (!mac.equals(encrypted.subarray(-10))) throw new Error('a file with another signature')
  const decipher = createDecipheriv('aes-256-cbc', cipherKey, iv)
  const bytes = Buffer.concat([decipher.update(body), decipher.final()])
  if (!sha256(bytes).equals(Buffer.from(about.fileSha256!))) throw new Error('a file with another sum')
  return bytes
}

const TYPES = {
  imageMessage: 'image',
  videoMessage: 'video',
  audioMessage: 'audio',
  documentMessage: 'document',
  stickerMessage: 'sticker',
} as const satisfies Record<string, MediaType>

/** Message fields that are files. */
export type FileField = keyof typeof TYPES

/** Returns the file part of a message; null if there is none. */
export function filePart(message: proto.IMessage) {
  const whole = unwrapped(message)
  for (const [field, type] of entriesIn(TYPES)) {
    const part = whole[field]
    if (part?.mediaKey) return { part, type }
  }
  return null
}

/** Encrypts and uploads a file to the host; returns the message. */
export async function uploadFile(media: MediaHost, field: FileField, bytes: Uint8Array, about: object = {}) {
  const { encrypted, about: keys } = await encryptFile(bytes, TYPES[field])
  const directPath = media.put(encrypted)
  return { [field]: { ...about, ...keys, directPath, url: media.urlOf(directPath) } }
}

/** Downloads and decrypts the file of a message; null if there is none. */
export async function downloadFile(media: MediaHost, message: proto.IMessage): Promise<Buffer | null> {
  const found = filePart(message)
  return found && decryptFile(lookUp(media, found.part.directPath), found.part, found.type)
}

/** Builds a phone's answer to a request to upload a file again, with its new path (null: it no longer has the file). */
export function renewalOf(asked: BinaryNode, own: string, mediaKey: Uint8Array, path: string | null): BinaryNode {
  const id = asked.attrs['id'] ?? ''
  const { SUCCESS, NOT_FOUND } = proto.MediaRetryNotification.ResultType
  const result = path === null ? { result: NOT_FOUND } : { result: SUCCESS, directPath: path }
  const iv = randomBytes(12)
  const text = proto.MediaRetryNotification.encode({ stanzaId: id, ...result }).finish()
  const key = hkdf(mediaKey, 32, { info: 'WhatsApp Media Retry Notification' })
  const secret = aesEncryptGCM(text, key, iv, Buffer.from(id))
  return node('notification', { id, from: own, type: 'mediaretry' }, [
    child(asked, 'rmr')!,
    node('encrypt', {}, [node('enc_p', {}, secret), node('enc_iv', {}, iv)]),
  ])
}
