import { expect, test } from 'vitest'
import { isInfrastructure } from './faults.ts'

const coded = (code: string, message = 'falha') => Object.assign(new Error(message), { code })

test.each([
  '08006',
  '25P03',
  '40P01',
  '53100',
  '53300',
  '55P03',
  '57P01',
  '57014',
  '58030',
  'XX000',
  'ENOSPC',
  'EIO',
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
])('%s is the installation’s fault', (code) => expect(isInfrastructure(coded(code))).toBe(true))

test.each(['22001', '22P02', '23505', '23514', '42501', 'P0001', 'ENOENT', 'ERR_VALIDATION'])(
  '%s is the fault of what was asked',
  (code) => expect(isInfrastructure(coded(code))).toBe(false),
)

test.each([
  'Connection terminated unexpectedly',
  'timeout exceeded when trying to connect',
  'Client has encountered a connection error and is not queryable',
])('“%s” is a lost connection', (message) => expect(isInfrastructure(new Error(message))).toBe(true))

test('a server’s socket that is not there is no file that was asked for', () => {
  expect(isInfrastructure(Object.assign(coded('ENOENT'), { syscall: 'connect' }))).toBe(true)
  expect(isInfrastructure(Object.assign(coded('ENOENT'), { syscall: 'open' }))).toBe(false)
})

test('a fault behind a fault is found, a value that is no error is none', () => {
  expect(isInfrastructure(new Error('não foi guardado', { cause: coded('ENOSPC') }))).toBe(true)
  expect(isInfrastructure('ENOSPC')).toBe(false)
  expect(isInfrastructure(new TypeError('x is not a function'))).toBe(false)
})
