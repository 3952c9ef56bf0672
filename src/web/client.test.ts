import { QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test } from 'vitest'
import { queryClient } from './client.ts'

afterEach(() => queryClient.clear())

/** Mounts a query whose responses resolve on demand. */
function onScreen(queryKey: readonly unknown[]) {
  const asked: ((answer: string) => void)[] = []
  const observer = new QueryObserver(queryClient, {
    queryKey,
    queryFn: () => new Promise<string>((resolve) => void asked.push(resolve)),
  })
  const leave = observer.subscribe(() => {})
  return { asked, leave, shown: () => observer.getCurrentResult().data }
}
const settled = () => new Promise((resolve) => setTimeout(resolve, 5))

test.each([
  ['invalidated', () => queryClient.invalidateQueries({ queryKey: ['tags'] })],
  ['read again', () => queryClient.refetchQueries({ queryKey: ['tags'], type: 'active' })],
  ['stale with all else', () => queryClient.invalidateQueries()],
])('what is %s while it is read for the first time is read once more behind that', async (_, again) => {
  const { asked, shown, leave } = onScreen(['tags', 'list'])
  void again()
  void again()
  expect(asked).toHaveLength(1)
  asked[0]!('before')
  await settled()
  expect(asked).toHaveLength(2)
  asked[1]!('after')
  await settled()
  expect([shown(), asked.length]).toEqual(['after', 2])
  leave()
})

test('another read is not asked twice, nor one that has left the screen', async () => {
  const tags = onScreen(['tags', 'list'])
  const reasons = onScreen(['reasons', 'list'])
  void queryClient.invalidateQueries({ queryKey: ['tags'] })
  tags.leave()
  tags.asked[0]!('before')
  reasons.asked[0]!('once')
  await settled()
  expect([tags.asked.length, reasons.asked.length]).toEqual([1, 1])
  reasons.leave()
})

test('one that has been read before is broken off and begun anew', async () => {
  const { asked, shown, leave } = onScreen(['tags', 'list'])
  asked[0]!('first')
  await settled()
  void queryClient.invalidateQueries({ queryKey: ['tags'] })
  void queryClient.invalidateQueries({ queryKey: ['tags'] })
  asked[1]!('older')
  asked[2]!('newest')
  await settled()
  expect([shown(), asked.length]).toEqual(['newest', 3])
  leave()
})
