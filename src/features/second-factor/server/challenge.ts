import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Secrets } from '#server/secrets.ts'

/** Validity of a challenge. */
export const CHALLENGE_MS = 5 * 60_000

const sign = (secrets: Secrets, purpose: string, body: string): string =>
  createHmac('sha256', secrets.derive('passkey-challenge')).update(`${purpose}|${body}`).digest('base64url')

/**
 * Creates a stateless challenge for one purpose: expiry, random bytes and a signature over both. Its use is recorded when it
 * is answered.
 */
export function newChallenge(secrets: Secrets, purpose: string, now: Date): string {
  const body = `${now.getTime() + CHALLENGE_MS}.${randomBytes(16).toString('base64url')}`
  return `${body}.${sign(secrets, purpose, body)}`
}

/** Whether a challenge as returned by the browser (base64url) was created here for this purpose and has not expired. */
export function isOwnChallenge(secrets: Secrets, purpose: string, now: Date, repeated: string): boolean {
  const [end = '', chance = '', given = ''] = Buffer.from(repeated, 'base64url').toString().split('.')
  const right = Buffer.from(sign(secrets, purpose, `${end}.${chance}`))
  const theirs = Buffer.from(given)
  return right.length === theirs.length && timingSafeEqual(right, theirs) && Number(end) > now.getTime()
}
