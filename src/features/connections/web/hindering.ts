import type { ConnectionRow } from '../contract.ts'

/** Whether a connection that once was up is down, and nobody wanted that, by which somebody may write. */
export const isHindering = ({
  status,
  cause,
  isAllowed,
  wasConnected,
}: Pick<ConnectionRow, 'status' | 'cause' | 'wasConnected'> & { isAllowed: boolean }): boolean =>
  isAllowed &&
  wasConnected &&
  (status === 'TIMEOUT' || (status === 'DISCONNECTED' && cause !== null && cause !== 'person'))
