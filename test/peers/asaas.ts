import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

type Row = { id: string; [field: string]: unknown }

/** Key that the account accepts. */
export const ASAAS_KEY = '$aact_hmlg_000MzkwODA2MWY2OGM3MWRlMDU2NWM3MzJlNzZmNGZhZGY6OjAwMDA'

const refused = (code: string, description: string) => ({ errors: [{ code, description }] })

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text ? JSON.parse(text) : {}
}

/** Starts an Asaas account (API v3): customers, subscriptions with their first payment, payments, webhooks. */
export async function startAsaas() {
  const tables = {
    customers: [] as Row[],
    subscriptions: [] as Row[],
    payments: [] as Row[],
    webhooks: [] as Row[],
  }
  const state = {
    key: ASAAS_KEY,
    /** Responses to the next requests in place of the account's own. */
    failures: [] as { status: number; body?: object }[],
    /** Waits before the next list of payments is answered. */
    hold: null as Promise<void> | null,
  }
  const asked: { method: string; path: string; query: URLSearchParams; body: Record<string, unknown> }[] = []
  let last = 0
  const newId = (prefix: string) => `${prefix}_${String(++last).padStart(12, '0')}`

  /** Adds a payment as Asaas writes one. */
  function pay(customer: string, given: Partial<Row> = {}): Row {
    const id = newId('pay')
    const payment = {
      ...{ object: 'payment', id, dateCreated: '2026-11-01', customer, subscription: null, paymentLink: null },
      ...{ value: 199.9, netValue: 198.91, originalValue: null, interestValue: null, description: 'Guichê' },
      ...{ billingType: 'UNDEFINED', status: 'PENDING', dueDate: '2026-12-10', originalDueDate: '2026-12-10' },
      ...{ paymentDate: null, clientPaymentDate: null, installmentNumber: null, deleted: false },
      ...{ invoiceUrl: `https://sandbox.asaas.com/i/${id}`, invoiceNumber: '02417085', externalReference: null },
      ...{ bankSlipUrl: `https://sandbox.asaas.com/b/pdf/${id}`, anticipated: false, postalService: false },
      ...given,
    }
    tables.payments.push(payment)
    return payment
  }

  function create(table: keyof typeof tables, body: Record<string, unknown>): [number, object] {
    if (table === 'customers') {
      if (!body['cpfCnpj']) return [400, refused('invalid_cpfCnpj', 'O CPF/CNPJ informado é inválido.')]
      const row = { object: 'customer', id: newId('cus'), deleted: false, ...body }
      tables.customers.push(row)
      return [200, row]
    }
    if (table === 'subscriptions') {
      const customer = String(body['customer'])
      if (!tables.customers.some(({ id }) => id === customer))
        return [400, refused('invalid_customer', 'Customer inválido ou não informado.')]
      const row = { object: 'subscription', id: newId('sub'), status: 'ACTIVE', deleted: false, ...body }
      tables.subscriptions.push(row)
      pay(customer, { subscription: row.id, value: body['value'], dueDate: body['nextDueDate'] })
      return [200, row]
    }
    const row = { id: newId('web'), ...body }
    tables[table].push(row)
    return [200, row]
  }

  function listOf(table: keyof typeof tables, query: URLSearchParams): object {
    const [limit, offset] = [Number(query.get('limit') ?? 10), Number(query.get('offset') ?? 0)]
    const filters = ['customer', 'cpfCnpj', 'externalReference'].filter((name) => query.has(name))
    const found = tables[table].filter((row) => filters.every((name) => row[name] === query.get(name)))
    const data = found.slice(offset, offset + limit)
    return { object: 'list', hasMore: offset + limit < found.length, totalCount: found.length, limit, offset, data }
  }

  function remove(table: keyof typeof tables, id: string): [number, object] {
    const row = tables[table].find((one) => one.id === id && one['deleted'] !== true)
    if (!row) return [404, {}]
    row['deleted'] = true
    for (const one of tables.payments)
      if (one['subscription'] === id && one['status'] === 'PENDING') one['deleted'] = true
    return [200, { deleted: true, id }]
  }

  async function answer(request: IncomingMessage): Promise<[number, object]> {
    const url = new URL(request.url ?? '/', 'http://asaas')
    const [, table = '', id] = url.pathname.split('/')
    const body = await bodyOf(request)
    asked.push({ method: request.method ?? '', path: url.pathname, query: url.searchParams, body })
    const failure = state.failures.shift()
    if (failure) return [failure.status, failure.body ?? {}]
    if (!request.headers['user-agent']) return [403, {}]
    if (request.headers['access_token'] !== state.key)
      return [401, refused('invalid_access_token', 'A chave de API informada é inválida')]
    if (!(table in tables)) return [404, {}]
    const name = table as keyof typeof tables
    if (request.method === 'POST') return create(name, body)
    if (request.method === 'DELETE') return remove(name, id ?? '')
    if (request.method === 'PUT') {
      const row = tables[name].find((one) => one.id === id)
      return row ? [200, Object.assign(row, body)] : [404, {}]
    }
    if (id) {
      const row = tables[name].find((one) => one.id === id)
      return row ? [200, row] : [404, {}]
    }
    if (name === 'payments') await state.hold
    return [200, listOf(name, url.searchParams)]
  }

  const server = createServer((request, reply) => {
    void answer(request).then(([status, body]) =>
      reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...tables,
    state,
    asked,
    pay,
    /** Returns the event that Asaas sends about a payment. */
    eventOf: (payment: Row, event = 'PAYMENT_OVERDUE') => ({
      id: `evt_05b708f961d739ea7eba7e4db318f621&${++last}`,
      event,
      dateCreated: '2026-12-01 10:00:00',
      account: { id: 'a1b2', ownerId: null },
      payment,
    }),
    close: () => new Promise<unknown>((resolve) => server.close(resolve)),
  }
}
