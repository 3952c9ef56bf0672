import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { ingestIdle } from '#features/ledger/server/ingest/ingest.ts'
import { messages } from '#features/messages/contract.ts'
import { tickets as ticketsContract } from '#features/tickets/contract.ts'
import { make } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { type LabFaults, type LabMessage, type LabPhone, type LabTrail, lab } from './contract.ts'
import { findPhoneOf } from './server/queries.ts'

const product = withProduct()
let tenantId: number
let agent: { id: number; token: string }

beforeAll(async () => {
  const m = make(product().platform)
  tenantId = await m.tenant('Loja Cambuí')
  const user = await m.user(tenantId, { profile: 'admin' })
  agent = { id: user.id, token: await m.token(user) }
})

let line = 1000
async function newPhone(name = 'Otávio Rezende'): Promise<LabPhone> {
  const number = `(19) 99812-${++line}`
  return (await call(product(), lab.create, agent.token, { body: { name, number } })).body
}
const say = async (phone: LabPhone, body: string, id = randomUUID()) => {
  const reply = await call(product(), lab.send, agent.token, { params: { id: phone.id }, body: { id, body } as never })
  return reply.body
}
const arm = async (phone: LabPhone, faults: Partial<LabFaults>) =>
  (await call(product(), lab.setFaults, agent.token, { params: { id: phone.id }, body: faults })).body
const onPhone = async (phone: LabPhone): Promise<LabMessage[]> =>
  (await call(product(), lab.messages, agent.token, { params: { id: phone.id } })).body.messages
const trailOf = async (phone: LabPhone, messageId: string): Promise<LabTrail> =>
  (await call(product(), lab.trail, agent.token, { params: { id: phone.id, messageId } })).body
const stored = (phone: LabPhone) =>
  product().platform.db.read(tenantId, (db) =>
    db
      .selectFrom('messages')
      .selectAll()
      .where('conversation_key', '=', phone.number)
      .orderBy('timestamp')
      .orderBy('seq')
      .execute(),
  )
const tickets = (phone: LabPhone) =>
  product().platform.db.read(tenantId, (db) =>
    db.selectFrom('tickets').selectAll().where('conversation_key', '=', phone.number).execute(),
  )
const idle = () => ingestIdle(product().platform)

/** Creates a phone whose conversation the agent may answer. */
async function talking(name?: string): Promise<{ phone: LabPhone; ticketId: number }> {
  const phone = await newPhone(name)
  await say(phone, 'Oi')
  await idle()
  const ticketId = (await tickets(phone))[0]!.id
  await product().platform.db.write(tenantId, (db) =>
    db.updateTable('tickets').set({ status: 'open', user_id: agent.id }).where('id', '=', ticketId).execute(),
  )
  return { phone, ticketId }
}
async function answer(ticketId: number, body: string): Promise<string> {
  const reply = await call(product(), messages.send, agent.token, {
    params: { ticketId },
    body: { idFront: randomUUID(), body, isNote: false },
  })
  return reply.body.messages[0]!.id
}
const statusOf = async (phone: LabPhone, id: string) => (await stored(phone)).find((row) => row.id === id)?.status

describe('phones', () => {
  it('makes one lab connection for all phones, and takes each number once', async () => {
    const [one, two] = await Promise.all([newPhone('Marlene'), newPhone('Tainá')])
    expect(one.connectionId).toBe(two.connectionId)
    expect(one).toMatchObject({ name: 'Marlene', number: expect.stringMatching(/^55199\d{8}$/), lastMessage: null })
    const again = await call(product(), lab.create, agent.token, { body: { name: 'Outra', number: `+${one.number}` } })
    expect(again.body).toMatchObject({ error: 'ERR_DUPLICATED' })
    const listed = (await call(product(), lab.list, agent.token)).body
    expect(listed.company).toBe('Loja Cambuí')
    expect(listed.phones.map((phone) => phone.name)).toEqual(expect.arrayContaining(['Marlene', 'Tainá']))
  })

  it.each(['123', '+1 415 555 0132', '(20) 99812-4407'])('refuses the number %s', async (number) => {
    const reply = await call(product(), lab.create, agent.token, { body: { name: 'Ninguém', number } })
    expect(reply.body).toMatchObject({ error: 'ERR_VALIDATION', details: { number: expect.any(String) } })
  })

  it('shows nothing to another tenant', async () => {
    const phone = await newPhone()
    const m = make(product().platform)
    const stranger = await m.token(await m.user(await m.tenant(), { profile: 'admin' }))
    const params = { id: phone.id }
    expect((await call(product(), lab.messages, stranger, { params })).status).toBe(404)
    const body = { id: randomUUID(), body: 'oi' } as never
    expect((await call(product(), lab.send, stranger, { params, body })).status).toBe(404)
    expect((await call(product(), lab.list, stranger)).body).toMatchObject({ phones: [] })
  })
})

describe('from the phone', () => {
  it('makes exactly one ticket and one message, however often the request is repeated', async () => {
    const phone = await newPhone()
    const id = randomUUID()
    const replies = await Promise.all([say(phone, 'Boa tarde!', id), say(phone, 'Boa tarde!', id)])
    expect(replies.filter((reply) => reply.journalMs !== null)).toHaveLength(1)
    await idle()
    expect(await tickets(phone)).toMatchObject([{ status: 'pending', unread_messages: 1, last_message: 'Boa tarde!' }])
    expect(await stored(phone)).toMatchObject([{ body: 'Boa tarde!', provider_id: id, status: 'received' }])
    expect(await onPhone(phone)).toMatchObject([{ id, fromPhone: true, status: 'delivered' }])
    const trail = await trailOf(phone, id)
    expect(trail.message).toMatchObject({ copies: 1, isLate: false, protocol: expect.stringMatching(/^\d{9,}$/) })
    expect(trail.steps.map((step) => step.step)).toEqual(['journaled', 'processed'])
  })

  it('sends a voice note as audio, and the attendance gets the same file', async () => {
    const phone = await newPhone()
    const form = new FormData()
    const id = randomUUID()
    form.append('id', id)
    form.append('isVoice', 'true')
    form.append('durationMs', '1200')
    form.append('file', new Blob([silence()], { type: 'audio/wav' }), 'voz.wav')
    const reply = await fetch(`${product().address}/api/lab/phones/${phone.id}/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${agent.token}` },
      body: form,
    })
    const { message } = (await reply.json()) as { message: LabMessage }
    expect(message).toMatchObject({ mediaType: 'audio', file: { name: 'voz.wav', durationMs: 1200 } })
    await idle()
    const [row] = await stored(phone)
    expect(row).toMatchObject({ media_type: 'audio', file_id: expect.any(String) })
    const file = await fetch(`${product().address}${message.file!.url}`)
    expect((await file.arrayBuffer()).byteLength).toBe(silence().byteLength)
  })

  it('duplicates collapse: three deliveries, one message', async () => {
    const phone = await newPhone()
    expect((await arm(phone, { duplicate: true })).faults.duplicate).toBe(true)
    const told: unknown[] = []
    const stop = product().platform.bus.subscribe((_, changes) => told.push(...changes.map((change) => change.payload)))
    const { message, fault } = await say(phone, 'só uma vez')
    expect(fault).toBe('duplicate')
    await until(() => told.some((payload) => (payload as { what?: string }).what === 'repeated'))
    stop()
    await idle()
    expect(await stored(phone)).toMatchObject([{ body: 'só uma vez' }])
    expect((await trailOf(phone, message.id)).message).toMatchObject({ copies: 1 })
    const { phones } = (await call(product(), lab.list, agent.token)).body
    expect(phones.find((one) => one.id === phone.id)!.faults.duplicate).toBe(false)
  })

  it('reordered messages end in the order of their times, the held one marked late', async () => {
    const phone = await newPhone()
    await arm(phone, { reorder: true })
    const first = await say(phone, 'primeira')
    expect(first).toMatchObject({ fault: 'reorder', journalMs: null, message: { status: 'pending' } })
    await idle()
    expect(await stored(phone)).toEqual([])
    await say(phone, 'segunda')
    await idle()
    expect((await stored(phone)).map((row) => [row.body, row.is_late])).toEqual([
      ['primeira', true],
      ['segunda', false],
    ])
    expect((await onPhone(phone)).map((message) => message.status)).toEqual(['delivered', 'delivered'])
  })

  it('the other spelling of its number is the same person, and answers find the phone', async () => {
    const phone = await newPhone()
    await say(phone, 'com o nono dígito')
    await idle()
    expect((await arm(phone, { otherSpelling: true })).faults.otherSpelling).toBe(true)
    await say(phone, 'sem ele')
    await idle()
    expect(await stored(phone)).toMatchObject([{ body: 'com o nono dígito' }, { body: 'sem ele' }])
    const { platform } = product()
    const away = phone.number.replace(/^(55\d\d)9/, '$1')
    const people = await platform.db.read(tenantId, (db) =>
      db.selectFrom('contacts').select('number').where('number', 'in', [phone.number, away]).execute(),
    )
    expect(people).toEqual([{ number: phone.number }])
    expect((await platform.db.read(tenantId, (db) => findPhoneOf(db, phone.connectionId, away)))?.id).toBe(phone.id)
  })

  it('a delayed message arrives by itself', async () => {
    const phone = await newPhone()
    await arm(phone, { delaySeconds: 1 })
    expect(await say(phone, 'devagar')).toMatchObject({ fault: 'delay', message: { status: 'pending' } })
    expect(await stored(phone)).toEqual([])
    await until(async () => (await stored(phone)).length === 1)
    expect(await onPhone(phone)).toMatchObject([{ status: 'delivered' }])
  })
})

describe('to the phone', () => {
  it('a reply arrives once; ticks go from sent to delivered to read', async () => {
    const { phone, ticketId } = await talking()
    const id = await answer(ticketId, 'Boa tarde, Otávio!')
    await until(async () => (await statusOf(phone, id)) === 'delivered')
    expect((await onPhone(phone)).filter((message) => !message.fromPhone)).toMatchObject([
      { id, body: 'Boa tarde, Otávio!', status: 'delivered' },
    ])
    await call(product(), lab.read, agent.token, { params: { id: phone.id }, body: {} })
    await until(async () => (await statusOf(phone, id)) === 'read')
    const steps = (await trailOf(phone, id)).steps.map((step) => step.step)
    expect(steps).toEqual(['accepted', 'attempt', 'sent', 'delivered', 'read'])
  })

  it('holds the receipts of a message when asked', async () => {
    const { phone, ticketId } = await talking()
    await arm(phone, { lateReceiptSeconds: 6 })
    const id = await answer(ticketId, 'sem pressa')
    await until(async () => (await statusOf(phone, id)) === 'sent')
    await call(product(), lab.read, agent.token, { params: { id: phone.id }, body: {} })
    await new Promise((resolve) => setTimeout(resolve, 1000))
    await idle()
    expect(await statusOf(phone, id)).toBe('sent')
    await until(async () => (await statusOf(phone, id)) === 'delivered')
  })

  it('a lost line holds both directions, and lets everything through once when it is back', async () => {
    const { phone, ticketId } = await talking()
    expect(await arm(phone, { disconnected: true })).toMatchObject({ disconnectedUntil: expect.any(Number) })
    const id = await answer(ticketId, 'alguém aí?')
    const one = await say(phone, 'estou sem sinal')
    const two = await say(phone, 'e agora?')
    expect([one.fault, two.fault]).toEqual(['disconnected', 'disconnected'])
    await until(async () => (await trailOf(phone, one.message.id)).steps.length === 0)
    await until(async () => (await statusOf(phone, id)) === 'pending' && (await attempts(id)) > 0)
    expect((await onPhone(phone)).filter((message) => !message.fromPhone)).toEqual([])
    await arm(phone, { disconnected: false })
    await until(async () => (await statusOf(phone, id)) === 'delivered')
    await until(async () => (await stored(phone)).length === 4)
    expect((await onPhone(phone)).filter((message) => message.id === id)).toHaveLength(1)
    expect((await stored(phone)).filter((row) => !row.from_me).map((row) => row.body)).toEqual([
      'Oi',
      'estou sem sinal',
      'e agora?',
    ])
  })

  it('refuses a number that no phone has', async () => {
    const { phone, ticketId } = await talking()
    await call(product(), lab.remove, agent.token, { params: { id: phone.id } })
    const id = await answer(ticketId, 'ainda está aí?')
    await until(async () => (await statusOf(phone, id)) === 'failed')
  })
})

it('starting over empties the phone and nothing else', async () => {
  const { phone } = await talking()
  await call(product(), lab.clear, agent.token, { params: { id: phone.id } })
  expect(await onPhone(phone)).toEqual([])
  expect(await stored(phone)).toHaveLength(1)
})

const attempts = async (id: string): Promise<number> => {
  const rows = await product().platform.db.read(tenantId, (db) =>
    db.selectFrom('message_trail').select('id').where('message_id', '=', id).where('step', '=', 'waiting').execute(),
  )
  return rows.length
}

/** Returns 0.1 s of silence as a WAV file. */
function silence(): Uint8Array<ArrayBuffer> {
  const samples = 800
  const bytes = new Uint8Array(44 + samples * 2)
  const view = new DataView(bytes.buffer)
  const ascii = (at: number, text: string) => bytes.set(new TextEncoder().encode(text), at)
  ascii(0, 'RIFF')
  view.setUint32(4, 36 + samples * 2, true)
  ascii(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, 8000, true)
  view.setUint32(28, 16_000, true)
  view.setUint16(32, 2, true)
  view.setUint16(34, 16, true)
  ascii(36, 'data')
  view.setUint32(40, samples * 2, true)
  return bytes
}

describe('mailboxes', () => {
  const mailbox = async (name: string, number: string) =>
    (await call(product(), lab.create, agent.token, { body: { name, number, type: 'webmail' } })).body
  const write = async (from: LabPhone, body: string, about: object = {}) => {
    const id = randomUUID()
    const form = { id, body, ...about } as never
    await call(product(), lab.send, agent.token, { params: { id: from.id }, body: form })
    await idle()
    return { id, row: await rowOf(id) }
  }
  const rowOf = (providerId: string) =>
    product().platform.db.read(tenantId, (db) =>
      db.selectFrom('messages').selectAll().where('provider_id', '=', providerId).executeTakeFirstOrThrow(),
    )
  const open = (ticketId: number) =>
    product().platform.db.write(tenantId, (db) =>
      db.updateTable('tickets').set({ status: 'open', user_id: agent.id }).where('id', '=', ticketId).execute(),
    )
  const send = async (ticketId: number, body: string, mail?: object) => {
    const form = { idFront: randomUUID(), body, ...(mail ? { mail } : {}) } as never
    const reply = await call(product(), messages.send, agent.token, { params: { ticketId }, body: form })
    return (reply.body as unknown as { messages: { id: string }[] }).messages[0]!.id
  }

  it('write by subject, are answered where they wrote, and bring others in whom an answer names', async () => {
    const ana = await mailbox('Ana', 'Ana@cliente.example')
    const bia = await mailbox('Bia', 'bia@cliente.example')
    expect([ana.number, ana.connectionId]).toEqual(['ana@cliente.example', bia.connectionId])
    const first = await write(ana, 'Cadê a nota?', { subject: 'Nota 12' })
    const other = await write(ana, 'Outra coisa', { subject: 'Troca' })
    const again = await write(ana, 'E a nota?', { quotedId: first.id })
    expect(again.row.ticket_id).toBe(first.row.ticket_id)
    expect(other.row.ticket_id).not.toBe(first.row.ticket_id)
    expect(again.row.data).toMatchObject({ mail: { subject: 'Re: Nota 12', from: { address: ana.number } } })
    const { ticket_id: ticketId } = first.row
    await open(ticketId)
    const asked = await call(product(), ticketsContract.answer, agent.token, { params: { id: ticketId } })
    expect(asked.body).toEqual({ subject: 'Re: Nota 12', to: [{ name: 'Ana', address: ana.number }], cc: [] })
    await send(ticketId, 'Segue', { cc: [{ address: bia.number }] })
    for (const one of [ana, bia])
      await until(async () => (await onPhone(one)).some(({ body, fromPhone }) => body === 'Segue' && !fromPhone))
    expect((await onPhone(bia)).at(-1)!.data).toMatchObject({ mail: { subject: 'Re: Nota 12', to: [{ name: 'Ana' }] } })
    const third = await write(bia, 'Recebi também')
    expect(third.row.ticket_id).toBe(ticketId)
    // Reading a mail sends no receipt.
    await call(product(), lab.read, agent.token, { params: { id: ana.id }, body: {} })
    await idle()
    expect((await rowOf((await onPhone(ana)).at(-1)!.id)).status).toBe('sent')
  })

  it('come back where they are full, and are nobody’s who has none', async () => {
    const caio = await mailbox('Caio', 'caio@cliente.example')
    const { row } = await write(caio, 'Oi')
    await open(row.ticket_id)
    await arm(caio, { provider: 'full' })
    const id = await send(row.ticket_id, 'Olá')
    await until(async () => (await statusById(id)) === 'failed')
    expect(await onPhone(caio)).toHaveLength(1)
    const lost = await send(row.ticket_id, 'A ninguém', { to: [{ address: 'ninguem@fora.example' }] })
    await until(async () => (await statusById(lost)) === 'failed')
    await until(async () => (await onPhone(caio)).length === 1)
  })

  it.each(['ninguém', 'a@b', '(19) 99812-4407'])('are not at %s', async (number) => {
    const reply = await call(product(), lab.create, agent.token, { body: { name: 'X', number, type: 'webmail' } })
    expect(reply.body).toMatchObject({ error: 'ERR_VALIDATION', details: { number: 'Informe um e-mail válido.' } })
  })

  const statusById = async (id: string) =>
    (
      await product().platform.db.read(tenantId, (db) =>
        db.selectFrom('messages').select('status').where('id', '=', id).executeTakeFirstOrThrow(),
      )
    ).status
})
