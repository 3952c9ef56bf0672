import type { StateChanges, StateValue } from '#providers/channels/port.ts'
import type { Platform } from '#server/platform.ts'

/** Limits of one state write: entries, bytes, and length of a name in characters. */
const MOST_ENTRIES = 5000
const MOST_BYTES = 8 * 1024 * 1024
const MOST_NAME = 200

type OfConnection = { readonly tenantId: number; readonly id: number }

const boundTo = ({ tenantId, id }: OfConnection, name: string) => `${tenantId}/connections/${id}/state/${name}`

/** Encrypts entries, each bound to its connection and name; fails if they are too many or too large. */
export function encryptState(
  { secrets }: Platform,
  of: OfConnection,
  changes: StateChanges,
): { name: string; value: string | null }[] {
  if (changes.size > MOST_ENTRIES) throw new Error(`more than ${MOST_ENTRIES} entries of a connection’s state at once`)
  let bytes = 0
  return [...changes].map(([name, value]) => {
    requireName(name)
    if (value === undefined) return { name, value: null }
    const plain =
      value instanceof Uint8Array ? `b${Buffer.from(value).toString('base64')}` : `j${JSON.stringify(value)}`
    bytes += plain.length
    if (bytes > MOST_BYTES) throw new Error(`more than ${MOST_BYTES} bytes of a connection’s state at once`)
    return { name, value: secrets.encrypt(plain, boundTo(of, name)) }
  })
}

/** Decrypts an entry into the adapter's value. */
export function decryptState({ secrets }: Platform, of: OfConnection, name: string, value: string): StateValue {
  const plain = secrets.decrypt(value, boundTo(of, name))
  return plain.startsWith('b') ? new Uint8Array(Buffer.from(plain.slice(1), 'base64')) : JSON.parse(plain.slice(1))
}

/** Fails if a value cannot be the name of an entry. */
export function requireName(name: unknown): void {
  if (typeof name !== 'string' || name === '' || name.length > MOST_NAME || name.includes('\0'))
    throw new Error('this cannot be the name of an entry of a connection’s state')
}
