import { expect, test } from 'vitest'
import { settingsRegistry } from '#kit/settings.ts'
import '#web/registries.ts'
import { valueLabel } from './labels.ts'

test.each([
  ['signed', 'enabled', 'ligado'],
  ['signed', 'disabled', 'desligado'],
  ['ticketLimitDaysAgo', '7', '7 dias'],
  ['autoCloseTime', '60', '1 hora'],
  ['autoCloseMessage', '', 'vazio'],
  ['autoCloseMessage', 'x'.repeat(60), `${'x'.repeat(39)}…`],
] as const)('%s %s: %s', (key, value, words) => {
  expect(valueLabel(settingsRegistry[key], value)).toBe(words)
})
