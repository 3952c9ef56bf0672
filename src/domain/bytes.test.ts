import { expect, it } from 'vitest'
import { formatBytes } from './bytes.ts'

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [84_400, '84 kB'],
  [1_250_000, '1,3 MB'],
  [999_900_000, '999,9 MB'],
  [3_400_000_000, '3,4 GB'],
  [2_500_000_000_000, '2.500 GB'],
])('%d bytes are %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text))
