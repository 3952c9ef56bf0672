import { createHash, randomUUID } from 'node:crypto'
import {
  chmodSync,
  createReadStream,
  createWriteStream,
  mkdirSync,
  type ReadStream,
  readdirSync,
  rmSync,
} from 'node:fs'
import { link, mkdir, rm, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { PROGRAM } from '#domain/messages/types.ts'
import { AppError, fail } from '#kit/errors.ts'
import { cleanName, kindOf, SNIFFED_BYTES } from './file-kind.ts'
import { isAlive } from './postgres/processes.ts'

/** Accepted file: its waiting path, its final path, its actual type (sniffed, not claimed), its size. */
export type StoredFile = {
  temporary: string
  path: string
  sha256: string
  mime: string
  name: string
  size: number
  width: number | null
  height: number | null
}

/** Options of saving; `acceptsPrograms`: files that would be refused for their kind are stored as `PROGRAM`. */
type SaveOptions = { name: string; maxBytes: number; now: Date; acceptsPrograms?: boolean }

/** Files below `DATA_DIR/files/{tenant}/{yyyy}/{mm}/{sha256}` (decision B9), readable by the product's user alone. */
export type Storage = {
  /** Writes a stream to a waiting path; over `maxBytes` or of a refused type it fails with 413 or 415 and leaves nothing. */
  save(tenantId: number, source: Readable, options: SaveOptions): Promise<StoredFile>
  /** Prepares a waiting picture: rotates it and removes its metadata (place, device). Returns other files unchanged. */
  prepare(tenantId: number, file: StoredFile, options: SaveOptions): Promise<StoredFile>
  /**
   * Runs `work` with the paths of a waiting file and of a new one that it writes; returns the new file, waiting as well, and
   * the result of `work`. The old file goes on waiting. On an error of `work`, fails with it and leaves nothing.
   */
  transform<T>(
    tenantId: number,
    file: StoredFile,
    options: SaveOptions,
    work: (from: string, to: string) => Promise<T>,
  ): Promise<{ file: StoredFile; result: T }>
  /** Moves a waiting file to its final path, before the row that refers to it is written; repeated calls change nothing. */
  commit(file: StoredFile): Promise<void>
  /** Deletes waiting files that were not committed. */
  discard(files: readonly StoredFile[]): Promise<void>
  /** Removes a stored file that no row names; one that is gone already is fine. */
  remove(path: string): Promise<void>
  /** Opens a waiting file that will not be stored. */
  open(file: StoredFile): ReadStream
  /** Opens a stored file, or a part of it (inclusive byte numbers). */
  read(path: string, range?: { start: number; end: number }): ReadStream
  /** Returns the path of a waiting file on this machine's disk. */
  waitingAt(file: StoredFile): string
  /** Returns the path of a stored file on this machine's disk, for a thread that reads it. */
  locate(path: string): string
  /** Returns the bytes of a stored file; 404 when it does not exist. */
  size(path: string): Promise<number>
}

const PRIVATE = { recursive: true, mode: 0o700 } as const
const MOST_PIXELS = 100_000_000
/** MIME types of pictures with metadata to remove. */
const PREPARED = new Set(['image/jpeg', 'image/png', 'image/webp'])
const QUALITY = 90
const MOST_PIXELS_OF_ALL_FRAMES = 1_000_000_000

/** Opens the store below a folder and removes waiting files of ended processes. */
export function openStorage(dataDir: string, checkpoint: (name: string) => void | Promise<void> = () => {}): Storage {
  const { root, incoming } = openFolders(dataDir)
  const store: Storage = {
    async save(tenantId, source, { name, maxBytes, now, acceptsPrograms = false }) {
      const temporary = `${process.pid}-${randomUUID()}`
      const incomingPath = join(incoming, temporary)
      try {
        const { start, sha256, size } = await write(source, incomingPath, maxBytes)
        await checkpoint('file being written')
        if (size === 0) return fail('ERR_FILE_TYPE')
        const known = await kindOf(start, name)
        const kind = known ?? (acceptsPrograms ? { mime: PROGRAM, name: cleanName(name) } : fail('ERR_FILE_TYPE'))
        const month = String(now.getUTCMonth() + 1).padStart(2, '0')
        const path = [tenantId, now.getUTCFullYear(), month, sha256].join('/')
        return { temporary, path, sha256, size, ...kind, ...(await measureImage(incomingPath, kind.mime)) }
      } catch (error) {
        await unlink(incomingPath).catch(() => {})
        throw error
      }
    },
    async prepare(tenantId, file, options) {
      if (!PREPARED.has(file.mime)) return file
      const bare = await withoutMetadata(join(incoming, file.temporary))
      if (!bare) return file
      try {
        return await store.save(tenantId, bare, { ...options, name: file.name })
      } catch (error) {
        // Errors of the disk and our own have a code.
        throw error instanceof Error && 'code' in error ? error : new AppError('ERR_FILE_TYPE', { image: 'danificada' })
      } finally {
        await store.discard([file])
      }
    },
    open: ({ temporary }) => createReadStream(join(incoming, temporary)),
    async transform(tenantId, { temporary }, options, work) {
      const made = join(incoming, `${process.pid}-${randomUUID()}`)
      try {
        const result = await work(join(incoming, temporary), made)
        return { file: await store.save(tenantId, createReadStream(made), options), result }
      } finally {
        await rm(made, { force: true })
      }
    },
    async commit({ temporary, path }) {
      const target = join(root, safe(path))
      await mkdir(dirname(target), PRIVATE)
      await linkOnce(join(incoming, temporary), target)
    },
    async discard(files) {
      await Promise.all(files.map(({ temporary }) => unlink(join(incoming, temporary)).catch(() => {})))
    },
    remove: (path) => rm(join(root, safe(path)), { force: true }),
    read: (path, range) => createReadStream(join(root, safe(path)), range),
    waitingAt: ({ temporary }) => join(incoming, temporary),
    locate: (path) => join(root, safe(path)),
    size: (path) => sizeOf(join(root, safe(path))),
  }
  return store
}

function openFolders(dataDir: string): { root: string; incoming: string } {
  const root = join(dataDir, 'files')
  const incoming = join(root, 'incoming')
  mkdirSync(incoming, PRIVATE)
  for (const folder of [root, incoming]) chmodSync(folder, PRIVATE.mode)
  for (const left of readdirSync(incoming)) if (isLeftOver(left)) rmSync(join(incoming, left), { force: true })
  return { root, incoming }
}

/** Returns a picture turned as it is looked at, without what it says beside that; null where it says nothing else. */
async function withoutMetadata(path: string) {
  const { default: sharp } = await import('sharp')
  const image = sharp(path, { limitInputPixels: MOST_PIXELS, failOn: 'none' })
  const { format, exif, xmp, iptc, pages = 1 } = await image.metadata()
  if (pages > 1 || !(exif || xmp || iptc)) return null
  return image.timeout({ seconds: 30 }).autoOrient().keepIccProfile().toFormat(format, { quality: QUALITY })
}

async function linkOnce(from: string, to: string): Promise<void> {
  await link(from, to).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
}

async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') fail('ERR_NOT_FOUND')
    throw error
  })
  return found.size
}

// Other processes may be receiving files into the same folder at this moment.
function isLeftOver(temporary: string): boolean {
  const pid = Number.parseInt(temporary, 10)
  return pid === process.pid || !isAlive(pid)
}

/** Whether a path is one that this store gives. */
export const isFilePath = (path: string): boolean => /^\d+\/\d{4}\/\d{2}\/[0-9a-f]{64}$/.test(path)

// Paths come from our own rows; anything else is refused.
const safe = (path: string): string => (isFilePath(path) ? path : fail('ERR_NOT_FOUND'))

async function write(source: Readable, path: string, maxBytes: number) {
  const hash = createHash('sha256')
  const start: Buffer[] = []
  let size = 0
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      size += chunk.length
      if (size > maxBytes) return next(new Error('too large'))
      if (size - chunk.length < SNIFFED_BYTES) start.push(chunk)
      hash.update(chunk)
      next(null, chunk)
    },
  })
  try {
    await pipeline(source, measure, createWriteStream(path, { flush: true, mode: 0o600 }))
  } catch (error) {
    if (size > maxBytes) fail('ERR_FILE_TOO_LARGE', { maxBytes })
    throw error
  }
  return { start: Buffer.concat(start), sha256: hash.digest('hex'), size }
}

// A few bytes can claim more pixels than a viewer's memory holds.
async function measureImage(file: string, mime: string): Promise<{ width: number | null; height: number | null }> {
  if (!mime.startsWith('image/')) return { width: null, height: null }
  const { default: sharp } = await import('sharp')
  const { width, height, orientation, pages } = await sharp(file, { limitInputPixels: MOST_PIXELS })
    .metadata()
    .catch(() => fail('ERR_FILE_TYPE', { image: 'danificada ou grande demais' }))
  if (width * height * (pages ?? 1) > MOST_PIXELS_OF_ALL_FRAMES) fail('ERR_FILE_TYPE', { image: 'grande demais' })
  return orientation && orientation >= 5 ? { width: height, height: width } : { width, height }
}
