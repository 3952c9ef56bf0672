import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { messages } from '#features/messages/contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import { assistantCompany } from '#test/assistant-company.ts'
import { call } from '#test/server.ts'
import { until } from '#test/until.ts'
import { assistants } from './contract.ts'
import { lookForWarnings } from './server/warnings.ts'

const c = assistantCompany()
const { product, m, connect, write, sent, arrived, theTicket, turns, calls, ended } = c

describe('a customer who writes where an assistant answers', () => {
  it('is answered once, with what it cost, and it is seen why', async () => {
    await connect('claude', { inputPrice: 10, outputPrice: 50 })
    await write('Vocês abrem aos sábados?')
    await until(() => sent().length > 0)
    await until(async () => (await turns())[0]?.status === 'sent')
    expect(sent()).toEqual(['Resposta a: Vocês abrem aos sábados?'])
    expect(c.peer.asked()).toHaveLength(1)
    expect(await turns()).toMatchObject([{ status: 'sent', assistant: 'Robô claude', inputTokens: 11, error: null }])
    expect((await turns())[0]!.cost).toBeCloseTo((11 * 10 + 7 * 50) / 1e6)
    expect(await calls()).toHaveLength(1)
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
    const asked = JSON.stringify(c.peer.asked().at(-1)!.body)
    expect(sent()[1]).toBe('Resposta a: E a torta?')
    expect(asked).toContain('Quanto custa o bolo?')
    expect(c.peer.asked()).toHaveLength(2)
  })

  it('is answered with all that was written while the answer was under way', async () => {
    await connect('gemini')
    c.peer.state.delayMs = 400
    await write('Oi')
    await until(() => c.peer.asked().length === 1)
    await write('Tem bolo de cenoura?')
    await until(() => sent().length > 0)
    expect(sent()).toEqual(['Resposta a: Oi\nTem bolo de cenoura?'])
    expect(await calls()).toHaveLength(c.peer.asked().length)
  })

  it('has what is written while one answer after the other is under way answered all the same', async () => {
    await connect('gemini')
    c.peer.state.delayMs = 600
    await write('1')
    for (const n of [2, 3, 4, 5]) {
      await until(() => c.peer.asked().length === n - 1)
      await write(String(n))
    }
    await until(() => sent().length > 1)
    expect(sent()).toEqual(['Resposta a: 1\n2\n3\n4', 'Resposta a: 5'])
    expect(await calls()).toHaveLength(5)
  })

  it('waits for an answer of its own where one answers at a time', async () => {
    await m().setting(c.tenantId, 'waitProcessExternalInteraction')
    await connect('gemini')
    c.peer.state.delayMs = 400
    await write('Oi')
    await until(() => c.peer.asked().length === 1)
    await write('Tem bolo?')
    await until(() => sent().length > 1)
    expect(sent()).toEqual(['Resposta a: Oi', 'Resposta a: Tem bolo?'])
    expect(await calls()).toHaveLength(2)
  })

  it('is not answered by what a person has overtaken', async () => {
    await connect()
    c.peer.state.delayMs = 400
    await write('Oi')
    await until(() => c.peer.asked().length === 1)
    const { id } = await theTicket()
    await call(product(), tickets.update, c.ana.token, {
      params: { id },
      body: { status: 'open', userId: c.ana.id } as never,
    })
    await call(product(), messages.send, c.ana.token, {
      params: { ticketId: id },
      body: { idFront: randomUUID(), body: 'Sou a Ana', isNote: false },
    })
    await ended()
    expect(await turns()).toMatchObject([{ status: 'canceled' }])
    await until(() => sent().length > 0)
    expect(sent()).toEqual([expect.stringContaining('Sou a Ana')])
    // With a person it stays silent; given back, it goes on.
    await write('Obrigada, Ana')
    await call(product(), tickets.update, c.ana.token, {
      params: { id },
      body: { status: 'pending', userId: null } as never,
    })
    c.peer.state.delayMs = 0
    await write('Mais uma coisa')
    await until(() => sent().length > 1)
    expect(sent()[1]).toContain('Mais uma coisa')
    expect(c.peer.asked()).toHaveLength(2)
  })

  it('gets people by the off word, and nothing more from the assistant', async () => {
    await connect('claude', { offWord: 'humano' })
    await write('Oi')
    await until(() => sent().length > 0)
    await write(' Humano ')
    await until(async () => (await theTicket()).queue_id === c.queue)
    expect((await theTicket()).assistants).toEqual({ claude: false })
    await write('Alguém?')
    await arrived(3)
    expect(c.peer.asked()).toHaveLength(1)
    expect(await turns()).toHaveLength(1)
  })

  it('is never left alone by a provider that fails: people get the ticket, with the cause, and after three it is off', async () => {
    await connect('claude')
    c.peer.state.fault = 'refusing'
    await write('Um')
    await ended()
    expect(await turns()).toMatchObject([{ status: 'failed', error: expect.stringContaining('bloqueou') }])
    expect(await theTicket()).toMatchObject({
      queue_id: c.queue,
      status: 'pending',
      assistants: { claude: true, failed: true },
    })
    await write('Dois')
    await ended(2)
    await write('Três')
    await ended(3)
    expect((await theTicket()).assistants).toEqual({ claude: false })
    expect(sent()).toEqual([])
    expect(await calls()).toHaveLength(3)
    const state = async () => (await call(product(), assistants.list, c.admin.token, {})).body.assistants[0]!.state
    expect(await state()).toMatchObject({ ok: false, text: expect.stringContaining('bloqueou') })
    c.peer.state.fault = undefined
    c.nextCustomer()
    await write('E para mim?')
    await until(() => sent().length > 0)
    expect(await state()).toMatchObject({ ok: true, text: 'Voltou a responder.' })
  })

  it('is asked for twice more where the provider is busy, and by the fallback where it stays so', async () => {
    const fallbackId = await connect('grok', {}, { isChosen: false })
    await connect('claude', { fallbackId })
    Object.assign(c.peer.state, { fault: 500, times: 1 })
    await write('Oi')
    await until(() => sent().length > 0)
    expect(c.peer.asked().map(({ path }) => path)).toEqual(['/v1/messages', '/v1/messages'])
    Object.assign(c.peer.state, { fault: 401, times: 1 })
    await write('De novo')
    await until(() => sent().length > 1)
    expect(
      c.peer
        .asked()
        .map(({ path }) => path)
        .slice(2),
    ).toEqual(['/v1/messages', '/v1/chat/completions'])
    expect((await turns())[1]).toMatchObject({ assistant: 'Robô grok' })
    expect(await calls()).toHaveLength(4)
  })

  it('is attended by people where the fallback is a voice account, which writes nothing', async () => {
    const fallbackId = await connect('vapi', {}, { isChosen: false })
    await connect('claude', { fallbackId })
    Object.assign(c.peer.state, { fault: 401, times: 1 })
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
    expect(c.peer.asked()).toHaveLength(1)
    expect((await theTicket()).queue_id).toBe(c.queue)
    // Administrators receive the warning once, and can read it until the end of the month.
    await lookForWarnings(product().platform)
    await lookForWarnings(product().platform)
    const { body } = await call(product(), assistants.warnings, c.admin.token, {})
    expect(body).toMatchObject({ warnings: [{ title: 'O orçamento do mês de Robô claude acabou' }] })
    const told = await product().platform.db.read(c.tenantId, (db) =>
      db.selectFrom('changes').select('audience').where('type', '=', 'assistants:warned').execute(),
    )
    expect(told).toHaveLength(1)
  })

  it('is attended by people once the answers of the plan are used up', async () => {
    await connect('claude')
    const allow = (most: number) =>
      product().platform.db.asPlatform((db) =>
        db.updateTable('tenants').set({ max_assistant_answers: most }).where('id', '=', c.tenantId).execute(),
      )
    await allow(1)
    await write('Oi')
    await until(() => sent().length > 0)
    const { body } = await call(product(), assistants.list, c.admin.token, {})
    expect(body).toMatchObject({ month: { answers: 1, most: 1 } })
    await write('Ainda aí?')
    await ended(2)
    expect((await turns())[1]).toMatchObject({ status: 'failed', error: expect.stringContaining('plano') })
    expect(c.peer.asked()).toHaveLength(1)
    expect((await theTicket()).queue_id).toBe(c.queue)
  })

  it('is led by Typebot: options as the channel has them, and its session goes on', async () => {
    await connect('typebot')
    await write('Oi')
    await until(() => sent().length > 1)
    expect(sent()[0]).toBe('Olá! Em que posso ajudar?')
    await write('2')
    await until(() => c.peer.asked().length === 2)
    expect(c.peer.asked()[1]).toMatchObject({ path: '/api/v1/sessions/s1/continueChat', body: { message: 'Suporte' } })
  })
})

/** Stops the work of a process at a point and ends its lease, so that the next check takes it over. */
async function stopAt(point: string, body: string): Promise<void> {
  let isStopped = false
  c.atCheckpoint = (name) => {
    if (name !== point || isStopped) return
    isStopped = true
    throw new Error(`stopped at ${point}`)
  }
  await write(body)
  await until(() => isStopped)
  c.atCheckpoint = undefined
  c.aheadMs += 13_000
}

describe('a process that stops between two states', () => {
  it('has nothing answered twice, nothing lost, and every call counted', async () => {
    await connect()
    const people: string[] = []
    for (const point of ['turn claimed', 'turn asked', 'turn answered', 'turn recorded']) {
      people.push(c.nextCustomer())
      await stopAt(point, point)
    }
    const answersTo = (person: string) => c.channel.sent.filter(({ conversationKey }) => conversationKey === person)
    await until(() => people.every((person) => answersTo(person).length > 0))
    expect(people.map((person) => answersTo(person).map(({ body }) => body))).toEqual([
      ...[['Resposta a: turn claimed'], ['Resposta a: turn asked']],
      ...[['Resposta a: turn answered'], ['Resposta a: turn recorded']],
    ])
    // A call that was about to be sent when the process stopped counts as well.
    expect(c.peer.asked()).toHaveLength(5)
    expect(await calls()).toHaveLength(6)
  })

  it('leaves to a person what may have done something', async () => {
    await connect('n8n')
    await stopAt('turn answered', 'Quero pagar')
    await until(async () => (await turns())[0]?.status === 'uncertain')
    expect(await theTicket()).toMatchObject({ queue_id: c.queue, assistants: { n8n: true, failed: true } })
    expect(c.peer.asked()).toHaveLength(1)
    expect(sent()).toEqual([])
  })
})

describe('providers that hang', () => {
  it('leave another company’s customers answered as before', async () => {
    await connect('claude')
    Object.assign(c.peer.state, { fault: 'silent', faultAt: /messages/ })
    for (let n = 0; n < 24; n += 1) {
      c.nextCustomer()
      await write('Oi')
    }
    await until(() => c.peer.asked().length >= 16)
    c.tenantId = await m().tenant()
    c.connection = await m().connection(c.tenantId, { type: 'test' })
    c.admin = await m().person(c.tenantId, { profile: 'admin' })
    c.nextCustomer()
    await connect('grok')
    await write('E eu?')
    await until(() => sent().length > 0)
    expect(c.peer.asked().filter(({ path }) => path.endsWith('/messages'))).toHaveLength(16)
  })
})
