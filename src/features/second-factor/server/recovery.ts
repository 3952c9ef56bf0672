import { randomBytes } from 'node:crypto'
import { sha256 } from '#server/secrets.ts'

const CODES = 10
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz'

/** Generates a recovery code: 80 random bits as sixteen unambiguous letters. */
const newCode = (): string =>
  Array.from(randomBytes(16), (byte) => LETTERS[byte & 31])
    .join('')
    .replace(/(.{4})(?=.)/g, '$1-')

/** Returns the stored hash of a code, ignoring spaces, hyphens and case, with o read as 0, i and l as 1. */
export const hashOf = (code: string): string =>
  sha256(code.toLowerCase().replace(/[\s-]/g, '').replace(/o/g, '0').replace(/[il]/g, '1')).toString('hex')

/** Generates ten codes and their hashes. */
export function newRecoveryCodes(): { codes: string[]; hashes: string[] } {
  const codes = Array.from({ length: CODES }, newCode)
  return { codes, hashes: codes.map(hashOf) }
}
