/**
 * Why a connection stopped until a person acts: QR codes expired unread, device unlinked (401), number barred (403),
 * keys do not match (411), replaced by another program (440), credentials refused, package not installed, token
 * invalid.
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
/** One of them. */
export type StopCause = (typeof STOP_CAUSES)[number]

/** Why a connection is away: what stopped it, a person who ended it, the network, its proxy, or the process that had it. */
export type OutageCause = StopCause | 'person' | 'network' | 'proxy' | 'process'

/** Codes that are shown one after another before the connection waits for a person. */
export const MOST_CODES = 6

/** Default lifetime of a QR code in seconds, where the channel does not give one. */
export const CODE_SECONDS = 20

/** Whether a link's keys become useless for this cause, so that the next link begins without any. */
export const losesKeys = (cause: StopCause): boolean => cause === 'unlinked' || cause === 'mismatch'
