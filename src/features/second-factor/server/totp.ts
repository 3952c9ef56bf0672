import { generateSecret, generateURI, verifySync } from 'otplib'

const ISSUER = 'Guichê'

/** Generates a secret for an authenticator app: 160 bits, as base32. */
export const newSecret = (): string => generateSecret()

/** Returns the URI for the app's QR code. */
export const uriOf = (secret: string, email: string): string => generateURI({ issuer: ISSUER, label: email, secret })

/**
 * Returns the time step of a six-digit code, at most one step of 30 s early or late; null for a wrong code and for steps up
 * to `lastStep`, which were used (RFC 6238, 5.2).
 */
export function stepOf(secret: string, code: string, now: Date, lastStep: number): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const found = verifySync({ secret, token: code, epoch: Math.floor(now.getTime() / 1000), epochTolerance: 30 })
  return found.valid && 'timeStep' in found && found.timeStep > lastStep ? found.timeStep : null
}
