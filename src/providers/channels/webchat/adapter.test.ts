import { randomUUID } from 'node:crypto'
import { io } from 'socket.io-client'
import { webchat, webchatChannels } from '#features/webchat/contract.ts'
import type { ContactEnd, OpenContactEnd } from '#test/channels/contact-end.ts'
import { bytesAt, postForm } from '#test/channels/post-form.ts'
import { channelSuite } from '#test/channels/suite.ts'
import { call } from '#test/server.ts'
import { webchatConfig } from './config.ts'

const look = { title: 'Loja', welcome: 'Oi!', away: '', color: null, position: 'right', theme: 'auto' } as const

/** Visitor of a customer's site, with the page open. */
const openPage: OpenContactEnd = async (product, { token }): Promise<ContactEnd> => {
  const form = { name: 'Site', queueId: null, look, domains: [], requiresProof: false }
  const channel = (await call(product, webchatChannels.create, token, { body: form })).body
  const session = await call(product, webchat.session, null, { body: { token: channel.token } })
  const { visitorToken } = session.body
  let isTyping = false
  const socket = io(`${product.address}/webchat`, { auth: { visitorToken }, transports: ['websocket'] })
  socket.on('typing', () => {
    isTyping = true
  })
  socket.on('message', (_message: unknown, received: () => void) => received())
  await new Promise<void>((resolve) => socket.once('connect', () => resolve()))
  return {
    connectionId: channel.id,
    async write({ payload, file }, quotes) {
      const fields = { ...payload, idFront: randomUUID(), quotedId: quotes }
      if (file) return postForm(`${product.address}/api/webchat/upload`, visitorToken, fields, ['file', file])
      const reply = await call(product, webchat.send, visitorToken, { body: fields as never })
      if (reply.status !== 200) throw new Error(JSON.stringify(reply.body))
    },
    async arrived() {
      const query = { limit: 100 }
      const { messages } = (await call(product, webchat.list, visitorToken, { query })).body
      return Promise.all(
        messages
          .filter(({ fromVisitor }) => !fromVisitor)
          .map(async ({ id, body, quoted, media, buttons, forwarded }) => ({
            ...(buttons.length > 0 ? { data: { buttons } } : {}),
            isForwarded: forwarded,
            id,
            body,
            quotes: quoted?.id ?? null,
            file: media && { name: media.name, bytes: await bytesAt(product.address + media.url) },
          })),
      )
    },
    // The open page confirms messages by itself.
    async confirm(status, id) {
      if (status === 'read') await call(product, webchat.read, visitorToken, { body: { upTo: id } })
    },
    async changes(name) {
      const query = { limit: 100 }
      const { messages } = (await call(product, webchat.list, visitorToken, { query })).body
      const { body, deleted, reactions } = messages.find((one) => one.id === name)!
      return { body: deleted ? null : body, reaction: reactions.find((one) => !one.fromVisitor)?.emoji ?? null }
    },
    async act({ id: messageId }, what) {
      const body = { id: randomUUID(), ...what }
      const reply = await call(product, webchat.act, visitorToken, { params: { messageId }, body })
      if (reply.status !== 200) throw new Error(JSON.stringify(reply.body))
    },
    seesTyping: () => isTyping,
    close: async () => void socket.close(),
  }
}

channelSuite(webchatConfig, import.meta.dirname, openPage)
