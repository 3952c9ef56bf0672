import { generateSecret, generateURI, verifySync } from 'otplib'

const ISSUER = 'Guichê'

/** A new secret for an authenticator app: 160 bits, as base32. */
export const newSecret = (): string => generateSecret()

/** What the app's QR code says. */
export const uriOf = (secret: string, email: string): string => generateURI({ issuer: ISSUER, label: email, secret })

/**
 * The time step that a six-digit code stands for, one step of 30 s early or late; null for a wrong code and for a step
 * up to `lastStep`, which was used already (RFC 6238, 5.2).
 */
export function stepOf(secret: string, code: string, now: Date, lastStep: number): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const found = verifySync({ secret, token: code, epoch: Math.floor(now.getTime() / 1000), epochTolerance: 30 })
  return found.valid && 'timeStep' in found && found.timeStep > lastStep ? found.timeStep : null
}
