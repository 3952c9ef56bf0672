import { randomBytes, randomUUID } from 'node:crypto'
import { type Answered, callBack, type Faults, type PhoneGot, startJsonServer } from './gateway.ts'

type Json = Readonly<Record<string, unknown>>
type Instance = {
  readonly name: string
  readonly token: string
  status: 'disconnected' | 'connecting' | 'connected'
  code: string
  paircode: string
  jid: string
  webhook: { url: string; enabled: boolean; events: string[]; excludeMessages: string[] } | null
}

/** A group at the gateway. */
export type UazapiGroup = {
  readonly JID: string
  readonly Name: string
  readonly Participants: readonly { readonly JID: string; readonly IsAdmin: boolean }[]
}

const OWNER = '5519999990000'
const refused = (status: number, error: string): Answered => ({ status, body: { error } })
const jid = (number: string) => (number.includes('@') ? number : `${number}@s.whatsapp.net`)

/** Starts a server of UAZAPI (its OpenAPI 1.0.0 and recorded calls), with people who write to its phones. */
export async function startUazapi() {
  let key = randomBytes(12).toString('hex')
  const instances = new Map<string, Instance>()
  const got: (PhoneGot & { readonly isForwarded: boolean })[] = []
  const media = new Map<string, { bytes: Uint8Array; mime: string }>()
  const people = new Map<string, string>()
  const pictures = new Map<string, Uint8Array>()
  const groups: UazapiGroup[] = []
  const typing = new Set<string>()
  const faults: Faults = { isSilent: false, lostAnswers: 0, holdEchoes: false }
  const held: (() => Promise<void>)[] = []
  let address = ''

  const only = (): Instance => {
    const [instance] = [...instances.values()]
    if (!instance) throw new Error('no instance')
    return instance
  }
  async function tell(instance: Instance, EventType: string, about: Json) {
    const { webhook, name, token } = instance
    if (!webhook?.enabled || !webhook.events.includes(EventType)) return
    await callBack(
      webhook.url,
      JSON.stringify({ BaseUrl: address, EventType, instanceName: name, owner: OWNER, token, ...about }),
    )
  }
  const messageOf = (id: string, chatid: string, more: Json) => ({
    ...{
      id: `${OWNER}:${id}`,
      messageid: id,
      chatid,
      fromMe: true,
      wasSentByApi: true,
      messageTimestamp: Date.now(),
      ...more,
    },
  })

  function send(instance: Instance, path: string, json: Json): Answered | null {
    const number = String(json['number'])
    if (!number.includes('@') && !people.has(number)) return refused(400, 'the number is not on WhatsApp')
    const id = `3EB0${randomBytes(9).toString('hex').toUpperCase()}`
    const {
      mentions = '',
      replyid = null,
      track_id,
      forward = false,
    } = json as Record<string, string> & { forward?: boolean }
    const content = contentOf(path, json)
    got.push({
      ...{
        id,
        to: jid(number),
        reaction: null,
        quotes: replyid,
        isForwarded: Boolean(forward),
        everyone: mentions === 'all',
      },
      ...{ mentioned: mentions && mentions !== 'all' ? mentions.split(',').map(jid) : [], ...content },
    })
    const messageType = content.kind.charAt(0).toUpperCase() + content.kind.slice(1)
    const message = messageOf(id, jid(number), { messageType, text: content.body, content: {}, track_id })
    const echo = () => tell(instance, 'messages', { chat: { wa_chatid: jid(number) }, message })
    if (faults.holdEchoes) held.push(echo)
    else void echo().catch(() => {})
    if (faults.lostAnswers > 0) {
      faults.lostAnswers--
      return null
    }
    return { body: { ...message, status: 'Pending' } }
  }

  const meantBy = (json: Json) => got.find(({ id }) => id === String(json['id']).split(':').at(-1))
  const answers: Readonly<Record<string, (json: Json) => Answered>> = {
    '/message/edit': (json) => {
      const meant = meantBy(json)
      if (!meant) return refused(404, 'Message not found')
      meant.body = String(json['text'])
      return { body: {} }
    },
    '/message/delete': (json) => {
      const meant = meantBy(json)
      if (meant) meant.body = null
      return { body: {} }
    },
    '/message/react': (json) => {
      const meant = meantBy(json)
      if (meant) meant.reaction = String(json['text']) || null
      return { body: {} }
    },
    '/message/presence': ({ number, presence }) => {
      if (presence === 'composing') typing.add(jid(String(number)))
      return { body: { response: 'Presence sent' } }
    },
    '/message/download': ({ id }) => {
      const file = media.get(String(id))
      if (!file) return refused(400, 'Message not found')
      return { body: { mimetype: file.mime, base64Data: Buffer.from(file.bytes).toString('base64') } }
    },
    '/chat/check': ({ numbers }) => ({
      body: (numbers as string[]).map((query) => ({
        query,
        jid: jid(query),
        isInWhatsapp: people.has(query),
        verifiedName: '',
      })),
    }),
    '/chat/details': ({ number }) => ({
      body: {
        wa_chatid: jid(String(number)),
        image: pictures.has(String(number)) ? `${address}/picture/${String(number)}` : '',
      },
    }),
    '/chat/find': () => ({
      body: { chats: [...people].map(([number, wa_name]) => ({ wa_chatid: jid(number), wa_name })) },
    }),
    '/group/list': () => ({ body: { groups } }),
  }
  const stateOf = (instance: Instance) => ({
    instance: { name: instance.name, status: instance.status, qrcode: instance.code, paircode: instance.paircode },
    status: {
      connected: instance.status === 'connected',
      loggedIn: instance.status === 'connected',
      jid: instance.jid,
    },
  })

  const server = await startJsonServer(async ({ method, path, headers, json }) => {
    if (path.startsWith('/picture/')) return { body: pictures.get(path.slice(9)) ?? '', type: 'image/jpeg' }
    if (path === '/instance/all' || path === '/instance/init') {
      if (headers['admintoken'] !== key) return refused(401, 'Invalid admintoken')
      if (path === '/instance/all')
        return { body: [...instances.values()].map(({ name, token, status }) => ({ name, token, status })) }
      const name = String(json['name'])
      const made: Instance = {
        ...{ name, token: randomUUID(), status: 'disconnected' },
        ...{ code: '', paircode: '', jid: '', webhook: null },
      }
      instances.set(name, made)
      return { body: { token: made.token, instance: { name }, connected: false, loggedIn: false } }
    }
    const instance = [...instances.values()].find(({ token }) => token === headers['token'])
    if (!instance) return refused(401, 'Invalid token')
    if (path === '/instance' && method === 'DELETE') {
      instances.delete(instance.name)
      return { body: { response: 'Instance Deleted' } }
    }
    if (path === '/instance/status') return { body: stateOf(instance) }
    if (path === '/instance/connect') {
      const isTyped = typeof json['phone'] === 'string'
      const paircode = isTyped
        ? `${randomBytes(2).toString('hex')}-${randomBytes(2).toString('hex')}`.toUpperCase()
        : ''
      const code = isTyped ? '' : `data:image/png;base64,${randomBytes(30).toString('base64')}`
      if (instance.status !== 'connected') Object.assign(instance, { status: 'connecting', paircode, code })
      return { body: { connected: false, loggedIn: false, jid: null, ...stateOf(instance) } }
    }
    if (path === '/webhook' && method === 'GET')
      return { body: instance.webhook ? [{ id: 'w', ...instance.webhook }] : [] }
    if (path === '/webhook') {
      instance.webhook = json as NonNullable<Instance['webhook']>
      return { body: [instance.webhook] }
    }
    if (instance.status !== 'connected') return refused(500, 'session is not connected')
    if (path.startsWith('/send/')) return send(instance, path.slice(6), json)
    return answers[path]?.(json) ?? refused(404, 'Not found')
  }, faults)
  address = server.address
  return {
    ...server,
    get key() {
      return key
    },
    /** The server's token is another one from now on. */
    changeKey: () => {
      key = randomBytes(12).toString('hex')
    },
    ...{ instances, got, media, people, pictures, groups, typing, faults, only },
    /** Sends the held-back echoes. */
    release: async () => void (await Promise.all(held.splice(0).map((echo) => echo()))),
    /** The own phone reads a code, or types one. */
    async scan(code: string) {
      const instance = only()
      if (![instance.code, instance.paircode.replace('-', '')].includes(code)) throw new Error('another code')
      Object.assign(instance, { status: 'connected', jid: jid(OWNER), code: '', paircode: '' })
      await tell(instance, 'connection', { instance: { name: instance.name, status: 'connected' }, type: 'connected' })
    },
    /** Sends an event of the gateway's only instance. */
    tell: (eventType: string, about: Json) => tell(only(), eventType, about),
  }
}

type Content = Pick<PhoneGot, 'kind' | 'body' | 'data' | 'file' | 'isVoice'>

function contentOf(path: string, json: Json): Content {
  const plain = { file: null, isVoice: false }
  const body = json['text'] === undefined ? '' : String(json['text'])
  switch (path) {
    case 'text':
      return { ...plain, kind: 'conversation', body }
    case 'media': {
      const { type, file, docName = null, mimetype } = json as Record<string, string>
      const name = docName && String(docName)
      const kind = `${type === 'ptt' ? 'audio' : type}Message`
      const bytes = Buffer.from(file!, 'base64')
      return { kind, body, isVoice: type === 'ptt', file: { name, mime: mimetype!, bytes } }
    }
    case 'contact': {
      const { fullName, phoneNumber } = json as { fullName: string; phoneNumber: string }
      return { ...plain, kind: 'contactMessage', body: fullName, data: { fullName, phoneNumber } }
    }
    case 'location': {
      const { latitude, longitude, name } = json as { latitude: number; longitude: number; name: string }
      return { ...plain, kind: 'locationMessage', body: name, data: { latitude, longitude, name } }
    }
    default:
      throw new Error(`no path ${path}`)
  }
}
