const LETTERS = '23456789abcdefghjkmnpqrstuvwxyz'

/**
 * Usernames for somebody whose e-mail is no login name: what stands before the @, then the same with four letters behind
 * it, without end. `random` answers numbers from 0 to below 1.
 */
export function* usernamesFor(email: string, random: () => number): Generator<string, never> {
  const local = email
    .split('@')[0]!
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
