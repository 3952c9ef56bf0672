import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Secrets } from '#server/secrets.ts'

/** How long a browser may take to answer a challenge. */
export const CHALLENGE_MS = 5 * 60_000

const sign = (secrets: Secrets, purpose: string, body: string): string =>
  createHmac('sha256', secrets.derive('passkey-challenge')).update(`${purpose}|${body}`).digest('base64url')

/**
 * A challenge for one purpose: its end, chance, and our signature over both. Nothing has to be stored to know it again; that
 * it is answered once is written down when it is.
 */
export function newChallenge(secrets: Secrets, purpose: string, now: Date): string {
  const body = `${now.getTime() + CHALLENGE_MS}.${randomBytes(16).toString('base64url')}`
  return `${body}.${sign(secrets, purpose, body)}`
}

/** Whether a challenge, as the browser repeats it (base64url), was made here for this purpose and is not over. */
export function isOwnChallenge(secrets: Secrets, purpose: string, now: Date, repeated: string): boolean {
  const [end = '', chance = '', given = ''] = Buffer.from(repeated, 'base64url').toString().split('.')
  const right = Buffer.from(sign(secrets, purpose, `${end}.${chance}`))
  const theirs = Buffer.from(given)
  return right.length === theirs.length && timingSafeEqual(right, theirs) && Number(end) > now.getTime()
}
