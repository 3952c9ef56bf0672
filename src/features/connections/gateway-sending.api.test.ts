import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { enqueueSending } from '#features/ledger/server/outbox/outbox.ts'
import { messages } from '#features/messages/contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import { unit } from '#server/context.ts'
import { linkedByGateway, OTAVIO } from '#test/channels/gateway-end.ts'
import { make } from '#test/make.ts'
import { startWuzapi } from '#test/peers/wuzapi.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'

const product = withProduct({ env: { OUTBOUND_ALLOW: ['127.0.0.1'] } })
const jid = `${OTAVIO.number}@s.whatsapp.net`
const closes: (() => Promise<void>)[] = []
afterAll(() => Promise.all(closes.map((close) => close())))

/** Creates a company with a phone at a WuzAPI, about to write first to a person whose account may have the other spelling. */
async function atWuzapi(number = OTAVIO.number, account = number) {
  const wuzapi = await startWuzapi()
  closes.push(wuzapi.close)
  wuzapi.people.set(account, OTAVIO.name)
  const m = make(product().platform)
  const tenantId = await m.tenant()
  const token = await m.token(await m.user(tenantId, { profile: 'admin' }))
  const settings = { url: wuzapi.address, key: wuzapi.key }
  const { id, link } = await linkedByGateway(product(), token, {
    ...{ type: 'meow', provider: 'wuzapi', settings, scan: wuzapi.scan },
  })
  await link()
  const contactId = await m.contact(tenantId, { number })
  const begun = { contactId, whatsappId: id, isActiveDemand: true } as never
  const begin = () => call(product(), tickets.create, token, { body: begun })
  const { id: ticketId } = (await begin()).body
  const send = async (body: string) => {
    const about = { params: { ticketId }, body: { idFront: randomUUID(), body } as never }
    const reply = await call(product(), messages.send, token, about)
    return reply.body.messages[0]!.id
  }
  return { wuzapi, tenantId, id, begin, send }
}

describe('somebody written to by a gateway', () => {
  it('is reached at the address by which it knows the number, and the conversation goes on there', async () => {
    const account = '556298124407'
    const { wuzapi, tenantId, begin, send } = await atWuzapi('5562998124407', account)
    const words = ['Bom dia!', 'Seu pedido saiu', 'Chega amanhã']
    for (const body of words) await send(body)
    await until(() => wuzapi.got.length === words.length)
    const address = `${account}@s.whatsapp.net`
    expect(wuzapi.got.map(({ to, body }) => [to, body])).toEqual(words.map((body) => [address, body]))
    const Info = { ID: 'resposta', Chat: address, Sender: address, SenderAlt: '', IsFromMe: false, PushName: 'Otávio' }
    const Timestamp = product().platform.now().toISOString()
    await wuzapi.tell({
      type: 'Message',
      event: { Info: { ...Info, Timestamp }, Message: { conversation: 'Obrigado' } },
    })
    const known = () =>
      product().platform.db.read(tenantId, async (db) => ({
        tickets: await db.selectFrom('tickets').select('conversation_key').execute(),
        identities: await db.selectFrom('contact_identities').select(['identity']).execute(),
        said: (await db.selectFrom('messages').select('conversation_key').execute()).map((one) => one.conversation_key),
      }))
    await until(async () => (await known()).said.length === words.length + 1)
    expect((await begin()).status).toBe(409)
    expect(await known()).toEqual({
      tickets: [{ conversation_key: account }],
      identities: [{ identity: account }],
      said: Array(words.length + 1).fill(account),
    })
  }, 100_000)

  it('of whom no answer tells: what they may have is uncertain, and its ticks say that it was delivered', async () => {
    const { wuzapi, tenantId, id: connectionId, send } = await atWuzapi()
    wuzapi.faults.lostAnswers = 5
    const id = await send('Só uma vez')
    const conversation = { connection_id: connectionId, conversation_key: OTAVIO.number }
    const seen = () =>
      product().platform.db.read(tenantId, async (db) => ({
        ...(await db.selectFrom('messages').select('status').where('id', '=', id).executeTakeFirstOrThrow()),
        waits: (
          await db
            .selectFrom('message_trail')
            .select('id')
            .where('message_id', '=', id)
            .where('step', '=', 'waiting')
            .execute()
        ).length,
      }))
    for (let waits = 1; waits < 5; waits++) {
      await until(async () => (await seen()).waits === waits)
      await unit(product().platform, { tenantId, user: null }, async (ctx) =>
        enqueueSending(ctx, conversation, { isUrgent: true }),
      )
    }
    await until(async () => !['pending', 'queued'].includes((await seen()).status))
    expect(await seen()).toMatchObject({ status: 'uncertain' })
    expect(wuzapi.got.map(({ body }) => body)).toEqual(['Só uma vez'])
    const Timestamp = product().platform.now().toISOString()
    const event = { MessageIDs: [wuzapi.got[0]!.id], Chat: jid, Sender: jid, Timestamp }
    await wuzapi.tell({ type: 'ReadReceipt', state: 'Delivered', event })
    await until(async () => (await seen()).status === 'delivered')
  }, 100_000)
})
