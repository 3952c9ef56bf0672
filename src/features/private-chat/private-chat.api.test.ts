import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { withMessages } from '#domain/private-chat/thread.ts'
import { messages as ticketMessages } from '#features/messages/contract.ts'
import { teams } from '#features/teams/contract.ts'
import { users } from '#features/users/contract.ts'
import type { Operation } from '#kit/contract.ts'
import { unit } from '#server/context.ts'
import { signAccessToken } from '#server/http/access-token.ts'
import { type Who, withCompany } from '#test/company.ts'
import { make } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { type PrivateMessage, privateChat } from './contract.ts'
import { forgetForwarded } from './server/index.ts'

const product = withProduct()
const m = () => make(product().platform)
const company = withCompany(product)
let ana: Who
let bia: Who
let caio: Who
let teamId: number

// biome-ignore lint/suspicious/noExplicitAny: answers of many operations
const ask = (who: { token: string }, op: Operation, input: object = {}): Promise<{ status: number; body: any }> =>
  call(product(), op as never, who.token, input)
const write = (who: Who, to: object, text: string, more: object = {}) =>
  ask(who, privateChat.send, { body: { id: randomUUID(), text, ...to, ...more } })
const to = (who: Who) => ({ receiverId: who.id })
const toTeam = () => ({ groupId: teamId, isGroup: true })
const threadWith = async (who: Who, contactId: number, isGroup = false): Promise<PrivateMessage[]> => {
  const { body } = await ask(who, privateChat.list, { params: { contactId }, query: { isGroup } })
  return body.messages
}
const texts = async (who: Who, contactId: number, isGroup = false) =>
  (await threadWith(who, contactId, isGroup)).map(({ text }) => text)
const unread = async (who: Who) => {
  const [one, teams] = [await ask(who, privateChat.unread), await ask(who, privateChat.unreadOfGroups)]
  return [one.body.count, teams.body.count.count]
}
const join = (who: Who) =>
  ask(company.admin, teams.addMember, { body: { userId: who.id, groupId: teamId } }).then(({ status }) =>
    expect(status).toBe(200),
  )
const leave = (who: Who) => ask(company.admin, teams.removeMember, { params: { userId: who.id, groupId: teamId } })

beforeAll(async () => {
  ;[ana, bia, caio] = [
    await company.someone('user', [], 'Ana Prado'),
    await company.someone('super', [], 'Bia Reis'),
    await company.someone('user', [], 'Caio Melo'),
  ]
  teamId = (await ask(company.admin, teams.create, { body: { group: 'Suporte' } })).body.id
  await join(ana)
  await join(bia)
})

describe('two colleagues', () => {
  it('write, read, and know who has read; the same id again is the same message', async () => {
    const id = randomUUID()
    const body = { id, text: ' Oi, Bia ', ...to(bia), read: false, sender: { id: ana.id }, timestamp: 1 }
    const first = await ask(ana, privateChat.send, { body })
    expect(first).toMatchObject({
      status: 200,
      body: { mensagem: { id, text: 'Oi, Bia', senderId: ana.id, read: false } },
    })
    const again = await Promise.all(Array.from({ length: 4 }, () => ask(ana, privateChat.send, { body })))
    for (const one of again) expect(one.body.mensagem).toMatchObject({ id, timestamp: first.body.mensagem.timestamp })
    expect(await texts(bia, ana.id)).toEqual(['Oi, Bia'])
    // Another's message, or one elsewhere, is not answered by its id.
    expect((await ask(bia, privateChat.send, { body: { ...body, ...to(ana) } })).status).toBe(409)
    expect((await ask(ana, privateChat.send, { body: { ...body, ...to(caio) } })).status).toBe(409)
    expect(await unread(bia)).toEqual([1, 0])
    const listed = await ask(bia, privateChat.colleagues)
    expect(listed.body.users[0]).toMatchObject({ id: ana.id, unreadCount: 1, lastMessage: 'Oi, Bia' })
    expect(listed.body.users[0].timestamp).toBe(first.body.mensagem.timestamp)
    await ask(bia, privateChat.read, { params: { contactId: ana.id }, body: {} })
    expect(await unread(bia)).toEqual([0, 0])
    expect((await threadWith(ana, bia.id))[0]).toMatchObject({ read: true })
  })

  it('send files, each a message, and nothing else opens them than their links', async () => {
    const form = new FormData()
    for (const [key, value] of Object.entries({
      id: randomUUID(),
      text: 'Os dois',
      receiverId: String(bia.id),
      isGroup: 'false',
    }))
      form.append(key, value)
    for (const name of ['a.txt', 'b.txt'])
      form.append('medias', new Blob([`conteúdo de ${name}`], { type: 'text/plain' }), name)
    const send = async () => {
      const answer = await fetch(`${product().address}/api/chat-privado/msg`, {
        method: 'POST',
        headers: { authorization: `Bearer ${ana.token}` },
        body: form,
      })
      return (await answer.json()) as { mensagens: PrivateMessage[] }
    }
    const [first, again] = [await send(), await send()]
    expect(first.mensagens.map(({ text, mediaName }) => [text, mediaName])).toEqual([
      ['Os dois', 'a.txt'],
      ['', 'b.txt'],
    ])
    expect(again.mensagens.map(({ id }) => id)).toEqual(first.mensagens.map(({ id }) => id))
    const file = await fetch(`${product().address}${first.mensagens[0]!.mediaUrl}`)
    expect(await file.text()).toBe('conteúdo de a.txt')
  })

  it('change and delete their own messages only, and react to any', async () => {
    const { body } = await write(ana, to(caio), 'Segunda às 9h')
    const params = { id: body.mensagem.id }
    expect((await ask(caio, privateChat.edit, { params, body: { text: 'Meu' } })).body.error).toBe(
      'ERR_PRIVATE_MESSAGE_OTHERS',
    )
    expect((await ask(ana, privateChat.edit, { params, body: { text: 'Segunda às 10h' } })).body).toMatchObject({
      text: 'Segunda às 10h',
      isEdited: true,
    })
    await ask(caio, privateChat.react, { params, body: { emoji: '👍' } })
    const reacted = await ask(caio, privateChat.react, { params, body: { emoji: '❤️' } })
    expect(reacted.body.reactions).toEqual([{ emoji: '❤️', userId: caio.id, name: 'Caio Melo' }])
    expect((await ask(caio, privateChat.react, { params, body: { emoji: 'sim' } })).status).toBe(400)
    expect((await ask(caio, privateChat.unreact, { params })).body.reactions).toEqual([])
    const quoting = await write(caio, to(ana), 'Combinado', { quotedId: params.id })
    expect(quoting.body.mensagem.quoted).toMatchObject({
      id: params.id,
      text: 'Segunda às 10h',
      senderName: 'Ana Prado',
    })
    expect((await ask(ana, privateChat.remove, { params })).body).toMatchObject({ text: '', isDeleted: true })
    expect((await ask(ana, privateChat.edit, { params, body: { text: 'De volta' } })).status).toBe(404)
    expect((await ask(caio, privateChat.react, { params, body: { emoji: '👍' } })).status).toBe(404)
  })

  it.each([
    ['nothing', { text: '  ' }, 'ERR_MESSAGE_EMPTY'],
    ['to oneself', { receiverId: 'self' }, 'ERR_NO_USER_FOUND'],
    ['to who is not there', { receiverId: 2 ** 40 }, 'ERR_NO_USER_FOUND'],
    ['to no one', { receiverId: null }, 'ERR_VALIDATION'],
    ['what quotes another conversation', { quotedId: 'other' }, 'ERR_NO_PRIVATE_MESSAGE'],
  ])('send %s: refused', async (_, more, error) => {
    const other = await write(bia, to(caio), 'De outra conversa')
    const given = {
      ...more,
      ...('receiverId' in more && more.receiverId === 'self' ? { receiverId: ana.id } : {}),
      ...('quotedId' in more ? { quotedId: other.body.mensagem.id } : {}),
    }
    expect((await write(ana, to(bia), 'Oi', given)).body.error).toBe(error)
  })
})

describe('a team', () => {
  it('is read by who joins from then on; who leaves keeps what was and writes no more', async () => {
    await write(ana, toTeam(), 'Antes')
    await join(caio)
    await write(ana, toTeam(), '@Caio Melo, bem-vindo')
    expect(await texts(caio, teamId, true)).toEqual(['@Caio Melo, bem-vindo'])
    expect((await threadWith(caio, teamId, true))[0]!.mentions).toEqual([{ id: caio.id, name: 'Caio Melo' }])
    expect((await unread(caio))[1]).toBe(1)
    await leave(caio)
    await write(ana, toTeam(), 'Depois')
    expect(await texts(caio, teamId, true)).toEqual(['@Caio Melo, bem-vindo'])
    expect((await write(caio, toTeam(), 'Voltei')).body.error).toBe('ERR_PRIVATE_GROUP_LEFT')
    const groups = await ask(caio, privateChat.groups, { params: { userId: caio.id } })
    expect(groups.body.groups).toMatchObject([{ id: teamId, group: 'Suporte', isMember: false }])
    await join(caio)
    expect(await texts(caio, teamId, true)).toEqual(['@Caio Melo, bem-vindo'])
    expect(await texts(bia, teamId, true)).toEqual(['Antes', '@Caio Melo, bem-vindo', 'Depois'])
    expect((await ask(bia, privateChat.readAll, { body: {} })).status).toBe(200)
    expect(await unread(bia)).toEqual([0, 0])
  })

  it('is kept for its people when it is deleted', async () => {
    const { body: team } = await ask(company.admin, teams.create, { body: { group: 'Efêmera' } })
    await ask(company.admin, teams.addMember, { body: { userId: ana.id, groupId: team.id } })
    await write(ana, { groupId: team.id, isGroup: true }, 'Guardada')
    await ask(company.admin, teams.remove, { params: { id: team.id } })
    expect(await texts(ana, team.id, true)).toEqual(['Guardada'])
    const { body } = await ask(ana, privateChat.groups, {
      params: { userId: ana.id },
      query: { searchParam: 'efemera' },
    })
    expect(body.groups).toMatchObject([{ id: team.id, group: 'Efêmera', isMember: false }])
  })
})

it('prints a conversation for who is part of it', async () => {
  await write(ana, to(bia), 'para o papel')
  const mine = await ask(ana, privateChat.export, { params: { contactId: bia.id }, query: {} })
  expect([mine.status, String(mine.body).slice(0, 5)]).toEqual([200, '%PDF-'])
  const empty = await ask(caio, privateChat.export, { params: { contactId: bia.id }, query: {} })
  expect(empty.status).toBe(200)
  expect(String(empty.body).length).toBeLessThan(String(mine.body).length)
})

describe('nobody else', () => {
  it('reads a conversation: no colleague, administrator, support, superadmin, master key or other company', async () => {
    const secret = `segredo ${randomUUID()}`
    const { body } = await write(ana, to(bia), secret)
    await write(ana, toTeam(), secret)
    const support = await company.someone('admin')
    await product().platform.db.asPlatform((db) =>
      db.updateTable('users').set({ is_support: true }).where('id', '=', support.id).execute(),
    )
    const otherTenant = await m().tenant()
    const stranger = await m().person(otherTenant, { profile: 'admin' })
    const outsiders = [company.admin, support, await company.someone('superadmin'), await company.someone('user')]
    const id = body.mensagem.id
    for (const who of [...outsiders, stranger]) {
      const isOther = who === stranger
      expect(
        (await ask(who, privateChat.list, { params: { contactId: teamId }, query: { isGroup: true } })).status,
      ).toBe(isOther ? 404 : 403)
      const paper = { params: { contactId: teamId }, query: { isGroup: true } }
      expect((await ask(who, privateChat.export, paper)).status).toBe(isOther ? 404 : 403)
      expect((await ask(who, privateChat.search, { query: { searchParam: secret } })).body.messages).toEqual([])
      expect((await ask(who, privateChat.groups, { params: { userId: ana.id } })).status).toBe(isOther ? 404 : 403)
      const changes: [Operation, object][] = [
        [privateChat.edit, { body: { text: 'x' } }],
        [privateChat.remove, {}],
        [privateChat.react, { body: { emoji: '👍' } }],
        [privateChat.unreact, {}],
      ]
      for (const [op, input] of changes) expect((await ask(who, op, { params: { id }, ...input })).status).toBe(404)
      expect((await write(who, { groupId: teamId, isGroup: true }, 'x')).status).toBe(isOther ? 404 : 403)
      expect(JSON.stringify((await ask(who, ticketMessages.changes, { query: { after: 0 } })).body)).not.toContain(
        secret,
      )
      if (!isOther) expect(await texts(who, ana.id)).toEqual([])
    }
    const found = await ask(bia, privateChat.search, { query: { searchParam: secret.toUpperCase() } })
    expect(found.body.messages.map(({ text }: PrivateMessage) => text)).toEqual([secret, secret])
  })

  it('hears of it: a line opened with the master key has no private chat', async () => {
    const platform = product().platform
    const session = await platform.db.read(company.tenantId, (db) =>
      db.selectFrom('sessions').select('id').where('user_id', '=', bia.id).executeTakeFirstOrThrow(),
    )
    const row = await platform.db.read(company.tenantId, (db) =>
      db.selectFrom('users').select(['token_version']).where('id', '=', bia.id).executeTakeFirstOrThrow(),
    )
    const claims = {
      userId: bia.id,
      tenantId: company.tenantId,
      sessionId: session.id,
      tokenVersion: row.token_version,
    }
    const token = await signAccessToken(platform, { ...claims, byMasterKey: true, username: 'Bia', profile: 'super' })
    const asBia: Who = { ...bia, token }
    for (const op of Object.values(privateChat).filter(({ method }) => method === 'GET') as unknown as Operation[])
      expect((await ask(asBia, op, { params: { contactId: ana.id, userId: bia.id } })).status).toBe(403)
    const [own, hers] = [await company.listen(bia), await company.listen(asBia)]
    await write(ana, to(bia), 'Só para você')
    await until(() => own.heard.some(({ channel }) => channel === 'msg-private-msg'))
    await ask(ana, users.setOnline, { params: { id: ana.id }, body: { isOnline: true } })
    await until(() => hers.heard.length > 0)
    expect(hers.heard.filter(({ channel }) => channel.includes('private-msg'))).toEqual([])
    expect(JSON.stringify((await ask(asBia, ticketMessages.changes, { query: { after: 0 } })).body)).not.toContain(
      'Só para você',
    )
  })
})

describe('what is passed on', () => {
  it('goes with its text and file, from own conversations and from tickets that one sees, once for an id', async () => {
    const ticketId = await m().ticket(company.tenantId, { user_id: ana.id, status: 'open' })
    const messageId = await m().message(company.tenantId, ticketId, { body: 'Onde está o pedido?' })
    const noteId = await m().message(company.tenantId, ticketId, { from_me: true, is_note: true, body: 'Só nossa' })
    const body = { id: randomUUID(), messages: [messageId], ticketId, receiverId: caio.id }
    const sent = await ask(ana, privateChat.forward, { body })
    expect(sent.body.mensagens).toMatchObject([{ text: 'Onde está o pedido?', isForwarded: true, ticketId }])
    const again = await ask(ana, privateChat.forward, { body })
    expect(again.body.mensagens.map(({ id }: PrivateMessage) => id)).toEqual([sent.body.mensagens[0].id])
    const other = { id: randomUUID(), receiverId: ana.id }
    expect((await ask(bia, privateChat.forward, { body: { ...other, messages: [noteId], ticketId } })).status).toBe(422)
    const stranger = await m().ticket(await m().tenant())
    expect(
      (await ask(ana, privateChat.forward, { body: { ...body, id: randomUUID(), ticketId: stranger } })).status,
    ).toBe(404)
    const own = await ask(caio, privateChat.forward, {
      body: { ...other, messages: [sent.body.mensagens[0].id], receiverId: bia.id },
    })
    expect(own.body.mensagens).toMatchObject([{ text: 'Onde está o pedido?', ticketId, receiverId: bia.id }])
    expect(
      (await ask(bia, privateChat.forward, { body: { ...other, id: randomUUID(), messages: [messageId] } })).status,
    ).toBe(404)
    // A forgotten person is forgotten here as well.
    await unit(product().platform, { tenantId: company.tenantId, user: null }, (ctx) =>
      forgetForwarded(ctx, { contactIds: [], ticketIds: [ticketId], identifiers: [], fileIds: [] }),
    )
    expect((await threadWith(ana, caio.id)).at(-1)).toMatchObject({ text: '', isDeleted: true, ticketId: null })
  })
})

it('comes to the same thread for five clients that lose, repeat and reorder what they hear', async () => {
  const five = [ana, bia, caio, await company.someone('user'), await company.someone('admin')]
  for (const who of five) await join(who)
  const lines = await Promise.all(five.map((who) => company.listen(who)))
  const sent: string[] = []
  await Promise.all(
    five.map(async (who, at) => {
      for (let n = 0; n < 6; n++) {
        const body = { id: randomUUID(), text: `${at}:${n}`, ...toTeam() }
        // Each is sent twice at the same time.
        await Promise.all([ask(who, privateChat.send, { body }), ask(who, privateChat.send, { body })])
        sent.push(body.text)
        if (n % 2 === 0) await ask(who, privateChat.edit, { params: { id: body.id }, body: { text: `${body.text}!` } })
        if (n % 3 === 0)
          await ask(five[(at + 1) % 5]!, privateChat.react, { params: { id: body.id }, body: { emoji: '👍' } })
      }
    }),
  )
  const whole = await Promise.all(five.map((who) => threadWith(who, teamId, true)))
  const [first] = whole
  const newest = first!.at(-1)!
  await until(() => lines.every(({ heard }) => heard.some(({ payload }) => payload['id'] === newest.id)))
  for (const [at, { heard }] of lines.entries()) {
    const told = heard
      .filter(({ channel }) => channel === 'msg-private-msg')
      .map(({ payload }) => payload as unknown as PrivateMessage)
    const some = [...told.filter((_, index) => index % (at + 2) !== 0), ...told].reverse()
    const thread = withMessages(withMessages([], some), whole[at]!)
    const shown = (one: PrivateMessage) => [one.id, one.text, one.revision, one.reactions.length]
    const known = new Set(whole[at]!.map(({ id }) => id))
    expect(thread.filter(({ id }) => known.has(id)).map(shown)).toEqual(whole[at]!.map(shown))
    expect(shown(whole[at]!.at(-1)!)).toEqual(shown(newest))
  }
  const ofTest = first!.filter(({ text }) => sent.includes(text.replace('!', '')))
  expect(ofTest).toHaveLength(Math.min(30, first!.length))
  for (const who of five) {
    const { body } = await ask(who, privateChat.groups, { params: { userId: who.id } })
    const one = body.groups.find(({ id }: { id: number }) => id === teamId)
    await ask(who, privateChat.read, { params: { contactId: teamId }, body: { isGroup: true } })
    expect(one.unreadCount).toBeGreaterThanOrEqual(24)
    expect((await unread(who))[1]).toBe(0)
  }
})
