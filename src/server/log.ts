import { type DestinationStream, pino } from 'pino'
import { z } from 'zod'
import { fieldIn } from '#domain/keys.ts'
import type { Env } from './env.ts'

/**
 * Creates the product's logger: ids only, never a phone, e-mail, message text or secret (decision B33). Lines are written 4
 * kB at a time, after 250 ms at the latest, and the rest when the process exits.
 */
export const createLog = (env: Pick<Env, 'LOG_LEVEL'>, to?: DestinationStream) =>
  pino(
    { level: env.LOG_LEVEL, base: null, serializers: { err: (error) => withoutData(error) }, hooks: { logMethod } },
    to ?? pino.destination({ fd: 1, sync: false, minLength: 4096, periodicFlush: 250 }),
  )

// Without a message of its own a log line would take that of the error.
function logMethod(this: unknown, args: [unknown, ...unknown[]], write: (...args: never[]) => void) {
  write.apply(this, (args.length === 1 ? [args[0], ''] : args) as never[])
}

/** Logger of the platform. */
export type Log = ReturnType<typeof createLog>

/** Loggable part of an error: its type, its origin, and names from our own code and schema. */
type LoggedError = { type: string; at: string[]; cause?: LoggedError } & Record<string, unknown>

// Messages of built-in errors name properties and functions; all others may quote user input.
const SAFE_MESSAGES: ReadonlySet<unknown> = new Set([TypeError, RangeError, ReferenceError])
const SAFE_FIELDS = [
  'code',
  'kind',
  'severity',
  'routine',
  'schema',
  'table',
  'column',
  'constraint',
  'syscall',
  'port',
]

/**
 * Returns the loggable part of an error. Messages, details and values of PostgreSQL, of providers and of parsers are left
 * out.
 */
export function withoutData(error: unknown, depth = 0): LoggedError | { type: string } {
  if (!(error instanceof Error)) return { type: typeof error }
  const stack = error.stack ?? ''
  const frames = stack.slice(stack.indexOf(error.message) + error.message.length)
  const entry: LoggedError = { type: error.name, at: frames.split('\n').filter((line) => /^\s+at /.test(line)) }
  if (SAFE_MESSAGES.has(error.constructor)) entry['message'] = error.message
  if (error instanceof z.ZodError)
    entry['issues'] = error.issues.map((one) => `${one.path.join('.').replace(/\d{4,}/g, '#')}: ${one.code}`)
  for (const name of SAFE_FIELDS) {
    const value = fieldIn(error, name)
    // Codes of the product, the system or the database; a provider's code may be a sentence.
    if (typeof value === 'number' || (typeof value === 'string' && /^(?!\d{6})[\w.-]{1,64}$/.test(value)))
      entry[name] = value
  }
  if (error.cause && depth < 3) entry.cause = withoutData(error.cause, depth + 1) as LoggedError
  return entry
}
