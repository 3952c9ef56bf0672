import { cleanText } from '#domain/text.ts'
import { fail } from '#kit/errors.ts'

const DEEPEST = 64

/**
 * Removes from data what PostgreSQL cannot store: NUL characters are dropped, halves of surrogate pairs become U+FFFD. One
 * such text would make a whole batch of other people's messages fail. Data nested deeper than 64 are refused with 400.
 */
export function sanitizeForPostgres<T>(value: T): T {
  return (isSanitized(value, 0) ? value : cleaned(value)) as T
}

function isSanitized(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return isCleanText(value)
  if (typeof value !== 'object' || value === null) return true
  refuseDeep(depth)
  if (Array.isArray(value)) return value.every((one) => isSanitized(one, depth + 1))
  return Object.entries(value).every(([key, one]) => isCleanText(key) && isSanitized(one, depth + 1))
}

// What is not clean has not been looked at to its end.
function cleaned(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return cleanText(value)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  refuseDeep(depth)
  if (Array.isArray(value)) return value.map((one) => cleaned(one, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [cleanText(key), cleaned(one, depth + 1)]))
}

const refuseDeep = (depth: number): void => {
  if (depth === DEEPEST) fail('ERR_VALIDATION', { pedido: 'Os dados estão aninhados demais.' })
}

const isCleanText = (text: string): boolean => text.isWellFormed() && !text.includes('\0')
