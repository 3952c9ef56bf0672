import { capabilitiesOf } from '#providers/channels/configs.ts'
import type { LabPhone } from '../contract.ts'

/** The phones that can be in one new group: those of the first connection whose channel has groups. */
export function groupable(phones: readonly LabPhone[]): readonly LabPhone[] {
  const able = phones.filter(({ isGroup, isLinked, type }) => !isGroup && !isLinked && capabilitiesOf(type).groups)
  return able.filter(({ connectionId }) => connectionId === able[0]?.connectionId)
}
