import { randomBytes } from 'node:crypto'
import { sha256 } from '#server/secrets.ts'

const CODES = 10
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz'

/** A recovery code: 80 random bits in sixteen letters that cannot be mistaken for one another. */
const newCode = (): string =>
  Array.from(randomBytes(16), (byte) => LETTERS[byte & 31])
    .join('')
    .replace(/(.{4})(?=.)/g, '$1-')

/** The form under which a code is stored: spaces, hyphens and capitals do not matter, nor does o for 0 or i and l for 1. */
export const hashOf = (code: string): string =>
  sha256(code.toLowerCase().replace(/[\s-]/g, '').replace(/o/g, '0').replace(/[il]/g, '1')).toString('hex')

/** Ten new codes and what is stored of them. */
export function newRecoveryCodes(): { codes: string[]; hashes: string[] } {
  const codes = Array.from({ length: CODES }, newCode)
  return { codes, hashes: codes.map(hashOf) }
}
