import { randomUUID } from 'node:crypto'
import { choicesOf } from '#domain/messages/interactive.ts'
import { connections } from '#features/connections/contract.ts'
import { savedOf, signatureOf } from '#test/channels/sample/adapter.ts'
import { GATEWAY, startSampleGateway } from '#test/peers/sample-gateway.ts'
import { call } from '#test/server.ts'
import type { OpenContactEnd } from '../contact-end.ts'
import { pictureOf } from '../picture-check.ts'

const TOKEN = 'um-token-que-termina-em-1234'
const FROM = '5511988887777'

/** A contact behind the gateway of the sample channel. */
export const openGateway: OpenContactEnd = async (product, { token }) => {
  const gateway = await startSampleGateway(TOKEN)
  gateway.pictures.set(FROM, await pictureOf('#d01010'))
  const config = { address: gateway.address, loft: `pombal-${randomUUID().slice(0, 8)}`, token: TOKEN }
  const body = { type: 'sample', name: 'Pombal', config }
  const { id, webhookPath } = (await call(product, connections.create, token, { body })).body
  await call(product, connections.start, token, { params: { id } })
  const tell = async (events: readonly object[]) => {
    const bytes = JSON.stringify({ events })
    const headers = { 'x-signature': signatureOf(TOKEN, bytes) }
    const reply = await fetch(product.address + webhookPath, { method: 'POST', headers, body: bytes })
    if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`)
  }
  return {
    connectionId: id,
    write: ({ payload }) => {
      const { events } = payload as { events: object[] }
      return tell(events.map((event) => ({ ...event, id: randomUUID(), at: product.platform.now().getTime() })))
    },
    arrived: async () =>
      gateway.delivered.map(({ id: name, text, file, data }) => ({
        id: name,
        body: text ?? '',
        quotes: null,
        data,
        file: file && { name: file.name, bytes: Buffer.from(file.base64, 'base64') },
      })),
    confirm: (status, name) =>
      tell([{ type: 'receipt', id: name, to: FROM, status, at: product.platform.now().getTime() }]),
    seesTyping: () => false,
    async look(picture) {
      if (picture) gateway.pictures.set(FROM, picture)
      else gateway.pictures.delete(FROM)
      await tell([{ type: 'picture', id: randomUUID(), of: FROM, at: product.platform.now().getTime() }])
    },
    changes: async (name) => {
      const { text, reaction } = gateway.delivered.find((one) => one.id === name)!
      return { body: text, reaction }
    },
    act({ providerId }, { act, ...more }) {
      const { data } = gateway.delivered.find(({ id: name }) => name === providerId) ?? {}
      const text = 'buttonId' in more ? choicesOf(data).find(({ id: one }) => one === more.buttonId)?.text : undefined
      const about = { of: providerId, from: FROM, at: product.platform.now().getTime() }
      return tell([{ type: act, id: randomUUID(), ...about, ...more, ...(text === undefined ? {} : { text }) }])
    },
    knows: { number: GATEWAY.known, history: GATEWAY.history.map(savedOf), templates: GATEWAY.templates },
    close: gateway.close,
  }
}
