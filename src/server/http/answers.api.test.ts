import { expect, test } from 'vitest'
import { z } from 'zod'
import { messages } from '#features/messages/contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import { addresses } from '#kit/addresses.ts'
import { contract } from '#kit/contract.ts'
import { hidden } from '#kit/hidden.ts'
import { make } from '#test/make.ts'
import { roundTripsOf } from '#test/round-trips.ts'
import { call, ownProduct } from '#test/server.ts'
import { implement } from './route.ts'

const at = addresses('customers', { list: { method: 'GET', path: '/sampled-customers', can: 'session' } })
const customers = contract(at, {
  list: { summary: '', sampled: true, returns: z.object({ name: hidden(z.string(), () => '•••') }) },
})
// A handler must not return the stored row.
const routes = implement(customers, { list: () => ({ name: 'Sigilo', password: 'Sigilo' }) })
const product = ownProduct('has a feature of its own', {
  every: 1000,
  more: { feature: { name: 'customers', routes }, migration: 'select' },
})

async function people() {
  const m = make(product().platform)
  const tenantId = await m.tenant()
  const [admin, restricted] = [await m.user(tenantId, { profile: 'admin' }), await m.user(tenantId)]
  await product().platform.db.asPlatform((db) =>
    db.updateTable('users').set({ restricted_user: true }).where('id', '=', restricted.id).execute(),
  )
  return { m, tenantId, admin: await m.token(admin), restricted: await m.token(restricted) }
}

test('a wrong answer is found in operation and mended; whoever reads masked gets none, sample or not', async () => {
  const { admin, restricted } = await people()
  const ask = async (token: string) => (await call(product(), customers.list, token)).body
  expect(await ask(admin)).toEqual({ name: 'Sigilo' })
  expect(product().platform.answers.unlike.get('customers.list')).toBe(1)
  const metrics = await (await fetch(`${product().address}/metrics`)).text()
  expect(metrics).toContain('answers_unlike_contract_total{operation="customers.list"} 1')
  for (let time = 0; time < 3; time++) expect(await ask(restricted)).toEqual({ name: '•••' })
})

test('the list of tickets is masked for restricted people where it is parsed for nobody else', async () => {
  const { m, tenantId, admin, restricted } = await people()
  const contactId = await m.contact(tenantId, { name: 'Fulano Sigilo', number: '5527998877665' })
  await m.ticket(tenantId, { contact_id: contactId, status: 'pending' })
  const ask = async (token: string) => (await call(product(), tickets.list, token, { query: {} })).body
  const [parsed, asItIs] = [await ask(admin), await ask(admin)]
  expect(asItIs).toEqual(parsed)
  expect(JSON.stringify(asItIs)).toContain('Fulano Sigilo')
  const masked = await ask(restricted)
  expect(masked.tickets).toHaveLength(1)
  expect(JSON.stringify(masked)).not.toMatch(/Sigilo|998877665/)
  expect([...product().platform.answers.unlike.keys()]).not.toContain('tickets.list')
})

test('a page of tickets and a page of messages are one statement each, a search two', async () => {
  const { m, tenantId, admin } = await people()
  const contactId = await m.contact(tenantId, { name: 'Fulana' })
  const ticketId = await m.ticket(tenantId, { contact_id: contactId, status: 'pending' })
  await m.message(tenantId, ticketId)
  const page = { query: { showAll: true } }
  const found = { query: { showAll: true, searchParam: 'fulana' } }
  const ask = async () => {
    const trips = async (op: typeof tickets.list | typeof messages.list, input: object) => {
      let status = 0
      const asked = await roundTripsOf(product(), async () => {
        status = (await call(product(), op, admin, input)).status
      })
      expect(status).toBe(200)
      return asked.flat().length
    }
    const chat = { params: { ticketId } }
    return [await trips(tickets.list, page), await trips(messages.list, chat), await trips(tickets.list, found)]
  }
  // Actor and connection are cached after the first request.
  await ask()
  // Background work of the product only adds to the count.
  const rounds: number[][] = []
  for (let round = 0; round < 8; round++) rounds.push(await ask())
  expect([0, 1, 2].map((at) => Math.min(...rounds.map((round) => round[at]!)))).toEqual([1, 1, 2])
})
