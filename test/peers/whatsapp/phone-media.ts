import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import { getMediaKeys, type MediaType } from 'baileys'

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()

/** A file as it is uploaded, with what a message says of it. */
export async function encryptFile(bytes: Uint8Array, type: MediaType) {
  const mediaKey = randomBytes(32)
  const { cipherKey, iv, macKey } = await getMediaKeys(mediaKey, type)
  const cipher = createCipheriv('aes-256-cbc', cipherKey!, iv)
  const body = Buffer.concat([cipher.update(bytes), cipher.final()])
  const mac = createHmac('sha256', macKey!).update(iv).update(body).digest().subarray(0, 10)
  const encrypted = Buffer.concat([body, mac])
  return {
    encrypted,
    about: { mediaKey, fileLength: bytes.length, fileSha256: sha256(bytes), fileEncSha256: sha256(encrypted) },
  }
}

/** The file again; throws when it is not what the message says. */
export async function decryptFile(
  encrypted: Buffer,
  about: { mediaKey?: Uint8Array | null; fileSha256?: Uint8Array | null },
  type: MediaType,
): Promise<Buffer> {
  const { cipherKey, iv, macKey } = await getMediaKeys(about.mediaKey!, type)
  const body = encrypted.subarray(0, -10)
  const mac = createHmac('sha256', macKey!).update(iv).update(body).digest().subarray(0, 10)
  if (!mac.equals(encrypted.subarray(-10))) throw new Error('a file with another signature')
  const decipher = createDecipheriv('aes-256-cbc', cipherKey!, iv)
  const bytes = Buffer.concat([decipher.update(body), decipher.final()])
  if (!sha256(bytes).equals(Buffer.from(about.fileSha256!))) throw new Error('a file with another sum')
  return bytes
}
