import { describe, expect, it } from 'vitest'
import { auth } from '#features/auth/contract.ts'
import { messages } from '#features/conversations/messages-contract.ts'
import { tickets } from '#features/conversations/tickets-contract.ts'
import { call, withProduct } from '#test/server.ts'
import { seedDemo } from './seed.ts'

const product = withProduct()

describe('the demo', () => {
  it('fills an empty installation once, and refuses a filled one', async () => {
    expect(await seedDemo(product().platform)).toBe(true)
    expect(await seedDemo(product().platform)).toBe(false)
  }, 60_000)

  it.each(['superadmin', 'admin', 'supervisor', 'ana', 'bia'])(
    'lets %s@demo.test in, who sees tickets with files that open',
    async (name) => {
      const { body } = await call(product(), auth.login, null, {
        body: { email: `${name}@demo.test`, password: 'Demo!2026' },
      })
      const { token } = body as { token: string }
      const page = (await call(product(), tickets.list, token, { query: { tab: 'open' } })).body as {
        tickets: { id: number; name: string }[]
      }
      expect(page.tickets.length).toBeGreaterThan(0)
      const first = (
        await call(product(), messages.list, token, {
          params: { ticketId: page.tickets[0]!.id },
        })
      ).body as { messages: { body: string }[] }
      expect(first.messages.length).toBeGreaterThan(0)
    },
  )

  it('keeps the second company apart', async () => {
    const { body } = await call(product(), auth.login, null, {
      body: { email: 'admin@outra.test', password: 'Demo!2026' },
    })
    const { token, tenantId } = body as { token: string; tenantId: number }
    const page = (await call(product(), tickets.list, token, { query: { showAll: true } })).body as {
      tickets: { id: number }[]
    }
    const ids = new Set(page.tickets.map((ticket) => ticket.id))
    const foreign = await product().platform.db.asPlatform((db) =>
      db.selectFrom('tickets').select('id').where('tenant_id', '!=', tenantId).execute(),
    )
    expect(foreign.some((ticket) => ids.has(ticket.id))).toBe(false)
    expect((await call(product(), tickets.get, token, { params: { id: foreign[0]!.id } })).status).toBe(404)
  })
})
