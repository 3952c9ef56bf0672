import { type RawBuilder, sql } from 'kysely'
import type { Profile } from '#domain/access/profiles.ts'
import type { CallInput, Operation } from '#kit/contract.ts'
import { make, type Person } from './make.ts'
import { testChannel } from './peers/channel.ts'
import { call, type Product } from './server.ts'

/** Company whose lead makes macros and rules: two queues with a person each, two tags, a connection; and a stranger. */
export async function automatingCompany(product: Product, leads: Profile) {
  const m = make(product.platform)
  const channel = testChannel(product.platform)
  const tenantId = await m.tenant()
  const connectionId = await m.connection(tenantId, { type: 'test' })
  const [sales, money] = [await m.queue(tenantId), await m.queue(tenantId)]
  const vip = await m.tag(tenantId, { tag: 'VIP' })
  const late = await m.tag(tenantId, { tag: 'Atrasado' })
  const lead = await m.person(tenantId, { profile: leads, name: 'Léa' })
  const ana = await m.person(tenantId, { name: 'Ana', queues: [sales] })
  const bia = await m.person(tenantId, { name: 'Bia', queues: [money] })
  const stranger = await m.person(await m.tenant(), { profile: 'admin' })
  return { channel, tenantId, connectionId, sales, money, vip, late, lead, ana, bia, stranger }
}

/** Helpers for such a company, whose values the tests have once it was created. */
export function automating(product: () => Product, company: () => Awaited<ReturnType<typeof automatingCompany>>) {
  const m = () => make(product().platform)
  return {
    m,
    async ask<T, O extends Operation = Operation>(who: Person, op: O, input: Partial<CallInput<O>> = {}) {
      const { status, body } = await call(product(), op, who.token, input)
      return { status, body } as unknown as {
        status: number
        body: T & { error: string; details: Record<string, string> }
      }
    },
    rows: <T>(statement: RawBuilder<T>): Promise<T[]> =>
      product().platform.db.read(company().tenantId, async (db) => (await statement.execute(db)).rows),
    /** Creates an open ticket of Ana's in her queue. */
    async openOf(row: object = {}): Promise<number> {
      const { tenantId, connectionId, ana, sales } = company()
      return m().ticket(tenantId, {
        ...{ status: 'open', user_id: ana.id, queue_id: sales, connection_id: connectionId, channel: 'test' },
        ...{ contact_id: await m().contact(tenantId, { name: 'Marlene Dias' }), ...row },
      })
    },
    stageOf: (name: string, position: number) =>
      m().insert('stages', company().tenantId, { name, color: '#3F9A4D', position }),
    /** Deletes what lists of actions name. */
    forget: (what: { tag: number; queue: number; user?: number }) =>
      product().platform.db.write(company().tenantId, async (db) => {
        await sql`delete from tags where id = ${what.tag}`.execute(db)
        await sql`delete from queues where id = ${what.queue}`.execute(db)
        await sql`update users set is_active = false where id = ${what.user ?? null}`.execute(db)
      }),
  }
}
