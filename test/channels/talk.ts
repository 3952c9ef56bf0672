import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { MessageRow } from '#features/ledger/message-rows.ts'
import type { Operation } from '#kit/contract.ts'
import { call } from '#test/server.ts'
import { until } from '#test/until.ts'
import type { Arrived, Recorded, RecordedFile } from './contact-end.ts'
import type { Wish } from './media-checks.ts'
import type { World } from './world.ts'

export type Called = { status: number; body: { error?: string } & MessageRow }
export const patient = (world: World, work: () => Promise<boolean>) => until(work, world.patienceMs)

type Said = { body?: string; file?: RecordedFile; quotes?: string; wish?: Wish; isOnce?: boolean }
type Reply = { status: number; body: { error?: string; messages: MessageRow[] } }

export async function answer(
  { product, token, ticketId }: World,
  { body = '', file, quotes, wish, isOnce }: Said,
): Promise<Reply> {
  const form = new FormData()
  form.append('idFront', randomUUID())
  form.append('body', body)
  if (quotes) form.append('quotedMsgId', quotes)
  if (wish) form.append(wish, 'true')
  if (isOnce) form.append('isOnce', 'true')
  if (file) form.append('medias', new Blob([Buffer.from(file.base64, 'base64')], { type: file.mime }), file.name)
  const headers = { authorization: `Bearer ${token}` }
  const reply = await fetch(`${product.address}/api/messages/${ticketId}`, { method: 'POST', headers, body: form })
  return { status: reply.status, body: (await reply.json()) as Reply['body'] }
}

export const rowOf = ({ product, tenantId }: World, id: string) =>
  product.platform.db.read(tenantId, (db) =>
    db.selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
  )

// Backdates a message by `ms`.
export const backdate = ({ product, tenantId }: World, id: string, ms: number) =>
  product.platform.db.write(tenantId, (db) =>
    db
      .updateTable('messages')
      .set({ timestamp: new Date(product.platform.now().getTime() - ms) })
      .where('id', '=', id)
      .execute(),
  )

/** Sends a message and waits until it has left; returns its id and the channel's id of it. */
export async function sent(
  world: World,
  what: Parameters<typeof answer>[1],
): Promise<{ id: string; providerId: string }> {
  const reply = await answer(world, what)
  expect([reply.status, reply.body]).toMatchObject([200, {}])
  const { id } = reply.body.messages[0]!
  await until(async () => (await rowOf(world, id)).provider_id !== null, world.patienceMs)
  return { id, providerId: (await rowOf(world, id)).provider_id! }
}

/** Sends a message and waits until the contact has received it. */
export async function arrives(
  world: World,
  what: Parameters<typeof answer>[1],
): Promise<Arrived & { messageId: string }> {
  const { id, providerId } = await sent(world, what)
  const find = async () => (await world.end.arrived()).find((one) => one.id === providerId)
  await until(async () => (await find()) !== undefined, world.patienceMs)
  return { ...(await find())!, messageId: id }
}

export async function received(world: World, recorded: Recorded, quotes?: string) {
  const last = () =>
    world.product.platform.db.read(world.tenantId, (db) =>
      db
        .selectFrom('messages')
        .leftJoin('files', 'files.id', 'messages.file_id')
        .select(['messages.id', 'media_type', 'body', 'provider_id', 'quoted_id', 'files.size', 'files.name as file'])
        .where('from_me', '=', false)
        .orderBy('seq', 'desc')
        .executeTakeFirst(),
    )
  const before = (await last())?.id
  await world.end.write(recorded, quotes)
  // The message exists before its file, which its channel stores.
  await until(async () => {
    const row = await last()
    return row?.id !== before && (!recorded.file || row?.file != null)
  }, world.patienceMs)
  return (await last())!
}

/** Sends something other than text through the product; returns it as received by the contact. */
export async function arrivesSpecial<O extends Operation>(world: World, operation: O, input: object): Promise<Arrived> {
  const reply = (await call(world.product, operation, world.token, input)) as unknown as Reply
  expect([reply.status, reply.body]).toMatchObject([200, {}])
  const { id } = reply.body.messages[0]!
  await patient(world, async () => (await rowOf(world, id)).provider_id !== null)
  const providerId = (await rowOf(world, id)).provider_id!
  const find = async () => (await world.end.arrived()).find((one) => one.id === providerId)
  await patient(world, async () => (await find()) !== undefined)
  return (await find())!
}

export const refusedAs = async (world: World, operation: Operation, input: object): Promise<string | undefined> =>
  ((await call(world.product, operation, world.token, input)) as unknown as Called).body.error
