import { randomFillSync } from 'node:crypto'
import { itemAt } from '#domain/present.ts'

// Random bytes for many ids at once: each system call costs as much as a hundred ids.
const random = Buffer.allocUnsafeSlow(16 * 256)
let used = random.length

function randomBytes(): Buffer {
  if (used === random.length) {
    randomFillSync(random)
    used = 0
  }
  used += 16
  return random.subarray(used - 16, used)
}

/** Creates a UUIDv7: milliseconds first, so that later ids sort later (decision B1). */
export function uuidv7(now = Date.now()): string {
  const bytes = randomBytes()
  bytes.writeUIntBE(now, 0, 6)
  bytes[6] = (itemAt(bytes, 6) & 0x0f) | 0x70
  bytes[8] = (itemAt(bytes, 8) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
