import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { checkField, fieldChecker, INVALID, type Rule } from './rules.ts'

afterEach(() => vi.restoreAllMocks())

const later = <T>(value: T, ms = 0) => new Promise<T>((resolve) => setTimeout(resolve, ms, value))

test.each<[string, readonly Rule<string>[], string | null]>([
  ['no rule', [], null],
  ['true', [() => true], null],
  ['false', [() => false], INVALID],
  ['a text', [() => 'Falta o DDD.'], 'Falta o DDD.'],
  ['an empty text', [() => ''], INVALID],
  ['the first failure', [() => true, () => 'Primeiro.', () => 'Segundo.'], 'Primeiro.'],
  ['a slow true', [() => later(true)], null],
  ['a slow text before a quick one', [() => later('Devagar.', 5), () => 'Depressa.'], 'Devagar.'],
])('%s', async (_name, rules, said) => {
  expect(await checkField(rules, 'x')).toBe(said)
})

test('after the first failure no further rule is asked', async () => {
  const second = vi.fn(() => true)
  await checkField([() => false, second], 'x')
  expect(second).not.toHaveBeenCalled()
})

test('a rule that is rejected or throws is logged and counts as invalid', async () => {
  const log = vi.fn()
  const lost = new Error('the network is gone')
  expect(await checkField([() => Promise.reject(lost)], 'x', log)).toBe(INVALID)
  const broken = () => {
    throw lost
  }
  expect(await checkField([broken], 'x', log)).toBe(INVALID)
  expect(log.mock.calls).toEqual([[lost], [lost]])
})

test('what marks a field is the first verdict that is not true', async () => {
  const verdict = fc.oneof(fc.boolean(), fc.constantFrom('Curto.', 'Longo.', ''))
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(verdict, fc.boolean())), async (verdicts) => {
      const rules = verdicts.map(
        ([said, slow]) =>
          () =>
            slow ? Promise.resolve(said) : said,
      )
      const first = verdicts.find(([said]) => said !== true)
      expect(await checkField(rules, 'x')).toBe(first ? first[0] || INVALID : null)
    }),
  )
})

test('the last call wins: an overtaken answer is neither told nor taken for a yes', async () => {
  const told: unknown[] = []
  const { check, forget } = fieldChecker<{ login: string }>(
    { login: [(value) => later(value === 'ana' ? 'Já existe.' : true, value === 'ana' ? 20 : 5)] },
    (key, error) => told.push([key, error]),
  )
  const [first, second] = await Promise.all([check('login', 'ana'), check('login', 'bia')])
  expect([first, second]).toEqual([false, true])
  expect(told).toEqual([['login', null]])
  const third = check('login', 'ana')
  forget('login') // the person writes on
  expect(await third).toBe(false)
  expect(told).toHaveLength(1)
})
