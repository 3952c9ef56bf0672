import { z } from 'zod'
import { flag, listOrOne, record } from '#kit/outside-fields.ts'
import { textValues } from '#kit/provider.ts'
import { gated } from '../file-gate.ts'
import { expired, gatewayFiles } from '../file-in-answer.ts'
import {
  answering,
  asPhoneFailure,
  type GatewayPhone,
  type GatewayQuestions,
  gatewayLife,
  pictureAt,
  unlessRefused,
} from '../gateway.ts'
import { anyAnswer, type Gateway, GatewayRefusal, isKeyRefused, readingCalls, tried } from '../gateway-calls.ts'
import type { KnownGroup } from '../group-news.ts'
import { type ChannelAction, type ChannelTools, type MakeChannelAdapter, sendFailure } from '../port.ts'
import { addressIn, conversationOf, numberIn } from '../whatsapp-addresses.ts'
import { memberOf } from '../whatsapp-messages.ts'
import { addressed, phoneOf } from '../whatsapp-outbound.ts'
import { outsideId } from '../whatsapp-shapes.ts'
import { respelled } from '../whatsapp-spelling.ts'
import { mediaPointer, readCall } from './inbound.ts'
import { sendingOf } from './outbound.ts'

/** Webhook events to subscribe to. */
const EVENTS = ['connection', 'messages', 'messages_update', 'contacts', 'groups']
/** Lifetime of a QR code and of a typed code, in seconds. */
const CODE_SECONDS = { read: 120, typed: 120 } as const
/** Time-out of a file transfer, in ms. */
const FILE_MS = 120_000
const MOST_LIST_BYTES = 50 * 1024 * 1024
/** Duration of a typing indicator until it is renewed, in ms. */
const TYPING_MS = 5000
/** Maximum number of chats that are read for the names of group members. */
const MOST_NAMES = 1000

const instanceAnswer = z.looseObject({ name: z.string(), token: z.string() })
const statusAnswer = record({
  instance: record({ status: z.string(), qrcode: z.string(), paircode: z.string() }),
  status: record({ connected: flag, loggedIn: flag, jid: z.string() }),
})
const hookAnswer = record({
  ...{ url: z.string(), enabled: flag, events: z.array(z.string()), excludeMessages: z.array(z.string()) },
  /** Options that append the event's name to the webhook URL, which would change it. */
  ...{ addUrlEvents: flag, addUrlTypesMessages: flag },
})
type Hook = z.output<typeof hookAnswer>
/**
 * Webhook options: the plain URL and no excluded messages. Messages sent by API are included, since they settle lost
 * responses.
 */
const PLAIN = { excludeMessages: [], addUrlEvents: false, addUrlTypesMessages: false }
const isPlain = ({ excludeMessages, addUrlEvents, addUrlTypesMessages }: Hook): boolean =>
  !excludeMessages?.length && !addUrlEvents && !addUrlTypesMessages
const memberAnswer = z.looseObject({
  ...{ jid: z.string(), phoneNumber: z.string().optional(), displayName: z.string().optional() },
  isAdmin: flag.optional(),
})
const groupAnswer = z.looseObject({
  ...{ jid: z.string(), name: z.string().optional(), participants: z.array(memberAnswer).optional() },
})
const groupsAnswer = record({ groups: z.array(groupAnswer) })
const chatsAnswer = record({ chats: z.array(record({ wa_chatid: z.string(), name: z.string(), wa_name: z.string() })) })
const checkedAnswer = z.array(record({ jid: z.string(), isInWhatsapp: flag }))
const sentAnswer = record({ messageid: outsideId, id: outsideId })

/** Returns the API calls of one instance of a UAZAPI server. */
function openCalls(tools: ChannelTools) {
  const { url = '', key = '' } = textValues(tools.settings)
  const name = tools.door?.name ?? ''
  const gateway: Gateway = { name: 'a Uazapi', url, headers: {} }
  const raw = readingCalls(tools, gateway)
  const fetchFile = gatewayFiles(tools, gateway)
  const asAdmin = <S extends z.ZodType>(path: string, schema: S, json?: object) =>
    raw(path, schema, { method: json ? 'POST' : 'GET', json, headers: { admintoken: key } })

  let token: string | null = null
  const setToken = (given: string | null) => {
    token = given
  }
  /** Returns the token of the instance, assigned by the server; null if there is no instance of this name. */
  async function tokenOf(): Promise<string | null> {
    token ??= (await asAdmin('/instance/all', z.array(instanceAnswer))).find((one) => one.name === name)?.token ?? null
    return token
  }
  async function asTheInstance<T>(ask: (known: string) => Promise<T>): Promise<T> {
    const known = await tokenOf()
    if (known === null) throw new GatewayRefusal(404, {})
    return ask(known).catch((error: unknown) => {
      if (!isKeyRefused(error)) throw error
      // The instance was removed, or has another token; a wrong key would be refused at the look-up.
      setToken(null)
      throw new GatewayRefusal(404, {})
    })
  }
  const call = async <S extends z.ZodType>(
    path: string,
    schema: S,
    json?: object,
    about: Parameters<typeof raw>[2] = {},
  ): Promise<z.output<S>> =>
    asTheInstance((known) =>
      raw(path, schema, { method: json === undefined ? 'GET' : 'POST', json, headers: { token: known }, ...about }),
    )
  return { call, asAdmin, asTheInstance, tokenOf, setToken, fetchFile, gateway, name }
}
type Calls = ReturnType<typeof openCalls>

/** Opens the phone for the gateway's connection life cycle: state, pairing, logout, groups. */
function openPhone(calls: Calls): GatewayPhone {
  const { call, asAdmin, tokenOf, setToken, name } = calls
  /** Digits for which a code was last requested; '' for a QR code. */
  let askedFor: string | null = null
  return {
    async make() {
      if ((await tokenOf()) === null)
        setToken((await asAdmin('/instance/init', z.looseObject({ token: z.string() }), { name })).token)
    },
    async state() {
      const found = await call('/instance/status', statusAnswer).catch(unlessRefused([404], null))
      if (!found) return { is: 'gone' }
      const { connected, loggedIn, jid } = found.status ?? {}
      const own = addressIn(jid)
      const number = own && conversationOf(own)
      if (connected && loggedIn) return { is: 'open', number }
      return { is: number && found.instance?.status === 'connecting' ? 'opening' : 'closed' }
    },
    async code(pairing) {
      const wanted = pairing ?? ''
      const { instance } = await call('/instance/status', statusAnswer)
      const isAsked = askedFor === wanted && instance?.status === 'connecting'
      const shown = isAsked
        ? instance
        : (await call('/instance/connect', statusAnswer, pairing ? { phone: pairing } : {})).instance
      askedFor = wanted
      if (pairing)
        return shown?.paircode ? { pairingCode: shown.paircode.replace('-', ''), seconds: CODE_SECONDS.typed } : null
      return shown?.qrcode ? { qrcode: shown.qrcode, seconds: CODE_SECONDS.read } : null
    },
    async callsUs(address) {
      const hooks = await call('/webhook', listOrOne(hookAnswer).optional())
      return (hooks ?? []).some(
        (one) =>
          one.enabled && one.url === address && isPlain(one) && EVENTS.every((event) => one.events?.includes(event)),
      )
    },
    setWebhook: async (address) =>
      void (await call('/webhook', anyAnswer, { url: address, enabled: true, events: EVENTS, ...PLAIN })),
    async logout() {
      await call('/instance', anyAnswer, undefined, { method: 'DELETE' }).catch(unlessRefused([404], null))
      setToken(null)
    },
    groups: () => groupsOf(calls),
  }
}

async function groupsOf({ call }: Calls): Promise<KnownGroup[]> {
  const [{ groups = [] }, { chats = [] }] = await Promise.all([
    call('/group/list', groupsAnswer, undefined, { maxBytes: MOST_LIST_BYTES, opened: respelled }),
    call('/chat/find', chatsAnswer, { limit: MOST_NAMES }, { maxBytes: MOST_LIST_BYTES }),
  ])
  const names = new Map(
    chats.map(({ wa_chatid = '', wa_name, name: called }) => [conversationOf(wa_chatid), wa_name || called || '']),
  )
  return groups.flatMap(({ jid, name: called = '', participants = [] }): KnownGroup[] => {
    if (addressIn(jid) !== jid) return []
    const members = participants.flatMap(({ jid: one, phoneNumber, displayName, isAdmin }) => {
      const id = addressIn(one)
      if (!id) return []
      const member = memberOf({ id, alt: numberIn(phoneNumber), admin: isAdmin }, names)
      return { ...member, name: member.name || (displayName ?? '') }
    })
    return [{ key: jid, name: called, members }]
  })
}

/** Returns the supported queries. */
function questionsOf(calls: Calls, tools: ChannelTools): GatewayQuestions {
  const { call } = calls
  return {
    async number({ number }) {
      const [found] = await call('/chat/check', checkedAnswer, { numbers: [number.replace(/\D/g, '')] })
      const address = addressIn(found?.jid)
      return found?.isInWhatsapp && address ? { identity: conversationOf(address) } : null
    },
    async picture({ identity }) {
      const { image } = await call('/chat/details', record({ image: z.string() }), {
        number: phoneOf(identity),
        preview: false,
      })
      return pictureAt(tools, image)
    },
    async groups() {
      return (await groupsOf(calls)).map(({ key: group, name: called }) => ({ key: group, name: called }))
    },
  }
}

async function act({ call }: Calls, action: ChannelAction): Promise<void> {
  const number = phoneOf(action.conversationKey)
  if (action.type === 'read') return
  if (action.type === 'presence')
    await call('/message/presence', anyAnswer, { number, presence: action.state, delay: TYPING_MS })
  else if (action.type === 'edit')
    await call('/message/edit', anyAnswer, { id: action.providerId, text: addressed(action).text })
  else if (action.type === 'revoke') await call('/message/delete', anyAnswer, { id: action.providerId })
  else await call('/message/react', anyAnswer, { number, text: action.emoji ?? '', id: action.providerId })
}

/** Adapter of a phone on a server of UAZAPI: outgoing calls of its API, incoming calls of its webhook. */
export const uazapiAdapter: MakeChannelAdapter = (_values, tools) => {
  const calls = openCalls(tools)
  const { call, asAdmin, asTheInstance, fetchFile, gateway, name } = calls
  return {
    ...gatewayLife(gateway, openPhone(calls), tools),
    send: gated(async (message) => {
      const { path, json } = await sendingOf(message, tools)
      const sent = await call(`/send/${path}`, sentAnswer, json, { answerMs: FILE_MS }).catch(asPhoneFailure(gateway))
      const id = sent.messageid ?? sent.id?.split(':').at(-1)
      if (!id) throw sendFailure('unknown', 'a Uazapi não disse se a mensagem saiu')
      return { providerId: id }
    }),
    act: (action) => act(calls, action).catch(asPhoneFailure(gateway)),
    async download(pointer) {
      const { id } = mediaPointer.parse(pointer)
      const json = { id, return_base64: true, return_link: false }
      const asked = (known: string) =>
        fetchFile('/message/download', { json, headers: { token: known }, field: 'base64Data' })
      const { file } = await asTheInstance(asked).catch(unlessRefused([400], { file: null }))
      return file ?? expired()
    },
    ask: answering(gateway, questionsOf(calls, tools)),
    receive: ({ body }) => readCall(body, { name }, tools.now()),
    testSettings: () => tried(gateway, () => asAdmin('/instance/all', anyAnswer)),
  }
}
