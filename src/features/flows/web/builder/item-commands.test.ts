import { expect, test } from 'vitest'
import { movedItem } from '#domain/flow/edit.ts'
import { indexAfter } from './item-commands.ts'

test('each item is found where it stands once one was moved', () => {
  const all = [0, 1, 2, 3, 4]
  for (const from of all)
    for (const to of all)
      for (const index of all) expect(movedItem(all, from, to)[indexAfter(index, from, to)]).toBe(index)
})
