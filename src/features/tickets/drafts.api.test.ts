import { beforeAll, expect, test } from 'vitest'
import type { Change } from '#server/realtime/audience.ts'
import { make } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { tickets } from './contract.ts'

const product = withProduct()
const m = () => make(product().platform)
let tenantId: number
let ana: string
let anaId: number

beforeAll(async () => {
  tenantId = await m().tenant()
  const user = await m().user(tenantId, { name: 'Ana', profile: 'admin' })
  anaId = user.id
  ana = await m().token(user)
})

const put = (id: number, body: string, revision?: number, more: object = {}) =>
  call(product(), tickets.draft, ana, {
    params: { id },
    body: { body, ...(revision === undefined ? {} : { revision }), ...more },
  })
const read = async (id: number) => (await call(product(), tickets.getDraft, ana, { params: { id } })).body
const talk = () => m().ticket(tenantId, { user_id: anaId })

test('an older version never comes over a newer one, and both are told', async () => {
  const id = await talk()
  expect(await put(id, 'do celular', 0)).toMatchObject({ status: 200, body: { revision: 1 } })
  expect(await put(id, 'do celular, mais', 1)).toMatchObject({ status: 200, body: { revision: 2 } })
  expect(await put(id, 'da mesa', 1)).toMatchObject({
    status: 409,
    body: { error: 'ERR_DRAFT_CHANGED', details: { draft: { body: 'do celular, mais', revision: 2 } } },
  })
  expect(await read(id)).toMatchObject({ body: 'do celular, mais', revision: 2 })
  // A repeat after a lost response creates no new revision.
  expect(await put(id, 'do celular, mais', 1)).toMatchObject({ status: 200, body: { revision: 2 } })
  expect(await put(id, 'da mesa', 2)).toMatchObject({ status: 200, body: { revision: 3 } })
})

test('what was sent or emptied does not come back from a device that was away', async () => {
  const id = await talk()
  await put(id, 'Já respondo', 0)
  expect(await put(id, ' \n', 1)).toMatchObject({ body: { body: '', revision: 2 } })
  expect(await put(id, 'Já respondo.', 1)).toMatchObject({ status: 409, body: { details: { draft: { body: '' } } } })
  expect(await read(id)).toMatchObject({ body: '', revision: 2 })
  // A client without a revision overwrites nothing.
  expect(await put(id, 'Outra coisa', 0)).toMatchObject({ status: 200, body: { revision: 3 } })
  expect((await put(id, 'Mais uma', 0)).status).toBe(409)
})

test('of twenty devices that begin at once one writes', async () => {
  const id = await talk()
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => put(id, `aparelho ${n}`, 0)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)])
  expect(await read(id)).toMatchObject({ revision: 1 })
})

test('a draft keeps the message that it answers, of its own conversation alone, and is told to its writer alone', async () => {
  const [id, other] = [await talk(), await talk()]
  const said = await m().message(tenantId, id, { body: 'Qual o prazo?' })
  const elsewhere = await m().message(tenantId, other, {})
  expect(await put(id, 'Dez', 0, { quotedMsgId: elsewhere })).toMatchObject({ status: 404 })
  const told: Change[] = []
  const stop = product().platform.bus.subscribe((_, changes) => void told.push(...changes))
  expect(await put(id, 'Dez dias', 0, { quotedMsgId: said })).toMatchObject({
    body: { quotedMsg: { id: said, body: 'Qual o prazo?', fromMe: false } },
  })
  stop()
  expect(told).toMatchObject([
    {
      type: 'ticket:draft',
      payload: { id, revision: 1, draft: 'Dez dias' },
      audience: { kind: 'users', ids: [anaId] },
    },
  ])
  expect(await read(id)).toMatchObject({ body: 'Dez dias', quotedMsg: { id: said } })
})

test.each([
  [{ body: 'x'.repeat(20_001) }, 400],
  [{ body: 'x'.repeat(20_000) }, 200],
  [{ body: 'x', revision: -1 }, 400],
  [{ body: 'x', revision: 2 ** 31 }, 400],
  [{ body: 'x', quotedMsgId: 'não' }, 400],
  [{ body: 'x', quotedMsgId: '01900000-0000-7000-8000-000000000000' }, 404],
])('%j is answered %i', async (body, status) => {
  const answer = await call(product(), tickets.draft, ana, { params: { id: await talk() }, body: body })
  expect(answer.status).toBe(status)
})
