import { expect, test } from 'vitest'
import { channelAdapters } from './adapters.ts'
import { capabilitiesOf, channelConfigs, channelType, channelTypeIds, maxFileBytes } from './configs.ts'

test('every channel stands in both lists, and no two have the same name on the wire', () => {
  expect(channelConfigs.map(({ id }) => id).sort()).toEqual(Object.keys(channelAdapters).sort())
  expect(channelTypeIds()).toHaveLength(new Set(channelTypeIds()).size)
  expect(channelTypeIds()).toEqual(expect.arrayContaining(['webchat', 'lab']))
})

test('configs are data: what the browser gets survives being written down', () => {
  expect(JSON.parse(JSON.stringify(channelConfigs))).toEqual(channelConfigs)
})

test('a type that this version does not have can do nothing', () => {
  expect(channelType('telex')).toBeUndefined()
  expect(maxFileBytes(capabilitiesOf('telex'))).toBe(0)
  expect(capabilitiesOf('telex')).toMatchObject({ maxTextLength: 0, begins: 'contact', idempotentSending: false })
})
