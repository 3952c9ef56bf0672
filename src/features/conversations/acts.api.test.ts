import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Operation } from '#kit/contract.ts'
import type { ProviderEvent } from '#providers/channels/port.ts'
import { sendFailure } from '#providers/channels/port.ts'
import { unit } from '#server/context.ts'
import { make } from '#test/make.ts'
import { type TestChannel, testChannel, textEvent } from '#test/peers/channel.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { messages } from './messages-contract.ts'
import { removeWaitingActs } from './server/acts/queries.ts'
import { enqueueSending, ingestIdle, receive } from './server/index.ts'

const product = withProduct()
let channel: TestChannel
let m: ReturnType<typeof make>
let tenantId: number
let connectionId: number
let admin: { id: number; token: string }

beforeAll(async () => {
  m = make(product().platform)
  channel = testChannel(product().platform)
  tenantId = await m.tenant()
  connectionId = await m.connection(tenantId, { type: 'test' })
  const user = await m.user(tenantId, { profile: 'admin', name: 'Ana Lima' })
  admin = { id: user.id, token: await m.token(user) }
})

const read = <T>(work: Parameters<ReturnType<typeof product>['platform']['db']['read']>[1]) =>
  product().platform.db.read(tenantId, work) as Promise<T>
const hear = async (...events: ProviderEvent[]) => {
  await receive(product().platform, { tenantId, connectionId }, events)
  await ingestIdle(product().platform)
}
type Row = {
  [name: string]: unknown
  id: string
  body: string
  edition: string | null
  reaction: string | null
  reaction_from_me: string | null
  is_deleted: boolean
  status: string
  provider_id: string | null
}
const rowOf = (id: string) =>
  read<Row>((db) => db.selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirstOrThrow())
const byProvider = (providerId: string) =>
  read<Row | undefined>((db) =>
    db.selectFrom('messages').selectAll().where('provider_id', '=', providerId).executeTakeFirst(),
  )
const ticketRow = (id: number) =>
  read<{ last_message: string }>((db) =>
    db.selectFrom('tickets').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
  )

let people = 100
/** An open conversation of the administrator with somebody new. */
async function conversation(): Promise<{ from: string; ticketId: number; theirs: string }> {
  const from = `5511977${String(++people).padStart(6, '0')}`
  await hear(textEvent({ from, body: 'Oi', id: `oi-${from}` }))
  const { id, ticket_id } = (await byProvider(`oi-${from}`)) as Row & { ticket_id: number }
  await product().platform.db.write(tenantId, (db) =>
    db.updateTable('tickets').set({ status: 'open', user_id: admin.id }).where('id', '=', ticket_id).execute(),
  )
  return { from, ticketId: ticket_id, theirs: id }
}

type Reply = {
  status: number
  body: { error?: string; id: string; messages: { id: string }[]; [name: string]: unknown }
}
const ask = async (operation: Operation, input: object, token = admin.token): Promise<Reply> =>
  (await call(product(), operation, token, input as never)) as unknown as Reply
async function say(ticketId: number, body: string): Promise<string> {
  const reply = await ask(messages.send, { params: { ticketId }, body: { idFront: randomUUID(), body } })
  const { id } = reply.body.messages[0]!
  await until(async () => (await rowOf(id)).status !== 'pending' && (await rowOf(id)).status !== 'queued')
  return id
}
const open = (id: string) =>
  read<{ id: string; status: string; attempts: number }[]>((db) =>
    db
      .selectFrom('message_acts')
      .select(['id', 'status', 'attempts'])
      .where('message_id', '=', id)
      .where('status', 'in', ['pending', 'queued', 'failed'])
      .orderBy('seq')
      .execute(),
  )
const settled = (id: string) => until(async () => (await open(id)).every(({ status }) => status === 'failed'))
const done = async (reply: Reply): Promise<Reply> => {
  expect([reply.status, reply.body.error]).toEqual([200, undefined])
  return reply
}

describe('what the team does to its messages', () => {
  test('an edit is first waited for, then shown, with all versions in the trail and in the list', async () => {
    const { ticketId } = await conversation()
    const id = await say(ticketId, 'Bom dai')
    const { promise: answered, resolve: release } = Promise.withResolvers<void>()
    channel.behaveActs(() => answered)
    const actId = randomUUID()
    const first = await done(await ask(messages.edit, { body: { messageId: id, body: 'Bom dia', actId } }))
    expect(first.body).toMatchObject({
      body: 'Bom dai',
      edition: null,
      acts: [{ type: 'edit', body: 'Bom dia', status: 'pending' }],
    })
    await done(await ask(messages.edit, { body: { messageId: id, body: 'Bom dia', actId } }))
    expect(await open(id)).toHaveLength(1)
    await until(async () => (await open(id))[0]!.status === 'queued')
    channel.behaveActs(async () => {})
    release()
    await settled(id)
    await done(await ask(messages.edit, { body: { messageId: id, body: 'Bom dia!' } }))
    await settled(id)
    expect(await rowOf(id)).toMatchObject({ body: 'Bom dia!', edition: 'Bom dai', status: 'sent' })
    expect(await ticketRow(ticketId)).toMatchObject({ last_message: 'Bom dia!' })
    const trail = (await ask(messages.trail, { params: { id } })) as unknown as {
      body: { steps: { step: string; label: string; detail: { text?: string; user?: string } }[] }
    }
    const edits = trail.body.steps.filter(({ step }) => step.startsWith('edit'))
    expect(edits.map(({ step, label, detail }) => [step, label, detail.text])).toEqual([
      ['edit', 'Edição pedida', 'Bom dia'],
      ['edit:sent', 'Editada', 'Bom dia'],
      ['edit', 'Edição pedida', 'Bom dia!'],
      ['edit:sent', 'Editada', 'Bom dia!'],
    ])
    expect(edits[0]!.detail.user).toBe('Ana Lima')
  })

  test('acts go out behind their message and in their order, each once', async () => {
    const { ticketId, from } = await conversation()
    const order: string[] = []
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    channel.behave(async (message) => {
      await held
      order.push(`send ${message.body}`)
      return { providerId: message.messageId }
    })
    channel.behaveActs(
      async (action) => void order.push(`${action.type} ${'body' in action ? action.body : ''}`.trim()),
    )
    const reply = await ask(messages.send, { params: { ticketId }, body: { idFront: randomUUID(), body: 'um' } })
    const { id } = reply.body.messages[0]!
    await until(async () => (await rowOf(id)).status === 'queued')
    await done(await ask(messages.edit, { body: { messageId: id, body: 'dois' } }))
    await done(await ask(messages.edit, { body: { messageId: id, body: 'três' } }))
    const next = await ask(messages.send, { params: { ticketId }, body: { idFront: randomUUID(), body: 'quatro' } })
    await done(await ask(messages.remove, { body: { id } }))
    release()
    await settled(id)
    await until(async () => (await rowOf(next.body.messages[0]!.id)).status === 'sent')
    expect(order).toEqual(['send um', 'edit dois', 'edit três', 'send quatro', 'revoke'])
    expect(await rowOf(id)).toMatchObject({ body: 'três', edition: 'um', is_deleted: true })
    expect(from).toBeTruthy()
    testChannelAgain()
  })

  test('what waits does not go out, what went is deleted, the contact’s and what is old stays', async () => {
    const { ticketId, theirs } = await conversation()
    channel.behave(async () => {
      throw sendFailure('unreachable', 'sem linha')
    })
    const reply = await ask(messages.send, { params: { ticketId }, body: { idFront: randomUUID(), body: 'espera' } })
    const { id: waiting } = reply.body.messages[0]!
    await until(async () => (await open(waiting)).length === 0 && (await trailHas(waiting, 'waiting')))
    expect((await done(await ask(messages.remove, { body: { id: waiting } }))).body).toMatchObject({
      status: 'canceled',
      isDeleted: false,
    })
    testChannelAgain()
    const id = await say(ticketId, 'Engano')
    expect((await ask(messages.remove, { body: { id, messageId: 'outra' } })).body.error).toBe('ERR_FETCH_WAPP_MSG')
    await done(await ask(messages.remove, { body: { id, messageId: (await rowOf(id)).provider_id } }))
    await settled(id)
    // Grey with its text for the team; the list says that it is gone.
    const page = (await ask(messages.list, { params: { ticketId } })) as unknown as Reply
    expect(page.body.messages.find((one) => one.id === id)).toMatchObject({ isDeleted: true, body: 'Engano' })
    expect(await ticketRow(ticketId)).toMatchObject({ last_message: 'Mensagem apagada' })
    expect((await ask(messages.remove, { body: { id: theirs } })).body.error).toBe('ERR_DELETE_WAPP_MSG')
    const old = await m.message(tenantId, ticketId, { from_me: true, status: 'read', timestamp: new Date(0) } as never)
    expect((await ask(messages.remove, { body: { id: old } })).body.error).toBe('ERR_DELETE_WAPP_MSG')
    expect((await ask(messages.edit, { body: { messageId: old, body: 'x' } })).body.error).toBe('ERR_EDIT_TOO_LATE')
  })

  test('what the channel refuses is shown at the message, and tried again or given up', async () => {
    const { ticketId } = await conversation()
    const id = await say(ticketId, 'Original')
    channel.behaveActs(async () => {
      throw sendFailure('refused', 'ERR_CHANNEL_CANNOT')
    })
    await done(await ask(messages.edit, { body: { messageId: id, body: 'Outro' } }))
    await until(async () => (await open(id))[0]?.status === 'failed')
    expect(await rowOf(id)).toMatchObject({ body: 'Original', edition: null, status: 'sent' })
    channel.behaveActs(async () => {})
    await done(await ask(messages.retry, { params: { id } }))
    await until(async () => (await rowOf(id)).body === 'Outro')
    channel.behaveActs(async () => {
      throw sendFailure('refused', 'ERR_CHANNEL_CANNOT')
    })
    await done(await ask(messages.edit, { body: { messageId: id, body: 'Mais um' } }))
    await until(async () => (await open(id))[0]?.status === 'failed')
    expect((await done(await ask(messages.cancel, { params: { id } }))).body).toMatchObject({ acts: [], body: 'Outro' })
    testChannelAgain()
  })

  test('an answer that was lost is asked for again, and the phone agrees', async () => {
    const { ticketId, from } = await conversation()
    const id = await say(ticketId, 'Antes')
    const phone: (string | null)[] = []
    let lost = 2
    channel.behaveActs(async (action) => {
      phone.push(action.type === 'react' ? action.emoji : null)
      if (lost-- > 0) throw sendFailure('unknown', 'sem resposta')
    })
    await done(await ask(messages.react, { body: { messageId: id, ticketId, reaction: '👍' } }))
    for (const attempts of [1, 2]) {
      await until(async () => (await open(id))[0]?.status === 'pending' && (await open(id))[0]?.attempts === attempts)
      await unit(product().platform, { tenantId, user: null }, async (ctx) =>
        enqueueSending(ctx, { connection_id: connectionId, conversation_key: from }),
      )
    }
    await settled(id)
    expect(phone).toEqual(['👍', '👍', '👍'])
    expect(await rowOf(id)).toMatchObject({ reaction_from_me: '👍' })
    testChannelAgain()
  })

  test('a note is changed by its author and deleted by leads too; whoever is named in it now is told', async () => {
    const { ticketId } = await conversation()
    const bia = await m.user(tenantId, { profile: 'user', name: 'Bia Nunes' })
    const token = await m.token(bia)
    const note = async (by: string) =>
      (
        await ask(
          messages.send,
          { params: { ticketId }, body: { idFront: randomUUID(), body: 'Ligar', isNote: true } },
          by,
        )
      ).body.messages[0]!.id
    const id = await note(admin.token)
    const changed = await done(await ask(messages.change, { params: { id }, body: { body: 'Ligar, @Bia Nunes' } }))
    expect(changed.body).toMatchObject({ body: 'Ligar, @Bia Nunes', edition: 'Ligar', acts: [] })
    const told = await read<object[]>((db) =>
      db.selectFrom('notifications').selectAll().where('user_id', '=', bia.id).execute(),
    )
    expect(told).toHaveLength(1)
    await product().platform.db.write(tenantId, (db) =>
      db.updateTable('tickets').set({ user_id: bia.id }).where('id', '=', ticketId).execute(),
    )
    expect((await ask(messages.change, { params: { id }, body: { body: 'x' } }, token)).body.error).toBe(
      'ERR_NO_PERMISSION',
    )
    expect((await ask(messages.remove, { body: { id } }, token)).body.error).toBe('ERR_NO_PERMISSION')
    const hers = await note(token)
    expect((await done(await ask(messages.remove, { body: { id: hers } }))).body).toMatchObject({ isDeleted: true })
    const sent = await say(ticketId, 'Já foi')
    expect((await ask(messages.change, { params: { id: sent }, body: { body: 'x' } })).body.error).toBe(
      'ERR_SEND_STATE',
    )
  })

  test('a connection that destroys erases text, file and versions', async () => {
    const { ticketId, from } = await conversation()
    const id = await say(ticketId, 'Segredo')
    await done(await ask(messages.edit, { body: { messageId: id, body: 'Segredo maior' } }))
    await settled(id)
    const flag = (destroy_message: boolean) =>
      product().platform.db.write(tenantId, (db) =>
        db.updateTable('connections').set({ destroy_message }).where('id', '=', connectionId).execute(),
      )
    await flag(true)
    await done(await ask(messages.remove, { body: { id } }))
    await settled(id)
    expect(await rowOf(id)).toMatchObject({ is_deleted: true, body: '', edition: null, file_id: null })
    await hear(textEvent({ from, body: 'Senha 123', id: `senha-${from}` }))
    await hear(
      act(from, `senha-${from}`, { type: 'revoke' }),
      act(from, `senha-${from}`, { type: 'edit', body: 'Senha 456' }),
    )
    expect(await byProvider(`senha-${from}`)).toMatchObject({ is_deleted: true, body: '', edition: null })
    const versions = await read<object[]>((db) =>
      db
        .selectFrom('message_acts')
        .selectAll()
        .where('body', 'like', 'Se%')
        .where('conversation_key', '=', from)
        .execute(),
    )
    expect(versions).toEqual([])
    await flag(false)
  })
})

describe('cards, places, buttons, and messages passed on', () => {
  test('they reach the channel with all that they consist of; bad ones are told by field', async () => {
    const { ticketId } = await conversation()
    const params = { ticketId }
    const contact = { fullName: 'Padaria', phoneNumber: '11 98888-7777' }
    const location = { latitude: -23.5, longitude: -46.6, name: 'Sé' }
    const idFront = randomUUID()
    const card = await done(await ask(messages.card, { params, body: { contact, idFront } }))
    expect(await ask(messages.card, { params, body: { contact, idFront } })).toMatchObject({
      body: { messages: [{ id: card.body.messages[0]!.id }] },
    })
    await done(await ask(messages.location, { params, body: { location } }))
    const form = { ticketId, body: 'Qual?', footer: 'Loja', buttons: [{ text: 'Esta' }, { id: 'b', text: 'Aquela' }] }
    await done(await ask(messages.buttons, { body: form }))
    await until(() => channel.sent.filter((one) => one.data !== null).length >= 3)
    expect(
      channel.sent
        .filter((one) => one.data !== null)
        .slice(-3)
        .map(({ type, data }) => [type, data]),
    ).toEqual([
      ['contact', contact],
      ['location', location],
      [
        'buttons',
        {
          footer: 'Loja',
          buttons: [
            { id: '1', text: 'Esta' },
            { id: 'b', text: 'Aquela' },
          ],
        },
      ],
    ])
    const details = async (operation: Operation, input: object) => (await ask(operation, input)).body['details']
    expect(
      await details(messages.location, { params, body: { location: { latitude: 91, longitude: 0 } } }),
    ).toHaveProperty(['location.latitude'])
    const same = { ...form, buttons: [{ text: 'Sim' }, { text: 'Sim' }] }
    expect(await details(messages.buttons, { body: same })).toHaveProperty('buttons')
    expect(
      await details(messages.card, { params, body: { contact: { fullName: '', phoneNumber: 'x' } } }),
    ).toMatchObject({
      'contact.fullName': expect.any(String),
      'contact.phoneNumber': expect.any(String),
    })
  })

  test('forwarded in the conversation’s order, into the contact’s ticket or a new one; notes and deleted ones never', async () => {
    const from = await conversation()
    const [one, two] = [await say(from.ticketId, 'um'), await say(from.ticketId, 'dois')]
    const contact = await m.contact(tenantId)
    const idFront = randomUUID()
    const body = { messages: [two, one], contact, idFront }
    const reply = await done(await ask(messages.forward, { body }))
    expect(reply.body.messages).toMatchObject([
      { body: 'um', sendType: 'forward' },
      { body: 'dois', sendType: 'forward' },
    ])
    const { ticketId } = reply.body.messages[0] as unknown as { ticketId: number }
    expect(ticketId).not.toBe(from.ticketId)
    const again = await done(await ask(messages.forward, { body }))
    expect(again.body.messages.map(({ id }) => id)).toEqual(reply.body.messages.map(({ id }) => id))
    const into = await done(await ask(messages.forward, { body: { messages: [one], contact } }))
    expect(into.body.messages).toMatchObject([{ ticketId }])
    await until(() => channel.sent.filter(({ isForwarded }) => isForwarded).length === 3)

    const note = await m.message(tenantId, from.ticketId, { is_note: true, from_me: true, media_type: 'note' } as never)
    const gone = await m.message(tenantId, from.ticketId, { is_deleted: true } as never)
    for (const id of [note, gone])
      expect((await ask(messages.forward, { body: { messages: [id], contact } })).body.error).toBe(
        'ERR_NOT_FORWARDABLE',
      )
    expect((await ask(messages.forward, { body: { messages: [randomUUID()], contact } })).body.error).toBe(
      'ERR_FETCH_WAPP_MSG',
    )

    // Somebody else's conversation: named, and nothing is sent.
    const bia = await m.user(tenantId, { profile: 'user', name: 'Bia Ramos' })
    const token = await m.token(bia)
    const hers = await conversation()
    await product().platform.db.write(tenantId, async (db) => {
      await db.updateTable('tickets').set({ user_id: bia.id }).where('id', '=', hers.ticketId).execute()
      await db
        .insertInto('settings')
        .values({ tenant_id: tenantId, key: 'NotViewAssignedTickets', value: 'enabled' })
        .execute()
    })
    await unit(product().platform, { tenantId, user: null }, async (ctx) => ctx.stale(`settings ${tenantId}`))
    const other = await ask(messages.forward, { body: { messages: [hers.theirs], contact } }, token)
    expect([other.status, other.body]).toMatchObject([
      409,
      { error: 'ERR_OTHER_OPEN_TICKET', ticket: { username: 'Ana Lima' } },
    ])
    await product().platform.db.write(tenantId, (db) =>
      db.deleteFrom('settings').where('key', '=', 'NotViewAssignedTickets').execute(),
    )
    await unit(product().platform, { tenantId, user: null }, async (ctx) => ctx.stale(`settings ${tenantId}`))
  })

  test('a restricted user neither forwards nor sends a card, and reads one masked', async () => {
    const { ticketId, theirs, from } = await conversation()
    const user = await m.user(tenantId, { profile: 'user' })
    await product().platform.db.write(tenantId, async (db) => {
      await db.updateTable('users').set({ restricted_user: true }).where('id', '=', user.id).execute()
      await db.updateTable('tickets').set({ user_id: user.id }).where('id', '=', ticketId).execute()
    })
    const token = await m.token(user)
    const contact = { fullName: 'Padaria Estrela', phoneNumber: '11 98888-7777' }
    await hear({
      ...textEvent({ from, body: contact.fullName, id: `card-${from}` }),
      message: {
        providerId: `card-${from}`,
        timestamp: Date.now(),
        type: 'contact',
        body: contact.fullName,
        data: contact,
      },
    })
    const page = await ask(messages.list, { params: { ticketId } }, token)
    expect(page.body.messages.at(-1)).toMatchObject({ data: { fullName: 'Padar…', phoneNumber: '•••••••' } })
    expect((await ask(messages.forward, { body: { messages: [theirs], contact: 1 } }, token)).status).toBe(403)
    expect((await ask(messages.card, { params: { ticketId }, body: { contact } }, token)).status).toBe(403)
  })
})

describe('what the contact does', () => {
  test('an act that comes before its message waits for it, for seven days', async () => {
    const { from, ticketId } = await conversation()
    const id = `depois-${from}`
    await hear(act(from, id, { type: 'edit', body: 'Corrigido' }))
    await hear(act(from, `nunca-${from}`, { type: 'revoke' }))
    expect(await byProvider(id)).toBeUndefined()
    await hear(textEvent({ from, id, body: 'Corigido' }))
    expect(await byProvider(id)).toMatchObject({ body: 'Corrigido', edition: 'Corigido' })
    expect(await ticketRow(ticketId)).toMatchObject({ last_message: 'Corrigido' })
    const later = new Date(product().platform.now().getTime() + 1000)
    expect(await product().platform.db.asPlatform((db) => removeWaitingActs(db, later, 10, tenantId))).toBe(1)
  })

  test('a reaction that is faster than the answer of the send finds its message', async () => {
    const { ticketId, from } = await conversation()
    channel.behave(async (message) => {
      await hear(act(from, `lento-${message.messageId}`, { type: 'reaction', emoji: '👏' }))
      return { providerId: `lento-${message.messageId}` }
    })
    const id = await say(ticketId, 'Pronto')
    expect(await rowOf(id)).toMatchObject({ reaction: '👏', status: 'sent' })
    testChannelAgain()
  })

  test('acts of strangers, on notes, or on ours are passed over', async () => {
    const { ticketId, from } = await conversation()
    const id = await say(ticketId, 'Nossa')
    const { provider_id } = await rowOf(id)
    await hear(
      act(from, provider_id!, { type: 'edit', body: 'Deles' }),
      act(from, provider_id!, { type: 'revoke' }),
      act(from, provider_id!, { type: 'reaction', emoji: '👍' }),
    )
    expect(await rowOf(id)).toMatchObject({ body: 'Nossa', is_deleted: false, reaction: '👍' })
  })

  test('twice, late and in any order, the message ends as a plain model says', async () => {
    type Told = { at: number; key: string } & (
      | { type: 'edit'; body: string }
      | { type: 'revoke' }
      | { type: 'reaction'; emoji: string | null }
    )
    const told = fc.record({
      at: fc.integer({ min: 1, max: 3 }),
      what: fc.constantFrom('edit', 'edit', 'reaction', 'revoke'),
      emoji: fc.option(fc.constantFrom('👍', '😂')),
    })
    const rounds = fc.tuple(fc.array(told, { maxLength: 5 }), fc.infiniteStream(fc.nat()))
    await fc.assert(
      fc.asyncProperty(rounds, async ([list, chance]) => {
        const { from } = await conversation()
        const id = `alvo-${from}`
        const acts = list.map(({ at, what, emoji }, n): Told => {
          const base = { at, key: `${from}:${n}` }
          if (what === 'edit') return { ...base, type: 'edit', body: `versão ${n}` }
          return what === 'revoke' ? { ...base, type: 'revoke' } : { ...base, type: 'reaction', emoji }
        })
        const pick = (below: number) => chance.next().value! % below
        const deliveries: ProviderEvent[] = [textEvent({ from, id, body: 'primeira', at: 1_760_000_000_000 })]
        for (const one of [...acts, ...acts]) {
          const { at, key, ...what } = one
          deliveries.splice(pick(deliveries.length + 1), 0, {
            ...what,
            dedupeKey: key,
            conversationKey: from,
            providerId: id,
            timestamp: 1_760_000_000_000 + at,
          })
        }
        // In as many turns as chance wants.
        while (deliveries.length > 0) await hear(...deliveries.splice(0, 1 + pick(4)))
        const model = { body: 'primeira', reaction: null as string | null, is_deleted: false }
        for (const one of acts.toSorted((a, b) => a.at - b.at || (a.key < b.key ? -1 : 1))) {
          if (one.type === 'edit') model.body = one.body
          if (one.type === 'reaction') model.reaction = one.emoji
          if (one.type === 'revoke') model.is_deleted = true
        }
        expect(await byProvider(id)).toMatchObject(model)
      }),
      { numRuns: 12 },
    )
  })

  test('the team’s acts in any order, refused and lost ones among them, leave phone and database equal', async () => {
    const { ticketId, from } = await conversation()
    const phone = new Map<string, { body: string; emoji: string | null; isDeleted: boolean }>()
    let mood: 'fine' | 'refused' | 'lost' = 'fine'
    channel.behaveActs(async (action) => {
      if (mood === 'refused') throw sendFailure('refused', 'não')
      const on = phone.get(action.providerId)!
      if (action.type === 'edit') on.body = action.body
      if (action.type === 'react') on.emoji = action.emoji
      if (action.type === 'revoke') on.isDeleted = true
      if (mood === 'lost') {
        mood = 'fine'
        throw sendFailure('unknown', 'sem resposta')
      }
    })
    const step = fc.record({
      what: fc.constantFrom('edit', 'react', 'react', 'remove'),
      mood: fc.constantFrom('fine', 'fine', 'refused', 'lost'),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 5 }), async (steps) => {
        const id = await say(ticketId, 'v0')
        phone.set((await rowOf(id)).provider_id!, { body: 'v0', emoji: null, isDeleted: false })
        for (const [n, { what, mood: next }] of steps.entries()) {
          mood = next as typeof mood
          if (what === 'edit') await ask(messages.edit, { body: { messageId: id, body: `v${n + 1}` } })
          if (what === 'react')
            await ask(messages.react, { body: { messageId: id, ticketId, reaction: n % 2 ? '' : '👍' } })
          if (what === 'remove') await ask(messages.remove, { body: { id } })
          await until(async () => {
            if ((await open(id)).every(({ status }) => status === 'failed')) return true
            if ((await open(id)).some(({ status, attempts }) => status === 'pending' && attempts > 0))
              await unit(product().platform, { tenantId, user: null }, async (ctx) =>
                enqueueSending(ctx, { connection_id: connectionId, conversation_key: from }),
              )
            return false
          })
        }
        const row = await rowOf(id)
        expect({ body: row.body, emoji: row.reaction_from_me, isDeleted: row.is_deleted }).toEqual(
          phone.get(row.provider_id!),
        )
      }),
      { numRuns: 8 },
    )
    testChannelAgain()
  })
})

test('acts on what is hidden, foreign, gone or in another ticket find nothing', async () => {
  const { theirs } = await conversation()
  const other = await conversation()
  const foreign = await m.tenant()
  const stranger = await m.token(await m.user(foreign, { profile: 'admin' }))
  const react = { messageId: theirs, ticketId: other.ticketId, reaction: '👍' }
  expect((await ask(messages.react, { body: react })).body.error).toBe('ERR_FETCH_WAPP_MSG')
  for (const [operation, input] of [
    [messages.edit, { body: { messageId: theirs, body: 'x' } }],
    [messages.remove, { body: { id: theirs } }],
    [messages.change, { params: { id: theirs }, body: { body: 'x' } }],
    [messages.forward, { body: { messages: [theirs], contact: 1 } }],
  ] as const)
    expect((await ask(operation, input, stranger)).body.error).toBe('ERR_FETCH_WAPP_MSG')
  expect((await ask(messages.react, { body: { ...react, reaction: 'ok' } })).status).toBe(404)
})

const act = (
  from: string,
  providerId: string,
  what: { type: 'edit'; body: string } | { type: 'revoke' } | { type: 'reaction'; emoji: string | null },
): ProviderEvent => ({
  ...what,
  dedupeKey: randomUUID(),
  conversationKey: from,
  providerId,
  timestamp: Date.now(),
})

const trailHas = async (id: string, step: string): Promise<boolean> =>
  (
    await read<object[]>((db) =>
      db.selectFrom('message_trail').select('id').where('message_id', '=', id).where('step', '=', step).execute(),
    )
  ).length > 0

/** The channel takes everything again. */
function testChannelAgain(): void {
  const sent = channel.sent
  channel = testChannel(product().platform)
  channel.sent.push(...sent)
}
