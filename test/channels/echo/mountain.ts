import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { connections } from '#features/connections/contract.ts'
import { providers } from '#features/connections/providers-contract.ts'
import { call } from '#test/server.ts'
import type { OpenContactEnd } from '../contact-end.ts'

/** Starts the far end of the channel, which accepts requests with its password. */
export async function startMountain(token: string) {
  const heard: { id: string; text: string }[] = []
  const server = createServer(async (request, response) => {
    const body = (await json(request)) as { id: string; text: string }
    const isKnown = request.headers.authorization === `Bearer ${token}`
    if (isKnown && request.url === '/shout') heard.push(body)
    response.writeHead(isKnown ? 200 : 401).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    heard,
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise<void>((done) => void server.close(() => done())),
  }
}

const TOKEN = 'uma-senha-que-ecoa-1234'

/** Opens a contact's end in the valley: a mountain server, and a connection to it. */
export const openValley: OpenContactEnd = async (product, { token }) => {
  const mountain = await startMountain(TOKEN)
  await call(product, providers.save, token, { params: { id: 'echo' }, body: { url: mountain.address } })
  const config = { valley: `vale-${randomUUID().slice(0, 8)}`, token: TOKEN }
  const body = { type: 'echo', name: 'Vale', config }
  const { id, webhookPath } = (await call(product, connections.create, token, { body })).body
  await call(product, connections.start, token, { params: { id } })
  return {
    connectionId: id,
    async write({ payload }) {
      const told = { ...payload, id: randomUUID(), at: product.platform.now().getTime() }
      const headers = { authorization: `Bearer ${TOKEN}` }
      const reply = await fetch(product.address + webhookPath, { method: 'POST', headers, body: JSON.stringify(told) })
      if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`)
    },
    arrived: async () =>
      mountain.heard.map(({ id: name, text }) => ({ id: name, body: text, quotes: null, file: null })),
    confirm: async () => {},
    seesTyping: () => false,
    close: mountain.close,
  }
}
