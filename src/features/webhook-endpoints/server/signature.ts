import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'

/** Generates a signing secret in the format of Standard Webhooks: `whsec_` and 32 random bytes in base64. */
export const newSecret = (): string => PREFIX + randomBytes(32).toString('base64')

/** Returns the Standard Webhooks headers of a body: event id, time, and a signature per secret. */
export function signedHeaders(
  { id, at, body }: { id: string; at: Date; body: string },
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const sign = (secret: string) =>
    createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
      .update(`${id}.${timestamp}.${body}`)
      .digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => `v1,${sign(secret)}`).join(' '),
  }
}
