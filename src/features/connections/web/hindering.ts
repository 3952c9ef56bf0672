import type { ConnectionRow } from '../contract.ts'

/** Whether a connection is down, and nobody wanted that, by which somebody may write. */
export const isHindering = ({
  status,
  cause,
  isAllowed,
}: Pick<ConnectionRow, 'status' | 'cause'> & { isAllowed: boolean }): boolean =>
  isAllowed && (status === 'TIMEOUT' || (status === 'DISCONNECTED' && cause !== null && cause !== 'person'))
