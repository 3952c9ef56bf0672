import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { connections } from '#features/connections/contract.ts'
import { history } from '#features/history/contract.ts'
import { messages } from '#features/messages/contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import { postForm } from '#test/channels/post-form.ts'
import { journaled } from '#test/journaled.ts'
import { make } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { type LabFaults, type LabMessage, type LabPhone, lab } from './contract.ts'
import { OUTAGE_MS } from './server/faults.ts'

const product = withProduct()
let tenantId: number
let agent: { id: number; token: string }
let phone: LabPhone

const read = <T>(
  find: (db: Parameters<Parameters<ReturnType<typeof product>['platform']['db']['read']>[1]>[0]) => Promise<T>,
) => product().platform.db.read(tenantId, find)
const detail = async () =>
  (await call(product(), connections.get, agent.token, { params: { id: phone.connectionId } })).body
const ledger = () => read((db) => db.selectFrom('messages').selectAll().orderBy('seq').execute())
const received = async (body: string) => {
  const find = async () => (await ledger()).find((one) => one.body === body)
  await until(async () => (await find()) !== undefined)
  return (await find())!
}
const say = async (body: string, id = randomUUID()) => {
  await call(product(), lab.send, agent.token, { params: { id: phone.id }, body: { id, body } as never })
  return id
}
const onPhone = async () =>
  (await call(product(), lab.messages, agent.token, { params: { id: phone.id } })).body.messages
const shows = (about: (one: LabMessage) => boolean) => until(async () => (await onPhone()).some(about))
const arm = (faults: Partial<LabFaults>, id = phone.id) =>
  call(product(), lab.setFaults, agent.token, { params: { id }, body: faults })
const act = (what: string) =>
  call(product(), lab.device, agent.token, { params: { id: phone.connectionId }, body: { act: what } as never })
const is = (status: string) => until(async () => (await detail()).status === status)
async function answer(ticketId: number, body: string) {
  const input = { params: { ticketId }, body: { body, idFront: randomUUID() } as never }
  const sent = (await call(product(), messages.send, agent.token, input)).body
  return sent.messages[0]!
}
async function scan() {
  // The shown code may have changed by the time it is scanned.
  await until(async () => (await detail()).qrcode !== null && (await act('scan')).status === 200)
  await is('CONNECTED')
}
const acts = (messageId: string) =>
  read((db) => db.selectFrom('message_acts').selectAll().where('message_id', '=', messageId).execute())
/** Sends a file of the demo like a person who attaches it. */
function attachTo(path: string, name: string, fields: Record<string, string>, method?: 'PUT') {
  const base64 = readFileSync(new URL(`../../../db/demo/media/${name}`, import.meta.url)).toString('base64')
  const file = { name, mime: 'image/jpeg', base64 }
  return postForm(`${product().address}/api/${path}`, agent.token, fields, ['file', file], method)
}
async function attach(name: string) {
  await attachTo(`lab/phones/${phone.id}/messages`, name, { id: randomUUID(), body: name })
  return received(name)
}
const isPicture = (payload: unknown, conversationKey: string) => {
  const event = payload as { type: string; conversationKey: string }
  return event.type === 'picture' && event.conversationKey === conversationKey
}

beforeAll(async () => {
  const m = make(product().platform)
  tenantId = await m.tenant('Loja Cambuí')
  const user = await m.user(tenantId, { profile: 'admin' })
  agent = { id: user.id, token: await m.token(user) }
  const body = { name: 'Otávio Rezende', number: '(19) 99812-4407', type: 'baileys' }
  phone = (await call(product(), lab.create, agent.token, { body })).body
})

test('the first phone makes a number that is linked by the laboratory’s button, and both write to each other', async () => {
  expect(phone).toMatchObject({ isLinked: true, type: 'baileys' })
  expect(await detail()).toMatchObject({ isVirtual: true, name: 'WhatsApp (laboratório)' })
  // Messages written before linking wait on the phone, and older ones come as history after linking.
  const long = Date.now() - 9 * 86_400_000
  const talk = ['Entregam aos sábados?', 'Entregamos sim.', 'Que bom!'].map((body, n) => ({
    ...{ id: randomUUID(), fromPhone: n !== 1, body, timestamp: long + n * 60_000 },
  }))
  await call(product(), lab.keep, agent.token, { params: { id: phone.id }, body: { messages: talk } })
  await scan()
  const id = await say('Vocês abrem amanhã?')
  const first = await received('Vocês abrem amanhã?')
  await shows((one) => one.id === id && one.status === 'delivered')
  const ticketId = first.ticket_id
  await call(product(), tickets.update, agent.token, {
    params: { id: ticketId },
    body: { status: 'open', userId: agent.id },
  })
  const sent = await answer(ticketId, 'Abrimos às nove.')
  await shows((one) => one.body === 'Abrimos às nove.' && !one.fromPhone)
  await call(product(), lab.read, agent.token, { params: { id: phone.id }, body: {} })
  await until(async () => (await ledger()).some((one) => one.id === sent.id && one.status === 'read'))

  // Acts in both directions.
  const onIt = (await onPhone()).find((one) => one.body === 'Abrimos às nove.')!
  const acts = (messageId: string, body: object) =>
    call(product(), lab.act, agent.token, { params: { id: phone.id, messageId }, body: body as never })
  await acts(id, { act: 'edit', body: 'Vocês abrem no sábado?' })
  await received('Vocês abrem no sábado?')
  await acts(onIt.id, { act: 'react', reaction: '👍' })
  const reacted = () => read((db) => db.selectFrom('message_acts').selectAll().execute())
  await until(async () => (await reacted()).length >= 2)
  const trail = await call(product(), lab.trail, agent.token, { params: { id: phone.id, messageId: id } })
  expect(trail.body).toMatchObject({ message: { ticketId, copies: 1 } })

  // A call is shown in its conversation.
  await call(product(), lab.ring, agent.token, { params: { id: phone.id } })
  expect(await received('Chamada de voz')).toMatchObject({ media_type: 'call', ticket_id: ticketId })

  // Old messages come in by import.
  await call(product(), history.importAll, agent.token, { body: { whatsappId: phone.connectionId } })
  await received('Que bom!')
  const older = await read((db) =>
    db
      .selectFrom('messages')
      .select(['body', 'from_me'])
      .where('sync_time', 'is not', null)
      .orderBy('timestamp')
      .execute(),
  )
  expect(older).toEqual(talk.map(({ body, fromPhone }) => ({ body, from_me: !fromPhone })))

  // Many messages at once are all stored, in order.
  const burst = await call(product(), lab.burst, agent.token, { params: { id: phone.id }, body: { count: 20 } })
  expect(burst.body.ids).toHaveLength(20)
  await received('Mensagem 20 de 20')
  const told = (await ledger()).filter(({ body }) => body.startsWith('Mensagem '))
  expect(told.map(({ body }) => body)).toEqual(Array.from({ length: 20 }, (_, n) => `Mensagem ${n + 1} de 20`))
})

describe('a group of phones on a linked number', () => {
  let other: LabPhone
  let group: LabPhone
  const groupKey = () => `${group.number}@g.us`
  const inGroup = (who: LabPhone, body: string, id = randomUUID()) =>
    call(product(), lab.send, agent.token, {
      params: { id: who.id },
      body: { id, body, groupId: group.id } as never,
    })
  const onGroup = async () =>
    (await call(product(), lab.messages, agent.token, { params: { id: group.id } })).body.messages
  const groupShows = (about: (one: LabMessage) => boolean) => until(async () => (await onGroup()).some(about))
  const lines = async () =>
    (await ledger()).flatMap(({ media_type, data }) =>
      media_type === 'group_event'
        ? [data as object as { change: string; people: { name: string }[]; by: { name: string } }]
        : [],
    )
  const change = (who: LabPhone, what: string, by?: LabPhone) =>
    call(product(), lab.changeMember, agent.token, {
      params: { id: group.id },
      body: { phoneId: who.id, change: what, ...(by ? { by: by.id } : {}) } as never,
    })
  const poll = async (ticketId: number, body: string, more: object = {}) => {
    const form = { ticketId, body, options: ['Sábado', 'Domingo'], ...more } as never
    const sent = await call(product(), messages.poll, agent.token, { body: form })
    expect(sent.status).toBe(200)
  }
  const vote = (who: LabPhone, messageId: string, options: readonly string[], groupId?: number) =>
    call(product(), lab.act, agent.token, {
      params: { id: who.id, messageId },
      body: { act: 'vote', options, ...(groupId ? { groupId } : {}) } as never,
    })

  beforeAll(async () => {
    const body = { name: 'Nádia Ferraz', number: '(19) 99812-4408', type: 'baileys' }
    other = (await call(product(), lab.create, agent.token, { body })).body
    const made = { name: 'Condomínio', phoneIds: [phone.id, other.id] }
    const reply = await call(product(), lab.createGroup, agent.token, { body: made })
    expect(reply.status).toBe(200)
    group = reply.body
  })

  test('talks with the team: each by name, with mentions, ticks, reactions and edits', async () => {
    // The number learns people's names from their messages.
    await inGroup(other, 'Oi, gente')
    await received('Oi, gente')
    const id = randomUUID()
    await inGroup(phone, '@Nádia Ferraz você vem?', id)
    const first = await received('@Nádia Ferraz você vem?')
    expect(first).toMatchObject({ conversation_key: groupKey(), sender: { name: 'Otávio Rezende' } })
    expect(first.mentions).toMatchObject({ people: [{ name: 'Nádia Ferraz' }] })
    await groupShows((one) => one.id === id && one.status === 'delivered')
    await inGroup(other, 'Vou sim')
    expect(await received('Vou sim')).toMatchObject({ ticket_id: first.ticket_id, sender: { name: 'Nádia Ferraz' } })
    const ticketId = first.ticket_id
    await call(product(), tickets.update, agent.token, {
      params: { id: ticketId },
      body: { status: 'open', userId: agent.id },
    })
    const sent = await answer(ticketId, 'Boa, @Nádia Ferraz!')
    await groupShows((one) => one.body === 'Boa, @Nádia Ferraz!' && !one.fromPhone)
    const [shown, ...twice] = (await onGroup()).filter(({ body }) => body === 'Boa, @Nádia Ferraz!')
    expect([shown!.mentions, twice]).toEqual([{ people: ['Nádia Ferraz'], everyone: null }, []])
    await call(product(), lab.read, agent.token, { params: { id: group.id }, body: {} })
    await until(async () => (await ledger()).some((one) => one.id === sent.id && one.status === 'read'))
    const act = (who: LabPhone, messageId: string, body: object) =>
      call(product(), lab.act, agent.token, {
        params: { id: who.id, messageId },
        body: { groupId: group.id, ...body } as never,
      })
    expect((await act(other, shown!.id, { act: 'react', reaction: '🎉' })).status).toBe(200)
    await until(async () => JSON.stringify(await acts(sent.id)).includes('🎉'))
    expect((await act(other, id, { act: 'edit', body: 'Não é minha' })).status).toBe(400)
    await act(phone, id, { act: 'edit', body: '@Nádia Ferraz você vem hoje?' })
    expect(await received('@Nádia Ferraz você vem hoje?')).toMatchObject({ id: first.id })
  })

  test('changes as its people change it, and can be read late', async () => {
    const body = { name: 'Wesley Cardoso', number: '(19) 99812-4409', type: 'baileys' }
    const third = (await call(product(), lab.create, agent.token, { body })).body
    await change(third, 'add', phone)
    await change(third, 'promote', phone)
    const renamed = { name: 'Condomínio Ipê', by: other.id } as never
    await call(product(), lab.changeGroup, agent.token, { params: { id: group.id }, body: renamed })
    await change(third, 'remove')
    await until(async () => (await lines()).length === 4)
    // He has not written anything.
    const wesley = '+5519998124409'
    expect((await lines()).map(({ change, people, by }) => [change, people[0]?.name, by?.name])).toEqual([
      ['add', wesley, 'Otávio Rezende'],
      ['promote', wesley, 'Otávio Rezende'],
      ['subject', undefined, 'Nádia Ferraz'],
      ['remove', wesley, wesley],
    ])
    const armed = (faults: Partial<LabFaults>) =>
      call(product(), lab.setFaults, agent.token, { params: { id: group.id }, body: faults })
    expect((await armed({ hidden: true })).status).toBe(400)
    await armed({ undecrypted: true })
    await inGroup(other, 'Li tarde?')
    await until(async () => (await ledger()).some(({ media_type }) => media_type === 'undecrypted'))
    expect(await received('Li tarde?')).toMatchObject({ media_type: 'text', conversation_key: groupKey() })
    await attachTo(`lab/groups/${group.id}`, 'bolo-morango.jpg', { by: String(phone.id) }, 'PUT')
    await until(async () => (await read(journaled)).some(({ payload }) => isPicture(payload, groupKey())))
  })

  test('votes in polls of the team, one vote each, and so does whoever writes alone', async () => {
    const { ticket_id: ticketId } = await received('Vou sim')
    await poll(ticketId, 'Assembleia quando?')
    await groupShows((one) => one.body === 'Assembleia quando?')
    const { id } = (await onGroup()).find((one) => one.body === 'Assembleia quando?')!
    expect((await vote(other, id, ['Sábado'], group.id)).status).toBe(200)
    expect(await received('Votou: Sábado')).toMatchObject({ ticket_id: ticketId, sender: { name: 'Nádia Ferraz' } })
    for (const options of [['Segunda'], ['Sábado', 'Domingo']])
      expect((await vote(phone, id, options, group.id)).body).toMatchObject({ error: 'ERR_VALIDATION' })
    await vote(other, id, [], group.id)
    await received('Retirou o voto.')

    const alone = (await received('Vocês abrem no sábado?')).ticket_id
    await poll(alone, 'Qual horário?', { many: true })
    await shows((one) => one.body === 'Qual horário?')
    const asked = (await onPhone()).find((one) => one.body === 'Qual horário?')!
    const voted = await vote(phone, asked.id, ['Sábado', 'Domingo'])
    expect(voted.body.data).toMatchObject({ votes: { [phone.id]: ['Sábado', 'Domingo'] } })
    expect(await received('Votou: Sábado, Domingo')).toMatchObject({ ticket_id: alone })
  })

  test('tells whom it is linked to next what was said in it before', async () => {
    const long = Date.now() - 8 * 86_400_000
    const body = {
      messages: [{ id: randomUUID(), fromPhone: true, body: 'Ata de ontem', timestamp: long, senderId: other.id }],
    }
    await call(product(), lab.keep, agent.token, { params: { id: group.id }, body })
    await act('unlink')
    await until(async () => (await detail()).cause === 'unlinked')
    await call(product(), connections.start, agent.token, { params: { id: phone.connectionId } })
    await scan()
    await inGroup(other, 'Alguém tem a ata?')
    await received('Alguém tem a ata?')
    await call(product(), history.importAll, agent.token, { body: { whatsappId: phone.connectionId } })
    expect(await received('Ata de ontem')).toMatchObject({
      ...{ conversation_key: groupKey(), from_me: false, sender: { name: 'Nádia Ferraz' } },
    })
  })
})

test('faults of messages: read late, damaged and expired files, refused with 463, without a number', async () => {
  expect((await arm({ duplicate: true })).status).toBe(400)
  await arm({ undecrypted: true })
  await say('Agora dá para ler?')
  await until(async () => (await ledger()).some(({ media_type }) => media_type === 'undecrypted'))
  expect((await received('Agora dá para ler?')).media_type).toBe('text')

  // Each fault applies to one message only.
  expect((await arm({ corruptFile: true })).body).toMatchObject({ faults: { undecrypted: false, corruptFile: true } })
  const warned = vi.spyOn(product().platform.log, 'warn')
  const damaged = await attach('docinhos.jpg')
  const fileOf = async (id: string) => (await ledger()).find((one) => one.id === id)!
  await until(async () => (await fileOf(damaged.id)).file_id !== null)
  // After three failed downloads the phone was asked.
  expect(warned.mock.calls.filter(([, text]) => text === 'a file was not downloaded')).toHaveLength(3)
  warned.mockRestore()
  expect((await arm({ expiredFile: true })).body).toMatchObject({ faults: { corruptFile: false, expiredFile: true } })
  const expired = await attach('bolo-morango.jpg')
  await until(async () => JSON.stringify((await fileOf(expired.id)).data).includes('expired'))

  await arm({ refuses: true })
  const settled = async () => {
    const { id } = await answer(expired.ticket_id, 'Ainda chega?')
    await until(async () => /sent|delivered|failed/.test((await fileOf(id)).status))
    return (await fileOf(id)).status
  }
  // The holder of the number learns of it within two seconds.
  await until(async () => (await settled()) === 'failed')
  await arm({ refuses: false, hidden: true })
  await say('E agora sem número')
  const hidden = await received('E agora sem número')
  // One person stays one contact, whichever address they use.
  expect(hidden.ticket_id).toBe(expired.ticket_id)
  // A contact who has never shown a number has none.
  const body = { name: 'Rita Sá', number: '(19) 99812-4410', type: 'baileys' }
  const shy = (await call(product(), lab.create, agent.token, { body })).body
  await arm({ hidden: true }, shy.id)
  const first = { id: randomUUID(), body: 'Só por aqui' } as never
  await call(product(), lab.send, agent.token, { params: { id: shy.id }, body: first })
  expect((await received('Só por aqui')).conversation_key).toMatch(/@lid$/)
})

test('faults of the number: cut, ten minutes away, another program, a dead server, unlinked', async () => {
  await act('cut')
  await is('TIMEOUT')
  await is('CONNECTED')

  const timers = vi.spyOn(globalThis, 'setTimeout')
  await act('away')
  await is('TIMEOUT')
  const { updatedAt } = await detail()
  const cut = await say('Escrito durante a queda')
  // The next attempt is rejected.
  await until(async () => (await detail()).updatedAt > updatedAt)
  expect((await detail()).status).toBe('TIMEOUT')
  expect((await ledger()).some(({ body }) => body === 'Escrito durante a queda')).toBe(false)
  // Ten minutes later.
  const [comeBack] = timers.mock.calls.find(([, ms]) => ms === OUTAGE_MS)!
  timers.mockRestore()
  comeBack()
  await received('Escrito durante a queda')
  await is('CONNECTED')

  await act('kill')
  await is('TIMEOUT')
  const waits = await say('Escrito sem servidor')
  const edited = {
    params: { id: phone.id, messageId: cut },
    body: { act: 'edit', body: 'Mudado sem servidor' } as never,
  }
  await call(product(), lab.act, agent.token, edited)
  expect((await onPhone()).find(({ id }) => id === waits)?.status).toBe('pending')
  await act('revive')
  await received('Escrito sem servidor')
  // Actions of the meantime follow.
  await received('Mudado sem servidor')
  await is('CONNECTED')

  for (const [what, cause] of [
    ['replace', 'replaced'],
    ['ban', 'banned'],
    ['unlink', 'unlinked'],
  ] as const) {
    await act(what)
    await until(async () => (await detail()).cause === cause)
    await call(product(), connections.start, agent.token, { params: { id: phone.connectionId } })
    if (what === 'ban') {
      // A banned number is admitted again when a new code is scanned.
      await until(async () => (await detail()).cause === cause)
      await call(product(), connections.renew, agent.token, { params: { id: phone.connectionId } })
    }
    if (what === 'replace') await is('CONNECTED')
    else await scan()
  }
})
