import { randomUUID } from 'node:crypto'
import { io } from 'socket.io-client'
import type { MessageData } from '#domain/messages/data.ts'
import { lab } from '#features/lab/contract.ts'
import type { HistoryMessage } from '#providers/channels/port.ts'
import { call } from '#test/server.ts'
import type { ContactEnd, OpenContactEnd } from './contact-end.ts'
import { bytesAt, postForm } from './post-form.ts'

let others = 5000

/** A virtual phone on a channel, held by a person. */
export const openPhone =
  (type: string): OpenContactEnd =>
  async (product, { token }): Promise<ContactEnd> => {
    const form = { name: 'Otávio', number: '(19) 99812-4407', type }
    const { id, connectionId, number } = (await call(product, lab.create, token, { body: form })).body
    const params = { id }
    const said = (['Vocês entregam aqui?', 'Entregamos sim.', 'Que bom!'] as const).map((body, n) => {
      // The last two in the same second.
      return { id: randomUUID(), fromPhone: n !== 1, body, timestamp: 1_759_000_000_000 + (n === 0 ? 0 : 60_000) }
    })
    await call(product, lab.keep, token, { params, body: { messages: said } })
    const sender = { identity: number, name: 'Otávio', number }
    const kept = said.map(
      ({ id: name, fromPhone, body, timestamp }): HistoryMessage => ({
        ...{ type: 'history', dedupeKey: name, conversationKey: number, sender, fromMe: !fromPhone },
        ...(fromPhone ? {} : { status: 'read' }),
        message: { providerId: name, timestamp, type: 'text', body },
      }),
    )
    let isTyping = false
    const socket = io(product.address, { auth: { token }, transports: ['websocket'], reconnection: false })
    socket.onAny((_, { type }: { type?: string }) => {
      if (type === 'lab:typing') isTyping = true
    })
    await new Promise<void>((resolve) => socket.once('connect', () => resolve()))
    return {
      connectionId,
      async write({ payload, file }, quotes) {
        const name = randomUUID()
        // Payloads that are no forms are sent as JSON; a button press quotes the message with the button.
        if (payload?.['contact'] || payload?.['location'])
          return void (await call(product, lab.send, token, { params, body: { ...payload, id: name } as never }))
        return postForm(
          `${product.address}/api/lab/phones/${id}/messages`,
          token,
          { ...payload, id: name, quotedId: quotes },
          file ? ['file', file] : null,
        )
      },
      async arrived() {
        const { messages } = (await call(product, lab.messages, token, { params })).body
        return Promise.all(
          messages
            .filter(({ fromPhone }) => !fromPhone)
            .map(async ({ id: name, body, quotedId, file, data, isForwarded, mediaType }) => ({
              voice: file?.waveform
                ? { seconds: Math.round(file.durationMs! / 1000), bars: file.waveform.length }
                : null,
              isSticker: mediaType === 'sticker',
              data: (data ?? null) as MessageData | null,
              isForwarded,
              id: name,
              body,
              quotes: quotedId,
              file: file && { name: file.name, bytes: await bytesAt(product.address + file.url) },
            })),
        )
      },
      // The first receipt comes automatically.
      async confirm(status, name) {
        const body = status === 'played' ? { played: name } : {}
        if (status !== 'delivered') await call(product, lab.read, token, { params, body })
      },
      async changes(name) {
        const { messages } = (await call(product, lab.messages, token, { params })).body
        const { body, isDeleted, reactions } = messages.find((one) => one.id === name)!
        return { body: isDeleted ? null : body, reaction: reactions.find((one) => !one.fromPhone)?.emoji ?? null }
      },
      async act({ providerId: messageId }, body) {
        const reply = await call(product, lab.act, token, { params: { id, messageId }, body })
        if (reply.status !== 200) throw new Error(JSON.stringify(reply.body))
      },
      async openGroup() {
        const other = (
          await call(product, lab.create, token, {
            body: { name: 'Nádia', number: `(19) 99812-${++others}`, type },
          })
        ).body
        const body = { name: `Vizinhos ${others}`, phoneIds: [id, other.id] }
        const group = (await call(product, lab.createGroup, token, { body })).body
        return {
          conversationKey: group.number,
          name: group.name,
          members: ['Otávio', 'Nádia'],
          async write(text) {
            await call(product, lab.send, token, {
              params,
              body: { id: randomUUID(), body: text, groupId: group.id } as never,
            })
          },
          // A virtual phone does not let anybody change what others wrote.
          async act(member, messageId, what) {
            const params = { id: member === 'Otávio' ? id : other.id, messageId }
            const { status } = await call(product, lab.act, token, { params, body: { ...what, groupId: group.id } })
            if ((status === 200) !== (member === 'Otávio')) throw new Error(`answered ${status}`)
          },
          async promoteUs() {
            await call(product, lab.changeGroup, token, {
              params: { id: group.id },
              body: { isOwnAdmin: true } as never,
            })
          },
          async arrived() {
            const reply = await call(product, lab.messages, token, { params: { id: group.id } })
            return reply.body.messages
              .filter(({ fromPhone }) => !fromPhone)
              .map(({ body, mentions }) => ({
                ...{ body, mentions: mentions?.people ?? [], everyone: mentions?.everyone != null },
              }))
          },
        }
      },
      seesTyping: () => isTyping,
      knows: { history: kept, number: { given: number, identity: number } },
      close: async () => void socket.close(),
    }
  }
