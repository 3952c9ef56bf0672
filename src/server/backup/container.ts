import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { z } from 'zod'
import type { Secrets } from '../secrets.ts'

const MAGIC = Buffer.from('guiche-backup\n')
const CHUNK = 256 * 1024
const TAG = 16

const header = z.object({
  format: z.number(),
  product: z.string(),
  createdAt: z.iso.datetime(),
  keyId: z.string(),
  salt: z.string(),
  migrations: z.array(z.string()),
})

/** Plain header of a backup: format and product version, key id, migrations. */
export type BackupHeader = z.output<typeof header>

/** Format version of new backups, and the newest that can be read. */
export const FORMAT = 1

/** Creates the header of a new backup. */
export function newHeader(
  about: Pick<BackupHeader, 'product' | 'createdAt' | 'migrations'>,
  secrets: Secrets,
): BackupHeader {
  return { format: FORMAT, ...about, keyId: secrets.keyId, salt: randomBytes(32).toString('base64') }
}

/**
 * Encrypts a stream as a backup: the header, then chunks under AES-256-GCM with a key of this backup alone. Each is bound to
 * the header, to its number and to whether it is the last: none can be changed, moved or left out.
 */
export async function* encrypt(
  source: AsyncIterable<Buffer>,
  about: BackupHeader,
  secrets: Secrets,
): AsyncGenerator<Buffer> {
  const text = Buffer.from(JSON.stringify(about))
  yield Buffer.concat([MAGIC, lengthOf(text), text])
  const key = keyOf(about, secrets)
  const boundTo = sha256(text)
  let number = 0
  const encryptChunk = (plain: Buffer, isLast: boolean): Buffer => {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(number++, isLast)).setAAD(boundTo)
    const body = Buffer.concat([cipher.update(plain), cipher.final()])
    return Buffer.concat([lengthOf(body), body, cipher.getAuthTag()])
  }
  let waiting: Buffer[] = []
  let size = 0
  for await (const part of source) {
    waiting.push(part)
    size += part.length
    if (size < CHUNK) continue
    const all = Buffer.concat(waiting)
    let start = 0
    for (; all.length - start > CHUNK; start += CHUNK) yield encryptChunk(all.subarray(start, start + CHUNK), false)
    waiting = [all.subarray(start)]
    size = all.length - start
  }
  yield encryptChunk(Buffer.concat(waiting), true)
}

/** Reads the header of an open backup; throws a Portuguese sentence when it is none, too new, or of another master key. */
export async function readHeader(file: FileHandle, secrets: Secrets): Promise<BackupHeader> {
  const about = parseHeader(await headerText(file))
  if (about.format > FORMAT)
    throw new Error(
      `O backup é de uma versão mais nova do Guichê (${about.product}): atualize esta instalação primeiro.`,
    )
  if (about.keyId !== secrets.keyId)
    throw new Error(
      `O backup foi feito com outra chave mestra (${about.keyId}; a atual é ${secrets.keyId}): ` +
        'indique a dele com SECRET_KEY_FILE ou SECRET_KEY, ou ponha-a em DATA_DIR/secret.key.',
    )
  return about
}

/** Decrypts an open backup chunk by chunk, each verified; throws a Portuguese sentence at the first invalid one. */
export async function* decrypt(file: FileHandle, secrets: Secrets): AsyncGenerator<Buffer> {
  const text = await headerText(file)
  const key = keyOf(parseHeader(text), secrets)
  const boundTo = sha256(text)
  let position = MAGIC.length + 4 + text.length
  const { size } = await file.stat()
  for (let number = 0, isLast = false; !isLast; number++) {
    const length = (await readAt(file, position, 4)).readUInt32BE()
    if (length > CHUNK) throw new Error(DAMAGED)
    const chunk = await readAt(file, position + 4, length + TAG)
    position += 4 + length + TAG
    isLast = position === size
    const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(number, isLast), { authTagLength: TAG })
    decipher.setAAD(boundTo).setAuthTag(chunk.subarray(length))
    const plain = decipher.update(chunk.subarray(0, length))
    try {
      decipher.final()
    } catch {
      throw new Error(DAMAGED)
    }
    yield plain
  }
}

const DAMAGED = 'O arquivo do backup está incompleto ou foi alterado: use outra cópia dele.'

async function headerText(file: FileHandle): Promise<Buffer> {
  const start = await readAt(file, 0, MAGIC.length + 4)
  const length = start.readUInt32BE(MAGIC.length)
  if (!start.subarray(0, MAGIC.length).equals(MAGIC) || length > 1024 * 1024)
    throw new Error('O arquivo não é um backup do Guichê.')
  return readAt(file, MAGIC.length + 4, length)
}

function parseHeader(text: Buffer): BackupHeader {
  try {
    return header.parse(JSON.parse(text.toString()))
  } catch {
    throw new Error(DAMAGED)
  }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  if (bytesRead < length) throw new Error(DAMAGED)
  return buffer
}

const keyOf = ({ salt }: BackupHeader, secrets: Secrets): Buffer =>
  Buffer.from(hkdfSync('sha256', secrets.derive('backup'), Buffer.from(salt, 'base64'), 'chunks', 32))

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUInt32BE(isLast ? 1 : 0)
  nonce.writeBigUInt64BE(BigInt(number), 4)
  return nonce
}

function lengthOf(body: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(body.length)
  return length
}

const sha256 = (text: Buffer): Buffer => createHash('sha256').update(text).digest()
