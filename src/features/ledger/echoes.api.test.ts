import { beforeAll, describe, expect, it } from 'vitest'
import type { EchoMessage, ProviderEvent } from '#providers/channels/port.ts'
import { make } from '#test/make.ts'
import { testChannel, textEvent } from '#test/peers/channel.ts'
import { roundTripsOf } from '#test/round-trips.ts'
import { ownProduct } from '#test/server.ts'
import { ingestIdle } from './server/ingest/ingest.ts'
import { receive } from './server/ingest/journal.ts'

const product = ownProduct('counts what the database is asked')
let to: { tenantId: number; connectionId: number }
beforeAll(async () => {
  const m = make(product().platform)
  testChannel(product().platform)
  const tenantId = await m.tenant()
  to = { tenantId, connectionId: await m.connection(tenantId, { type: 'test' }) }
})

const now = () => product().platform.now()
const rows = (from: string) =>
  product().platform.db.read(to.tenantId, (db) =>
    db
      .selectFrom('messages')
      .select(['id', 'body', 'status', 'provider_id'])
      .where('conversation_key', '=', from)
      .where('from_me', '=', true)
      .orderBy('seq')
      .execute(),
  )

async function take(events: readonly ProviderEvent[]): Promise<void> {
  await receive(product().platform, to, events)
  await ingestIdle(product().platform)
}

/** Creates messages to a contact whose responses were lost. */
async function unanswered(from: string, bodies: readonly string[], status = 'queued'): Promise<void> {
  await take([textEvent({ from, body: 'Oi', at: now().getTime() })])
  const { id, contact_id } = await product().platform.db.read(to.tenantId, (db) =>
    db
      .selectFrom('tickets')
      .select(['id', 'contact_id'])
      .where('conversation_key', '=', from)
      .executeTakeFirstOrThrow(),
  )
  await product().platform.db.write(to.tenantId, (db) =>
    db
      .insertInto('messages')
      .values(
        bodies.map((body, n) => ({
          ...{
            tenant_id: to.tenantId,
            id: crypto.randomUUID(),
            ticket_id: id,
            contact_id,
            body,
            status,
            from_me: true,
          },
          ...{ connection_id: to.connectionId, conversation_key: from, updated_at: now() },
          timestamp: new Date(now().getTime() + n),
        })),
      )
      .execute(),
  )
}

const echo = (from: string, body: string, providerId: string, messageId?: string): EchoMessage => ({
  ...{ type: 'echo', mayBeOurs: true, dedupeKey: providerId, conversationKey: from },
  sender: { identity: from, name: '' },
  ...(messageId ? { messageId } : {}),
  message: { providerId, timestamp: now().getTime(), type: 'text', body },
})

const receipt = (providerId: string, status: 'sent' | 'delivered' | 'read', more: object = {}): ProviderEvent => ({
  ...{ type: 'receipt', conversationKey: '', providerId, status, timestamp: now().getTime() },
  ...{ dedupeKey: `${providerId} ${status}`, ...more },
})

describe('what a provider says left by our number', () => {
  it('settles many messages of a batch with as many statements as one', async () => {
    const people = Array.from({ length: 20 }, (_, n) => `eco-${n}`)
    for (const from of [...people, 'eco-um']) await unanswered(from, ['Pronto'])
    const cost = async (froms: readonly string[]) => {
      const trips = await roundTripsOf(product(), () => take(froms.map((from) => echo(from, 'Pronto', `P-${from}`))))
      // A separate job looks for the next message to send.
      return trips.flat().filter((text) => /for update|with echo/.test(text) && !text.startsWith('with asked')).length
    }
    const one = await cost(['eco-um'])
    expect(await cost(people)).toBe(one)
    for (const from of people) expect(await rows(from)).toMatchObject([{ status: 'sent', provider_id: `P-${from}` }])
  })

  it('settles none where several may be meant, each of a batch its own, and what is named before what is alike', async () => {
    await unanswered('dois', ['Igual', 'Igual'])
    await take([echo('dois', 'Igual', 'D1')])
    expect(await rows('dois')).toMatchObject([{ provider_id: null }, { provider_id: null }])
    const [first] = await rows('dois')
    await take([echo('dois', 'Igual', 'D2', first!.id), echo('dois', 'Igual', 'D3'), echo('dois', 'Igual', 'D3')])
    expect(await rows('dois')).toMatchObject([{ provider_id: 'D2' }, { provider_id: 'D3' }])
  })

  it('settles a message template by its name, of which no text comes back', async () => {
    await unanswered('modelo', ['Podemos continuar?'])
    const template = { name: 'volta', language: 'pt_BR', header: null, parameters: [] }
    const data = { template, buttons: [] }
    await product().platform.db.write(to.tenantId, (db) =>
      db
        .updateTable('messages')
        .set({ media_type: 'template', data: JSON.stringify(data) })
        .where('conversation_key', '=', 'modelo')
        .where('from_me', '=', true)
        .execute(),
    )
    const left = (name: string, providerId: string) => {
      const { message, ...about } = echo('modelo', `Modelo “${name}”`, providerId)
      const named = { template: { ...template, name }, buttons: [] }
      return { ...about, message: { ...message, type: 'template' as const, data: named } }
    }
    await take([left('volta', 'T1'), left('outro', 'T2')])
    expect(await rows('modelo')).toMatchObject([
      { body: 'Podemos continuar?', status: 'sent', provider_id: 'T1' },
      { body: 'Modelo “outro”', provider_id: 'T2' },
    ])
  })

  it('is shown where it was said on the phone itself, and not again where it is known by another name', async () => {
    await unanswered('outro', ['Certo'])
    await take([echo('outro', 'Do celular', 'C1')])
    expect((await rows('outro')).map(({ body }) => body)).toEqual(['Certo', 'Do celular'])
    await take([echo('outro', 'Certo', 'C2')])
    await take([receipt('C2', 'sent', { alias: 'W2' })])
    await take([echo('outro', 'Certo', 'W2')])
    expect((await rows('outro')).map(({ body }) => body)).toEqual(['Certo', 'Do celular'])
  })
})

describe('a receipt that gives an id back', () => {
  it('settles the message of that id; what another program called its message by the same account settles none', async () => {
    await unanswered('devolvido', ['Certo'])
    const [{ id } = { id: '' }] = await rows('devolvido')
    await take([receipt('R0', 'sent', { messageId: 'pedido-77' }), receipt('R1', 'sent', { messageId: id })])
    expect(await rows('devolvido')).toMatchObject([{ status: 'sent', provider_id: 'R1' }])
    const waiting = await product().platform.db.read(to.tenantId, (db) =>
      db.selectFrom('journal').select('id').where('connection_id', '=', to.connectionId).execute(),
    )
    expect(waiting).toEqual([])
  })
})

describe('a message of which its provider speaks by two names', () => {
  const sent = async (from: string, providerId: string) => {
    await unanswered(from, ['Certo'])
    await take([echo(from, 'Certo', providerId)])
  }
  const status = async (from: string) => (await rows(from))[0]!.status

  it('is known by the second from the first receipt that names both', async () => {
    await sent('nome', 'N1')
    await take([receipt('N1', 'sent', { alias: 'X1' })])
    await take([receipt('X1', 'delivered', { isAlias: true })])
    expect(await status('nome')).toBe('delivered')
    expect((await rows('nome'))[0]!.provider_id).toBe('N1')
  })

  it('has what came by the second before anybody knew it', async () => {
    await sent('cedo', 'N2')
    await take([receipt('X2', 'read', { isAlias: true })])
    expect(await status('cedo')).toBe('sent')
    await take([receipt('N2', 'sent', { alias: 'X2' })])
    expect(await status('cedo')).toBe('read')
  })

  it('takes nothing that is said of another’s', async () => {
    await sent('alheio', 'N3')
    await take([
      receipt('N3', 'sent', { alias: 'X3' }),
      receipt('X4', 'read', { isAlias: true }),
      receipt('X3', 'read'),
    ])
    expect(await status('alheio')).toBe('sent')
  })
})
