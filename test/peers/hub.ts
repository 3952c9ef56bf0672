import { randomBytes, randomUUID } from 'node:crypto'
import { type Answered, callBack, startJsonServer } from './gateway.ts'

type Json = Readonly<Record<string, unknown>>
type Content = { readonly type: string; readonly text?: string; readonly fileUrl?: string } & Json

/** Message delivered through the hub, with its file as downloaded. */
export type HubGot = {
  readonly id: string
  /** Id of the message at the channel itself, sent with the first status. */
  readonly alias: string
  readonly channel: string
  readonly to: string
  readonly content: Content
  readonly file: Uint8Array | null
}

const error = (status: number, body: unknown): Answered => ({ status, body })

/** NotificaMe Hub (its sheet, and payloads of 2024) with the accounts of one token. */
export async function startHub() {
  const key = randomBytes(16).toString('hex')
  const channels: { id: string; name: string; channel: string }[] = [
    { id: randomUUID(), name: 'Empório', channel: 'whatsapp' },
    { id: randomUUID(), name: '@emporio', channel: 'instagram' },
  ]
  const got: HubGot[] = []
  const subscriptions: { criteria: { channel: string }; webhook: { url: string } }[] = []
  const templates: Json[] = []
  /** Files by name: kept at WhatsApp, which gives them to the hub only, or public. */
  const media = new Map<string, { bytes: Uint8Array; isKept: boolean }>()
  const faults = {
    /** Number of the next sends that are done but whose responses are lost. */
    lostAnswers: 0,
    /** Text of the next send whose response is lost. */
    lostBody: null as string | null,
    isBusy: false,
    /** Error body of the next send's response, with status 200. */
    refusal: null as Json | null,
    /** Whether listing subscriptions fails. */
    listsNothing: false,
    isDown: false,
    /** Whether a status is sent before the response. */
    statusFirst: false,
  }
  let address = ''

  async function tell(channelId: string, about: Json, url?: string): Promise<void> {
    const to = url
      ? [url]
      : subscriptions.flatMap((one) => (one.criteria.channel === channelId ? [one.webhook.url] : []))
    const body = JSON.stringify({ hub_access_token: key, subscriptionId: channelId, ...about })
    for (const each of new Set(to)) await callBack(each, body)
  }

  const status = (about: { id?: string; alias?: string }, code: string, more: Json = {}) =>
    tell(channels[0]!.id, {
      ...{ type: 'MESSAGE_STATUS', timestamp: '2024-05-10 02:10:12 pm', channel: 'whatsapp', contentIndex: 0 },
      ...(about.id ? { messageId: about.id } : {}),
      messageStatus: {
        ...{ timestamp: '2024-05-10 02:10:12 pm', code, description: `The message was ${code}` },
        ...(about.alias ? { providerMessageId: about.alias } : {}),
        ...more,
      },
    })

  /** Sends the hub's own event about a message sent from one of its accounts, with any tool. */
  const echo = ({ id, to, content }: Pick<HubGot, 'id' | 'to' | 'content'>) =>
    tell(channels[0]!.id, {
      ...{ type: 'MESSAGE', id: randomUUID(), channel: 'whatsapp', direction: 'OUT' },
      message: { id, from: channels[0]!.id, to, direction: 'OUT', isGroup: 'false', contents: [content] },
    })

  async function send(channel: string, json: Json): Promise<Answered | null> {
    const { from, to = '', contents = [] } = json as { from?: string; to?: string; contents?: Content[] }
    if (!channels.some(({ id }) => id === from)) return error(404, { message: 'Channel not found' })
    if (faults.refusal) {
      const body = faults.refusal
      faults.refusal = null
      return { body }
    }
    const [content] = contents
    if (!content) return error(400, { error: { message: 'contents is required' } })
    const link = content.fileUrl ?? headerLink(content)
    const fetched = link ? await fetch(link) : null
    if (fetched && !fetched.ok) return error(400, { error: { message: `file: ${fetched.status}` } })
    const one: HubGot = {
      ...{ id: randomUUID(), alias: `wamid.${randomBytes(9).toString('base64url')}`, channel, to, content },
      file: fetched && new Uint8Array(await fetched.arrayBuffer()),
    }
    got.push(one)
    if (faults.statusFirst) await status(one, 'SENT')
    const isMeant = faults.lostBody !== null && content.text?.includes(faults.lostBody)
    if (isMeant || faults.lostAnswers > 0) {
      if (isMeant) faults.lostBody = null
      else faults.lostAnswers--
      return null
    }
    return { body: { id: one.id, from, to, channel, direction: 'OUT', contents } }
  }

  const server = await startJsonServer(async ({ method, path, headers, json }) => {
    const file = media.get(path.replace('/files/', ''))
    if (path.startsWith('/files/'))
      return file && !file.isKept ? { body: file.bytes, type: 'application/octet-stream' } : error(401, {})
    if (faults.isDown) return error(503, { message: 'Service Unavailable' })
    // A token that it does not know it has not found.
    if (headers['x-api-token'] !== key) return error(404, { message: 'Not Found' })
    const [, first = '', second = '', third = ''] = path.split('/')
    if (path === '/channels') return { body: channels }
    if (first === 'channels' && third === 'messages') return send(second, json)
    if (path === '/channels/whatsapp/media') {
      const [wanted] = (json['contents'] ?? []) as Content[]
      const kept = media.get(String(wanted?.fileUrl).split('/files/')[1] ?? '')
      return kept ? { body: kept.bytes, type: 'application/octet-stream' } : error(404, {})
    }
    if (first === 'subscriptions' && method === 'GET')
      return faults.listsNothing ? error(404, { message: 'Not Found' }) : { body: subscriptions }
    if (first === 'subscriptions') {
      subscriptions.push(json as never)
      return { body: { id: randomUUID(), ...json } }
    }
    if (first === 'templates') return { body: { data: templates } }
    return error(404, { message: 'Not Found' })
  }, faults)
  address = server.address
  return {
    ...{ key, channels, got, subscriptions, templates, media, faults, tell, status, echo },
    ...{ address, calls: server.calls, close: server.close },
    /** Stores a file and returns its URL. */
    keep(bytes: Uint8Array, isKept = true): string {
      const name = randomUUID()
      media.set(name, { bytes, isKept })
      return `${address}/files/${name}`
    },
  }
}

function headerLink({ template }: Content): string | undefined {
  const { components = [] } = (template ?? {}) as { components?: { parameters: { [kind: string]: unknown }[] }[] }
  const part = components.flatMap(({ parameters }) => parameters).find((one) => typeof one['type'] === 'string')
  return (part?.[String(part['type'])] as { link?: string } | undefined)?.link
}
