import { randomUUID } from 'node:crypto'
import type { OpenContactEnd } from '#test/channels/contact-end.ts'
import { linkedByGateway } from '#test/channels/gateway-end.ts'
import { channelSuite } from '#test/channels/suite.ts'
import { startHub } from '#test/peers/hub.ts'
import { hubConfig } from './config.ts'

const TEMPLATE = { id: '77', name: 'volta', language: 'pt_BR', status: 'APPROVED', category: 'UTILITY' }
const codes = { delivered: 'DELIVERED', read: 'READ', played: 'READ' } as const

/** Person with a WhatsApp who writes to an account of the hub. */
const openAccount: OpenContactEnd = async (product, { token }) => {
  const hub = await startHub()
  const channelId = hub.channels[0]!.id
  hub.templates.push({ ...TEMPLATE, components: [{ type: 'BODY', text: 'Podemos continuar?' }] })
  const connection = await linkedByGateway(product, token, {
    ...{ type: 'hub', provider: 'hub', settings: { url: hub.address, key: hub.key } },
    ...{ config: { channelId, channel: 'hub_whatsapp_business_account' }, scan: async () => {} },
  })
  await connection.start()
  await connection.is('CONNECTED')
  return {
    connectionId: connection.id,
    async write({ payload, file }) {
      const told = structuredClone(payload) as { message: { id: string; contents: Record<string, unknown>[] } }
      told.message.id = randomUUID()
      // WhatsApp's files are available to the hub only.
      if (file) told.message.contents[0]!['fileUrl'] = hub.keep(Buffer.from(file.base64, 'base64'))
      await hub.tell(channelId, { ...told, id: randomUUID(), subscriptionId: channelId })
    },
    arrived: async () =>
      hub.got.map(({ id, content, file }) => ({
        ...{ id, body: String(content.text ?? content['fileCaption'] ?? ''), quotes: null },
        file: file && { name: String(content['fileName']), bytes: file },
        voice: content['voice'] === true ? true : null,
      })),
    async confirm(status, id) {
      const { alias } = hub.got.find((one) => one.id === id)!
      // The first status contains both ids, the others only the channel's.
      if (status === 'delivered') await hub.status({ id, alias }, 'SENT')
      await hub.status(status === 'delivered' ? { alias } : { id, alias }, codes[status])
    },
    seesTyping: () => false,
    loseAnswer(body) {
      hub.faults.lostBody = body
    },
    tellOfLost: (body) => hub.echo(hub.got.find(({ content }) => content.text === body)!),
    knows: {
      templates: [
        {
          ...TEMPLATE,
          ...{ quality: null, reason: '', format: 'POSITIONAL', header: null, body: 'Podemos continuar?' },
          ...{ samples: {}, footer: '', buttons: [] },
        } as never,
      ],
    },
    close: hub.close,
  }
}

channelSuite(hubConfig, import.meta.dirname, openAccount)
