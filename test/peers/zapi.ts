import { randomBytes } from 'node:crypto'
import { type Answered, callBack, type Faults, type PhoneGot, startJsonServer } from './gateway.ts'

type Json = Readonly<Record<string, unknown>>

/** A group at the gateway. */
export type ZapiGroup = {
  readonly phone: string
  readonly name: string
  readonly participants: readonly { phone: string }[]
}

const OWNER = '5519999990000'
const error = (said: string, status = 200): Answered => ({ status, body: { error: said } })

/** Starts Z-API with one instance (documentation of 2026), with people who write to its phone. */
export async function startZapi() {
  const instance = {
    ...{ id: randomBytes(16).toString('hex').toUpperCase(), token: randomBytes(12).toString('hex').toUpperCase() },
    ...{ isConnected: false, code: '', phoneCode: '', webhook: '', isThere: true },
  }
  const key = randomBytes(12).toString('hex')
  const got: PhoneGot[] = []
  const media = new Map<string, { bytes: Uint8Array; mime: string }>()
  const people = new Map<string, string>()
  const pictures = new Map<string, Uint8Array>()
  const groups: ZapiGroup[] = []
  const faults: Faults = { isSilent: false, lostAnswers: 0, holdEchoes: false }
  const held: (() => Promise<void>)[] = []
  let address = ''

  const tell = async (about: Json) => {
    if (instance.webhook)
      await callBack(instance.webhook, JSON.stringify({ instanceId: instance.id, connectedPhone: OWNER, ...about }))
  }

  function send(path: string, json: Json): Answered | null {
    const phone = String(json['phone'])
    const edits = got.find(({ id }) => id === json['editMessageId'])
    if (edits) {
      edits.body = String(json['message'])
      return { body: { zaapId: 'z', messageId: edits.id, id: edits.id } }
    }
    const group = groups.find((one) => one.phone === phone)
    if (!group && !people.has(phone)) return error('Phone does not exist', 400)
    const id = randomBytes(10).toString('hex').toUpperCase()
    const { mentioned = [], messageId: quotes = null } = json as { mentioned?: string[]; messageId?: string }
    const everyone = group !== undefined && mentioned.length === group.participants.length
    const content = contentOf(path, json)
    got.push({ id, to: phone, reaction: null, quotes, mentioned: everyone ? [] : mentioned, everyone, ...content })
    const part = content.file
      ? { [content.kind]: { [`${content.kind}Url`]: 'https://gateway.example/x', caption: content.body } }
      : { text: { message: content.body } }
    const about = { type: 'ReceivedCallback', messageId: id, phone, fromMe: true, isGroup: group !== undefined }
    const echo = () => tell({ ...about, momment: Date.now(), status: 'SENT', ...part })
    if (faults.holdEchoes) held.push(echo)
    else void echo().catch(() => {})
    if (faults.lostAnswers > 0) {
      faults.lostAnswers--
      return null
    }
    return { body: { zaapId: randomBytes(16).toString('hex'), messageId: id, id } }
  }

  const meantBy = (id: unknown) => got.find((one) => one.id === id)
  async function answer(method: string, path: string, query: URLSearchParams, json: Json): Promise<Answered | null> {
    const [action = '', about = ''] = path.split('/')
    if (path === 'status')
      return {
        body: {
          connected: instance.isConnected,
          session: false,
          smartphoneConnected: instance.isConnected,
          error: instance.isConnected ? 'You are already connected.' : 'You are not connected.',
        },
      }
    if (path === 'device') return { body: { phone: OWNER } }
    if (path === 'qr-code/image') {
      instance.code = `data:image/png;base64,${randomBytes(30).toString('base64')}`
      return { body: instance.isConnected ? { connected: true } : { value: instance.code } }
    }
    if (action === 'phone-code') {
      instance.phoneCode = randomBytes(4).toString('hex').toUpperCase()
      return { body: { value: `${instance.phoneCode.slice(0, 4)}-${instance.phoneCode.slice(4)}` } }
    }
    if (path === 'disconnect') {
      instance.isConnected = false
      return { body: { value: true } }
    }
    if (path === 'update-every-webhooks') {
      if (method !== 'PUT') return error('Method not allowed', 405)
      instance.webhook = String(json['value'])
      return { body: { value: true } }
    }
    if (!instance.isConnected) return error('You need to be connected.', 400)
    if (action === 'phone-exists') return { body: { exists: people.has(about), phone: about, lid: null } }
    if (path === 'profile-picture') {
      const phone = query.get('phone') ?? ''
      return { body: { link: pictures.has(phone) ? `${address}/picture/${phone}` : 'null' } }
    }
    if (path === 'groups') return { body: groups.map(({ phone, name }) => ({ phone, name, isGroup: true })) }
    if (action === 'group-metadata') {
      const group = groups.find(({ phone }) => phone === about)
      return group
        ? { body: { phone: group.phone, subject: group.name, participants: group.participants } }
        : error('not found', 404)
    }
    if (path === 'contacts') return { body: [...people].map(([phone, notify]) => ({ phone, notify })) }
    if (path === 'messages' && method === 'DELETE') {
      const meant = meantBy(query.get('messageId'))
      if (meant && query.get('owner') === 'true') meant.body = null
      return { status: 204, body: '' }
    }
    if (path === 'send-reaction' || path === 'send-remove-reaction') {
      const meant = meantBy(json['messageId'])
      if (meant) meant.reaction = path === 'send-reaction' ? String(json['reaction']) : null
      return { body: { zaapId: 'z', messageId: 'r', id: 'r' } }
    }
    return path.startsWith('send-') ? send(path, json) : error('NOT_FOUND', 404)
  }

  const server = await startJsonServer(async ({ method, path, query, headers, json }) => {
    const [, first = '', id = '', , token = '', ...rest] = path.split('/')
    if (first === 'picture') return { body: pictures.get(id) ?? '', type: 'image/jpeg' }
    if (first === 'media') {
      const file = media.get(id)
      return file ? { body: file.bytes, type: file.mime } : error('not found', 404)
    }
    // Switched on for the account; without it the answer is 200.
    if (headers['client-token'] !== key) return error('null not allowed')
    if (first !== 'instances' || id !== instance.id || token !== instance.token || !instance.isThere)
      return error('Instance not found', 400)
    if (method === 'POST' && headers['content-type'] !== 'application/json') return error('Unsupported Media Type', 415)
    return answer(method, rest.join('/'), query, json)
  }, faults)
  address = server.address
  return {
    ...server,
    ...{ key, instance, got, media, people, pictures, groups, faults },
    /** Sends the held-back echoes. */
    release: async () => void (await Promise.all(held.splice(0).map((echo) => echo()))),
    /** The own phone reads a code, or types one. */
    async scan(code: string) {
      if (![instance.code, instance.phoneCode].includes(code)) throw new Error('another code')
      instance.isConnected = true
      await tell({ type: 'ConnectedCallback', connected: true, momment: Date.now(), phone: OWNER })
    },
    tell,
  }
}

type Content = Pick<PhoneGot, 'kind' | 'body' | 'data' | 'file' | 'isVoice'>

function contentOf(path: string, json: Json): Content {
  const text = (name: string) => (json[name] === undefined ? '' : String(json[name]))
  const file = (field: string, name: string | null = null) => {
    const [head = '', base64 = ''] = text(field).split(';base64,')
    if (!head.startsWith('data:')) throw new Error(`${field} is no data URI`)
    return { name, mime: head.slice(5), bytes: Buffer.from(base64, 'base64') }
  }
  const plain = { file: null, isVoice: false }
  switch (path.split('/')[0]) {
    case 'send-text':
      return { ...plain, kind: 'text', body: text('message') }
    case 'send-image':
      return { kind: 'image', body: text('caption'), file: file('image'), isVoice: false }
    case 'send-video':
      return { kind: 'video', body: text('caption'), file: file('video'), isVoice: false }
    case 'send-audio':
      return { kind: 'audio', body: '', file: file('audio'), isVoice: json['waveform'] === true }
    case 'send-sticker':
      return { kind: 'sticker', body: '', file: file('sticker'), isVoice: false }
    case 'send-document':
      return { kind: 'document', body: text('caption'), file: file('document', text('fileName')), isVoice: false }
    case 'send-location': {
      const { latitude, longitude, title } = json as { latitude: number; longitude: number; title: string }
      return { ...plain, kind: 'location', body: title, data: { latitude, longitude, name: title } }
    }
    case 'send-contact': {
      const [fullName, phoneNumber] = [text('contactName'), text('contactPhone')]
      return { ...plain, kind: 'contact', body: fullName, data: { fullName, phoneNumber } }
    }
    default:
      throw new Error(`no path ${path}`)
  }
}
