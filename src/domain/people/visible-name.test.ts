import { expect, test } from 'vitest'
import { visibleName } from './visible-name.ts'

test.each([
  ['\u3164', ''],
  ['\u200e', ''],
  ['\u2800', ''],
  ['\ufe0f', ''],
  ['\u200b\u200b', ''],
  ['\u00ad', ''],
  ['\u115f', ''],
  ['.', ''],
  ['-', ''],
  ['   ', ''],
  ['\u202e Lia', 'Lia'],
  ['👩‍👩‍👧', '👩‍👩‍👧'],
  ['ﷺ', 'ﷺ'],
  [' José Conceição ', 'José Conceição'],
  ['A.', 'A.'],
  ['+', '+'],
])('%j is shown as %j', (name, shown) => expect(visibleName(name)).toBe(shown))
