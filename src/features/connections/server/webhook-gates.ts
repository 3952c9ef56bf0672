import { byteGate } from '#kit/byte-gate.ts'
import { AppError } from '#kit/errors.ts'

/**
 * Maximum number of bytes of calls that are read at once, as each is in memory several times; counted apart for small and
 * large calls.
 */
const MOST_AT_ONCE = 64 * 1024 * 1024
/** Share of one path in that, in bytes, so that one company's calls do not block others. */
const MOST_OF_PATH = 16 * 1024 * 1024
/** Longest wait of a call for room, in ms, before it gets 503: not every provider repeats a refused call. */
const PATIENCE = { ms: 60_000, error: () => new AppError('ERR_OVERLOADED') }

type Gate = ReturnType<typeof byteGate>

const all = { small: byteGate(MOST_AT_ONCE, PATIENCE), large: byteGate(MOST_AT_ONCE, PATIENCE) }
const byPath = new Map<string, { readonly gate: Gate; calls: number }>()

/**
 * Runs the reading of a call within the byte limits of its path and of all paths. The path is known to be ours; the network
 * of the caller does not count, as a proxy may give all callers one address. Throws ERR_OVERLOADED (503).
 */
export async function throughGates<T>(
  path: string,
  bytes: number,
  smallBytes: number,
  work: () => Promise<T>,
): Promise<T> {
  const size = bytes > smallBytes ? 'large' : 'small'
  const key = `${size} ${path}`
  const own = byPath.get(key) ?? { gate: byteGate(MOST_OF_PATH, PATIENCE), calls: 0 }
  byPath.set(key, own)
  own.calls++
  try {
    return await own.gate(bytes, () => all[size](bytes, work))
  } finally {
    own.calls--
    if (own.calls === 0) byPath.delete(key)
  }
}
