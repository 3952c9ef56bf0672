import { codeOf } from '#kit/errors.ts'

/** SQLSTATE classes of errors of the database, its machine or its connection, never of the query. */
const CLASSES: ReadonlySet<string> = new Set(['08', '25', '40', '53', '55', '57', '58', 'XX'])

/** Errno codes of disks, descriptors, memory and connections. */
const SYSTEM =
  /^E(NOSPC|DQUOT|IO|ROFS|MFILE|NFILE|NOMEM|AGAIN|CONN(RESET|REFUSED|ABORTED)|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|AI_AGAIN)$/

/** Returns the code of an infrastructure error, or of its cause: an SQLSTATE or an errno; `LOST` for a lost connection. */
export function faultCode(error: unknown, depth = 0): string {
  const { code, cause }: { code?: unknown; cause?: unknown } = Object(error)
  if (typeof code === 'string' && code !== '') return code
  return cause && depth < 3 ? faultCode(cause, depth + 1) : 'LOST'
}

/** Messages of `pg` for a lost connection or a connect time-out; these errors carry no code. */
const LOST = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Query read timeout',
  'Client has encountered a connection error',
  'Cannot use a pool after calling end on the pool',
]

/**
 * Whether an error is the installation's (database, disk, connection) and not the fault of the work: the same work is tried
 * again later, and the try is not counted. Follows `cause`.
 */
export function isInfrastructure(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  if (SYSTEM.test(code)) return true
  // Includes a missing server socket: ENOENT, as for any file.
  if ('syscall' in error && error.syscall === 'connect') return true
  if (/^[0-9A-Z]{5}$/.test(code) && CLASSES.has(code.slice(0, 2))) return true
  if (LOST.some((start) => error.message.startsWith(start))) return true
  return depth < 3 && isInfrastructure(error.cause, depth + 1)
}

/** Whether an error makes the connection unusable; a lock time-out does not. */
export const isBroken = (error: unknown): boolean => isInfrastructure(error) && !/^(40|55|57014)/.test(codeOf(error))

/** Whether a query was sent in a transaction that had already failed. */
export const isTooLate = (error: unknown): boolean => codeOf(error) === '25P02'

/**
 * Whether the database itself cut this work, or the connection was lost, before the commit was sent: nothing was written and
 * the work may be repeated. False when the database is unreachable or does not answer.
 */
export const isCut = (error: unknown): boolean =>
  /^(40001|40P01|55P03|25P03|57P01|57P02|57P05)$/.test(codeOf(error)) ||
  (error instanceof Error && error.message.startsWith('Connection terminated unexpectedly')) ||
  isUnsent(error)

/** Whether a failed commit certainly did not happen: the database gave the reason, or the commit was not sent. */
export const isRefused = (error: unknown): boolean => /^(23...|40...|25P03)$/.test(codeOf(error)) || isUnsent(error)

// The connection was already known to be lost.
const isUnsent = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('Client has encountered a connection error')
