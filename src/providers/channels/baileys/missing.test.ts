import { afterAll, expect, test, vi } from 'vitest'
import { stopCauseOf } from '../port.ts'

vi.resetModules()
vi.doMock('baileys', () => {
  throw new Error("Cannot find package 'baileys'")
})
const { baileysAdapter } = await import('./adapter.ts')
afterAll(() => {
  vi.doUnmock('baileys')
  vi.resetModules()
})

test('without its package the type says how to get it, and waits for a person instead of trying again', async () => {
  const adapter = baileysAdapter({}, { environment: {} } as never)
  const problem = expect.stringContaining('npm install')
  expect(await adapter.test!()).toEqual({ ok: false, problem })
  const failed = await adapter.open!({} as never).catch((error: unknown) => error)
  expect(failed).toMatchObject({ message: problem })
  expect(stopCauseOf(failed)).toBe('missing')
})
