import { createCipheriv, createDecipheriv, createHash } from 'node:crypto'

const iv = Buffer.alloc(12)

/** The key of the next message; there is no way back to this one. */
export const nextKey = (key: Uint8Array): Uint8Array => createHash('sha256').update(key).digest()

/** A text as one message carries it; each key is used once. */
export function lock(key: Uint8Array, text: string): string {
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  return Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64')
}

/** The text again; throws with any other key than that of the message. */
export function unlock(key: Uint8Array, data: string): string {
  const raw = Buffer.from(data, 'base64')
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: 16 })
  decipher.setAuthTag(raw.subarray(-16))
  return Buffer.concat([decipher.update(raw.subarray(0, -16)), decipher.final()]).toString('utf8')
}
