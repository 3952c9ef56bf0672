import { parseJson, readOutside } from '#kit/outside.ts'
import { type MakePaymentsAdapter, PaymentsFailure } from '../port.ts'
import { isSandboxKey } from './config.ts'
import { listed, readItem, readPayment, refusalOf } from './payload.ts'

const PRODUCTION = 'https://api.asaas.com/v3'
const SANDBOX = 'https://api-sandbox.asaas.com/v3'
const PAGE = 100
/** Maximum number of pages of a list, so that one that never ends ends. */
const MOST_PAGES = 100

// What may change whether a payment is open, and nothing else: one refused event holds up all that follow.
const EVENTS = [
  ...['PAYMENT_CREATED', 'PAYMENT_UPDATED', 'PAYMENT_CONFIRMED', 'PAYMENT_RECEIVED', 'PAYMENT_OVERDUE'],
  ...['PAYMENT_DELETED', 'PAYMENT_RESTORED', 'PAYMENT_REFUNDED', 'PAYMENT_RECEIVED_IN_CASH_UNDONE'],
  ...['PAYMENT_CHARGEBACK_REQUESTED', 'PAYMENT_DUNNING_RECEIVED', 'PAYMENT_DUNNING_REQUESTED'],
]

type Call = { readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'; readonly json?: object }
type Query = Readonly<Record<string, string>>

async function read(response: Response): Promise<unknown> {
  try {
    return parseJson(await response.text())
  } catch {
    return {}
  }
}

function failureOf(status: number, given: unknown): PaymentsFailure {
  if (status === 401) return new PaymentsFailure('setup', 'O Asaas não aceitou a chave de API. Confira-a.')
  if (status === 403) return new PaymentsFailure('setup', 'O Asaas não deixa esta conta usar a API.')
  if (status === 429 || status >= 500) return new PaymentsFailure('later', 'O Asaas pede para esperar.')
  return new PaymentsFailure('refused', refusalOf(given) || `O Asaas não aceitou os dados (${status}).`)
}

const unreadable = () => new PaymentsFailure('later', 'O Asaas respondeu o que não dá para ler.')

/** Adapter of an Asaas account (API v3). */
export const asaasAdapter: MakePaymentsAdapter = (values, { fetch, environment }) => {
  const key = String(values['asaasToken'] ?? '').trim()
  const base = (environment['ASAAS_URL'] ?? (isSandboxKey(key) ? SANDBOX : PRODUCTION)).replace(/\/$/, '')

  async function send(path: string, { method = 'GET', json }: Call = {}) {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: {
        ...{ access_token: key, accept: 'application/json', 'user-agent': 'Guiche' },
        ...(json ? { 'content-type': 'application/json' } : {}),
      },
      ...(json ? { body: JSON.stringify(json) } : {}),
    }).catch(() => {
      throw new PaymentsFailure('later', 'O Asaas não respondeu.')
    })
    return { status: response.status, isOk: response.ok, given: await read(response) }
  }
  async function call(path: string, of?: Call): Promise<unknown> {
    const { status, isOk, given } = await send(path, of)
    if (!isOk) throw failureOf(status, given)
    return given
  }
  /** Returns a page of a list; one that cannot be read is not an empty one. */
  async function pageOf(path: string, query: Query) {
    const { data, hasMore } = readOutside(listed, await call(`${path}?${new URLSearchParams(query)}`))?.data ?? {}
    if (!data) throw unreadable()
    return { data, hasMore }
  }

  async function all(path: string, query: Query): Promise<unknown[]> {
    const found: unknown[] = []
    for (let page = 0; page < MOST_PAGES; page++) {
      const { data, hasMore } = await pageOf(path, {
        ...query,
        limit: String(PAGE),
        offset: String(page * PAGE),
      })
      found.push(...data)
      if (!hasMore || data.length === 0) break
    }
    return found
  }
  const items = async (path: string, query: Query) => (await all(path, query)).flatMap((one) => readItem(one) ?? [])
  async function made(path: string, json: object): Promise<string> {
    const item = readItem(await call(path, { method: 'POST', json }))
    if (!item) throw unreadable()
    return item.id
  }

  return {
    async check() {
      await pageOf('/customers', { limit: '1' })
    },
    async saveWebhook({ url, token, email }) {
      const known = (await items('/webhooks', {})).find((one) => one.url === url)
      const json = {
        ...{ name: 'Guichê', url, email, enabled: true, interrupted: false, apiVersion: 3, authToken: token },
        ...{ sendType: 'SEQUENTIALLY', events: EVENTS },
      }
      await (known
        ? call(`/webhooks/${encodeURIComponent(known.id)}`, { method: 'PUT', json })
        : call('/webhooks', { method: 'POST', json }))
    },
    async findCustomers(document) {
      return (await items('/customers', { cpfCnpj: document })).map(({ id }) => id)
    },
    createCustomer: ({ name, document, email }) =>
      made('/customers', { name, cpfCnpj: document, ...(email ? { email } : {}) }),
    async findSubscription({ customerId: customer, reference: externalReference }) {
      const found = await items('/subscriptions', { customer, externalReference })
      return found.find(({ status }) => status === undefined || status === 'ACTIVE')?.id ?? null
    },
    async hasSubscription(id) {
      const { status, isOk, given } = await send(`/subscriptions/${encodeURIComponent(id)}`)
      if (!isOk && status !== 404) throw failureOf(status, given)
      return isOk
    },
    subscribe: ({ customerId: customer, reference: externalReference, value, dueDate, description }) =>
      made('/subscriptions', {
        ...{ customer, billingType: 'UNDEFINED', cycle: 'MONTHLY', nextDueDate: dueDate },
        ...{ value: Number(value), description, externalReference },
      }),
    async cancel(subscriptionId) {
      const { status, isOk, given } = await send(`/subscriptions/${encodeURIComponent(subscriptionId)}`, {
        method: 'DELETE',
      })
      if (!isOk && status !== 404) throw failureOf(status, given)
    },
    async payments(customer) {
      return (await all('/payments', { customer })).flatMap((one) => readPayment(one) ?? [])
    },
  }
}
