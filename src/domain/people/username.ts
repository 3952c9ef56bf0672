import { partBefore } from '../present.ts'

const LETTERS = '23456789abcdefghjkmnpqrstuvwxyz'

/**
 * Generates usernames for an account whose e-mail is taken: the part before the @, then with four random letters, endlessly.
 * `random` returns 0 ≤ number < 1.
 */
export function* usernamesFor(email: string, random: () => number): Generator<string, never> {
  const local = partBefore(email, '@')
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9._-]/g, '')
    .slice(0, 30)
  const base = local.length < 3 ? `usuario${local}` : local
  yield base
  while (true) {
    const tail = Array.from({ length: 4 }, () => LETTERS[Math.floor(random() * LETTERS.length)]).join('')
    yield `${base}.${tail}`
  }
}
