import pg from 'pg'
import { type ConnectionDetail, connections } from '#features/connections/contract.ts'
import { messages } from '#features/messages/contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import { journaled } from '#test/journaled.ts'
import { make } from '#test/make.ts'
import type { startStreamServer } from '#test/peers/stream-server.ts'
import { call, type Product } from '#test/server.ts'
import { until } from '#test/until.ts'

let counter = 0

async function asOwner<T>(at: Product, work: (owner: pg.Client) => Promise<T>): Promise<T> {
  const owner = new pg.Client({ connectionString: at.ownerUrl })
  await owner.connect()
  return work(owner).finally(() => owner.end())
}

/** Creates a company with one connection, not yet started, to a separate account at the channel `stream`. */
export async function streamCompany(
  at: Product,
  server: Awaited<ReturnType<typeof startStreamServer>>,
  values: object = {},
) {
  const m = make(at.platform)
  const tenant = await m.tenant()
  const admin = await m.user(tenant, { profile: 'admin' })
  const token = await m.token(admin)
  const account = `conta-${++counter}`
  const { body } = await call(at, connections.create, token, {
    body: { type: 'stream', name: 'Rio', config: { port: server.port, account, token: 'segredo', ...values } } as never,
  })
  const { id } = body as ConnectionDetail
  const row = () =>
    at.platform.db.read(tenant, (db) =>
      db.selectFrom('connections').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    )
  return {
    ...{ tenantId: tenant, admin, token, account, id, row },
    start: (body: { pairing?: string } = {}) => call(at, connections.start, token, { params: { id }, body }),
    renew: () => call(at, connections.renew, token, { params: { id } }),
    detail: async () => (await call(at, connections.get, token, { params: { id } })).body as ConnectionDetail,
    end: () => call(at, connections.end, token, { params: { id } }),
    update: (form: object) =>
      call(at, connections.update, token, {
        params: { id },
        body: { name: 'Rio', config: { port: server.port, account, token: '••••', ...values }, ...form } as never,
      }),
    is: (status: string, ms = 10_000) => until(async () => (await row()).status === status, ms),
    journal: () => at.platform.db.read(tenant, journaled),
    /** Returns the process that holds the connection; null or undefined if there is none. */
    holder: () =>
      at.platform.db.read(tenant, async (db) => {
        const lease = db.selectFrom('connection_leases').select('holder').where('connection_id', '=', id)
        return (await lease.executeTakeFirst())?.holder
      }),
    /** Number of sends that wait in the queue. */
    jobs: () =>
      asOwner(at, async (owner) => {
        const { rows } = await owner.query<{ n: number }>(
          'select count(*)::int as n from graphile_worker._private_jobs where key like $1',
          [`send:${tenant}:%`],
        )
        return rows[0]!.n
      }),
    /** The administrator's address. */
    email: async () =>
      (
        await at.platform.db.read(tenant, (db) =>
          db.selectFrom('users').select('email').where('id', '=', admin.id).executeTakeFirstOrThrow(),
        )
      ).email,
    /** Opens a ticket that an agent attends. */
    async ticket(from: string) {
      server.write(account, from, 'Oi')
      const find = () =>
        at.platform.db.read(tenant, (db) =>
          db.selectFrom('tickets').select('id').where('conversation_key', '=', from).executeTakeFirst(),
        )
      await until(async () => (await find()) !== undefined)
      const { id: ticketId } = (await find())!
      await call(at, tickets.update, token, { params: { id: ticketId }, body: { status: 'open', userId: admin.id } })
      return ticketId
    },
    reply: (ticketId: number, body: string) =>
      call(at, messages.send, token, { params: { ticketId }, body: { body, idFront: crypto.randomUUID() } as never }),
    sent: () => server.sent.filter((one) => one.account === account).map(({ text }) => text),
    statuses: () =>
      at.platform.db.read(tenant, (db) =>
        db.selectFrom('messages').select('status').where('from_me', '=', true).orderBy('seq').execute(),
      ),
  }
}
