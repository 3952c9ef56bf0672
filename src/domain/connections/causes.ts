/**
 * Causes that stop a connection until a person acts: QR codes expired unread, device unlinked (401), number barred (403),
 * keys do not match (411), replaced by another program (440), credentials refused, package not installed, token invalid.
 */
export const STOP_CAUSES = [
  'unread',
  'unlinked',
  'banned',
  'mismatch',
  'replaced',
  'refused',
  'missing',
  'token',
] as const
/** Cause that stops a connection until a person acts. */
export type StopCause = (typeof STOP_CAUSES)[number]

/** Cause of an outage: a stop cause, a person who ended the connection, the network, its proxy, or the process that held it. */
export type OutageCause = StopCause | 'person' | 'network' | 'proxy' | 'process'

/** Maximum number of QR codes shown in a row before the connection waits for a person. */
export const MOST_CODES = 6

/** Default validity of a QR code in seconds, for channels that state none. */
export const CODE_SECONDS = 20

/** Whether a stop cause invalidates the link's keys, so that the next link starts without keys. */
export const losesKeys = (cause: StopCause): boolean => cause === 'unlinked' || cause === 'mismatch'
