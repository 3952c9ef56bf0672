import { hash, verify } from '@node-rs/argon2'
import AES from 'crypto-js/aes.js'
import Utf8 from 'crypto-js/enc-utf8.js'
import { passwordProblem } from '#domain/access/password.ts'
import { fail } from '#kit/errors.ts'
import type { Secrets } from './secrets.ts'

const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Hashes a password with argon2id. */
export const hashPassword = (password: string): Promise<string> => hash(password, cost)

let dummy: Promise<string> | undefined

/** Whether the password is the stored one; takes as long for an account that does not exist. */
export async function passwordMatches(stored: string | null, password: string): Promise<boolean> {
  dummy ??= hashPassword('nobody has this password')
  const matches = await verify(stored ?? (await dummy), password)
  return stored !== null && matches
}

/** Returns the password as typed: decrypted from the wire's form (decision A12), or plain where the connection is safe. */
export function readPassword(wire: string, secrets: Secrets, plainAllowed: boolean): string {
  if (!wire.startsWith('U2FsdGVkX1')) return plainAllowed ? wire : fail('ERR_INVALID_CREDENTIALS')
  try {
    const plain = AES.decrypt(wire, secrets.publicPassphrase).toString(Utf8)
    if (plain) return plain
  } catch {
    // a damaged text counts as wrong credentials
  }
  return fail('ERR_INVALID_CREDENTIALS')
}

const LOOPBACK = ['127.0.0.1', '::1', '::ffff:127.0.0.1']

/** Returns the password of a request; plain ones are accepted over TLS and on this machine only. */
export const passwordOf = (request: { ip: string; secure: boolean }, wire: string, secrets: Secrets): string =>
  readPassword(wire, secrets, request.secure || LOOPBACK.includes(request.ip))

/** Hashes a new password; a weak one is refused at its field. */
export async function newHash(password: string): Promise<string> {
  const problem = passwordProblem(password)
  if (problem) fail('ERR_VALIDATION', { password: problem })
  return hashPassword(password)
}
