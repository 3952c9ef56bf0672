import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { plans, signup } from '#features/signup/contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import { users } from '#features/users/contract.ts'
import { make, PASSWORD } from '#test/make.ts'
import { ASAAS_KEY, startAsaas } from '#test/peers/asaas.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { billing } from './contract.ts'
import { readOutstanding } from './server/index.ts'
import { findBilled } from './server/queries.ts'

let shiftMs = 0
const product = withProduct({ now: () => new Date(Date.now() + shiftMs) })
const m = () => make(product().platform)
let asaas: Awaited<ReturnType<typeof startAsaas>>
let owner: string

beforeAll(async () => {
  asaas = await startAsaas()
  Object.assign(product().platform.env, { ASAAS_URL: asaas.url, PUBLIC_URL: 'https://guiche.exemplo.com' })
  owner = (await m().person(await m().tenant(), { profile: 'superadmin' })).token
})
afterAll(() => asaas.close())
beforeEach(() => {
  asaas.state.failures = []
  asaas.state.hold = null
  shiftMs = 0
})

const connect = (asaasToken = ASAAS_KEY) => call(product(), billing.saveAccount, owner, { body: { asaasToken } })
let last = 123_456_000
/** Another valid CPF. */
function newCpf(): string {
  const digit = (digits: string) => {
    const sum = [...digits].reduce((total, one, n) => total + Number(one) * (digits.length + 1 - n), 0)
    return String(((sum * 10) % 11) % 10)
  }
  const nine = String(++last)
  return `${nine}${digit(nine)}${digit(nine + digit(nine))}`
}

/** A company with a document, its administrator and an agent. */
async function company(document = newCpf()) {
  const tenantId = await m().tenant()
  await product().platform.db.asPlatform((db) =>
    db.updateTable('tenants').set({ identity: document }).where('id', '=', tenantId).execute(),
  )
  const admin = await m().person(tenantId, { profile: 'admin' })
  const agent = await m().person(tenantId, { profile: 'user' })
  const on = { params: { tenantId } }
  return {
    ...{ tenantId, admin, agent },
    start: (body: object = { value: '199.90', nextDueDate: '2026-12-10' }) =>
      call(product(), billing.start, owner, { ...on, body: body as never }),
    stop: () => call(product(), billing.stop, owner, on),
    refresh: () => call(product(), billing.refresh, owner, on),
    payments: (token = admin.token) => call(product(), billing.own, token),
    row: async () => {
      const { body } = await call(product(), billing.payments, owner, on)
      return body.company
    },
  }
}

const report = (event: unknown, token?: string) =>
  call(product(), billing.receive, null, {
    body: event as never,
    headers: token === undefined ? {} : { 'asaas-access-token': token },
  })
const webhookToken = () => String(asaas.webhooks.at(-1)!['authToken'])

describe('the account', () => {
  it('is stored once Asaas accepts its key, masked, with one webhook however often it is saved', async () => {
    const refused = await connect('$aact_hmlg_errada')
    expect(refused).toMatchObject({
      status: 422,
      body: { error: 'ERR_ASAAS_REFUSED', details: { reason: 'O Asaas não aceitou a chave de API. Confira-a.' } },
    })
    expect((await call(product(), billing.account, owner)).body.hint).toBeNull()
    expect((await (await company()).start()).body).toMatchObject({ error: 'ERR_ASAAS_ACCOUNT' })
    await connect()
    const { status, body } = await connect()
    expect([status, body]).toEqual([
      200,
      {
        hint: ASAAS_KEY.slice(-4),
        isSandbox: true,
        webhookUrl: 'https://guiche.exemplo.com/api/asaas/webhook',
        webhookProblem: null,
      },
    ])
    expect(asaas.webhooks).toHaveLength(1)
    expect(asaas.webhooks[0]).toMatchObject({ url: body.webhookUrl, enabled: true, interrupted: false, apiVersion: 3 })
    const { data } = await product().platform.db.asPlatform((db) =>
      db.selectFrom('installation').select('data').executeTakeFirstOrThrow(),
    )
    expect(JSON.stringify(data)).not.toContain(ASAAS_KEY)
    expect(JSON.stringify(data)).not.toContain(webhookToken())
  })

  it('is not replaced by another one while companies are charged by it', async () => {
    await connect()
    const one = await company()
    await one.start()
    const gone = asaas.subscriptions.pop()!
    expect((await connect()).body).toMatchObject({
      error: 'ERR_VALIDATION',
      details: { asaasToken: expect.stringMatching(/outra conta/) },
    })
    asaas.subscriptions.push(gone)
    expect((await connect()).status).toBe(200)
  })

  it('says why Asaas cannot report payments', async () => {
    product().platform.env.PUBLIC_URL = 'http://localhost:3000'
    expect((await connect()).body.webhookProblem).toMatch(/PUBLIC_URL/)
    product().platform.env.PUBLIC_URL = 'https://guiche.exemplo.com'
    asaas.state.failures = [
      { status: 200, body: { data: [] } },
      { status: 200, body: { id: 'sub_1' } },
      { status: 200, body: { data: [] } },
      { status: 400, body: { errors: [{ code: 'invalid_url', description: 'A URL não responde.' }] } },
    ]
    expect((await connect()).body.webhookProblem).toBe('A URL não responde.')
    expect((await connect()).body.webhookProblem).toBeNull()
  })
})

describe('a company', () => {
  it('is charged every month from its due date, once, by twenty who ask at the same time', async () => {
    await connect()
    const one = await company()
    const replies = await Promise.all(Array.from({ length: 20 }, () => one.start()))
    expect(replies.map(({ status }) => status).filter((status) => status !== 409)).toEqual([200])
    const { customerId } = await one.row()
    expect(asaas.customers.filter(({ id }) => id === customerId)).toHaveLength(1)
    expect(asaas.subscriptions.filter((row) => row['customer'] === customerId)).toMatchObject([
      { billingType: 'UNDEFINED', cycle: 'MONTHLY', value: 199.9, nextDueDate: '2026-12-10' },
    ])
    expect((await one.payments()).body).toMatchObject({
      count: 1,
      data: [
        { status: 'PENDING', value: '199.90', dueDate: '2026-12-10', invoiceUrl: expect.stringMatching(/^https/) },
      ],
    })
    expect((await one.row()).next).toEqual({ dueDate: '2026-12-10', value: '199.90' })
  })

  it('continues a start that was cut off, with the customer and the subscription that there are', async () => {
    await connect()
    const one = await company()
    const before = asaas.customers.length
    asaas.state.failures = [
      { status: 200, body: { data: [] } },
      { status: 200, body: { id: 'cus_x' } },
      { status: 500 },
    ]
    expect(await one.start()).toMatchObject({ status: 503, body: { error: 'ERR_ASAAS_LATER' } })
    expect((await one.row()).billedSince).toBeNull()
    expect((await one.start()).status).toBe(200)
    await one.stop()
    expect((await one.start()).status).toBe(200)
    expect(asaas.customers.length).toBe(before + 1)
  })

  it('needs a document, is not the one that runs the installation, and hears what Asaas says', async () => {
    await connect()
    expect((await (await company('loja da esquina')).start()).body).toMatchObject({
      error: 'ERR_VALIDATION',
      details: { identity: expect.stringMatching(/CPF ou CNPJ/) },
    })
    const on = (tenantId: number) =>
      call(product(), billing.start, owner, { params: { tenantId }, body: { value: '1', nextDueDate: '2026-12-10' } })
    expect((await on(1)).body).toMatchObject({ error: 'ERR_VALIDATION' })
    expect((await on(2 ** 40)).status).toBe(404)
    const one = await company()
    for (const body of [
      { value: '0', nextDueDate: '2026-12-10' },
      { value: '9,90' },
      { value: '5', nextDueDate: 'já' },
    ])
      expect((await one.start(body)).status).toBe(400)
    asaas.state.failures = [{ status: 400, body: { errors: [{ code: 'x', description: 'CNPJ baixado.' }, null] } }]
    expect((await one.start()).body).toMatchObject({ details: { reason: 'CNPJ baixado.' } })
  })
})

it('signing up begins billing by the plan’s price at the end of the trial; a plan without a price does not', async () => {
  await connect()
  await call(product(), plans.open, owner, { body: { isOpen: true } })
  const join = async (changes: object) => {
    const form = {
      ...{ name: `Plano ${++last}`, value: '149.90', connections: 3, users: 2, isActive: true },
      ...{ trial: true, trialPeriod: 7, ...changes },
    }
    const { body: plan } = await call(product(), plans.create, owner, { body: form })
    const [cpfCnpj, email] = [newCpf(), `dona${last}@pao.test`]
    const person = { name: 'Padaria Nova', cpfCnpj, email, mobilePhone: '(11) 98765-4321', password: PASSWORD }
    const reply = await call(product(), signup.create, null, { body: { ...person, planId: plan.id } })
    expect(reply.status).toBe(200)
    // Plans are the installation's: later files count those on offer.
    await call(product(), plans.update, owner, { params: { id: plan.id }, body: { ...form, isActive: false } })
    return async () => asaas.customers.find((one) => one['cpfCnpj'] === cpfCnpj)
  }
  const free = await join({ value: '0' })
  const paying = await join({})
  await until(async () => asaas.subscriptions.some((row) => row['value'] === 149.9))
  const due = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10)
  expect(asaas.subscriptions.at(-1)).toMatchObject({ customer: (await paying())!.id, nextDueDate: due })
  expect(await free()).toBeUndefined()
  await call(product(), plans.open, owner, { body: { isOpen: false } })
})

describe('an overdue payment', () => {
  it('locks the company at once and the payment unlocks it, whatever the order of the reports', async () => {
    await connect()
    const one = await company()
    await one.start()
    const payment = asaas.payments.at(-1)!
    const list = (token: string) => call(product(), tickets.list, token)
    expect((await list(one.agent.token)).status).toBe(200)
    payment['status'] = 'OVERDUE'
    expect((await report(asaas.eventOf(payment))).status).toBe(403)
    expect((await report(asaas.eventOf(payment), 'errado')).status).toBe(403)
    expect(await report(asaas.eventOf(payment), webhookToken())).toMatchObject({ status: 200 })
    await until(async () => (await one.row()).overdueSince === '2026-12-10')
    for (const { token } of [one.agent, one.admin])
      expect(await list(token)).toMatchObject({ status: 402, body: { error: 'ERR_ASAAS_OVERDUE' } })
    // What is left: their own account, and for administrators the payments.
    const me = await call(product(), users.get, one.agent.token, { params: { id: one.agent.id } })
    expect(me.body).toMatchObject({ permissions: [], settings: { overdue: 'enabled' } })
    expect((await one.payments()).body.data).toMatchObject([{ status: 'OVERDUE' }])
    expect((await one.payments(one.agent.token)).status).toBe(403)
    payment['status'] = 'RECEIVED'
    payment['clientPaymentDate'] = '2026-12-12'
    // The report is of before: it is the account that counts.
    await report(asaas.eventOf({ ...payment, status: 'OVERDUE' }), webhookToken())
    await until(async () => (await list(one.agent.token)).status === 200)
    expect((await one.payments()).body.data).toMatchObject([{ status: 'RECEIVED', paidAt: '2026-12-12' }])
  })

  it('is found without a report, and neither an older reading nor a failed one changes what is known', async () => {
    await connect()
    const one = await company()
    await one.start()
    const payment = asaas.payments.at(-1)!
    const { promise, resolve } = Promise.withResolvers<void>()
    asaas.state.hold = promise
    const before = asaas.asked.length
    const early = one.refresh()
    await until(() => asaas.asked.length > before)
    asaas.state.hold = null
    payment['status'] = 'OVERDUE'
    shiftMs = 3_700_000
    await readOutstanding(product().platform)
    const isOverdue = async () =>
      (await product().platform.db.asPlatform((db) => findBilled(db, one.tenantId)))!.overdue_since !== null
    await until(isOverdue)
    shiftMs = 0
    payment['status'] = 'PENDING'
    resolve()
    await early
    expect((await one.row()).overdueSince).toBe('2026-12-10')
    asaas.state.failures = [{ status: 200, body: { data: null, hasMore: true } }]
    expect(await one.refresh()).toMatchObject({ status: 503 })
    asaas.state.failures = [{ status: 502 }]
    expect(await one.refresh()).toMatchObject({ status: 503 })
    asaas.state.failures = [{ status: 401 }]
    expect(await one.refresh()).toMatchObject({ status: 422 })
    expect((await one.row()).overdueSince).toBe('2026-12-10')
  })

  it('locks nobody once the company is no longer charged, whose open payments end at Asaas', async () => {
    await connect()
    const one = await company()
    await one.start()
    asaas.payments.at(-1)!['status'] = 'OVERDUE'
    await one.refresh()
    expect((await call(product(), tickets.list, one.admin.token)).status).toBe(402)
    expect((await one.stop()).body).toMatchObject({ billedSince: null, overdueSince: null })
    expect((await call(product(), tickets.list, one.admin.token)).status).toBe(200)
    expect(asaas.subscriptions.at(-1)).toMatchObject({ deleted: true })
    expect((await one.stop()).status).toBe(200)
  })
})

describe('what the account is told', () => {
  it.each([
    ['nothing', {}],
    ['null everywhere', { id: null, event: null, payment: null }],
    ['a payment without a customer', { event: 'PAYMENT_OVERDUE', payment: { id: 'pay_1', customer: null } }],
    ['an unknown kind of an unknown customer', { event: 'NEW_THING', payment: { customer: 'cus_unknown' } }],
    ['a customer as a record', { event: 'PAYMENT_CREATED', payment: { customer: { id: 'cus_unknown' } } }],
    ['a customer with hostile text', { payment: { customer: "'; drop table tenants; --\u0000" } }],
  ])('%s is accepted and changes nothing', async (_, event) => {
    await connect()
    expect((await report(event, webhookToken())).status).toBe(200)
  })

  it('is read by the company’s own administrator alone, and by the superadmin', async () => {
    await connect()
    const [one, other] = [await company(), await company()]
    await one.start()
    expect((await one.payments()).body).toMatchObject({ count: 1, company: { tenantId: one.tenantId } })
    expect((await other.payments()).body).toMatchObject({ count: 0, company: { tenantId: other.tenantId } })
    expect((await call(product(), billing.refreshOwn, other.admin.token)).body.tenantId).toBe(other.tenantId)
    for (const op of [billing.own, billing.refreshOwn])
      expect((await call(product(), op, one.agent.token)).status).toBe(403)
    for (const op of [billing.companies, billing.account])
      expect((await call(product(), op, one.admin.token)).status).toBe(403)
  })
})
