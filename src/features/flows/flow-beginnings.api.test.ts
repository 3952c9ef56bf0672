import { beforeAll, describe, expect, it } from 'vitest'
import { callText } from '#domain/messages/calls.ts'
import { ingestIdle } from '#features/ledger/server/ingest/ingest.ts'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import { lockLedgerTicket } from '#features/ledger/server/ticket/queries.ts'
import { sendSystemMessages } from '#features/ledger/server/writing/system-message.ts'
import { rules } from '#features/rules/contract.ts'
import type { ProviderEvent } from '#providers/channels/port.ts'
import { unit } from '#server/context.ts'
import { any, flowOf, type Json, node, sends, toQueue } from '#test/flow-steps.ts'
import { flowCompany, flowTalk } from '#test/flow-talk.ts'
import { make } from '#test/make.ts'
import { textEvent } from '#test/peers/channel.ts'
import { withProduct } from '#test/server.ts'

const product = withProduct()
const m = () => make(product().platform)

let tenantId: number
let connectionId: number
let queueId: number
let otherQueue: number
let admin: string
beforeAll(async () => {
  ;({ tenantId, queueId, admin } = await flowCompany(product()))
  otherQueue = await m().queue(tenantId)
  connectionId = await m().connection(tenantId, { type: 'test', queue_id: queueId })
  await attends(await published())
})

const { write, ticketOf, saidTo, nextPhone, ask, attends, ...talk } = flowTalk(product, () => ({
  tenantId,
  connectionId,
  admin,
}))
const published = (configurations: Json = {}) =>
  talk.published(flowOf([node('a', [sends('Vendas ou suporte?')], [any(toQueue(queueId))])], configurations))
async function hear(...events: ProviderEvent[]): Promise<void> {
  await receive(product().platform, { tenantId, connectionId }, events)
  await ingestIdle(product().platform)
}

type Spoken = Extract<ProviderEvent, { type: 'message' }>
const unreadable = (from: string, id: string): Spoken => {
  const event = textEvent({ from, id, body: 'Aguardando esta mensagem' })
  return { ...event, dedupeKey: `${id} undecrypted`, message: { ...event.message, type: 'undecrypted' } }
}
const ring = (from: string): Spoken => {
  const of = { isVideo: false, isRefused: false }
  const event = textEvent({ from, body: callText(of) })
  return { ...event, message: { ...event.message, type: 'call', data: { call: of } } }
}
const echo = (from: string, body: string): ProviderEvent => ({ ...textEvent({ from, body }), type: 'echo' })

describe('a conversation begins with the first word that is heard', () => {
  it('is a flow’s once its first word can be read, and answered by it from then on', async () => {
    const from = nextPhone()
    await hear(unreadable(from, 'u1'))
    expect([await saidTo(from), (await ticketOf(from)).chat_flow_id]).toEqual([[], null])
    await hear(textEvent({ from, id: 'u1', body: 'Oi' }))
    expect(await saidTo(from)).toEqual(['Vendas ou suporte?'])
    await write(from, 'Vendas')
    expect(await ticketOf(from)).toMatchObject({ status: 'pending', queue_id: queueId, chat_flow_id: null })
    // A conversation that it ended does not start it again.
    await write(from, 'Oi?')
    expect(await saidTo(from)).toEqual(['Vendas ou suporte?'])
  })

  it('is a flow’s with what is written behind a word that cannot be read yet', async () => {
    const from = nextPhone()
    await hear(unreadable(from, 'u2'))
    await write(from, 'Alguém aí?')
    expect(await saidTo(from)).toEqual(['Vendas ou suporte?'])
  })

  it('is a flow’s with what is written after a call, also where the caller was told why nobody took it', async () => {
    const [from, other] = [nextPhone(), nextPhone()]
    await hear(ring(from))
    expect(await saidTo(from)).toEqual([])
    await write(from, 'oi')
    expect(await saidTo(from)).toEqual(['Vendas ou suporte?'])

    await hear(ring(other))
    const { id } = await ticketOf(other)
    await unit(product().platform, { tenantId, user: null }, async (ctx) => {
      const ticket = (await lockLedgerTicket(ctx.db, id))!
      await sendSystemMessages(ctx, [{ ticket, text: 'Escreva', sendType: 'call' }])
    })
    await write(other, 'oi')
    expect(await saidTo(other)).toEqual(['Escreva', 'Vendas ou suporte?'])
  })

  it('is a person’s where one wrote after the call, or has taken it up', async () => {
    const [answered, taken] = [nextPhone(), nextPhone()]
    await hear(ring(answered))
    await hear(echo(answered, 'Vi sua ligação'))
    await write(answered, 'oi')
    expect(await saidTo(answered)).toEqual(['Vi sua ligação'])

    await hear(ring(taken))
    await product().platform.db.asPlatform((db) =>
      db
        .updateTable('tickets')
        .set({ started_attendance_at: new Date() })
        .where('conversation_key', '=', taken)
        .execute(),
    )
    await write(taken, 'oi')
    expect(await saidTo(taken)).toEqual([])
  })
})

describe('a flow begins where nobody has said whose a conversation is', () => {
  it('leaves it to the queue that a rule gave it to by its first word', async () => {
    const words = { field: 'phrases', is: true, values: ['boleto'] }
    const { status, body } = await ask(rules.create, {
      body: {
        ...{ name: 'Boletos', isActive: true, event: 'received', conditions: [words] },
        actions: [{ kind: 'queue', queueId: otherQueue }],
      },
    })
    expect([status, body.error]).toEqual([200, undefined])
    const from = nextPhone()
    await write(from, 'Segunda via do boleto')
    expect(await ticketOf(from)).toMatchObject({ status: 'pending', queue_id: otherQueue, chat_flow_id: null })
    expect(await saidTo(from)).toEqual([])
    const other = nextPhone()
    await write(other, 'Bom dia')
    expect(await saidTo(other)).toEqual(['Vendas ou suporte?'])
  })
})
