import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { MessageData } from '#domain/messages/data.ts'
import type { ProviderTemplate } from '#providers/channels/port.ts'
import type { GatewayMessage } from '#test/channels/sample/adapter.ts'

type Body = {
  id?: string
  to?: string
  text?: string
  emoji?: string | null
  number?: string
  identity?: string
  before?: string | null
  limit?: number
  file?: { name: string; base64: string } | null
  data?: MessageData | null
}

/** Request to the gateway: path, with the tokens in its headers. */
export type GatewayCall = { path: string; token: string; key: string; body: Body }

/** Current state of a message that the gateway delivered to the contact; a revoked one has no text. */
export type DeliveredMessage = {
  id: string
  to: string
  text: string | null
  reaction: string | null
  file: { name: string; base64: string } | null
  data: MessageData | null
}

/** Fixed data of the gateway about its contact. */
export const GATEWAY = {
  known: { given: '5511988887777', identity: 'pombo:5511988887777' },
  history: [
    { id: 'antes-1', from: '5511988887777', text: 'Bom dia', at: 1_759_000_000_000 },
    { id: 'antes-2', from: '5511988887777', text: 'Vocês abrem hoje?', at: 1_759_000_060_000 },
    { id: 'antes-3', from: '5511988887777', text: 'Até amanhã', at: 1_759_000_060_000 },
  ] satisfies GatewayMessage[],
  templates: [
    {
      ...{ id: 'volta-1', name: 'volta', language: 'pt_BR', category: 'UTILITY', status: 'APPROVED', quality: null },
      ...{
        reason: '',
        format: 'POSITIONAL',
        header: null,
        body: 'O pombo voltou.',
        samples: {},
        footer: '',
        buttons: [],
      },
    },
  ] satisfies ProviderTemplate[],
}

/**
 * Starts the far end of the sample channel (test/channels/sample): it accepts requests with its token, each message once.
 */
export async function startSampleGateway(token: string) {
  const calls: GatewayCall[] = []
  const delivered: DeliveredMessage[] = []
  const reached = new Set<string>()
  const pictures = new Map<string, Uint8Array>()
  const hasty = new Set<string>()
  const find = ({ id }: Body) => delivered.find((one) => one.id === id)
  const paths: Readonly<Record<string, (body: Body) => unknown>> = {
    '/hello': () => ({}),
    '/send': (body) => {
      const { id = '', to = '', text = '', file = null, data = null } = body
      if (!find(body)) delivered.push({ id, to, text, file, data, reaction: null })
      return {}
    },
    '/edit': (body) => Object.assign(find(body) ?? {}, { text: body.text }),
    '/revoke': (body) => Object.assign(find(body) ?? {}, { text: null }),
    '/react': (body) => Object.assign(find(body) ?? {}, { reaction: body.emoji }),
    '/check': ({ number = '' }) =>
      number === GATEWAY.known.given
        ? { identity: GATEWAY.known.identity }
        : reached.has(number)
          ? { identity: number }
          : null,
    '/picture': ({ identity = '' }) => {
      const picture = pictures.get(identity)
      return { base64: picture ? Buffer.from(picture).toString('base64') : null }
    },
    '/chats': () => ({ chats: [GATEWAY.history[0]!.from], next: null, total: 1 }),
    '/history': ({ before, limit = 0 }) => {
      const end = before ? Number(before) : GATEWAY.history.length
      const start = Math.max(0, end - limit)
      return { messages: GATEWAY.history.slice(start, end), before: start > 0 ? String(start) : null }
    },
    '/templates': () => GATEWAY.templates,
  }
  const server = createServer(async (request, response) => {
    const body = (await json(request)) as Body
    const path = String(request.url)
    const given = String(request.headers.authorization).replace('Bearer ', '')
    calls.push({ path, token: given, key: String(request.headers['x-key']), body })
    const isKnown = given === token
    if (isKnown && path === '/send' && hasty.has(body.to ?? '')) return void response.writeHead(429).end()
    response.writeHead(isKnown ? 200 : 401).end(JSON.stringify(isKnown ? paths[path]?.(body) : {}))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    calls,
    delivered,
    /** Numbers that it reaches besides the known one; `hasty` are those rejected with 429. */
    reached,
    hasty,
    /** Pictures of the contacts that have one. */
    pictures,
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise<void>((done) => void server.close(() => done())),
  }
}
