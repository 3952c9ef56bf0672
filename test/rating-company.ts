import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { expect } from 'vitest'
import type { z } from 'zod'
import { type LabMessage, lab } from '#features/lab/contract.ts'
import { ingestIdle } from '#features/ledger/server/ingest/ingest.ts'
import { evaluations, type RatingTexts, ratings } from '#features/ratings/contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import { make } from './make.ts'
import { call, type Product } from './server.ts'
import { until } from './until.ts'

type EvaluationPage = z.output<typeof evaluations.list.returns>

/** Creates a company that asks for ratings, with a phone of the lab whose owner writes to it. */
export async function ratingCompany(product: Product, texts: Partial<RatingTexts> = {}) {
  const { platform, ownerUrl } = product
  const m = make(platform)
  const tenantId = await m.tenant()
  const queueId = await m.queue(tenantId, { queue: 'Vendas' })
  const otherQueueId = await m.queue(tenantId, { queue: 'Financeiro' })
  const admin = await m.user(tenantId, { profile: 'admin' })
  const ana = await m.user(tenantId, { name: 'Ana Lima', queues: [queueId] })
  const lead = await m.user(tenantId, { profile: 'super' })
  const token = { admin: await m.token(admin), ana: await m.token(ana), lead: await m.token(lead) }
  const configure = (body: Partial<RatingTexts>) =>
    call(product, ratings.setTexts, token.admin, { params: { id: tenantId }, body })
  await configure({ ratingStoreUse: 'enabled', ...texts })
  const made = await call(product, lab.create, token.admin, {
    body: { name: 'Marlene Dias', number: '(19) 99812-1001' },
  })
  const phone = made.body as { id: number; number: string; connectionId: number }

  const say = async (body: string) => {
    await call(product, lab.send, token.admin, {
      params: { id: phone.id },
      body: { id: randomUUID(), body } as never,
    })
    await ingestIdle(platform)
  }
  const all = () => platform.db.read(tenantId, (db) => db.selectFrom('tickets').selectAll().orderBy('id').execute())
  const rows = () =>
    platform.db.read(tenantId, (db) => db.selectFrom('ticket_evaluations').selectAll().orderBy('id').execute())
  const stored = () =>
    platform.db.read(tenantId, (db) =>
      db
        .selectFrom('messages')
        .select(['body', 'send_type', 'from_me', 'ticket_id', 'user_id'])
        .orderBy('timestamp')
        .orderBy('seq')
        .execute(),
    )
  /** Returns the texts of our messages on the phone, oldest first. */
  const heard = async () => {
    const reply = await call(product, lab.messages, token.admin, { params: { id: phone.id } })
    const { messages } = reply.body as { messages: LabMessage[] }
    return messages.filter((one) => !one.fromPhone).map((one) => one.body)
  }
  const change = (id: number, body: object, by = token.ana) =>
    call(product, tickets.update, by, { params: { id }, body })
  /** A ticket of Ana's in which the customer has written. */
  async function talking(words = 'Oi'): Promise<number> {
    await say(words)
    const { id } = (await all()).at(-1)!
    await change(id, { queueId }, token.admin)
    await change(id, { status: 'open', userId: ana.id, unreadMessages: 0 })
    return id
  }
  const resolve = async (id: number) => expect((await change(id, { status: 'closed' })).status).toBe(200)
  /** Opens and resolves a ticket, and waits until the question is on the phone; returns the ticket's id. */
  async function asked(): Promise<number> {
    const id = await talking()
    const before = (await heard()).length
    await resolve(id)
    await until(async () => (await heard()).length > before)
    return id
  }
  /** Waits until no question or message is queued. */
  const jobsDone = async () => {
    const owner = new pg.Client({ connectionString: ownerUrl })
    await owner.connect()
    const keys = [`ask:${tenantId}:%`, `send:${tenantId}:%`]
    await until(
      async () => (await owner.query('select from graphile_worker.jobs where key like any($1)', [keys])).rowCount === 0,
    ).finally(() => owner.end())
  }
  const list = async (query: object = {}, by = token.lead) =>
    (await call(product, evaluations.list, by, { query })).body as EvaluationPage
  return {
    m,
    platform,
    tenantId,
    phone,
    token,
    ana,
    queueId,
    otherQueueId,
    configure,
    say,
    all,
    rows,
    stored,
    heard,
    change,
    talking,
    resolve,
    asked,
    jobsDone,
    list,
  }
}
