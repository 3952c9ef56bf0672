import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { ledgerOf } from '#features/ledger/server/messages/ledger.ts'
import { tickets } from '#features/tickets/contract.ts'
import { assistantCompany } from '#test/assistant-company.ts'
import { textEvent } from '#test/peers/channel.ts'
import { call } from '#test/server.ts'
import { until } from '#test/until.ts'
import { assistants, assistantTurns, queueAssistants } from './contract.ts'

const c = assistantCompany()
const { product, m, connect, choose, receiveEvents, write, sent, arrived, theTicket, turns } = c

describe('who answers', () => {
  it('answers everywhere where that is on, and nowhere where the company lets it answer no more', async () => {
    const id = await connect('qwen', {}, { isChosen: false })
    await write('Ninguém')
    await arrived(1)
    await m().setting(c.tenantId, 'qwenAllTickets')
    c.nextCustomer()
    await write('Todos')
    await until(() => sent().length > 0)
    expect(c.peer.asked()).toHaveLength(1)
    await m().setting(c.tenantId, 'qwen', 'disabled')
    const params = { id }
    await call(product(), assistants.update, c.admin.token, {
      params,
      body: { name: 'Outro', isActive: true } as never,
    })
    await write('E agora?')
    await arrived(2)
    expect(await turns()).toHaveLength(1)
  })

  it('says which may answer in a ticket, and sends along the picture that the customer sent', async () => {
    await connect('gemini')
    await write('Olhe')
    await until(() => sent().length > 0)
    const { id } = await theTicket()
    const { body } = await call(product(), assistantTurns.list, c.ana.token, { params: { id } })
    expect(body).toMatchObject({ assistants: [{ id: 'gemini', name: 'Gemini', isOn: true }] })
    const background = { width: 40, height: 30, channels: 3, background: '#1C5D99' } as const
    const bytes = await sharp({ create: background }).png().toBuffer()
    const stored = await ledgerOf(product().platform, c.tenantId, c.connection).store({
      ...{ name: 'bolo.png', bytes, maxBytes: 1_000_000 },
    })
    const event = textEvent({ from: c.from, body: 'Este' })
    const message = { ...event.message, type: 'image', fileId: stored!.id } as const
    await receiveEvents([{ ...event, message }])
    await until(() => sent().length > 1)
    expect(JSON.stringify(c.peer.asked().at(-1)!.body)).toContain('"mimeType":"image/png"')
    const spoken = { name: 'audio.mp3', bytes: readFileSync('test/media/tone.mp3'), maxBytes: 1_000_000 }
    const recording = await ledgerOf(product().platform, c.tenantId, c.connection).store(spoken)
    const heard = textEvent({ from: c.from, body: '' })
    const voice = { ...heard.message, type: 'audio', fileId: recording!.id } as const
    await receiveEvents([{ ...heard, message: voice }])
    await until(() => sent().length > 2)
    expect(JSON.stringify(c.peer.asked().at(-1)!.body)).toContain('"mimeType":"audio/mpeg"')
  })

  it('answers no machine: an automatic mail', async () => {
    c.connection = await m().connection(c.tenantId, { type: 'webmail', queue_id: c.queue })
    await connect()
    c.from = 'ana@cliente.test'
    const arrives = (body: string, isAutomatic: boolean) => {
      const mail = { subject: 'Pedido', isAutomatic, from: { address: c.from }, to: [], cc: [] }
      const event = textEvent({ from: c.from, body })
      const message = { ...event.message, data: { mail, thread: { id: c.from, subject: 'Pedido', references: [] } } }
      return receiveEvents([{ ...event, message } as never])
    }
    await arrives('Estou de férias.', true)
    await arrived(1)
    expect(await turns()).toEqual([])
    await arrives('Voltei', false)
    await until(() => c.peer.asked().length > 0)
    expect(await turns()).toHaveLength(1)
  })

  it('is switched on in one ticket alone', async () => {
    await connect('deepseek', {}, { isChosen: false })
    await write('Oi')
    await arrived(1)
    const { id } = await theTicket()
    await call(product(), tickets.update, c.admin.token, {
      params: { id },
      body: { deepseekStatus: 'enabled' } as never,
    })
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
        db.updateTable('users').set({ is_online: isOnline }).where('id', '=', c.ana.id).execute(),
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
describe('a queue with an assistant of its own', () => {
  it('has that one answer in the place of the connection’s', async () => {
    await connect('claude')
    const own = await connect('gemini', {}, { isChosen: false })
    const body = { assistantId: own }
    expect((await call(product(), queueAssistants.set, c.admin.token, { params: { id: c.queue }, body })).status).toBe(
      200,
    )
    await write('Oi')
    await until(() => sent().length > 0)
    expect(await turns()).toMatchObject([{ assistant: 'Robô gemini' }])
  })
})
