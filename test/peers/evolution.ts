import { randomBytes, randomUUID } from 'node:crypto'
import type { proto } from 'baileys'
import { type Answered, callBack, type Faults, type GatewayCall, type PhoneGot, startJsonServer } from './gateway.ts'

type Json = Readonly<Record<string, unknown>>
type Instance = {
  readonly name: string
  state: 'open' | 'connecting' | 'close'
  code: string
  pairingCode: string | null
  number: string | null
  webhook: { enabled: boolean; url: string; byEvents: boolean; base64: boolean; events: string[] } | null
}
type Key = { id: string; remoteJid: string; fromMe: boolean; participant?: string | undefined }

/** A group at the gateway. */
export type EvolutionGroup = {
  readonly id: string
  readonly subject: string
  readonly participants: readonly { readonly id: string; readonly admin: string | null }[]
}

const OWNER = '5519999990000@s.whatsapp.net'
const ERRORS = { 401: 'Unauthorized', 403: 'Forbidden', 404: 'Not Found', 400: 'Bad Request' } as const
const refused = (status: keyof typeof ERRORS, message: unknown): Answered => ({
  status,
  body: { status, error: ERRORS[status], response: { message } },
})
const jid = (number: string) => (number.includes('@') ? number : `${number}@s.whatsapp.net`)

/** Starts an Evolution API, version 2 (its source, 2.3.6), with people who write to its phones. */
export async function startEvolution() {
  let key = randomBytes(12).toString('hex')
  const instances = new Map<string, Instance>()
  const got: PhoneGot[] = []
  const media = new Map<string, { bytes: Uint8Array; mime: string }>()
  const people = new Map<string, string>()
  const pictures = new Map<string, Uint8Array>()
  const groups: EvolutionGroup[] = []
  const typing = new Set<string>()
  const faults: Faults = { isSilent: false, lostAnswers: 0, holdEchoes: false }
  const held: (() => Promise<void>)[] = []
  let address = ''

  const only = (): Instance => {
    const [instance] = [...instances.values()]
    if (!instance) throw new Error('no instance')
    return instance
  }
  async function tell(instance: Instance, event: string, data: unknown) {
    const name = event.toUpperCase().replaceAll('.', '_').replace('GROUPS_UPDATE', 'GROUP_UPDATE')
    if (!instance.webhook?.enabled || !instance.webhook.events.includes(name)) return
    const about = { event, instance: instance.name, data, destination: instance.webhook.url }
    const told = { ...about, date_time: new Date().toISOString(), sender: OWNER, server_url: address, apikey: key }
    await callBack(instance.webhook.url, JSON.stringify(told))
  }
  const newCode = () => `2@${randomBytes(24).toString('base64')},${randomBytes(12).toString('base64')}`
  const qrOf = ({ code, pairingCode }: Instance) => ({
    pairingCode,
    code,
    base64: 'data:image/png;base64,iVBORw0K',
    count: 1,
  })

  function send(instance: Instance, action: string, json: Json): Answered | null {
    if (instance.state !== 'open')
      return { status: 500, body: { status: 500, response: { message: 'Connection Closed' } } }
    const reaction = json as { key?: Key; reaction?: string }
    if (action === 'sendReaction') {
      const meant = got.find(({ id }) => id === reaction.key!.id)
      if (meant) meant.reaction = reaction.reaction || null
      return { status: 201, body: { key: { ...reaction.key, id: randomUUID() } } }
    }
    const number = String(json['number'])
    if (!number.includes('@') && !people.has(number)) return refused(400, [{ jid: jid(number), exists: false, number }])
    const message = contentOf(action, json)
    const id = `3EB0${randomBytes(9).toString('hex').toUpperCase()}`
    const {
      quoted,
      mentioned = [],
      mentionsEveryOne = false,
    } = json as {
      quoted?: { key: Key }
      mentioned?: string[]
      mentionsEveryOne?: boolean
    }
    got.push({
      id,
      to: jid(number),
      reaction: null,
      quotes: quoted?.key.id ?? null,
      mentioned,
      everyone: mentionsEveryOne,
      ...message,
    })
    const messageKey = { id, remoteJid: jid(number), fromMe: true }
    const about = { pushName: '', messageTimestamp: Math.floor(Date.now() / 1000), source: 'unknown' }
    const whole = {
      key: messageKey,
      ...about,
      status: 'PENDING',
      message: message.wire,
      instanceId: 'i',
      messageType: message.kind,
    }
    const echo = () => tell(instance, 'send.message', whole)
    if (faults.holdEchoes) held.push(echo)
    else void echo().catch(() => {})
    if (faults.lostAnswers > 0) {
      faults.lostAnswers--
      return null
    }
    return { status: 201, body: whole }
  }

  const chat: Readonly<Record<string, (instance: Instance, json: never) => Answered | Promise<Answered>>> = {
    whatsappNumbers: (_, { numbers }: { numbers: string[] }) => ({
      body: numbers.map((number) => ({ jid: jid(number), exists: people.has(number), number })),
    }),
    fetchProfilePictureUrl: (_, { number }: { number: string }) => ({
      body: { wuid: jid(number), profilePictureUrl: pictures.has(number) ? `${address}/picture/${number}` : null },
    }),
    findContacts: () => ({
      body: [...people].map(([number, pushName]) => ({ remoteJid: jid(number), pushName })),
    }),
    sendPresence: (_, { number, presence }: { number: string; presence: string }) => {
      if (presence === 'composing') typing.add(jid(number))
      return { status: 201, body: { presence } }
    },
    updateMessage: (_, { key: of, text }: { key: Key; text: string }) => {
      const meant = got.find(({ id }) => id === of.id)
      if (!meant) return refused(400, ['Message not found'])
      meant.body = text
      return { body: {} }
    },
    deleteMessageForEveryone: (_, { id }: Key) => {
      const meant = got.find((one) => one.id === id)
      if (meant) meant.body = null
      return { status: 201, body: {} }
    },
    getBase64FromMediaMessage: (_, { message }: { message: { key: { id: string } } }) => {
      const file = media.get(message.key.id)
      if (!file) return refused(400, ['Message not found'])
      const base64 = Buffer.from(file.bytes).toString('base64')
      return { status: 201, body: { mediaType: 'file', fileName: 'x', size: {}, mimetype: file.mime, base64 } }
    },
  }

  async function answerInstance(action: string, name: string, { json, query, method }: GatewayCall): Promise<Answered> {
    if (action === 'create') {
      const { instanceName, webhook } = json as { instanceName: string; webhook: Instance['webhook'] }
      if (instances.has(instanceName)) return refused(403, [`This name "${instanceName}" is already in use.`])
      const made: Instance = {
        name: instanceName,
        state: 'connecting',
        code: newCode(),
        pairingCode: null,
        number: null,
        webhook,
      }
      instances.set(instanceName, made)
      return {
        status: 201,
        body: { instance: { instanceName, status: 'connecting' }, hash: randomUUID(), qrcode: qrOf(made) },
      }
    }
    if (action === 'fetchInstances') {
      const asked = query.get('instanceName')
      const all = [...instances.values()].filter((one) => !asked || one.name === asked)
      if (asked && all.length === 0) return refused(404, [`Instance "${asked}" not found`])
      return { body: all.map((one) => ({ name: one.name, connectionStatus: one.state, ownerJid: one.number })) }
    }
    const instance = instances.get(name)
    // Errors of connecting come with status 200.
    if (!instance)
      return action === 'connect' ? { body: { error: true, message: 'not found' } } : refused(404, ['not found'])
    if (action === 'connectionState') return { body: { instance: { instanceName: name, state: instance.state } } }
    if (action === 'connect') {
      if (instance.state === 'open') return { body: { instance: { instanceName: name, state: 'open' } } }
      instance.state = 'connecting'
      if (query.get('number')) instance.pairingCode ??= randomBytes(4).toString('hex').toUpperCase()
      return { body: qrOf(instance) }
    }
    if (action === 'delete' && method === 'DELETE') {
      instances.delete(name)
      return { body: { status: 'SUCCESS', error: false, response: { message: 'Instance deleted' } } }
    }
    return refused(404, ['no such route'])
  }

  const server = await startJsonServer(async (asked) => {
    const { path, headers, json } = asked
    const [, part = '', action = '', name = ''] = path.split('/')
    if (part === 'picture') return { body: pictures.get(action) ?? '', type: 'image/jpeg' }
    if (headers['apikey'] !== key) return refused(401, 'Unauthorized')
    if (part === 'instance') return answerInstance(action, name, asked)
    const instance = instances.get(name)
    if (!instance) return refused(404, [`The "${name}" instance does not exist`])
    if (part === 'webhook' && action === 'find')
      return {
        body: instance.webhook && {
          ...instance.webhook,
          ...{ webhookByEvents: instance.webhook.byEvents, webhookBase64: instance.webhook.base64 },
        },
      }
    if (part === 'webhook' && action === 'set') {
      instance.webhook = (json as { webhook: Instance['webhook'] }).webhook
      return { status: 201, body: instance.webhook }
    }
    if (part === 'message') return send(instance, action, json)
    if (part === 'group' && action === 'fetchAllGroups') return { body: groups }
    const answer = part === 'chat' ? chat[action] : undefined
    return answer ? answer(instance, json as never) : refused(404, ['Cannot find'])
  }, faults)
  address = server.address
  return {
    ...server,
    get key() {
      return key
    },
    /** The key is another one from now on. */
    changeKey: (to = randomBytes(12).toString('hex')) => {
      key = to
    },
    /** The address of the own phone. */
    owner: OWNER,
    instances,
    got,
    media,
    people,
    pictures,
    groups,
    typing,
    faults,
    only,
    /** Sends the held-back echoes. */
    release: async () => void (await Promise.all(held.splice(0).map((echo) => echo()))),
    /** The own phone reads a code, or types one. */
    async scan(code: string) {
      const instance = only()
      if (![instance.code, instance.pairingCode].includes(code)) throw new Error('another code')
      Object.assign(instance, { state: 'open', number: OWNER, code: newCode(), pairingCode: null })
      await tell(instance, 'connection.update', {
        instance: instance.name,
        state: 'open',
        statusReason: 200,
        wuid: OWNER,
      })
    },
    /** Sends an event of the gateway's only instance. */
    tell: (event: string, data: unknown) => tell(only(), event, data),
    /** Changes the phone's state and sends the gateway's event about it. */
    async set(state: Instance['state'], statusReason: number) {
      only().state = state
      await tell(only(), 'connection.update', { instance: only().name, state, statusReason })
    },
  }
}

type Content = Pick<PhoneGot, 'kind' | 'body' | 'data' | 'file' | 'isVoice'> & { readonly wire: proto.IMessage }

function contentOf(action: string, json: Json): Content {
  const text = (name: string) => (json[name] === undefined ? '' : String(json[name]))
  const plain = { file: null, isVoice: false }
  const bytes = (name: string, mime: string, about: { name?: string | null } = {}) => {
    const base64 = text(name)
    if (!/^[A-Za-z0-9+/]+=*$/.test(base64)) throw new Error('Owned media must be a url or base64')
    return { name: about.name ?? null, mime, bytes: Buffer.from(base64, 'base64') }
  }
  switch (action) {
    case 'sendText':
      return { ...plain, kind: 'conversation', body: text('text'), wire: { conversation: text('text') } }
    case 'sendMedia': {
      const kind = text('mediatype')
      // A name travels with documents alone.
      const file = bytes('media', text('mimetype'), kind === 'document' ? { name: text('fileName') } : {})
      const part = { caption: text('caption'), mimetype: file.mime }
      return { kind: `${kind}Message`, body: text('caption'), file, isVoice: false, wire: { [`${kind}Message`]: part } }
    }
    case 'sendWhatsAppAudio': {
      const file = bytes('audio', 'audio/ogg; codecs=opus')
      return { kind: 'audioMessage', body: '', file, isVoice: true, wire: { audioMessage: { ptt: true } } }
    }
    case 'sendSticker':
      return {
        kind: 'stickerMessage',
        body: '',
        file: bytes('sticker', 'image/webp'),
        isVoice: false,
        wire: { stickerMessage: {} },
      }
    case 'sendLocation': {
      const { latitude, longitude, name } = json as { latitude: number; longitude: number; name: string }
      const place = { degreesLatitude: latitude, degreesLongitude: longitude, name }
      return {
        ...plain,
        kind: 'locationMessage',
        body: name,
        data: { latitude, longitude, name },
        wire: { locationMessage: place },
      }
    }
    case 'sendContact': {
      const [card] = json['contact'] as { fullName: string; phoneNumber: string; wuid: string }[]
      const { fullName, phoneNumber } = card!
      const wire = { contactMessage: { displayName: fullName, vcard: `TEL;waid=${card!.wuid}:${phoneNumber}` } }
      return { ...plain, kind: 'contactMessage', body: fullName, data: { fullName, phoneNumber }, wire }
    }
    default:
      throw new Error(`no action ${action}`)
  }
}
