import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect } from 'vitest'
import { tickets } from '#features/tickets/contract.ts'
import type { ChannelConfig } from '#providers/channels/configs.ts'
import { make } from '#test/make.ts'
import { call, type Product } from '#test/server.ts'
import { until } from '#test/until.ts'
import type { ContactEnd, OpenContactEnd, Recorded } from './contact-end.ts'

/** One conversation on a channel: the contact at one end, an agent at the other. */
export type World = {
  product: Product
  tenantId: number
  token: string
  adminId: number
  ticketId: number
  conversationKey: string
  end: ContactEnd
  config: ChannelConfig
  fixtures: Readonly<Record<string, Recorded>>
  /** Time-out of each wait, in ms. */
  patienceMs: number
}

/** The recorded payloads of a channel, by the kind of message. */
export const recordedIn = (folder: string): Readonly<Record<string, Recorded>> =>
  Object.fromEntries(
    readdirSync(join(folder, 'fixtures')).map((file) => [
      basename(file, '.json'),
      JSON.parse(readFileSync(join(folder, 'fixtures', file), 'utf8')) as Recorded,
    ]),
  )

/** Creates a company, connects a contact, receives their first message, and gives the conversation to the administrator. */
export async function worldOf(
  product: Product,
  config: ChannelConfig,
  folder: string,
  open: OpenContactEnd,
): Promise<World> {
  const m = make(product.platform)
  const tenantId = await m.tenant()
  const admin = await m.user(tenantId, { profile: 'admin' })
  const token = await m.token(admin)
  const fixtures = recordedIn(folder)
  const end = await open(product, { tenantId, adminId: admin.id, token })
  await end.write(fixtures['text']!)
  const ticket = () =>
    product.platform.db.read(tenantId, (db) =>
      db.selectFrom('tickets').select(['id', 'conversation_key']).executeTakeFirst(),
    )
  await until(async () => (await ticket()) !== undefined)
  const { id, conversation_key } = (await ticket())!
  const reply = await call(product, tickets.update, token, {
    params: { id },
    body: { status: 'open', userId: admin.id },
  })
  expect(reply.status).toBe(200)
  const conversationKey = conversation_key
  return {
    product,
    tenantId,
    token,
    adminId: admin.id,
    ticketId: id,
    conversationKey,
    end,
    config,
    fixtures,
    patienceMs: 30_000,
  }
}
