import { describe, expect, it, test } from 'vitest'
import { make } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { ratings } from './contract.ts'

const product = withProduct()

async function company() {
  const m = make(product().platform)
  const tenantId = await m.tenant()
  const admin = await m.token(await m.user(tenantId, { profile: 'admin' }))
  const agent = await m.token(await m.user(tenantId))
  const read = async () => (await call(product(), ratings.get, admin)).body
  const put = (body: unknown, token = admin) => call(product(), ratings.set, token, { body: body as never })
  const write = (body: object, id = tenantId, token = admin) =>
    call(product(), ratings.setTexts, token, { params: { id }, body })
  return { m, tenantId, admin, agent, read, put, write }
}
const six = ['Péssimo', 'Ruim', 'Médio', 'Bom', 'Ótimo', 'Perfeito'].map((label, rating) => ({
  rating,
  label,
  message: rating === 0 ? 'Sentimos muito.' : '',
}))

describe('the six ratings', () => {
  it('have their usual names until they are given others', async () => {
    const { read, put } = await company()
    expect(((await read())['rating'] as { label: string }[]).map(({ label }) => label)).toEqual([
      'Ruim',
      'Regular',
      'Bom',
      'Muito Bom',
      'Excelente',
      'Incrível',
    ])
    expect((await put(six.toReversed())).body).toEqual({ rating: six })
    expect(await read()).toMatchObject({ rating: six })
  })

  test.each([
    ['one is missing', six.slice(1), { 0: 'Falta a nota 0.' }],
    ['one is there twice', [...six, six[4]], { 4: 'A nota 4 aparece mais de uma vez.' }],
    ['one has no name', six.with(2, { ...six[2]!, label: ' ' }), { '2.label': 'Preencha este campo.' }],
    ['one is a six', [...six, { rating: 6, label: 'Seis', message: '' }], { '6.rating': expect.any(String) }],
    [
      'there is a field too many',
      six.with(0, { ...six[0]!, surpresa: 1 } as never),
      { '0.surpresa': 'Campo desconhecido.' },
    ],
  ])('are refused when %s', async (_, list, details) => {
    const { put, read } = await company()
    const reply = await put(list)
    expect([reply.status, (reply.body as { details: object }).details]).toEqual([400, details])
    expect(await read()).toMatchObject({ rating: [{ label: 'Ruim' }, {}, {}, {}, {}, {}] })
  })
})

describe('texts and time', () => {
  it('are kept one by one, the rest stays', async () => {
    const { write, read, tenantId } = await company()
    const usual = await read()
    const reply = await write({ id: tenantId, ratingStore: 'Valeu!', ratingStoreTime: 7_200_000 })
    expect(reply.body).toMatchObject({ id: tenantId, ratingStore: 'Valeu!', ratingStoreTime: 7_200_000 })
    await write({ ratingStoreUse: 'disabled' })
    expect(await read()).toEqual({
      ...usual,
      ratingStore: 'Valeu!',
      ratingStoreTime: 7_200_000,
      ratingStoreUse: 'disabled',
    })
  })

  test.each([
    ['ratingStoreTime', 59_999],
    ['ratingStoreTime', 60_001],
    ['ratingStoreTime', 604_860_000],
    ['ratingStore', 'x'.repeat(1001)],
    ['ratingStoreUse', 'talvez'],
  ])('%s refuses %j', async (field, value) => {
    const { write } = await company()
    const reply = await write({ [field]: value })
    expect([reply.status, reply.body]).toMatchObject([400, { details: { [field]: expect.any(String) } }])
  })

  it('are an admin’s, and the company’s own', async () => {
    const { write, put, agent, m, tenantId } = await company()
    expect((await write({ ratingStore: 'x' }, tenantId, agent)).status).toBe(403)
    expect((await put(six, agent)).status).toBe(403)
    const foreign = await m.tenant()
    expect((await write({ ratingStore: 'x' }, foreign)).status).toBe(404)
    expect((await write({ id: foreign, ratingStore: 'x' })).status).toBe(404)
  })
})
