import { Pill } from '#web/ui/identity/badges.tsx'
import type { ConnectionRow } from '../contract.ts'
import { stateOf } from './labels.ts'

/** How a connection stands, in few words. */
export function StatePill({ row }: { row: Pick<ConnectionRow, 'status' | 'cause' | 'wasConnected'> }) {
  const { tone, text } = stateOf(row)
  return <Pill tone={tone}>{text}</Pill>
}
