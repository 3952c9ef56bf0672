import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { connections } from '#features/connections/contract.ts'
import { contacts } from '#features/contacts/contract.ts'
import { messages } from '#features/messages/contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import { pictureOf } from '#test/channels/picture-check.ts'
import { connectedBot, gotBy, NADIA, OTAVIO, telegramFor } from '#test/channels/telegram-end.ts'
import { make } from '#test/make.ts'
import type { Chat } from '#test/peers/telegram/bot-api.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'

const product = withProduct({ env: { OUTBOUND_ALLOW: ['127.0.0.1'] } })
const closes: (() => Promise<void>)[] = []
afterAll(() => Promise.all(closes.map((close) => close())))

/** Creates a company with a bot at a Telegram stand-in, to which Otávio has written. */
async function company({ isCalled = false, isStarted = true, tokenTelegram = undefined as string | undefined } = {}) {
  const telegram = await telegramFor(product(), { isCalled })
  closes.push(telegram.close)
  const m = make(product().platform)
  const tenantId = await m.tenant()
  const admin = await m.user(tenantId, { profile: 'admin' })
  const token = await m.token(admin)
  for (const chat of [OTAVIO, NADIA]) telegram.chats.set(chat.id, { ...chat })
  const about = { isStarted, ...(tokenTelegram ? { tokenTelegram } : {}) }
  const bot = await connectedBot(product(), token, telegram, about)
  const db = <T>(work: Parameters<ReturnType<typeof product>['platform']['db']['read']>[1]) =>
    product().platform.db.read(tenantId, work) as Promise<T>
  type Row = {
    id: string
    body: string
    status: string
    ticket_id: number
    from_me: boolean
    album: { id: string } | null
    media_type: string
    reaction: string | null
  }
  const rows = () =>
    db<Row[]>((read) => read.selectFrom('messages').selectAll().where('is_note', '=', false).orderBy('seq').execute())
  const arrives = async (body: string) => {
    await until(async () => (await rows()).some((one) => one.body === body))
    return (await rows()).find((one) => one.body === body)!
  }
  /** Returns the ticket of a chat, assigned to the administrator. */
  const ticketOf = async (chatId: number) => {
    const { id } = (await db<{ id: number }>((read) =>
      read
        .selectFrom('tickets')
        .select('id')
        .where('conversation_key', '=', String(chatId))
        .where('status', '<>', 'closed')
        .executeTakeFirstOrThrow(),
    ))!
    await call(product(), tickets.update, token, { params: { id }, body: { status: 'open', userId: admin.id } })
    return id
  }
  const send = async (ticketId: number, body: string) => {
    const form = { idFront: randomUUID(), body }
    const reply = await call(product(), messages.send, token, { params: { ticketId }, body: form as never })
    return (reply.body as unknown as { messages: { id: string }[] }).messages[0]!.id
  }
  const becomes = (id: string, status: string) =>
    until(async () => (await rows()).some((one) => one.id === id && one.status === status))
  const detail = async (id: number) => (await call(product(), tickets.get, token, { params: { id } })).body as never
  const look = () => product().platform.bus.stale(`news ${tenantId}:${bot.id}`)
  const reasonOf = (id: string) =>
    db<{ detail: { reason?: string; seconds?: number } }[]>((read) =>
      read.selectFrom('message_trail').select('detail').where('message_id', '=', id).orderBy('id').execute(),
    ).then((trail) => JSON.stringify(trail.map((one) => one.detail)))
  return { telegram, tenantId, token, bot, rows, arrives, ticketOf, send, becomes, detail, look, reasonOf, db }
}

test('where nothing can call us, updates are asked for and let go only once they are in the journal', async () => {
  const { telegram, arrives, bot, token, rows } = await company()
  expect(await bot.read()).toMatchObject({ status: 'CONNECTED', number: `@${telegram.bot.username}` })
  telegram.say(OTAVIO, { text: 'Oi' })
  await arrives('Oi')
  await until(() => telegram.delivery.pending.length === 0)
  const asked = telegram.calls.filter(({ method }) => method === 'getUpdates').map(({ payload }) => payload)
  expect(asked[0]).toMatchObject({
    offset: 0,
    limit: 100,
    allowed_updates: expect.arrayContaining(['message_reaction']),
  })
  expect(asked).toContainEqual(expect.objectContaining({ offset: 700_002 }))
  // After a restart with repeated updates, everything is stored once.
  await call(product(), connections.end, token, { params: bot.params })
  await bot.is('DISCONNECTED')
  telegram.say(OTAVIO, { text: 'Ainda aí?' })
  expect((await bot.start()).status).toBe(200)
  await arrives('Ainda aí?')
  telegram.say(OTAVIO, { text: 'Oi?' })
  await arrives('Oi?')
  expect((await rows()).map(({ body }) => body)).toEqual(['Oi', 'Ainda aí?', 'Oi?'])
})

test('where we can be called, Telegram is told so with a secret; another secret, or none, is refused', async () => {
  const { telegram, arrives, bot, token, look, rows } = await company({ isCalled: true })
  const { url, secret } = telegram.delivery.webhook
  expect(url).toMatch(/^https:\/\/guiche\.example\/api\/hooks\/[\w-]{22}$/)
  expect(secret).toMatch(/^[\w-]{32,256}$/)
  telegram.say(OTAVIO, { text: 'Oi' })
  await arrives('Oi')
  const post = (headers: Record<string, string>, body = '{"update_id":1}') =>
    fetch(url.replace('https://guiche.example', product().address), { method: 'POST', headers, body }).then(
      ({ status }) => status,
    )
  expect(await post({})).toBe(401)
  expect(await post({ 'x-telegram-bot-api-secret-token': `${secret}x` })).toBe(401)
  const genuine = { 'x-telegram-bot-api-secret-token': secret }
  expect(await Promise.all(['<html>', 'null'].map((body) => post(genuine, body)))).toEqual([400, 400])
  expect(await Promise.all(['{}', '[]', '5', '{"message":{}}'].map((body) => post(genuine, body)))).toEqual(
    expect.arrayContaining([200, 200, 200]),
  )
  // A button press is answered in the response to its webhook call.
  const message = { message_id: 1, chat: OTAVIO, date: 1 }
  telegram.delivery.push({ callback_query: { id: 'aperto', from: OTAVIO, message, data: 'x' } })
  await until(() => telegram.answered.includes('aperto'))
  // A webhook changed by another program is detected.
  telegram.delivery.webhook.url = 'https://outro.example/x'
  look()
  await until(() => telegram.delivery.webhook.url === url)
  telegram.delivery.webhook.url = ''
  expect((await call(product(), connections.setWebhook, token, { params: bot.params })).status).toBe(200)
  expect(telegram.delivery.webhook.url).toBe(url)
  // An update repeated out of order is stored once.
  const first = telegram.delivery.push({
    message: { message_id: 9001, from: OTAVIO, chat: OTAVIO, date: 1_761_040_801, text: 'um' },
  })
  telegram.delivery.push({
    message: { message_id: 9002, from: OTAVIO, chat: OTAVIO, date: 1_761_040_802, text: 'dois' },
  })
  await arrives('dois')
  telegram.delivery.again(first)
  await until(() => telegram.delivery.pending.length === 0)
  expect((await rows()).filter(({ body }) => body === 'um')).toHaveLength(1)
})

test('an address that Telegram does not call is asked without', async () => {
  const telegram = await telegramFor(product(), { isCalled: true })
  closes.push(telegram.close)
  telegram.faults.refusesWebhook = true
  telegram.chats.set(OTAVIO.id, { ...OTAVIO })
  const m = make(product().platform)
  const tenantId = await m.tenant()
  const token = await m.token(await m.user(tenantId, { profile: 'admin' }))
  const bot = await connectedBot(product(), token, telegram)
  telegram.say(OTAVIO, { text: 'Oi' })
  await until(() => telegram.delivery.pending.length === 0)
  expect((await call(product(), connections.setWebhook, token, { params: bot.params })).body).toMatchObject({
    details: { config: expect.stringContaining('O Telegram não chama guiche.example') },
  })
  Object.assign(product().platform.env, { PUBLIC_URL: product().address })
  await call(product(), connections.update, token, { params: bot.params, body: { name: 'Outro' } })
  expect((await call(product(), connections.setWebhook, token, { params: bot.params })).body).toMatchObject({
    details: { config: expect.stringContaining('Sem um endereço https') },
  })
})

test('a token is tried when the bot is connected, and what is wrong is said; it is kept masked', async () => {
  const other = '7000000001:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
  const { telegram, bot, token } = await company({ isStarted: false, tokenTelegram: other })
  const problem = async () => ((await bot.start()).body as unknown as { details: { config: string } }).details.config
  expect(await problem()).toBe('O Telegram não conhece este token. Confira-o com o @BotFather.')
  expect(JSON.stringify(await bot.read())).not.toContain(other)
  const change = (tokenTelegram: string) =>
    call(product(), connections.update, token, { params: bot.params, body: { config: { tokenTelegram } } as never })
  expect((await change('')).status).toBe(400)
  await change('nada')
  expect(await problem()).toContain('não conhece este token')
  await change(telegram.state.token)
  telegram.faults.isSilent = true
  expect(await problem()).toContain('caiu antes da resposta')
  const { TELEGRAM_API_URL } = product().platform.env
  for (const [address, words] of [
    ['http://127.0.0.1:1', 'Ninguém atende em 127.0.0.1:1'],
    [product().address, 'não responde o Telegram'],
  ] as const) {
    Object.assign(product().platform.env, { TELEGRAM_API_URL: address })
    await change(telegram.state.token)
    expect(await problem()).toContain(words)
  }
  Object.assign(product().platform.env, { TELEGRAM_API_URL })
  telegram.faults.isSilent = false
  await change(telegram.state.token)
  expect((await bot.start()).status).toBe(200)
  await bot.is('CONNECTED')
})

test('a token that another program uses, or that is worth nothing any more, waits for a person', async () => {
  const { telegram, bot } = await company()
  // Another program polls for updates whenever we do.
  let isOver = false
  const other = async () => {
    while (!isOver) {
      await telegram.delivery.getUpdates({ timeout: 30, offset: 0 }, new AbortController().signal)
      await new Promise((done) => setTimeout(done, 20))
    }
  }
  const running = other()
  await bot.is('DISCONNECTED')
  isOver = true
  telegram.say(OTAVIO, { text: 'x' })
  await running
  expect(await bot.read()).toMatchObject({ cause: 'replaced' })
  expect((await bot.start()).status).toBe(200)
  await bot.is('CONNECTED')
  telegram.state.token = telegram.state.token.replace(/.$/, '_')
  telegram.say(OTAVIO, { text: 'y' })
  await bot.is('DISCONNECTED')
  expect(await bot.read()).toMatchObject({ cause: 'token' })
})

test('haste is waited off in its chat alone; a lost answer is uncertain, and never repeated', async () => {
  const { telegram, arrives, ticketOf, send, becomes, reasonOf, token } = await company()
  telegram.say(OTAVIO, { text: 'Oi' })
  telegram.say(NADIA, { text: 'Olá' })
  await arrives('Oi')
  await arrives('Olá')
  const [otavio, nadia] = [await ticketOf(OTAVIO.id), await ticketOf(NADIA.id)]
  telegram.faults.slowed.set(OTAVIO.id, 30)
  const slow = await send(otavio, 'Depois')
  await becomes(slow, 'pending')
  await until(async () => (await reasonOf(slow)).includes('pediu para esperar'))
  expect(await reasonOf(slow)).toContain('"seconds":30')
  const now = await send(nadia, 'Agora')
  await becomes(now, 'sent')
  expect(gotBy(telegram, NADIA.id)).toMatchObject([{ body: 'Agora' }])
  // Actions on messages are slowed as well.
  telegram.faults.slowed.set(NADIA.id, 40)
  const edit = { messageId: now, body: 'Agora mesmo' }
  expect((await call(product(), messages.edit, token, { body: edit })).status).toBe(200)
  await until(async () => (await reasonOf(now)).includes('"seconds":40'))
  telegram.faults.lostAnswers = 1
  await becomes(await send(nadia, 'Chegou?'), 'uncertain')
  await becomes(await send(nadia, 'E agora?'), 'sent')
  expect(gotBy(telegram, NADIA.id).map(({ body }) => body)).toEqual(['Agora mesmo', 'Chegou?', 'E agora?'])
})

test('who blocks the bot is marked, by what is told and by what is refused, until they let it write again', async () => {
  const { telegram, arrives, ticketOf, send, becomes, detail, reasonOf, token } = await company()
  telegram.say(OTAVIO, { text: 'Oi' })
  await arrives('Oi')
  const id = await ticketOf(OTAVIO.id)
  const since = async () =>
    ((await detail(id)) as { writesTo: { blocksUsSince: number | null } }).writesTo.blocksUsSince
  expect(await since()).toBeNull()
  const chat = telegram.chats.get(OTAVIO.id)!
  chat.hasBlocked = true
  const refused = await send(id, 'Tudo bem?')
  await becomes(refused, 'failed')
  expect(await reasonOf(refused)).toContain('O contato bloqueou o bot.')
  expect(await since()).not.toBeNull()
  const { contactId } = (await detail(id)) as { contactId: number }
  const { body } = await call(product(), contacts.identities, token, { params: { id: contactId } })
  expect(body).toMatchObject({ identities: [{ channel: 'telegram', blocksUsSince: expect.any(String) }] })
  const date = Math.floor(product().platform.now().getTime() / 1000)
  const member = (status: string) =>
    telegram.delivery.push({ my_chat_member: { chat: OTAVIO, date, from: OTAVIO, new_chat_member: { status } } })
  chat.hasBlocked = false
  member('member')
  await until(async () => (await since()) === null)
  member('kicked')
  await until(async () => (await since()) !== null)
})

test('a group that becomes a supergroup keeps its ticket, and what was on its way gets there', async () => {
  const { telegram, arrives, ticketOf, send, becomes } = await company()
  const group: Chat = { id: -4001, type: 'group', title: 'Vizinhos' }
  const after: Chat = { id: -1_004_001, type: 'supergroup', title: 'Vizinhos' }
  telegram.chats.set(group.id, group)
  telegram.chats.set(after.id, after)
  telegram.say(group, { text: 'Bom dia' }, OTAVIO)
  const { ticket_id } = await arrives('Bom dia')
  const id = await ticketOf(group.id)
  group.movedTo = after.id
  // The group has moved, but no update has reported it yet.
  await becomes(await send(id, 'Bom dia a todos'), 'sent')
  expect(gotBy(telegram, after.id)).toMatchObject([{ body: 'Bom dia a todos' }])
  telegram.say(group, { migrate_to_chat_id: after.id }, OTAVIO)
  telegram.say(after, { migrate_from_chat_id: group.id }, OTAVIO)
  telegram.say(after, { text: 'Mudamos' }, NADIA)
  expect(await arrives('Mudamos')).toMatchObject({ ticket_id })
  await becomes(await send(id, 'Percebi'), 'sent')
  expect(telegram.calls.at(-1)!.payload).toMatchObject({ chat_id: after.id })
})

test('a number that its owner gives away joins whom the company knows by it, and that can be undone', async () => {
  const { telegram, arrives, tenantId, db, token } = await company()
  const known = await make(product().platform).contact(tenantId, {
    name: 'Otávio Lima',
    number: '5519998124407',
  } as never)
  telegram.say(OTAVIO, { text: 'Oi' })
  await arrives('Oi')
  telegram.say(OTAVIO, { contact: { phone_number: '+55 19 99812-4407', first_name: 'Otávio', user_id: OTAVIO.id } })
  const merged = () =>
    db<{ id: number }[]>((read) =>
      read.selectFrom('contacts').select('id').where('merged_into', 'is not', null).execute(),
    )
  await until(async () => (await merged()).length === 1)
  const { body } = await call(product(), contacts.merges, token, { params: { id: known }, query: {} })
  const [merge] = (body as { merges: { id: number }[] }).merges
  expect(
    (await call(product(), contacts.undoMerge, token, { params: { id: known, mergeId: merge!.id } as never })).status,
  ).toBe(200)
  expect(await merged()).toEqual([])
})

test('pictures that belong together are one album; what is too large is said in words, and refused beforehand', async () => {
  const { telegram, arrives, rows, ticketOf, token } = await company()
  const picture = await pictureOf('#10d020')
  const photo = (n: number) => ({
    photo: [{ file_id: `p${n}`, file_unique_id: `p${n}`, file_size: 9, width: 8, height: 8 }],
  })
  for (const n of [1, 2]) {
    telegram.files.set(`p${n}`, { bytes: picture, size: picture.length })
    telegram.say(OTAVIO, { ...photo(n), media_group_id: '13', caption: `Foto ${n}` })
  }
  await arrives('Foto 2')
  expect((await rows()).map(({ album, media_type }) => [album?.id, media_type])).toEqual([
    ['13', 'image'],
    ['13', 'image'],
  ])
  telegram.say(OTAVIO, {
    video: {
      file_id: 'v',
      file_unique_id: 'v',
      file_size: 30_000_000,
      file_name: 'festa.mp4',
      width: 1,
      height: 1,
      duration: 1,
    },
  })
  await until(async () => (await rows()).some(({ body }) => body.includes('de mais de 20 MB')))
  const ticketId = await ticketOf(OTAVIO.id)
  const form = new FormData()
  form.append('idFront', randomUUID())
  form.append('body', 'a'.repeat(1025))
  form.append('medias', new Blob(['Nota'], { type: 'text/plain' }), 'nota.txt')
  const headers = { authorization: `Bearer ${token}` }
  const long = await fetch(`${product().address}/api/messages/${ticketId}`, { method: 'POST', headers, body: form })
  expect([long.status, await long.json()]).toMatchObject([
    expect.any(Number),
    { error: 'ERR_MESSAGE_TOO_LONG', details: { maxLength: 1024 } },
  ])
})
