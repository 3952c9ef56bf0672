import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { sendJob } from '#features/ledger/server/outbox/outbox.ts'
import { users } from '#features/users/contract.ts'
import type { Operation } from '#kit/contract.ts'
import { sendFailure } from '#providers/channels/port.ts'
import { unit } from '#server/context.ts'
import { type ActReply, actEvent, actingCompany } from '#test/acting-company.ts'
import { textEvent } from '#test/peers/channel.ts'
import { withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { messages } from './contract.ts'

const product = withProduct()
let on: Awaited<ReturnType<typeof actingCompany>>
beforeAll(async () => {
  on = await actingCompany(product())
})

describe('what the team does to its messages', () => {
  test('an edit is first waited for, then shown, with all versions in the trail and in the list', async () => {
    const { ticketId } = await on.conversation()
    const id = await on.say(ticketId, 'Bom dai')
    const { promise: answered, resolve: release } = Promise.withResolvers<void>()
    on.channel().behaveActs(() => answered)
    const actId = randomUUID()
    const first = await on.done(await on.ask(messages.edit, { body: { messageId: id, body: 'Bom dia', actId } }))
    expect(first.body).toMatchObject({
      body: 'Bom dai',
      edition: null,
      acts: [{ type: 'edit', body: 'Bom dia', status: 'pending' }],
    })
    await on.done(await on.ask(messages.edit, { body: { messageId: id, body: 'Bom dia', actId } }))
    expect(await on.open(id)).toHaveLength(1)
    await until(async () => (await on.open(id))[0]!.status === 'queued')
    on.channel().behaveActs(async () => {})
    release()
    await on.ended(id)
    await on.done(await on.ask(messages.edit, { body: { messageId: id, body: 'Bom dia!' } }))
    await on.ended(id)
    expect(await on.rowOf(id)).toMatchObject({ body: 'Bom dia!', edition: 'Bom dai', status: 'sent' })
    expect(await on.ticketRow(ticketId)).toMatchObject({ last_message: 'Bom dia!' })
    const trail = (await on.ask(messages.trail, { params: { id } })) as unknown as {
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
    const { ticketId, from } = await on.conversation()
    const order: string[] = []
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    on.channel().behave(async (message) => {
      await held
      order.push(`send ${message.body}`)
      return { providerId: message.messageId }
    })
    on.channel().behaveActs(
      async (action) => void order.push(`${action.type} ${'body' in action ? action.body : ''}`.trim()),
    )
    const reply = await on.ask(messages.send, { params: { ticketId }, body: { idFront: randomUUID(), body: 'um' } })
    const { id } = reply.body.messages[0]!
    await until(async () => (await on.rowOf(id)).status === 'queued')
    await on.done(await on.ask(messages.edit, { body: { messageId: id, body: 'dois' } }))
    await on.done(await on.ask(messages.edit, { body: { messageId: id, body: 'três' } }))
    const next = await on.ask(messages.send, { params: { ticketId }, body: { idFront: randomUUID(), body: 'quatro' } })
    await on.done(await on.ask(messages.remove, { body: { id } }))
    release()
    await on.ended(id)
    await until(async () => (await on.rowOf(next.body.messages[0]!.id)).status === 'sent')
    expect(order).toEqual(['send um', 'edit dois', 'edit três', 'send quatro', 'revoke'])
    expect(await on.rowOf(id)).toMatchObject({ body: 'três', edition: 'um', is_deleted: true })
    expect(from).toBeTruthy()
    on.calm()
  })

  test('an act passes what is scheduled, and waits behind what can be taken back; what waits is not acted on', async () => {
    const { ticketId, from } = await on.conversation()
    const id = await on.say(ticketId, 'Custa 10')
    const write = async (body: string, more: object = {}) =>
      (await on.ask(messages.send, { params: { ticketId }, body: { idFront: randomUUID(), body, ...more } })).body
        .messages[0]!.id
    const scheduleDate = new Date(Date.now() + 3_600_000).toISOString()
    const scheduled = await write('Lembrete', { scheduleDate })
    await on.done(await on.ask(messages.edit, { body: { messageId: id, body: 'Custa 11' } }))
    await on.ended(id)
    expect(await on.rowOf(id)).toMatchObject({ body: 'Custa 11' })
    const prefer = (undoSeconds: number) =>
      on.ask(users.setConfigs, { params: { id: on.admin.id }, body: { preferences: { undoSeconds } } })
    await prefer(10)
    const undoable = await write('Engano')
    await prefer(0)
    for (const waiting of [scheduled, undoable])
      expect((await on.ask(messages.edit, { body: { messageId: waiting, body: 'x' } })).body.error).toBe(
        'ERR_SEND_STATE',
      )
    await on.done(await on.ask(messages.edit, { body: { messageId: id, body: 'Custa 12' } }))
    const conversation = { tenantId: on.tenantId, connectionId: on.connectionId, conversationKey: from }
    await sendJob.run(product().platform, conversation, { requireOwnership: () => {} })
    expect(await on.open(id)).toMatchObject([{ status: 'pending', attempts: 0 }])
    await on.done(await on.ask(messages.remove, { body: { id: undoable } }))
    await on.ended(id)
    expect(await on.rowOf(id)).toMatchObject({ body: 'Custa 12' })
    await on.done(await on.ask(messages.remove, { body: { id: scheduled } }))
    expect(await on.rowOf(scheduled)).toMatchObject({ status: 'canceled', is_deleted: false })
  })

  test('what waits does not go out, what went is deleted, the contact’s and what is old stays', async () => {
    const { ticketId, theirs } = await on.conversation()
    on.channel().behave(async () => {
      throw sendFailure('unreachable', 'sem linha')
    })
    const reply = await on.ask(messages.send, { params: { ticketId }, body: { idFront: randomUUID(), body: 'espera' } })
    const { id: waiting } = reply.body.messages[0]!
    await until(async () => (await on.open(waiting)).length === 0 && (await on.trailHas(waiting, 'waiting')))
    expect((await on.done(await on.ask(messages.remove, { body: { id: waiting } }))).body).toMatchObject({
      status: 'canceled',
      isDeleted: false,
    })
    on.calm()
    const id = await on.say(ticketId, 'Engano')
    expect((await on.ask(messages.remove, { body: { id, messageId: 'outra' } })).body.error).toBe('ERR_FETCH_WAPP_MSG')
    await on.done(await on.ask(messages.remove, { body: { id, messageId: (await on.rowOf(id)).provider_id } }))
    await on.ended(id)
    // Shown grey with its text to the team; the list marks it as deleted.
    const page = (await on.ask(messages.list, { params: { ticketId } })) as unknown as ActReply
    expect(page.body.messages.find((one) => one.id === id)).toMatchObject({ isDeleted: true, body: 'Engano' })
    expect(await on.ticketRow(ticketId)).toMatchObject({ last_message: 'Mensagem apagada' })
    expect((await on.ask(messages.remove, { body: { id: theirs } })).body.error).toBe('ERR_DELETE_WAPP_MSG')
    const old = await on.m.message(on.tenantId, ticketId, {
      from_me: true,
      status: 'read',
      timestamp: new Date(0),
    })
    expect((await on.ask(messages.remove, { body: { id: old } })).body.error).toBe('ERR_DELETE_WAPP_MSG')
    expect((await on.ask(messages.edit, { body: { messageId: old, body: 'x' } })).body.error).toBe('ERR_EDIT_TOO_LATE')
  })

  test('what the channel refuses is shown at the message, and tried again or given up', async () => {
    const { ticketId } = await on.conversation()
    const id = await on.say(ticketId, 'Original')
    on.channel().behaveActs(async () => {
      throw sendFailure('refused', 'ERR_CHANNEL_CANNOT')
    })
    await on.done(await on.ask(messages.edit, { body: { messageId: id, body: 'Outro' } }))
    await until(async () => (await on.open(id))[0]?.status === 'failed')
    expect(await on.rowOf(id)).toMatchObject({ body: 'Original', edition: null, status: 'sent' })
    on.channel().behaveActs(async () => {})
    await on.done(await on.ask(messages.retry, { params: { id } }))
    await until(async () => (await on.rowOf(id)).body === 'Outro')
    on.channel().behaveActs(async () => {
      throw sendFailure('refused', 'ERR_CHANNEL_CANNOT')
    })
    await on.done(await on.ask(messages.edit, { body: { messageId: id, body: 'Mais um' } }))
    await until(async () => (await on.open(id))[0]?.status === 'failed')
    expect((await on.done(await on.ask(messages.cancel, { params: { id } }))).body).toMatchObject({
      acts: [],
      body: 'Outro',
    })
    on.calm()
  })

  test('an answer that was lost is asked for again, and the phone agrees', async () => {
    const { ticketId, from } = await on.conversation()
    const id = await on.say(ticketId, 'Antes')
    const phone: (string | null)[] = []
    let lost = 2
    on.channel().behaveActs(async (action) => {
      phone.push(action.type === 'react' ? action.emoji : null)
      if (lost-- > 0) throw sendFailure('unknown', 'sem resposta')
    })
    await on.done(await on.ask(messages.react, { body: { messageId: id, ticketId, reaction: '👍' } }))
    await until(async () => {
      const [act] = await on.open(id)
      if (act?.status === 'pending' && act.attempts > 0) await on.retryNow(from)
      return act === undefined
    })
    expect(phone).toEqual(['👍', '👍', '👍'])
    expect(await on.rowOf(id)).toMatchObject({ reaction_from_me: '👍' })
    on.calm()
  })

  test('a note is changed by its author and deleted by leads too; whoever it mentions now is told', async () => {
    const { ticketId } = await on.conversation()
    const bia = await on.m.user(on.tenantId, { profile: 'user', name: 'Bia Nunes' })
    const token = await on.m.token(bia)
    const note = async (by: string) =>
      (
        await on.ask(
          messages.send,
          { params: { ticketId }, body: { idFront: randomUUID(), body: 'Ligar', isNote: true } },
          by,
        )
      ).body.messages[0]!.id
    const id = await note(on.admin.token)
    const changed = await on.done(
      await on.ask(messages.change, { params: { id }, body: { body: 'Ligar, @Bia Nunes', mentionedUsers: [bia.id] } }),
    )
    expect(changed.body).toMatchObject({ body: 'Ligar, @Bia Nunes', edition: 'Ligar', acts: [] })
    const told = await on.read<object[]>((db) =>
      db.selectFrom('notifications').selectAll().where('user_id', '=', bia.id).execute(),
    )
    expect(told).toHaveLength(1)
    await product().platform.db.write(on.tenantId, (db) =>
      db.updateTable('tickets').set({ user_id: bia.id }).where('id', '=', ticketId).execute(),
    )
    expect((await on.ask(messages.change, { params: { id }, body: { body: 'x' } }, token)).body.error).toBe(
      'ERR_NO_PERMISSION',
    )
    expect((await on.ask(messages.remove, { body: { id } }, token)).body.error).toBe('ERR_NO_PERMISSION')
    const hers = await note(token)
    expect((await on.done(await on.ask(messages.remove, { body: { id: hers } }))).body).toMatchObject({
      isDeleted: true,
    })
    const sent = await on.say(ticketId, 'Já foi')
    expect((await on.ask(messages.change, { params: { id: sent }, body: { body: 'x' } })).body.error).toBe(
      'ERR_SEND_STATE',
    )
  })

  test('a connection that destroys erases text, file and versions', async () => {
    const { ticketId, from } = await on.conversation()
    const id = await on.say(ticketId, 'Segredo')
    await on.done(await on.ask(messages.edit, { body: { messageId: id, body: 'Segredo maior' } }))
    await on.ended(id)
    const flag = (destroy_message: boolean) =>
      product().platform.db.write(on.tenantId, (db) =>
        db.updateTable('connections').set({ destroy_message }).where('id', '=', on.connectionId).execute(),
      )
    await flag(true)
    await on.done(await on.ask(messages.remove, { body: { id } }))
    await on.ended(id)
    expect(await on.rowOf(id)).toMatchObject({ is_deleted: true, body: '', edition: null, file_id: null })
    await on.hear(textEvent({ from, body: 'Senha 123', id: `senha-${from}` }))
    await on.hear(
      actEvent(from, `senha-${from}`, { type: 'revoke' }),
      actEvent(from, `senha-${from}`, { type: 'edit', body: 'Senha 456' }),
    )
    expect(await on.byProvider(`senha-${from}`)).toMatchObject({ is_deleted: true, body: '', edition: null })
    const versions = await on.read<object[]>((db) =>
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
    const { ticketId } = await on.conversation()
    const params = { ticketId }
    const contact = { fullName: 'Padaria', phoneNumber: '11 98888-7777' }
    const location = { latitude: -23.5, longitude: -46.6, name: 'Sé' }
    const idFront = randomUUID()
    const card = await on.done(await on.ask(messages.card, { params, body: { contact, idFront } }))
    expect(await on.ask(messages.card, { params, body: { contact, idFront } })).toMatchObject({
      body: { messages: [{ id: card.body.messages[0]!.id }] },
    })
    await on.done(await on.ask(messages.location, { params, body: { location } }))
    const form = { ticketId, body: 'Qual?', footer: 'Loja', buttons: [{ text: 'Esta' }, { id: 'b', text: 'Aquela' }] }
    await on.done(await on.ask(messages.buttons, { body: form }))
    await until(() => on.channel().sent.filter((one) => one.data !== null).length >= 3)
    expect(
      on
        .channel()
        .sent.filter((one) => one.data !== null)
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
    const details = async (operation: Operation, input: object) => (await on.ask(operation, input)).body['details']
    expect(
      await details(messages.location, { params, body: { location: { latitude: 91, longitude: 0 } } }),
    ).toHaveProperty(['location.latitude'])
    const many = { ...form, buttons: ['A', 'B', 'C', 'D'].map((text) => ({ text })) }
    expect(await on.ask(messages.buttons, { body: many })).toMatchObject({
      ...{ status: 422, body: { error: 'ERR_INTERACTIVE_REFUSED' } },
    })
    expect(await details(messages.buttons, { body: many })).toEqual({
      buttons: 'Este canal leva até 3 botões: tire 1.',
    })
    // This channel does not support lists.
    const list = { button: 'Ver', sections: [{ rows: [{ title: 'Esta' }] }] }
    expect(await on.ask(messages.buttons, { body: { ticketId, type: 'list', body: 'Qual?', list } })).toMatchObject({
      ...{ status: 422, body: { error: 'ERR_CHANNEL_CANNOT' } },
    })
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
    const from = await on.conversation()
    const [one, two] = [await on.say(from.ticketId, 'um'), await on.say(from.ticketId, 'dois')]
    const contact = await on.m.contact(on.tenantId)
    const idFront = randomUUID()
    const body = { messages: [two, one], contact, idFront }
    const reply = await on.done(await on.ask(messages.forward, { body }))
    expect(reply.body.messages).toMatchObject([
      { body: 'um', sendType: 'forward' },
      { body: 'dois', sendType: 'forward' },
    ])
    const { ticketId } = reply.body.messages[0] as unknown as { ticketId: number }
    expect(ticketId).not.toBe(from.ticketId)
    const again = await on.done(await on.ask(messages.forward, { body }))
    expect(again.body.messages.map(({ id }) => id)).toEqual(reply.body.messages.map(({ id }) => id))
    const into = await on.done(await on.ask(messages.forward, { body: { messages: [one], contact } }))
    expect(into.body.messages).toMatchObject([{ ticketId }])
    await until(() => on.channel().sent.filter(({ isForwarded }) => isForwarded).length === 3)

    const note = await on.m.message(on.tenantId, from.ticketId, {
      is_note: true,
      from_me: true,
      media_type: 'note',
    })
    const gone = await on.m.message(on.tenantId, from.ticketId, { is_deleted: true })
    for (const id of [note, gone])
      expect((await on.ask(messages.forward, { body: { messages: [id], contact } })).body.error).toBe(
        'ERR_NOT_FORWARDABLE',
      )
    expect((await on.ask(messages.forward, { body: { messages: [randomUUID()], contact } })).body.error).toBe(
      'ERR_FETCH_WAPP_MSG',
    )

    // Another agent's conversation: names the agent and sends nothing.
    const bia = await on.m.user(on.tenantId, { profile: 'user', name: 'Bia Ramos' })
    const token = await on.m.token(bia)
    const hers = await on.conversation()
    await product().platform.db.write(on.tenantId, async (db) => {
      await db.updateTable('tickets').set({ user_id: bia.id }).where('id', '=', hers.ticketId).execute()
      await db
        .insertInto('settings')
        .values({ tenant_id: on.tenantId, key: 'NotViewAssignedTickets', value: 'enabled' })
        .execute()
    })
    await unit(product().platform, { tenantId: on.tenantId, user: null }, async (ctx) =>
      ctx.stale(`settings ${on.tenantId}`),
    )
    const other = await on.ask(messages.forward, { body: { messages: [hers.theirs], contact } }, token)
    expect([other.status, other.body]).toMatchObject([
      409,
      { error: 'ERR_OTHER_OPEN_TICKET', ticket: { username: 'Ana Lima' } },
    ])
    await product().platform.db.write(on.tenantId, (db) =>
      db.deleteFrom('settings').where('key', '=', 'NotViewAssignedTickets').execute(),
    )
    await unit(product().platform, { tenantId: on.tenantId, user: null }, async (ctx) =>
      ctx.stale(`settings ${on.tenantId}`),
    )
  })

  test('a restricted user neither forwards nor sends a card, and reads one masked', async () => {
    const { ticketId, theirs, from } = await on.conversation()
    const user = await on.m.user(on.tenantId, { profile: 'user' })
    await product().platform.db.write(on.tenantId, async (db) => {
      await db.updateTable('users').set({ restricted_user: true }).where('id', '=', user.id).execute()
      await db.updateTable('tickets').set({ user_id: user.id }).where('id', '=', ticketId).execute()
    })
    const token = await on.m.token(user)
    const contact = { fullName: 'Padaria Estrela', phoneNumber: '11 98888-7777' }
    await on.hear({
      ...textEvent({ from, body: contact.fullName, id: `card-${from}` }),
      message: {
        providerId: `card-${from}`,
        timestamp: Date.now(),
        type: 'contact',
        body: contact.fullName,
        data: contact,
      },
    })
    const page = await on.ask(messages.list, { params: { ticketId } }, token)
    expect(page.body.messages.at(-1)).toMatchObject({ data: { fullName: 'Padar…', phoneNumber: '•••••••' } })
    expect((await on.ask(messages.forward, { body: { messages: [theirs], contact: 1 } }, token)).status).toBe(403)
    expect((await on.ask(messages.card, { params: { ticketId }, body: { contact } }, token)).status).toBe(403)
  })
})
