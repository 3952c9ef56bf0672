import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream, mkdirSync, type ReadStream, readdirSync, rmSync } from 'node:fs'
import { link, mkdir, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileTypeFromBuffer } from 'file-type'
import { fail } from '#kit/errors.ts'

/** A file that lies in the store: where, what it really is (sniffed, not claimed), and how large. */
export type StoredFile = {
  path: string
  sha256: string
  mime: string
  name: string
  size: number
  width: number | null
  height: number | null
}

/** Files below `DATA_DIR/files/{tenant}/{yyyy}/{mm}/{sha256}` (decision B9). */
export type Storage = {
  /** Stores a stream; over `maxBytes` or of a refused type it fails with 413 or 415 and leaves nothing behind. */
  save(tenantId: number, source: Readable, options: { name: string; maxBytes: number; now: Date }): Promise<StoredFile>
  /** Opens a stored file, or a part of it (inclusive byte numbers). */
  read(path: string, range?: { start: number; end: number }): ReadStream
  size(path: string): Promise<number>
}

const allowed =
  /^(image\/(jpeg|png|webp|gif)|audio\/|video\/(mp4|webm|3gpp|quicktime)|application\/(pdf|ogg|zip|x-cfb|msword|vnd\.|rtf)|text\/(plain|csv))/

/** Opens the store below a folder and removes what an interrupted write left. */
export function openStorage(dataDir: string, checkpoint: (name: string) => void | Promise<void> = () => {}): Storage {
  const root = join(dataDir, 'files')
  const incoming = join(root, 'incoming')
  mkdirSync(incoming, { recursive: true })
  for (const leftover of readdirSync(incoming)) rmSync(join(incoming, leftover), { force: true })
  return {
    async save(tenantId, source, { name, maxBytes, now }) {
      const temporary = join(incoming, randomUUID())
      const hash = createHash('sha256')
      const head: Buffer[] = []
      let size = 0
      const measure = new Transform({
        transform(chunk: Buffer, _encoding, next) {
          size += chunk.length
          if (size > maxBytes) return next(new Error('too large'))
          if (size - chunk.length < 4100) head.push(chunk)
          hash.update(chunk)
          next(null, chunk)
        },
      })
      try {
        await pipeline(source, measure, createWriteStream(temporary, { flush: true, mode: 0o600 })).catch(
          (error: Error) => {
            if (error.message === 'too large') fail('ERR_FILE_TOO_LARGE', { maxBytes })
            throw error
          },
        )
        if (size === 0) fail('ERR_FILE_TYPE')
        await checkpoint('file being written')
        const mime = await sniff(Buffer.concat(head), name)
        if (!allowed.test(mime)) fail('ERR_FILE_TYPE', { mime })
        const sha256 = hash.digest('hex')
        const folder = [String(tenantId), String(now.getUTCFullYear()), String(now.getUTCMonth() + 1).padStart(2, '0')]
        await mkdir(join(root, ...folder), { recursive: true })
        const path = [...folder, sha256].join('/')
        await link(temporary, join(root, path)).catch((error: NodeJS.ErrnoException) => {
          if (error.code !== 'EEXIST') throw error
        })
        return { path, sha256, mime, name: cleanName(name), size, ...(await measureImage(join(root, path), mime)) }
      } finally {
        await unlink(temporary).catch(() => {})
      }
    },
    read: (path, range) => createReadStream(join(root, safe(path)), range),
    size: async (path) => (await stat(join(root, safe(path)))).size,
  }
}

// Paths come from our own rows; this refuses whatever does not look like one.
function safe(path: string): string {
  return /^\d+\/\d{4}\/\d{2}\/[0-9a-f]{64}$/.test(path) ? path : fail('ERR_NOT_FOUND')
}

const cleanName = (name: string): string => name.replace(/[\p{Cc}/\\<>:"|?*]/gu, '_').slice(-180) || 'arquivo'

async function sniff(head: Buffer, name: string): Promise<string> {
  const type = await fileTypeFromBuffer(head)
  if (type) return type.mime === 'audio/ogg; codecs=opus' || type.mime === 'application/ogg' ? 'audio/ogg' : type.mime
  const isText = !head.includes(0) && !/<(script|svg|html|!doctype)/i.test(head.toString('utf8'))
  if (!isText) return 'application/octet-stream'
  return name.toLowerCase().endsWith('.csv') ? 'text/csv' : 'text/plain'
}

async function measureImage(file: string, mime: string): Promise<{ width: number | null; height: number | null }> {
  if (!mime.startsWith('image/')) return { width: null, height: null }
  const { default: sharp } = await import('sharp')
  try {
    const { width, height, orientation } = await sharp(file, { limitInputPixels: 100_000_000 }).metadata()
    return orientation && orientation >= 5 ? { width: height, height: width } : { width, height }
  } catch {
    return fail('ERR_FILE_TYPE', { mime: 'imagem danificada' })
  }
}
