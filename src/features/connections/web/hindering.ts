import type { ConnectionRow } from '../contract.ts'

/** Whether a connection that the user may write on, and that was connected before, is down for another cause than a person. */
export const isHindering = ({
  status,
  cause,
  isAllowed,
  wasConnected,
}: Pick<ConnectionRow, 'status' | 'cause' | 'wasConnected'> & { isAllowed: boolean }): boolean =>
  isAllowed &&
  wasConnected &&
  (status === 'TIMEOUT' || (status === 'DISCONNECTED' && cause !== null && cause !== 'person'))
