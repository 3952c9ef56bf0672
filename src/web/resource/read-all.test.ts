import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Operation, OperationSpec } from '#kit/contract.ts'

const callAny = vi.hoisted(() => vi.fn())
const notify = vi.hoisted(() => vi.fn())
vi.mock('../client.ts', async (importActual) => ({ ...(await importActual<object>()), callAny }))
vi.mock('../ui/feedback/notify.tsx', () => ({ notify }))

const op = { method: 'GET', path: '/things' } as unknown as Operation<OperationSpec>
const rowsOf = (page: unknown) => (page as { rows: number[] }).rows
const pages: Record<string, { rows: number[]; nextCursor: string | null }> = {
  start: { rows: [1, 2], nextCursor: 'b' },
  b: { rows: [3, 4], nextCursor: 'c' },
  c: { rows: [5], nextCursor: null },
}
const answer = (_op: unknown, { query }: { query: { cursor?: string } }) =>
  Promise.resolve(pages[query.cursor ?? 'start'])

let read: typeof import('./read-all.ts')
let apiError: typeof import('../api.ts')['apiError']

// Files of tests share their modules: what another one has loaded would not ask the mocks.
beforeEach(async () => {
  vi.resetModules()
  read = await import('./read-all.ts')
  ;({ apiError } = await import('../api.ts'))
  vi.useFakeTimers()
  callAny.mockReset().mockImplementation(answer)
})
afterEach(() => vi.useRealTimers())

test('a list is read to its end with the filter it was asked for, and counted', async () => {
  const counts: number[] = []
  const all = await read.readAll(op, rowsOf, { most: 100, query: { tag: 7 }, progress: (count) => counts.push(count) })
  expect(all).toEqual([1, 2, 3, 4, 5])
  expect(counts).toEqual([2, 4, 5])
  expect(callAny.mock.calls.map(([, { query }]) => query)).toEqual([
    { tag: 7, cursor: undefined },
    { tag: 7, cursor: 'b' },
    { tag: 7, cursor: 'c' },
  ])
})

test('no more than is wanted is read', async () => {
  expect(await read.readAll(op, rowsOf, { most: 3 })).toEqual([1, 2, 3])
  expect(callAny).toHaveBeenCalledTimes(2)
})

test('asked to slow down, it waits and goes on where it was; any other refusal ends it', async () => {
  callAny.mockImplementationOnce(answer).mockRejectedValueOnce(apiError('ERR_RATE_LIMIT', 429))
  const reading = read.readAll(op, rowsOf, { most: 100 })
  await vi.advanceTimersByTimeAsync(5000)
  expect(await reading).toEqual([1, 2, 3, 4, 5])
  callAny.mockRejectedValueOnce(apiError('ERR_NO_PERMISSION', 403))
  await expect(read.readAll(op, rowsOf, { most: 100 })).rejects.toMatchObject({ code: 'ERR_NO_PERMISSION' })
})

test('choices say so when there are more of them than are read', async () => {
  const choices = () => read.choicesOf(op, rowsOf).queryFn!({ signal: undefined } as never)
  await choices()
  expect(notify).not.toHaveBeenCalled()
  callAny.mockResolvedValue({ rows: [1, 2], nextCursor: 'more' })
  expect(await choices()).toHaveLength(50)
  expect(notify).toHaveBeenCalledWith(expect.objectContaining({ text: 'Só os primeiros 100 aparecem para escolher.' }))
})
