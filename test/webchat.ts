import { randomUUID } from 'node:crypto'
import { io, type Socket } from 'socket.io-client'
import { expect } from 'vitest'
import { messages } from '#features/messages/contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import {
  type MessagePage,
  type VisitorMessage,
  type VisitorSession,
  type WebchatChannel,
  type WebchatChannelForm,
  webchat,
  webchatChannels,
} from '#features/webchat/contract.ts'
import { make } from '#test/make.ts'
import { call, type Product, type Reply } from '#test/server.ts'

/** Helpers for companies with a webchat, their visitors and agents, on a file's product. */
export function webchatOn(product: () => Product) {
  const form: WebchatChannelForm = {
    name: 'Site',
    queueId: null,
    look: { title: 'Loja', welcome: 'Oi!', away: 'Já voltamos', color: '#1C5D99', position: 'left', theme: 'auto' },
    domains: [],
    requiresProof: false,
  }

  /** A company with an administrator and a webchat channel. */
  async function company(on: Product = product(), change: Partial<WebchatChannelForm> = {}) {
    const made = make(on.platform)
    const tenantId = await made.tenant()
    const admin = await made.user(tenantId, { profile: 'admin' })
    const token = await made.token(admin)
    const reply = await call(on, webchatChannels.create, token, { body: { ...form, ...change } })
    expect(reply.status).toBe(200)
    return { tenantId, admin, token, channel: reply.body as WebchatChannel }
  }

  async function visit(channel: WebchatChannel, more: object = {}, on: Product = product()): Promise<string> {
    const reply = await call(on, webchat.session, null, { body: { token: channel.token, ...more } })
    expect(reply.status).toBe(200)
    return (reply.body as VisitorSession).visitorToken
  }

  const write = (visitor: string, text: string, idFront = randomUUID(), on: Product = product()) =>
    call(on, webchat.send, visitor, { body: { idFront, text } })

  const read = async (visitor: string, query: object = {}): Promise<MessagePage> =>
    ((await call(product(), webchat.list, visitor, { query })) as Reply<MessagePage>).body

  /** Accepts the company's one waiting ticket as an agent; returns its id. */
  async function accept(token: string, userId: number): Promise<number> {
    const list = await call(product(), tickets.list, token, { query: { status: 'pending' } })
    const [waiting] = (list.body as { tickets: { id: number }[] }).tickets
    const params = { id: waiting!.id }
    expect((await call(product(), tickets.update, token, { params, body: { status: 'open', userId } })).status).toBe(
      200,
    )
    return waiting!.id
  }

  const answer = (ticketId: number, token: string, body: string) =>
    call(product(), messages.send, token, {
      params: { ticketId },
      body: { idFront: randomUUID(), body, isNote: false },
    })

  type Line = Socket & { heard: VisitorMessage[] }

  /** Opens a visitor's page, which acknowledges its messages unless `confirms` is false. */
  async function open(visitorToken: string, confirms = true): Promise<Line> {
    const socket = io(`${product().address}/webchat`, { auth: { visitorToken }, transports: ['websocket'] }) as Line
    socket.heard = []
    socket.on('message', (message: VisitorMessage, received: () => void) => {
      socket.heard.push(message)
      if (confirms) received()
    })
    await new Promise<void>((resolve, reject) => {
      socket.on('connect', resolve)
      socket.on('connect_error', reject)
    })
    return socket
  }

  return { company, visit, write, read, accept, answer, open, form }
}
