import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import type { proto } from 'baileys'
import { spellingsOf } from '#domain/phone/brazil.ts'
import { type Answered, callBack, type Faults, type PhoneGot, startJsonServer } from './gateway.ts'

type Json = Readonly<Record<string, unknown>>
type User = {
  readonly id: string
  readonly name: string
  readonly token: string
  webhook: string
  events: readonly string[]
  hmacKey: string
  isConnected: boolean
  isLoggedIn: boolean
  jid: string
  code: string
  linkingCode: string | null
}

/** A group at the gateway. */
export type WuzapiGroup = {
  readonly JID: string
  readonly Name: string
  readonly Participants: readonly { JID: string; IsAdmin: boolean }[]
}

const OWNER = '5519999990000:12@s.whatsapp.net'
const fine = (data: unknown): Answered => ({ body: { code: 200, success: true, data } })
const refused = (status: number, error: string): Answered => ({ status, body: { code: status, success: false, error } })
const jid = (phone: string) => (phone.includes('@') ? phone : `${phone}@s.whatsapp.net`)

/** Starts a WuzAPI (its API.md and handlers, 2025 and 2026), with people who write to its phones. */
export async function startWuzapi() {
  let key = randomBytes(12).toString('hex')
  const users: User[] = []
  const got: PhoneGot[] = []
  /** Files by their media keys. */
  const media = new Map<string, { bytes: Uint8Array; mime: string }>()
  const people = new Map<string, string>()
  const pictures = new Map<string, Uint8Array>()
  const groups: WuzapiGroup[] = []
  const typing = new Set<string>()
  const faults: Faults = { isSilent: false, lostAnswers: 0, holdEchoes: false }
  /** Spelling and encoding of its events, which differ between builds. */
  const build = { isForm: true, isCapital: true, isSigned: true }
  let address = ''

  const only = (): User => {
    const [user] = users
    if (!user) throw new Error('no user')
    return user
  }
  async function tell(user: User, about: Json) {
    if (!user.webhook || !(user.events.includes('All') || user.events.includes(String(about['type'])))) return
    // Builds without signatures are older, and send the user's token.
    const who = { userID: user.id, ...(build.isSigned ? { instanceName: user.name } : { token: user.token }) }
    const { instanceName: _, ...unnamed } = about
    const call = build.isSigned ? about : unnamed
    const json = JSON.stringify(build.isForm ? call : { ...call, ...who })
    const form = new URLSearchParams({ jsonData: json, ...who }).toString()
    const body = build.isForm ? form : json
    const signature = createHmac('sha256', user.hmacKey).update(body).digest('hex')
    const headers = build.isSigned && user.hmacKey ? { 'x-hmac-signature': signature } : {}
    await callBack(user.webhook, body, build.isForm ? 'application/x-www-form-urlencoded' : 'application/json', headers)
  }

  function send(path: string, json: Json): Answered | null {
    const phone = String(json['Phone'])
    const id = String(json['Id'] ?? randomBytes(8).toString('hex'))
    const { ContextInfo: context = {} } = json as { ContextInfo?: { StanzaId?: string; MentionedJID?: string[] } }
    const mentioned = context.MentionedJID ?? []
    const group = groups.find(({ JID }) => JID === phone)
    const everyone = group !== undefined && mentioned.length === group.Participants.length
    // It accepts any address; one in another spelling reaches no phone. A phone shows a message once.
    if ((phone.includes('@') || people.has(phone)) && !got.some((one) => one.id === id))
      got.push({
        ...{ id, to: jid(phone), reaction: null, quotes: context.StanzaId ?? null },
        ...{ mentioned: everyone ? [] : mentioned, everyone, ...contentOf(path, json) },
      })
    if (faults.lostAnswers > 0) {
      faults.lostAnswers--
      return null
    }
    return fine({ Details: 'Sent', Id: id, Timestamp: new Date().toISOString() })
  }

  const chat: Readonly<Record<string, (json: never) => Answered>> = {
    'send/edit': ({ Id, Body }: { Id: string; Body: string }) => {
      const meant = got.find(({ id }) => id === Id)
      if (meant) meant.body = Body
      return fine({ Details: 'Sent', Id })
    },
    delete: ({ Id }: { Id: string }) => {
      const meant = got.find(({ id }) => id === Id)
      if (meant) meant.body = null
      return fine({ Details: 'Deleted', Id })
    },
    react: ({ Id, Body }: { Id: string; Body: string }) => {
      const meant = got.find(({ id }) => id === Id.replace(/^me:/, ''))
      if (meant) meant.reaction = ['', 'remove'].includes(Body) ? null : Body
      return fine({ Details: 'Sent', Id })
    },
    presence: ({ Phone, State }: { Phone: string; State: string }) => {
      if (!['composing', 'paused'].includes(State)) return refused(400, 'invalid state')
      if (State === 'composing') typing.add(jid(Phone))
      return fine({ Details: 'Chat presence set successfuly' })
    },
  }
  const download = ({ MediaKey }: { MediaKey: string }): Answered => {
    const file = media.get(MediaKey)
    if (!file) return refused(500, 'failed to download')
    return fine({ Mimetype: file.mime, Data: `data:${file.mime};base64,${Buffer.from(file.bytes).toString('base64')}` })
  }

  function session(user: User, action: string, json: Json): Answered {
    switch (action) {
      case 'status': {
        const { isConnected, isLoggedIn, ...about } = user
        const state = build.isCapital
          ? { Connected: isConnected, LoggedIn: isLoggedIn }
          : { connected: isConnected, loggedIn: isLoggedIn }
        return fine({ ...state, jid: user.jid, name: about.name, id: about.id, webhook: user.webhook })
      }
      case 'connect':
        if (user.isConnected) return refused(500, 'already connected')
        user.isConnected = true
        user.isLoggedIn = user.jid !== ''
        user.events = (json['Subscribe'] as string[]) ?? user.events
        user.code = `data:image/png;base64,${randomBytes(30).toString('base64')}`
        return fine({ details: 'Connected!', events: user.events.join(','), jid: user.jid, webhook: user.webhook })
      case 'qr':
        if (!user.isConnected) return refused(500, 'not connected')
        return user.isLoggedIn ? refused(500, 'already logged in') : fine({ QRCode: user.code })
      case 'pairphone':
        if (!user.isConnected) return refused(500, 'not connected')
        user.linkingCode = `${randomBytes(2).toString('hex')}-${randomBytes(2).toString('hex')}`.toUpperCase()
        return fine({ LinkingCode: user.linkingCode })
      case 'logout':
        if (!user.isLoggedIn) return refused(500, 'could not disconnect as it was not logged in')
        Object.assign(user, { isConnected: false, isLoggedIn: false, jid: '' })
        return fine({ Details: 'Logged out' })
      default:
        return refused(404, '404 page not found')
    }
  }

  const server = await startJsonServer(async ({ method, path, headers, json }) => {
    const [, part = '', ...rest] = path.split('/')
    const action = rest.join('/')
    if (part === 'picture') return { body: pictures.get(action) ?? '', type: 'image/jpeg' }
    if (part === 'admin') {
      if (headers.authorization !== key) return refused(401, 'unauthorized')
      if (method === 'GET') return fine(users.map(({ id, name, token }) => ({ id, name, token })))
      const { name, token, webhook, events, hmacKey = '' } = json as Record<string, string>
      if (users.some((one) => one.token === token)) return refused(409, 'user with this token already exists')
      const user = {
        id: randomUUID(),
        name: name!,
        token: token!,
        webhook: webhook!,
        events: events!.split(','),
        hmacKey,
      }
      users.push({ ...user, isConnected: false, isLoggedIn: false, jid: '', code: '', linkingCode: null })
      return { status: 201, body: { code: 201, success: true, data: { id: user.id } } }
    }
    const user = users.find(({ token }) => token === headers['token'])
    if (!user) return refused(401, 'unauthorized')
    if (part === 'session') return session(user, action, json)
    if (part === 'webhook' && method === 'GET') return fine({ webhook: user.webhook, subscribe: user.events })
    if (part === 'webhook') {
      user.webhook = String(json['webhookurl'])
      user.events = json['events'] as string[]
      return fine({ webhook: user.webhook })
    }
    if (!user.isConnected || !user.isLoggedIn) return refused(500, 'no session')
    if (part === 'chat' && chat[action]) return chat[action](json as never)
    if (part === 'chat' && action.startsWith('send/')) return send(action.slice(5), json)
    if (part === 'chat' && action.startsWith('download')) return download(json as never)
    if (path === '/user/check') {
      const phones = json['Phone'] as string[]
      const found = (one: string) => spellingsOf(one).find((spelling) => people.has(spelling))
      return fine({
        Users: phones.map((one) => ({
          ...{ Query: one, IsInWhatsapp: found(one) !== undefined, JID: jid(found(one) ?? one), VerifiedName: '' },
        })),
      })
    }
    if (path === '/user/avatar') {
      const phone = String(json['Phone'])
      return pictures.has(phone)
        ? fine({ URL: `${address}/picture/${phone}`, ID: '1' })
        : refused(500, 'no avatar found')
    }
    if (path === '/user/contacts')
      return fine(Object.fromEntries([...people].map(([number, PushName]) => [jid(number), { Found: true, PushName }])))
    return path === '/group/list' ? fine({ Groups: groups }) : refused(404, '404 page not found')
  }, faults)
  address = server.address
  return {
    ...server,
    get key() {
      return key
    },
    /** The administrator's token is another one from now on. */
    changeKey: () => {
      key = randomBytes(12).toString('hex')
    },
    ...{ users, got, media, people, pictures, groups, typing, faults, build, only },
    /** The own phone reads a code, or types one. */
    async scan(code: string) {
      const user = only()
      if (![user.code, user.linkingCode?.replace('-', '')].includes(code)) throw new Error('another code')
      Object.assign(user, { isLoggedIn: true, jid: OWNER, linkingCode: null })
      await tell(user, { type: 'PairSuccess', event: { ID: OWNER, Platform: 'android' } })
    },
    /** Sends an event of the gateway's only user. */
    tell: (about: Json) => tell(only(), about),
  }
}

type Content = Pick<PhoneGot, 'kind' | 'body' | 'data' | 'file' | 'isVoice'>

function contentOf(path: string, json: Json): Content {
  const text = (name: string) => (json[name] === undefined ? '' : String(json[name]))
  const file = (field: string, prefix: RegExp, name: string | null = null) => {
    const [head = '', base64 = ''] = text(field).split(';base64,')
    if (!prefix.test(head)) throw new Error(`${field} data should start with ${prefix}`)
    return { name, mime: text('MimeType') || head.slice(5), bytes: Buffer.from(base64, 'base64') }
  }
  const plain = { file: null, isVoice: false }
  switch (path) {
    case 'text':
      return { ...plain, kind: 'conversation', body: text('Body') }
    case 'image':
      return { kind: 'imageMessage', body: text('Caption'), file: file('Image', /^data:image\//), isVoice: false }
    case 'video':
      return { kind: 'videoMessage', body: text('Caption'), file: file('Video', /^data:video\//), isVoice: false }
    case 'document': {
      const sent = file('Document', /^data:application\/octet-stream$/, text('FileName'))
      return { kind: 'documentMessage', body: text('Caption'), file: sent, isVoice: false }
    }
    case 'sticker':
      return { kind: 'stickerMessage', body: '', file: file('Sticker', /^data:image\/webp/), isVoice: false }
    case 'audio':
      return { kind: 'audioMessage', body: '', file: file('Audio', /^data:audio\//), isVoice: json['PTT'] !== false }
    case 'location': {
      const {
        Latitude: latitude,
        Longitude: longitude,
        Name: name,
      } = json as { Latitude: number; Longitude: number; Name: string }
      return { ...plain, kind: 'locationMessage', body: name, data: { latitude, longitude, name } }
    }
    case 'contact': {
      const phoneNumber = /^TEL[^:]*:(.*)$/m.exec(text('Vcard'))?.[1]
      return { ...plain, kind: 'contactMessage', body: text('Name'), data: { fullName: text('Name'), phoneNumber } }
    }
    default:
      throw new Error(`no path ${path}`)
  }
}

/** Converts a message to whatsmeow's spelling, with the capitals of Go. */
export const capital = (message: proto.IMessage): proto.IMessage =>
  JSON.parse(
    JSON.stringify(message)
      .replaceAll('"stanzaId"', '"stanzaID"')
      .replaceAll('"mentionedJid"', '"mentionedJID"')
      .replaceAll('"url"', '"URL"')
      .replaceAll('"remoteJid"', '"remoteJID"'),
  ) as proto.IMessage
