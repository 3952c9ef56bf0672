import { expect, test } from 'vitest'
import { createFairGate } from './fair-gate.ts'

/** Requests a place; `got` records the order in which places were granted. */
function gateOf(places: number, waitMs = 60_000) {
  let clock = 0
  const got: string[] = []
  const gate = createFairGate(places, waitMs, () => clock)
  const ask = (company: number, name: string) =>
    Promise.resolve(gate.enter(company)).then(() => {
      got.push(name)
    })
  const settle = () => new Promise(setImmediate)
  const pass = (ms: number) => {
    clock += ms
  }
  return { gate, ask, got, settle, pass }
}

test('a company alone may take every place; who comes then waits for one', async () => {
  const { gate, ask, got, settle } = gateOf(4)
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) void ask(1, name)
  await settle()
  expect(got).toEqual(['a1', 'a2', 'a3', 'a4'])
  gate.leave(1)
  await settle()
  expect(got.at(-1)).toBe('a5')
})

test('while another asks, none takes more than half, and the other is next', async () => {
  const { gate, ask, got, settle } = gateOf(4)
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6']) void ask(1, name)
  void ask(2, 'b1')
  await settle()
  gate.leave(1)
  gate.leave(1)
  await settle()
  // Two of the first remain: its half. The last place stays free for others.
  expect(got).toEqual(['a1', 'a2', 'a3', 'a4', 'b1'])
  void ask(2, 'b2')
  await settle()
  expect(got.at(-1)).toBe('b2')
  gate.leave(1)
  await settle()
  expect(got.at(-1)).toBe('a5')
})

test('who asked a moment ago still counts, who asked half a minute ago does not', async () => {
  const { gate, ask, got, settle, pass } = gateOf(4)
  await ask(2, 'b1')
  gate.leave(2)
  for (const name of ['a1', 'a2', 'a3']) void ask(1, name)
  await settle()
  expect(got).toEqual(['b1', 'a1', 'a2'])
  pass(30_001)
  gate.leave(1)
  await settle()
  await ask(1, 'a4')
  await ask(1, 'a5')
  expect(got).toEqual(['b1', 'a1', 'a2', 'a3', 'a4', 'a5'])
})

test('companies take turns, each first come, first served', async () => {
  const { gate, ask, got, settle } = gateOf(2)
  void ask(1, 'a1')
  void ask(2, 'b1')
  for (const name of ['a2', 'a3']) void ask(1, name)
  for (const name of ['b2', 'b3']) void ask(2, name)
  void ask(3, 'c1')
  await settle()
  for (let freed = 0; freed < 5; freed++) {
    gate.leave(got.at(-1)!.startsWith('a') ? 1 : got.at(-1)!.startsWith('b') ? 2 : 3)
    await settle()
  }
  expect(got.slice(0, 2)).toEqual(['a1', 'b1'])
  for (const company of ['a', 'b']) {
    const own = got.filter((name) => name.startsWith(company))
    expect(own).toEqual([...own].sort())
  }
  expect(got.indexOf('c1')).toBeLessThan(got.length - 1)
})

test('who waits too long is told that no client came, and takes no place later', async () => {
  const { gate, ask, settle, got } = gateOf(1, 20)
  await ask(1, 'a1')
  await expect(gate.enter(2)).rejects.toThrow('timeout exceeded when trying to connect')
  gate.leave(1)
  await ask(3, 'c1')
  await settle()
  expect(got).toEqual(['a1', 'c1'])
})

test('whoever waits can be turned away at once', async () => {
  const { gate, ask } = gateOf(1)
  await ask(1, 'a1')
  const waits = gate.enter(2)
  gate.refuse(new Error('o banco não responde'))
  await expect(waits).rejects.toThrow('o banco não responde')
})
