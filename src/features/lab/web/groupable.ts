import { capabilitiesOf } from '#providers/channels/configs.ts'
import type { LabPhone } from '../contract.ts'

/** The phones that can be in one new group: those of one connection whose channel has groups, by connection. */
export function groupable(phones: readonly LabPhone[]): ReadonlyMap<number, readonly LabPhone[]> {
  const able = phones.filter(({ isGroup, type }) => !isGroup && capabilitiesOf(type).groups)
  return Map.groupBy(able, ({ connectionId }) => connectionId)
}
