import { capabilitiesOf } from '#providers/channels/configs.ts'
import type { LabPhone } from '../contract.ts'

/** Returns the phones that can form a new group, by connection: those of channels with groups. */
export function groupable(phones: readonly LabPhone[]): ReadonlyMap<number, readonly LabPhone[]> {
  const able = phones.filter(({ isGroup, type }) => !isGroup && capabilitiesOf(type).groups)
  return Map.groupBy(able, ({ connectionId }) => connectionId)
}
