import { z } from 'zod'
import { fieldIn, isRecord, textFieldIn } from '#domain/keys.ts'
import { readOutside } from '#kit/outside.ts'
import { flag, listOrOne, record, textOrNumber } from '#kit/outside-fields.ts'
import { textValues } from '#kit/provider.ts'
import { gated } from '../file-gate.ts'
import { expired, gatewayFiles } from '../file-in-answer.ts'
import {
  answering,
  asPhoneFailure,
  type GatewayPhone,
  type GatewayQuestions,
  gatewayLife,
  type PhoneCode,
  phoneFailureOf,
  pictureAt,
} from '../gateway.ts'
import { anyAnswer, type Gateway, GatewayRefusal, readingCalls, tried } from '../gateway-calls.ts'
import type { KnownGroup } from '../group-news.ts'
import type { ChannelAction, ChannelTools, Door, MakeChannelAdapter, Outbound } from '../port.ts'
import { addressIn, conversationOf, numberIn } from '../whatsapp-addresses.ts'
import { memberOf } from '../whatsapp-messages.ts'
import { addressed, idOf, phoneOf } from '../whatsapp-outbound.ts'
import { outsideId } from '../whatsapp-shapes.ts'
import { respelled } from '../whatsapp-spelling.ts'
import { readCall } from './inbound.ts'
import { sendingOf } from './outbound.ts'

/** Webhook events to subscribe to. */
const EVENTS = [
  ...['Message', 'UndecryptableMessage', 'ReadReceipt', 'Picture', 'GroupInfo', 'JoinedGroup', 'QR', 'QRTimeout'],
  ...['PairSuccess', 'Connected', 'Disconnected', 'ConnectFailure', 'LoggedOut', 'StreamReplaced', 'TemporaryBan'],
]
/** Maximum lifetime of a code in seconds; the next one is polled meanwhile. */
const CODE_SECONDS = { read: 60, typed: 120 } as const
/** Time-out of a file transfer, in ms. */
const FILE_MS = 120_000
const MOST_LIST_BYTES = 50 * 1024 * 1024

const statusAnswer = record({ connected: flag, loggedIn: flag, jid: z.string() })
const groupsAnswer = record({
  groups: z.array(
    z.looseObject({
      ...{ jid: z.string(), name: textOrNumber.optional() },
      participants: z
        .array(z.looseObject({ jid: z.string(), phoneNumber: z.string().optional(), isAdmin: flag.optional() }))
        .optional(),
    }),
  ),
})
const contactsAnswer = z.record(z.string(), record({ pushName: textOrNumber, fullName: textOrNumber }))
const webhookAnswer = record({
  ...{ webhook: z.string(), webhookurl: z.string(), webhookUrl: z.string() },
  ...{ subscribe: listOrOne(z.string()), events: listOrOne(z.string()) },
})
const checkedAnswer = record({ users: z.array(record({ jid: z.string(), isInWhatsapp: flag })) })
const refusal = record({ success: z.boolean(), code: z.number(), error: textOrNumber })

/** Returns success and error of a response. */
const refusalIn = (answer: unknown) => readOutside(refusal, answer)?.data ?? {}

/** Returns the data of a response in one spelling; fails if it is a refusal, whatever its status. */
function opened(answer: unknown): unknown {
  const { success, code = 500 } = refusalIn(answer)
  if (success === false) throw new GatewayRefusal(code, answer)
  return respelled((isRecord(answer) ? answer['data'] : null) ?? {})
}

/** Returns the API calls of one user of a WuzAPI. */
function openCalls(tools: ChannelTools) {
  const { url = '', key = '' } = textValues(tools.settings)
  const door: Door = tools.door ?? { url: null, name: '', secret: '' }
  const gateway: Gateway = { name: 'a WuzAPI', url, headers: {} }
  const raw = readingCalls(tools, gateway)
  const fetchFile = gatewayFiles(tools, gateway)
  /** Calls the API and returns the response in one spelling; `success: false` counts as a refusal whatever the status. */
  async function call<S extends z.ZodType>(
    path: string,
    schema: S,
    json?: object,
    about: Parameters<typeof raw>[2] = {},
  ): Promise<z.output<S>> {
    const method = json === undefined ? 'GET' : 'POST'
    return raw(path, schema, {
      ...{ method, json, headers: { token: door.secret }, opened, ...about },
    }).catch((error: unknown) => {
      // The user does not exist (any more); the key is the administrator's.
      const isUnknown = error instanceof GatewayRefusal && error.status === 401 && !about.headers
      throw isUnknown ? new GatewayRefusal(404, error.answer) : error
    })
  }
  const admin = (path: string, json?: object) => call(path, anyAnswer, json, { headers: { authorization: key } })

  const status = async () =>
    call('/session/status', statusAnswer).catch((error: unknown) => {
      if (error instanceof GatewayRefusal && error.status === 404) return null
      throw error
    })
  // Already connected: reported as an error.
  const connect = async () =>
    void (await call('/session/connect', anyAnswer, { Subscribe: EVENTS, Immediate: true }).catch((error: unknown) => {
      if (!(error instanceof GatewayRefusal && error.status === 500)) throw error
    }))

  const listGroups = async () =>
    ((await call('/group/list', groupsAnswer, undefined, { maxBytes: MOST_LIST_BYTES })).groups ?? []).filter(
      ({ jid }) => addressIn(jid) === jid,
    )
  return { call, admin, status, connect, listGroups, fetchFile, gateway, door }
}
type Calls = ReturnType<typeof openCalls>

/** Opens the phone for the gateway's connection life cycle: state, pairing, logout, groups. */
function openPhone(calls: Calls): GatewayPhone {
  const { call, admin, status, connect } = calls
  let typed: { code: PhoneCode; until: number } | null = null
  async function typedCode(digits: string): Promise<PhoneCode | null> {
    // Each requested code invalidates the previous one.
    if (typed && performance.now() < typed.until) return typed.code
    const { linkingCode } = await call('/session/pairphone', record({ linkingCode: z.string() }), { Phone: digits })
    if (!linkingCode) return null
    const code = { pairingCode: linkingCode.replace('-', ''), seconds: CODE_SECONDS.typed }
    typed = { code, until: performance.now() + CODE_SECONDS.typed * 1000 }
    return code
  }

  return {
    async make({ url: webhook, name, secret }) {
      if ((await this.state()).is !== 'gone') return
      const json = { name, token: secret, webhook, events: EVENTS.join(','), expiration: 0, hmacKey: secret }
      await admin('/admin/users', json)
    },
    async state() {
      const found = await status()
      if (!found) return { is: 'gone' }
      const { connected, loggedIn, jid } = found
      const own = addressIn(jid)
      // `connected` refers only to its own connection to WhatsApp.
      if (connected && loggedIn) return { is: 'open', number: own && conversationOf(own) }
      return { is: !connected && jid ? 'opening' : 'closed' }
    },
    async code(pairing) {
      if (!(await status())?.connected) await connect()
      if (pairing) return typedCode(pairing)
      const { qrCode } = await call('/session/qr', record({ qrCode: z.string() })).catch((error: unknown) => {
        // There is no code until it is connected to WhatsApp.
        if (error instanceof GatewayRefusal && error.status === 500) return { qrCode: undefined }
        throw error
      })
      return qrCode ? { qrcode: qrCode, seconds: CODE_SECONDS.read } : null
    },
    resume: connect,
    async callsUs(address) {
      const set = await call('/webhook', webhookAnswer)
      const events = (set.subscribe ?? set.events ?? []).join(',').split(',')
      const isSubscribed = events.includes('All') || EVENTS.every((event) => events.includes(event))
      return (set.webhook ?? set.webhookurl ?? set.webhookUrl) === address && isSubscribed
    },
    setWebhook: async (address) => void (await call('/webhook', anyAnswer, { webhookurl: address, events: EVENTS })),
    async logout() {
      typed = null
      // Logout fails for an instance that is not logged in.
      await call('/session/logout', anyAnswer, {}).catch((error: unknown) => {
        if (!(error instanceof GatewayRefusal)) throw error
      })
    },
    groups: () => groupsOf(calls),
  }
}

async function groupsOf({ call, listGroups }: Calls): Promise<KnownGroup[]> {
  const [groups, contacts] = await Promise.all([
    listGroups(),
    call('/user/contacts', contactsAnswer, undefined, { maxBytes: MOST_LIST_BYTES }),
  ])
  const names = new Map(
    Object.entries(contacts).map(([jid, { pushName, fullName }]) => [conversationOf(jid), pushName || fullName || '']),
  )
  return groups.map(
    ({ jid, name = '', participants = [] }): KnownGroup => ({
      ...{ key: jid, name },
      members: participants.flatMap(({ jid: one, phoneNumber, isAdmin }) => {
        const id = addressIn(one)
        return id ? memberOf({ id, alt: numberIn(phoneNumber), admin: isAdmin }, names) : []
      }),
    }),
  )
}

/** Returns the supported queries. */
function questionsOf({ call, listGroups }: Calls, tools: ChannelTools): GatewayQuestions {
  return {
    async number({ number }) {
      const { users } = await call('/user/check', checkedAnswer, { Phone: [number.replace(/\D/g, '')] })
      const [found] = users ?? []
      const address = addressIn(found?.jid)
      return found?.isInWhatsapp && address ? { identity: conversationOf(address) } : null
    },
    async picture({ identity }) {
      const { url: picture } = await call('/user/avatar', record({ url: z.string() }), {
        ...{ Phone: phoneOf(identity), Preview: false },
      }).catch((error: unknown) => {
        if (hasNoPicture(error)) return { url: '' }
        throw error
      })
      return pictureAt(tools, picture)
    },
    async groups() {
      return (await listGroups()).map(({ jid, name = '' }) => ({ key: jid, name }))
    },
  }
}

/** Returns the JIDs to mention for everyone in a group, as there is no mention of all. */
async function everyoneIn({ listGroups }: Calls, { mentions, conversationKey }: Outbound): Promise<string[]> {
  if (!mentions?.everyone) return []
  const group = (await listGroups()).find(({ jid }) => jid === conversationKey)
  return (group?.participants ?? []).map(({ jid }) => jid)
}

async function act({ call }: Calls, action: ChannelAction): Promise<void> {
  const Phone = phoneOf(action.conversationKey)
  if (action.type === 'read') return
  if (action.type === 'presence') {
    const isVoice = action.state === 'recording'
    const State = isVoice ? 'composing' : action.state
    await call('/chat/presence', anyAnswer, { Phone, State, ...(isVoice ? { Media: 'audio' } : {}) })
    return
  }
  const Id = action.providerId
  if (action.type === 'edit') await call('/chat/send/edit', anyAnswer, { Phone, Body: addressed(action).text, Id })
  else if (action.type === 'revoke') await call('/chat/delete', anyAnswer, { Phone, Id })
  else {
    const author = action.author ? { Participant: action.author } : {}
    await call('/chat/react', anyAnswer, {
      Phone,
      Body: action.emoji ?? '',
      Id: action.fromMe ? `me:${Id}` : Id,
      ...author,
    })
  }
}

/** Adapter of a phone on a WuzAPI: outgoing calls of its API, incoming calls of its webhook. */
export const wuzapiAdapter: MakeChannelAdapter = (_values, tools) => {
  const calls = openCalls(tools)
  const { call, admin, fetchFile, gateway, door } = calls
  const life = gatewayLife(gateway, openPhone(calls), tools)
  const repeated =
    'A próxima resposta sai, mas o gateway não o confirma; ela é repetida com o mesmo id, e chega uma vez.'
  return {
    ...life,
    faults: life.faults.map((one) => (one.id === 'lost' ? { ...one, effect: repeated, reports: () => [] } : one)),
    send: gated(async (message) => {
      const work = async () => {
        const { path, json } = await sendingOf(message, tools, await everyoneIn(calls, message))
        return call(`/chat/send/${path}`, record({ id: outsideId }), json, { answerMs: FILE_MS })
      }
      const providerId = idOf(message.messageId)
      const { id } = await work().catch((error: unknown) => {
        throw Object.assign(phoneFailureOf(error, gateway), { providerId })
      })
      return { providerId: id ?? providerId }
    }),
    act: (action) => act(calls, action).catch(asPhoneFailure(gateway)),
    async download(pointer) {
      const [path, json] = [textFieldIn(pointer, 'path'), fieldIn(pointer, 'json')]
      const headers = { token: door.secret }
      const found = await fetchFile(`/chat/download${path}`, {
        json: typeof json === 'object' && json ? json : {},
        headers,
        field: 'data',
      })
      if (found.file) return found.file
      const { success, code } = refusalIn(found.answer)
      if (success === false) throw new GatewayRefusal(code ?? 500, found.answer)
      return expired()
    },
    ask: answering(gateway, questionsOf(calls, tools)),
    receive: (request) => readCall(request, door, tools.now()),
    testSettings: () => tried(gateway, () => admin('/admin/users')),
  }
}

/** Whether a call failed because a contact or group has no visible picture. */
const hasNoPicture = (error: unknown): boolean => {
  if (!(error instanceof GatewayRefusal)) return false
  const { error: problem = '' } = refusalIn(error.answer)
  return error.status === 404 || /no (profile|avatar)|not (set|found|authorized)/i.test(problem)
}
