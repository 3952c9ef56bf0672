/** SQLSTATE classes that speak of the database, its machine or the line to it, never of what was asked of it. */
const CLASSES: ReadonlySet<string> = new Set(['08', '25', '40', '53', '55', '57', '58', 'XX'])

/** What the operating system says of disks, descriptors, memory and lines. */
const SYSTEM =
  /^E(NOSPC|DQUOT|IO|ROFS|MFILE|NFILE|NOMEM|AGAIN|CONN(RESET|REFUSED|ABORTED)|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|AI_AGAIN)$/

/** The code of an infrastructure error, or of its cause: an SQLSTATE or an errno; `LOST` for a connection that is gone. */
export function faultCode(error: unknown, depth = 0): string {
  const { code, cause } = Object(error) as { code?: unknown; cause?: unknown }
  if (typeof code === 'string' && code !== '') return code
  return cause && depth < 3 ? faultCode(cause, depth + 1) : 'LOST'
}

/** How `pg` says that a connection is gone or that none came in time; these errors carry no code. */
const LOST = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Query read timeout',
  'Client has encountered a connection error',
  'Cannot use a pool after calling end on the pool',
]

/**
 * Whether an error is the installation's (database, disk, line) and not the fault of what was being worked on: the same
 * work is to be tried again later, and no try is counted. Looks through `cause`.
 */
export function isInfrastructure(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error)) return false
  const code = String((error as { code?: unknown }).code ?? '')
  if (SYSTEM.test(code)) return true
  // Also a server's socket that is not there: ENOENT, as of any file.
  if ((error as { syscall?: unknown }).syscall === 'connect') return true
  if (/^[0-9A-Z]{5}$/.test(code) && CLASSES.has(code.slice(0, 2))) return true
  if (LOST.some((words) => error.message.startsWith(words))) return true
  return depth < 3 && isInfrastructure(error.cause, depth + 1)
}
