import { beforeAll, expect, it } from 'vitest'
import { make, PASSWORD } from '#test/make.ts'
import { roundTripsOf } from '#test/round-trips.ts'
import { call, ownProduct } from '#test/server.ts'
import { auth } from './contract.ts'

const product = ownProduct('counts attempts', { env: { RATE_LIMITS: true } })
const body = { email: 'ana@loja.dev', password: PASSWORD }
const login = () => call(product(), auth.login, null, { body })

beforeAll(async () => {
  const m = make(product().platform)
  await m.user(await m.tenant(), { email: body.email })
})

it('a login with every limit and its record takes twenty round trips', async () => {
  expect((await login()).status).toBe(200)
  const trips = await roundTripsOf(product(), async () => expect((await login()).status).toBe(200), {
    workName: 'POST /api/auth/login',
  })
  expect(trips.length, trips.map((trip) => trip[0]!.slice(0, 60)).join('\n')).toBeLessThanOrEqual(20)
  expect(trips.filter(([first]) => first!.includes('rate_limits'))).toHaveLength(5)
})
