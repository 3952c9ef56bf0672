import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '#kit/errors.ts'
import type { Env } from './env.ts'

/** Keys of the installation, all derived from one master key of 32 bytes (decision B13). */
export type Secrets = ReturnType<typeof secretsFrom>

/**
 * Reads the master key, or makes `DATA_DIR/secret.key` (0600) at the first start. Throws a Portuguese sentence when it
 * cannot be read, and when a folder that has a database has no key: with another one its people could not log in.
 */
export function loadSecrets(env: Pick<Env, 'SECRET_KEY' | 'SECRET_KEY_FILE' | 'DATA_DIR'>): Secrets {
  if (env.SECRET_KEY) return secretsFrom(Buffer.from(env.SECRET_KEY, 'hex'))
  const file = env.SECRET_KEY_FILE ?? join(env.DATA_DIR, 'secret.key')
  if (!env.SECRET_KEY_FILE) {
    mkdirSync(env.DATA_DIR, { recursive: true })
    if (!existsSync(file) && existsSync(join(env.DATA_DIR, 'postgres')))
      throw new Error(
        `A pasta ${env.DATA_DIR} tem um banco de dados, mas não a chave mestra dele: traga de volta o arquivo secret.key, ` +
          'ou indique a chave com SECRET_KEY ou SECRET_KEY_FILE.',
      )
    makeKey(file)
    chmodSync(file, 0o600)
  }
  const text = readKey(file).trim()
  if (!/^[0-9a-f]{64}$/i.test(text)) throw new Error(`A chave mestra em ${file} não tem 64 dígitos hexadecimais.`)
  return secretsFrom(Buffer.from(text, 'hex'))
}

function readKey(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Error(
      `A chave mestra em ${file} não pôde ser lida (${codeOf(error)}): confira o caminho e os direitos do arquivo.`,
    )
  }
}

// Written to a temporary file and renamed: a key that was half written in a crash would lock everyone out.
function makeKey(file: string): void {
  const aside = `${file}.${process.pid}`
  writeFileSync(aside, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flush: true })
  try {
    linkSync(aside, file)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    rmSync(aside)
  }
}

/** Derives keys and functions from a master key. */
export function secretsFrom(master: Buffer) {
  const derive = (purpose: string): Buffer => Buffer.from(hkdfSync('sha256', master, '', `guiche ${purpose}`, 32))
  const encryption = derive('encryption')
  const keyId = createHash('sha256').update(encryption).digest('hex').slice(0, 8)
  // A KeyObject signs five times as fast as bytes: a page of messages has links for all its files.
  const files = createSecretKey(derive('files'))
  const refresh = derive('refresh')
  return {
    derive,
    /** Id of the encryption key; encrypted values begin with it. */
    keyId,
    /** Signs access tokens. */
    accessToken: derive('access-token'),
    /** Passphrase that the login page encrypts passwords with; public by nature (decision A12). */
    publicPassphrase: derive('public-passphrase').toString('base64url').slice(0, 24),
    /** Returns the successor of a refresh token: always the same for the same predecessor (decision B24). */
    nextRefreshToken: (previous: string): string => createHmac('sha256', refresh).update(previous).digest('base64url'),
    /** Signs a file link. */
    sign: (value: string): string => createHmac('sha256', files).update(value).digest('base64url').slice(0, 32),
    /** Encrypts with AES-256-GCM, bound to its owner (`tenant/table/row`). */
    encrypt(plain: string, boundTo: string): string {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', encryption, iv).setAAD(Buffer.from(boundTo))
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return `${keyId}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`
    },
    /** Decrypts; throws when the key, the text or the owner is another. */
    decrypt(encrypted: string, boundTo: string): string {
      const [id, data] = encrypted.split('.')
      if (id !== keyId || !data) throw new Error('Segredo cifrado com outra chave mestra.')
      const raw = Buffer.from(data, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', encryption, raw.subarray(0, 12), { authTagLength: 16 })
      decipher.setAAD(Buffer.from(boundTo))
      decipher.setAuthTag(raw.subarray(12, 28))
      return Buffer.concat([decipher.update(raw.subarray(28)), decipher.final()]).toString('utf8')
    },
  }
}

/** Returns the SHA-256 of a secret that is random enough to need no salt (tokens, codes, addresses). */
export const sha256 = (value: string | Uint8Array): Buffer => createHash('sha256').update(value).digest()

/** Whether two texts are equal, compared in constant time. */
export const isSameText = (given: string, expected: string): boolean => timingSafeEqual(sha256(given), sha256(expected))

/** Creates a secret of 256 bits for links and tokens. */
export const newToken = (): string => randomBytes(32).toString('base64url')
