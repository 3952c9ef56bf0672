import { expect, test } from 'vitest'
import { mergeDrafts } from './drafts.ts'

test.each([
  ['Olá', 'Bom dia', 'ask'],
  ['Olá', 'Olá ', 'ask'],
  ['Olá', 'Olá', 'other'],
  ['Olá', '', 'own'],
  ['', 'Bom dia', 'other'],
  [' \n', 'Bom dia', 'other'],
  ['', '', 'other'],
])('of the drafts “%s” and, elsewhere, “%s”: %s', (own, other, kept) => expect(mergeDrafts(own, other)).toBe(kept))
