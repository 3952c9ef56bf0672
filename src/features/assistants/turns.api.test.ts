import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import { ledgerOf } from '#features/ledger/server/messages/ledger.ts'
import { messages } from '#features/messages/contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import { make, type Person } from '#test/make.ts'
import { startAssistants } from '#test/peers/assistants.ts'
import { type TestChannel, testChannel, textEvent } from '#test/peers/channel.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { assistants, assistantTurns, connectionAssistants, queueAssistants } from './contract.ts'
import { lookForWarnings } from './server/warnings.ts'

let atCheckpoint: ((name: string) => void) | undefined
const product = withProduct({
  env: { OUTBOUND_ALLOW: ['127.0.0.1'] },
  checkpoint: (name) => atCheckpoint?.(name),
})
const m = () => make(product().platform)

let peer: Awaited<ReturnType<typeof startAssistants>>
let channel: TestChannel
let tenantId: number
let connection: number
let queue: number
let admin: Person
let ana: Person
let number: number = 5_511_988_000_000
let from: string

beforeAll(async () => {
  peer = await startAssistants()
})
afterAll(() => peer.close())
beforeEach(async () => {
  atCheckpoint = undefined
  peer.reset()
  channel = testChannel(product().platform)
  tenantId = await m().tenant()
  queue = await m().queue(tenantId)
  connection = await m().connection(tenantId, { type: 'test', queue_id: queue })
  admin = await m().person(tenantId, { profile: 'admin' })
  ana = await m().person(tenantId, { name: 'Ana', queues: [queue] })
  number += 1
  from = String(number)
})

/** Connects an account and makes it answer on the connection. */
async function connect(provider = 'claude', config: object = {}, { isChosen = true } = {}): Promise<number> {
  const filled = peer.filled[provider]!
  const body = {
    provider,
    name: `Robô ${provider}`,
    ...filled,
    config: { ...filled.config, waitSeconds: 0, ...config },
  }
  const made = await call(product(), assistants.create, admin.token, { body: body as never })
  expect([made.status, made.body]).toMatchObject([200, {}])
  const { id } = made.body
  if (isChosen) await choose({ assistantId: id })
  return id
}
const choose = async (body: object) => {
  const params = { id: connection }
  expect((await call(product(), connectionAssistants.set, admin.token, { params, body })).status).toBe(200)
}
const write = (body: string) =>
  receive(product().platform, { tenantId, connectionId: connection }, [textEvent({ from, body })])
const sent = () => channel.sent.filter(({ conversationKey }) => conversationKey === from).map(({ body }) => body)
/** Waits until `count` messages of the customer have arrived. */
const arrived = (count: number) => until(async () => ((await latest())?.unread_messages ?? 0) >= count)
const theTicket = async () => {
  await until(async () => (await latest()) !== undefined)
  return (await latest())!
}
const latest = async () =>
  product().platform.db.read(tenantId, (db) =>
    db.selectFrom('tickets').selectAll().orderBy('id', 'desc').executeTakeFirst(),
  )
const turns = async () => {
  const { body } = await call(product(), assistantTurns.list, admin.token, { params: { id: (await theTicket()).id } })
  return body.turns
}
const rows = () =>
  product().platform.db.read(tenantId, (db) =>
    db.selectFrom('assistant_calls').selectAll().where('purpose', '=', 'turn').execute(),
  )
const ended = (count = 1) =>
  until(
    async () =>
      (await turns()).filter(({ status }) => !['waiting', 'claimed', 'asked'].includes(status)).length >= count,
  )

describe('a customer who writes where an assistant answers', () => {
  it('is answered once, with what it cost, and it is seen why', async () => {
    await connect('claude', { inputPrice: 10, outputPrice: 50 })
    await write('Vocês abrem aos sábados?')
    await until(() => sent().length > 0)
    await until(async () => (await turns())[0]?.status === 'sent')
    expect(sent()).toEqual(['Resposta a: Vocês abrem aos sábados?'])
    expect(peer.asked()).toHaveLength(1)
    expect(await turns()).toMatchObject([{ status: 'sent', assistant: 'Robô claude', inputTokens: 11, error: null }])
    expect((await turns())[0]!.cost).toBeCloseTo((11 * 10 + 7 * 50) / 1e6)
    expect(await rows()).toHaveLength(1)
    expect((await theTicket()).assistants).toEqual({ claude: true })
  })

  it('has what was written in a row answered as one', async () => {
    await connect('claude', { waitSeconds: 1 })
    await write('Oi')
    await write('Quanto custa o bolo?')
    await until(() => sent().length > 0)
    expect(sent()).toEqual(['Resposta a: Oi\nQuanto custa o bolo?'])
    await write('E a torta?')
    await until(() => sent().length > 1)
    const asked = JSON.stringify(peer.asked().at(-1)!.body)
    expect(sent()[1]).toBe('Resposta a: E a torta?')
    expect(asked).toContain('Quanto custa o bolo?')
    expect(peer.asked()).toHaveLength(2)
  })

  it('is answered with all that was written while the answer was under way', async () => {
    await connect('gemini')
    peer.state.delayMs = 400
    await write('Oi')
    await until(() => peer.asked().length === 1)
    await write('Tem bolo de cenoura?')
    await until(() => sent().length > 0)
    expect(sent()).toEqual(['Resposta a: Oi\nTem bolo de cenoura?'])
    expect(await rows()).toHaveLength(peer.asked().length)
  })

  it('has what is written while one answer after the other is under way answered all the same', async () => {
    await connect('gemini')
    peer.state.delayMs = 600
    await write('1')
    for (const n of [2, 3, 4, 5]) {
      await until(() => peer.asked().length === n - 1)
      await write(String(n))
    }
    await until(() => sent().length > 1)
    expect(sent()).toEqual(['Resposta a: 1\n2\n3\n4', 'Resposta a: 5'])
    expect(await rows()).toHaveLength(5)
  })

  it('waits for an answer of its own where one answers at a time', async () => {
    await m().setting(tenantId, 'waitProcessExternalInteraction')
    await connect('gemini')
    peer.state.delayMs = 400
    await write('Oi')
    await until(() => peer.asked().length === 1)
    await write('Tem bolo?')
    await until(() => sent().length > 1)
    expect(sent()).toEqual(['Resposta a: Oi', 'Resposta a: Tem bolo?'])
    expect(await rows()).toHaveLength(2)
  })

  it('is not answered by what a person has overtaken', async () => {
    await connect()
    peer.state.delayMs = 400
    await write('Oi')
    await until(() => peer.asked().length === 1)
    const { id } = await theTicket()
    await call(product(), tickets.update, ana.token, {
      params: { id },
      body: { status: 'open', userId: ana.id } as never,
    })
    await call(product(), messages.send, ana.token, {
      params: { ticketId: id },
      body: { idFront: randomUUID(), body: 'Sou a Ana', isNote: false },
    })
    await ended()
    expect(await turns()).toMatchObject([{ status: 'canceled' }])
    await until(() => sent().length > 0)
    expect(sent()).toEqual([expect.stringContaining('Sou a Ana')])
    // With a person it stays silent; given back, it goes on.
    await write('Obrigada, Ana')
    await call(product(), tickets.update, ana.token, {
      params: { id },
      body: { status: 'pending', userId: null } as never,
    })
    peer.state.delayMs = 0
    await write('Mais uma coisa')
    await until(() => sent().length > 1)
    expect(sent()[1]).toContain('Mais uma coisa')
    expect(peer.asked()).toHaveLength(2)
  })

  it('gets people by the off word, and nothing more from the assistant', async () => {
    await connect('claude', { offWord: 'humano' })
    await write('Oi')
    await until(() => sent().length > 0)
    await write(' Humano ')
    await until(async () => (await theTicket()).queue_id === queue)
    expect((await theTicket()).assistants).toEqual({ claude: false })
    await write('Alguém?')
    await arrived(3)
    expect(peer.asked()).toHaveLength(1)
    expect(await turns()).toHaveLength(1)
  })

  it('is never left alone by a provider that fails: people get the ticket, with the cause, and after three it is off', async () => {
    await connect('claude')
    peer.state.fault = 'refusing'
    await write('Um')
    await ended()
    expect(await turns()).toMatchObject([{ status: 'failed', error: expect.stringContaining('bloqueou') }])
    expect(await theTicket()).toMatchObject({
      queue_id: queue,
      status: 'pending',
      assistants: { claude: true, failed: true },
    })
    await write('Dois')
    await ended(2)
    await write('Três')
    await ended(3)
    expect((await theTicket()).assistants).toEqual({ claude: false })
    expect(sent()).toEqual([])
    expect(await rows()).toHaveLength(3)
    const state = async () => (await call(product(), assistants.list, admin.token, {})).body.assistants[0]!.state
    expect(await state()).toMatchObject({ ok: false, text: expect.stringContaining('bloqueou') })
    peer.state.fault = undefined
    number += 1
    from = String(number)
    await write('E para mim?')
    await until(() => sent().length > 0)
    expect(await state()).toMatchObject({ ok: true, text: 'Voltou a responder.' })
  })

  it('is asked for twice more where the provider is busy, and by the fallback where it stays so', async () => {
    const fallbackId = await connect('grok', {}, { isChosen: false })
    await connect('claude', { fallbackId })
    Object.assign(peer.state, { fault: 500, times: 1 })
    await write('Oi')
    await until(() => sent().length > 0)
    expect(peer.asked().map(({ path }) => path)).toEqual(['/v1/messages', '/v1/messages'])
    Object.assign(peer.state, { fault: 401, times: 1 })
    await write('De novo')
    await until(() => sent().length > 1)
    expect(
      peer
        .asked()
        .map(({ path }) => path)
        .slice(2),
    ).toEqual(['/v1/messages', '/v1/chat/completions'])
    expect((await turns())[1]).toMatchObject({ assistant: 'Robô grok' })
    expect(await rows()).toHaveLength(4)
  })

  it('is attended by people where the fallback is a voice account, which writes nothing', async () => {
    const fallbackId = await connect('vapi', {}, { isChosen: false })
    await connect('claude', { fallbackId })
    Object.assign(peer.state, { fault: 401, times: 1 })
    await write('Oi')
    await ended(1)
    const [turn] = await turns()
    expect([turn?.status, turn?.assistant]).toEqual(['failed', 'Robô claude'])
  })

  it('is attended by people once the budget is used up', async () => {
    await connect('claude', { inputPrice: 1000, outputPrice: 1000, monthlyBudget: 0.01 })
    await write('Oi')
    await until(() => sent().length > 0)
    await write('Ainda aí?')
    await ended(2)
    expect((await turns())[1]).toMatchObject({ status: 'failed', error: expect.stringContaining('orçamento') })
    expect(peer.asked()).toHaveLength(1)
    expect((await theTicket()).queue_id).toBe(queue)
    // Administrators receive the warning once, and can read it until the end of the month.
    await lookForWarnings(product().platform)
    await lookForWarnings(product().platform)
    const { body } = await call(product(), assistants.warnings, admin.token, {})
    expect(body).toMatchObject({ warnings: [{ title: 'O orçamento do mês de Robô claude acabou' }] })
    const told = await product().platform.db.read(tenantId, (db) =>
      db.selectFrom('changes').select('audience').where('type', '=', 'assistants:warned').execute(),
    )
    expect(told).toHaveLength(1)
  })

  it('is attended by people once the answers of the plan are used up', async () => {
    await connect('claude')
    const allow = (most: number) =>
      product().platform.db.asPlatform((db) =>
        db.updateTable('tenants').set({ max_assistant_answers: most }).where('id', '=', tenantId).execute(),
      )
    await allow(1)
    await write('Oi')
    await until(() => sent().length > 0)
    const { body } = await call(product(), assistants.list, admin.token, {})
    expect(body).toMatchObject({ month: { answers: 1, most: 1 } })
    await write('Ainda aí?')
    await ended(2)
    expect((await turns())[1]).toMatchObject({ status: 'failed', error: expect.stringContaining('plano') })
    expect(peer.asked()).toHaveLength(1)
    expect((await theTicket()).queue_id).toBe(queue)
  })

  it('is led by Typebot: options as the channel has them, and its session goes on', async () => {
    await connect('typebot')
    await write('Oi')
    await until(() => sent().length > 1)
    expect(sent()[0]).toBe('Olá! Em que posso ajudar?')
    await write('2')
    await until(() => peer.asked().length === 2)
    expect(peer.asked()[1]).toMatchObject({ path: '/api/v1/sessions/s1/continueChat', body: { message: 'Suporte' } })
  })
})

describe('who answers', () => {
  it('answers everywhere where that is on, and nowhere where the company lets it answer no more', async () => {
    const id = await connect('qwen', {}, { isChosen: false })
    await write('Ninguém')
    await arrived(1)
    await m().setting(tenantId, 'qwenAllTickets')
    number += 1
    from = String(number)
    await write('Todos')
    await until(() => sent().length > 0)
    expect(peer.asked()).toHaveLength(1)
    await m().setting(tenantId, 'qwen', 'disabled')
    const params = { id }
    await call(product(), assistants.update, admin.token, { params, body: { name: 'Outro', isActive: true } as never })
    await write('E agora?')
    await arrived(2)
    expect(await turns()).toHaveLength(1)
  })

  it('says which may answer in a ticket, and sends along the picture that the customer sent', async () => {
    await connect('gemini')
    await write('Olhe')
    await until(() => sent().length > 0)
    const { id } = await theTicket()
    const { body } = await call(product(), assistantTurns.list, ana.token, { params: { id } })
    expect(body).toMatchObject({ assistants: [{ id: 'gemini', name: 'Gemini', isOn: true }] })
    const background = { width: 40, height: 30, channels: 3, background: '#1C5D99' } as const
    const bytes = await sharp({ create: background }).png().toBuffer()
    const stored = await ledgerOf(product().platform, tenantId, connection).store({
      ...{ name: 'bolo.png', bytes, maxBytes: 1_000_000 },
    })
    const event = textEvent({ from, body: 'Este' })
    const message = { ...event.message, type: 'image', fileId: stored!.id } as const
    await receive(product().platform, { tenantId, connectionId: connection }, [{ ...event, message }])
    await until(() => sent().length > 1)
    expect(JSON.stringify(peer.asked().at(-1)!.body)).toContain('"mimeType":"image/png"')
    const spoken = { name: 'audio.mp3', bytes: readFileSync('test/media/tone.mp3'), maxBytes: 1_000_000 }
    const recording = await ledgerOf(product().platform, tenantId, connection).store(spoken)
    const heard = textEvent({ from, body: '' })
    const voice = { ...heard.message, type: 'audio', fileId: recording!.id } as const
    await receive(product().platform, { tenantId, connectionId: connection }, [{ ...heard, message: voice }])
    await until(() => sent().length > 2)
    expect(JSON.stringify(peer.asked().at(-1)!.body)).toContain('"mimeType":"audio/mpeg"')
  })

  it('answers no machine: an automatic mail', async () => {
    connection = await m().connection(tenantId, { type: 'webmail', queue_id: queue })
    await connect()
    from = 'ana@cliente.test'
    const arrives = (body: string, isAutomatic: boolean) => {
      const mail = { subject: 'Pedido', isAutomatic, from: { address: from }, to: [], cc: [] }
      const event = textEvent({ from, body })
      const message = { ...event.message, data: { mail, thread: { id: from, subject: 'Pedido', references: [] } } }
      return receive(product().platform, { tenantId, connectionId: connection }, [{ ...event, message } as never])
    }
    await arrives('Estou de férias.', true)
    await arrived(1)
    expect(await turns()).toEqual([])
    await arrives('Voltei', false)
    await until(() => peer.asked().length > 0)
    expect(await turns()).toHaveLength(1)
  })

  it('is switched on in one ticket alone', async () => {
    await connect('deepseek', {}, { isChosen: false })
    await write('Oi')
    await arrived(1)
    const { id } = await theTicket()
    await call(product(), tickets.update, admin.token, { params: { id }, body: { deepseekStatus: 'enabled' } as never })
    await write('Responde?')
    await until(() => sent().length > 0)
    expect(sent()).toEqual(['Resposta a: Oi\nResponde?'])
  })

  it('answers outside of the hours alone where that is chosen', async () => {
    await connect()
    await choose({ when: 'closed' })
    await write('Oi')
    await arrived(1)
    expect(await turns()).toEqual([])
  })

  it('answers while nobody of the queue is online where that is chosen', async () => {
    await connect()
    await choose({ when: 'away' })
    const online = (isOnline: boolean) =>
      product().platform.db.asPlatform((db) =>
        db.updateTable('users').set({ is_online: isOnline }).where('id', '=', ana.id).execute(),
      )
    await online(true)
    await write('Oi')
    await arrived(1)
    expect(await turns()).toEqual([])
    await online(false)
    await write('Alguém aí?')
    await until(() => sent().length > 0)
    expect(sent()).toEqual(['Resposta a: Oi\nAlguém aí?'])
  })
})

/** Stops the work of a process at a point and ends its lease, so that the next check takes it over. */
async function stopAt(point: string, body: string): Promise<void> {
  let isStopped = false
  atCheckpoint = (name) => {
    if (name !== point || isStopped) return
    isStopped = true
    throw new Error(`stopped at ${point}`)
  }
  await write(body)
  await until(() => isStopped)
  atCheckpoint = undefined
}

describe('a process that stops between two states', () => {
  it('has nothing answered twice, nothing lost, and every call counted', { timeout: 90_000 }, async () => {
    await connect()
    const people: string[] = []
    for (const point of ['turn claimed', 'turn asked', 'turn answered', 'turn recorded']) {
      number += 1
      from = String(number)
      people.push(from)
      await stopAt(point, point)
    }
    const answersTo = (person: string) => channel.sent.filter(({ conversationKey }) => conversationKey === person)
    await until(() => people.every((person) => answersTo(person).length > 0), 60_000)
    expect(people.map((person) => answersTo(person).map(({ body }) => body))).toEqual([
      ...[['Resposta a: turn claimed'], ['Resposta a: turn asked']],
      ...[['Resposta a: turn answered'], ['Resposta a: turn recorded']],
    ])
    // A call that was about to be sent when the process stopped counts as well.
    expect(peer.asked()).toHaveLength(5)
    expect(await rows()).toHaveLength(6)
  })

  it('leaves to a person what may have done something', { timeout: 60_000 }, async () => {
    await connect('n8n')
    await stopAt('turn answered', 'Quero pagar')
    await until(async () => (await turns())[0]?.status === 'uncertain', 60_000)
    expect(await theTicket()).toMatchObject({ queue_id: queue, assistants: { n8n: true, failed: true } })
    expect(peer.asked()).toHaveLength(1)
    expect(sent()).toEqual([])
  })
})

describe('providers that hang', () => {
  it('leave another company’s customers answered as before', async () => {
    await connect('claude')
    Object.assign(peer.state, { fault: 'silent', faultAt: /messages/ })
    for (let n = 0; n < 24; n += 1) {
      number += 1
      from = String(number)
      await write('Oi')
    }
    await until(() => peer.asked().length >= 16)
    tenantId = await m().tenant()
    connection = await m().connection(tenantId, { type: 'test' })
    admin = await m().person(tenantId, { profile: 'admin' })
    number += 1
    from = String(number)
    await connect('grok')
    await write('E eu?')
    await until(() => sent().length > 0)
    expect(peer.asked().filter(({ path }) => path.endsWith('/messages'))).toHaveLength(16)
  })
})

describe('a queue with an assistant of its own', () => {
  it('has that one answer in the place of the connection’s', async () => {
    await connect('claude')
    const own = await connect('gemini', {}, { isChosen: false })
    const body = { assistantId: own }
    expect((await call(product(), queueAssistants.set, admin.token, { params: { id: queue }, body })).status).toBe(200)
    await write('Oi')
    await until(() => sent().length > 0)
    expect(await turns()).toMatchObject([{ assistant: 'Robô gemini' }])
  })
})
