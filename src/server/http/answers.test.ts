import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { ZodError, z } from 'zod'
import type { Operation } from '#kit/contract.ts'
import { epochMs } from '#kit/fields.ts'
import { createLog } from '../log.ts'
import { createAnswers } from './answers.ts'

const whole: Operation = {
  ...{ name: 'things.whole', family: 'things', method: 'GET', path: '/things', can: 'session', summary: '' },
  returns: z.object({ name: z.string(), at: epochMs }),
}
const list: Operation = { ...whole, name: 'things.list', sampled: true }

const good = { name: 'Ana', at: 1 }
const withMore = { ...good, secret: 'Sigilo' }
const withDate = { ...good, at: new Date(1) }
const wrong = { name: 'Sigilo', at: 'nunca' }

function answers(every: number) {
  const lines: string[] = []
  const to = new Writable({
    write(line, _encoding, then) {
      lines.push(String(line))
      then()
    },
  })
  return { ...createAnswers(createLog({ LOG_LEVEL: 'info' }, to), every), lines }
}

test('the first answer is a sample, and one in so many after it; the others go as they are', () => {
  const { shaped, unlike } = answers(3)
  const given = Array.from({ length: 7 }, () => shaped(list, withMore, false))
  expect(given.map((one) => 'secret' in (one as object))).toEqual([false, true, true, false, true, true, false])
  expect(unlike.get('things.list')).toBe(3)
})

test.each([
  ['a field more', withMore],
  ['a Date where the contract has a number', withDate],
])('a sample with %s is answered as the contract has it, logged without what is in it, and counted', (_, given) => {
  const { shaped, unlike, lines } = answers(50)
  expect(shaped(list, given, false)).toEqual(good)
  expect(unlike.get('things.list')).toBe(1)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('"operation":"things.list"')
  expect(lines[0]).not.toContain('Sigilo')
})

test('a sample that cannot be what the contract says is an error, and counted', () => {
  const { shaped, unlike } = answers(50)
  expect(() => shaped(list, wrong, false)).toThrow(ZodError)
  expect(unlike.get('things.list')).toBe(1)
})

test('what has to be whole is parsed each time, whether it is a sample or not', () => {
  const { shaped } = answers(50)
  shaped(list, good, false)
  expect(shaped(list, withMore, true)).toEqual(good)
  expect(() => shaped(list, wrong, true)).toThrow(ZodError)
  expect(shaped(whole, withDate, false)).toEqual(good)
  expect(shaped(whole, withDate, false)).toEqual(good)
})

test('whoever wants to know learns of it instead of the log: in tests each answer is a sample, and a wrong one fails', () => {
  const { shaped } = createAnswers(createLog({ LOG_LEVEL: 'fatal' }), 1, (error) => {
    throw error
  })
  expect(shaped(list, good, false)).toEqual(good)
  expect(() => shaped(list, withMore, false)).toThrow('things.list')
  expect(() => shaped(list, withDate, false)).toThrow('things.list')
})
