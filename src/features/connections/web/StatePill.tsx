import { Pill } from '#web/ui/identity/badges.tsx'
import type { ConnectionRow } from '../contract.ts'
import { stateOf } from './labels.ts'

/** Status of a connection as a pill. */
export function StatePill({ row }: { row: Pick<ConnectionRow, 'status' | 'cause' | 'wasConnected'> }) {
  const { tone, text } = stateOf(row)
  return <Pill tone={tone}>{text}</Pill>
}
