import { z } from 'zod'
import { isRecord } from '#domain/keys.ts'
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
  phoneFailureOf,
  pictureAt,
  unlessRefused,
} from '../gateway.ts'
import { anyAnswer, type Gateway, GatewayRefusal, readingCalls, tried } from '../gateway-calls.ts'
import type { KnownGroup } from '../group-news.ts'
import { type ChannelAction, type ChannelTools, type MakeChannelAdapter, sendFailure } from '../port.ts'
import { lookUp } from '../read.ts'
import { addressIn, conversationOf, jidOf } from '../whatsapp-addresses.ts'
import { addressed, phoneOf } from '../whatsapp-outbound.ts'
import { outsideId } from '../whatsapp-shapes.ts'
import { evolutionFaults } from './faults.ts'
import { groupField, mediaPointer, membersOf, readCall } from './inbound.ts'
import { sendingOf } from './outbound.ts'

/** Webhook events to subscribe to. */
const EVENTS = [
  ...['QRCODE_UPDATED', 'CONNECTION_UPDATE', 'LOGOUT_INSTANCE', 'REMOVE_INSTANCE', 'MESSAGES_UPSERT', 'SEND_MESSAGE'],
  ...['MESSAGES_EDITED', 'MESSAGES_UPDATE', 'MESSAGES_DELETE', 'CONTACTS_UPDATE', 'GROUPS_UPSERT', 'GROUP_UPDATE'],
  ...['GROUP_PARTICIPANTS_UPDATE', 'CALL'],
]
/** Lifetime of a QR code in seconds, after which Evolution renews it. */
const CODE_SECONDS = 45
/** Time-out of a file transfer, in ms. */
const FILE_MS = 120_000
const MOST_LIST_BYTES = 50 * 1024 * 1024
/** Duration of a typing indicator until it is renewed, in ms. */
const TYPING_MS = 5000

const states = { open: 'open', connecting: 'opening', close: 'closed' } as const

const sentAnswer = record({ key: record({ id: outsideId }) })
const contactsAnswer = z.array(z.looseObject({ remoteJid: z.string(), pushName: textOrNumber.optional() }))
const stateAnswer = record({ instance: record({ state: z.string() }) })
const instancesAnswer = z.array(record({ ownerJid: z.string() }))
const codeAnswer = record({ code: z.string(), pairingCode: z.string() })
const webhookAnswer = record({
  ...{ enabled: flag, url: z.string(), webhookByEvents: flag, webhookBase64: flag, events: z.array(z.string()) },
})
const checkedAnswer = z.array(record({ jid: z.string(), exists: flag }))

/** Returns the API calls of one instance of an Evolution API. */
function openCalls(tools: ChannelTools) {
  const { url = '', key = '' } = textValues(tools.settings)
  const gateway: Gateway = { name: 'a Evolution API', url, headers: { apikey: key } }
  const call = readingCalls(tools, gateway)
  const fetchFile = gatewayFiles(tools, gateway)
  const instance = tools.door?.name ?? ''
  const chat = async <S extends z.ZodType>(
    action: string,
    schema: S,
    json: object,
    { method = 'POST', maxBytes }: { method?: 'POST' | 'DELETE'; maxBytes?: number } = {},
  ) =>
    call(`/chat/${action}/${instance}`, schema, { method, json, ...(maxBytes ? { maxBytes, answerMs: FILE_MS } : {}) })
  return { call, chat, fetchFile, gateway, instance }
}
type Calls = ReturnType<typeof openCalls>

/** Opens the phone for the gateway's connection life cycle: state, pairing, logout, groups. */
function openPhone(calls: Calls): GatewayPhone {
  const { call, instance } = calls
  return {
    async make(door) {
      if ((await this.state()).is !== 'gone') return
      const webhook = { enabled: true, url: door.url, byEvents: false, base64: false, events: EVENTS }
      const json = {
        instanceName: instance,
        integration: 'WHATSAPP-BAILEYS',
        qrcode: true,
        groupsIgnore: false,
        webhook,
      }
      // 403: it was created meanwhile.
      await call('/instance/create', anyAnswer, { method: 'POST', json }).catch(unlessRefused([403], null))
    },
    async state() {
      const found = await call(`/instance/connectionState/${instance}`, stateAnswer).catch(unlessRefused([404], null))
      if (!found) return { is: 'gone' }
      // During its start it knows the instance, but not yet its state.
      const is = lookUp(states, found.instance?.state) ?? 'opening'
      if (is !== 'open') return { is }
      const [own] = await call(`/instance/fetchInstances?instanceName=${instance}`, instancesAnswer)
      const address = addressIn(own?.ownerJid)
      return { is, number: address && conversationOf(address) }
    },
    async code(pairing) {
      const asked = pairing ? `?number=${pairing}` : ''
      // Errors of this call have status 200.
      const { code, pairingCode } = await call(`/instance/connect/${instance}${asked}`, codeAnswer)
      if (pairing) return pairingCode ? { pairingCode, seconds: CODE_SECONDS } : null
      return code ? { qrcode: code, seconds: CODE_SECONDS } : null
    },
    async callsUs(address) {
      const set = await call(`/webhook/find/${instance}`, webhookAnswer.optional()).catch(unlessRefused([404], null))
      // Webhook calls that include files would be too large.
      const isPlain = !set?.webhookByEvents && !set?.webhookBase64
      const isOurs = set?.enabled === true && set.url === address && isPlain
      return isOurs && EVENTS.every((event) => set.events?.includes(event))
    },
    async setWebhook(address) {
      const webhook = { enabled: true, url: address, byEvents: false, base64: false, events: EVENTS }
      await call(`/webhook/set/${instance}`, anyAnswer, { method: 'POST', json: { webhook } })
    },
    // Deleting the instance also unlinks the phone; nothing of it remains.
    logout: async () =>
      void (await call(`/instance/delete/${instance}`, anyAnswer, { method: 'DELETE' }).catch(
        unlessRefused([400, 404], null),
      )),
    groups: () => groupsOf(calls),
  }
}

async function groupsOf({ call, chat, instance }: Calls): Promise<KnownGroup[]> {
  const [groups, contacts] = await Promise.all([
    call(`/group/fetchAllGroups/${instance}?getParticipants=true`, z.array(groupField), {
      maxBytes: MOST_LIST_BYTES,
    }),
    chat('findContacts', contactsAnswer, { where: {} }, { maxBytes: MOST_LIST_BYTES }),
  ])
  const names = new Map(contacts.map(({ remoteJid, pushName }) => [conversationOf(remoteJid), pushName ?? '']))
  return groups.flatMap(({ id, subject = '', participants = [] }): KnownGroup[] =>
    addressIn(id) === id ? [{ key: id, name: subject, members: membersOf(participants, names) }] : [],
  )
}

/** Returns the supported queries. */
function questionsOf(calls: Calls, tools: ChannelTools): GatewayQuestions {
  const { chat } = calls
  return {
    async number({ number }) {
      const numbers = [number.replace(/\D/g, '')]
      const [found] = await chat('whatsappNumbers', checkedAnswer, { numbers })
      const address = addressIn(found?.jid)
      return found?.exists && address ? { identity: conversationOf(address) } : null
    },
    async picture({ identity }) {
      const answer = record({ profilePictureUrl: z.string() })
      const { profilePictureUrl } = await chat('fetchProfilePictureUrl', answer, { number: phoneOf(identity) })
      return pictureAt(tools, profilePictureUrl)
    },
    async groups() {
      return (await groupsOf(calls)).map(({ key: group, name }) => ({ key: group, name }))
    },
  }
}

async function act({ call, chat, instance }: Calls, action: ChannelAction): Promise<void> {
  const number = phoneOf(action.conversationKey)
  if (action.type === 'read') return
  if (action.type === 'presence')
    return void (await chat('sendPresence', anyAnswer, { number, presence: action.state, delay: TYPING_MS }))
  const remoteJid = jidOf(action.conversationKey)
  const participant = action.author ? { participant: jidOf(action.author) } : {}
  const fromMe = action.type !== 'react' || action.fromMe
  const about = { id: action.providerId, remoteJid, fromMe, ...participant }
  if (action.type === 'edit')
    await chat('updateMessage', anyAnswer, { number, key: about, text: addressed(action).text })
  else if (action.type === 'revoke') await chat('deleteMessageForEveryone', anyAnswer, about, { method: 'DELETE' })
  else
    await call(`/message/sendReaction/${instance}`, anyAnswer, {
      ...{ method: 'POST', json: { key: about, reaction: action.emoji ?? '' } },
    })
}

/** Adapter of a phone on an Evolution API: outgoing calls of its API, incoming calls of its webhook. */
export const evolutionAdapter: MakeChannelAdapter = (_values, tools) => {
  const calls = openCalls(tools)
  const { call, fetchFile, gateway, instance } = calls
  const life = gatewayLife(gateway, openPhone(calls), tools)
  return {
    ...life,
    faults: [...life.faults, ...evolutionFaults],
    send: gated(async (message) => {
      const { action, json } = await sendingOf(message, tools)
      const path = `/message/${action}/${instance}`
      const sent = await call(path, sentAnswer, { method: 'POST', json, answerMs: FILE_MS }).catch((error: unknown) => {
        if (hasNobody(error)) throw sendFailure('refused', 'ERR_WAPP_INVALID_CONTACT')
        const failure = phoneFailureOf(error, gateway)
        throw failure.kind === 'refused' && hasBroken(error) ? sendFailure('unknown', failure.message) : failure
      })
      if (!sent.key?.id) throw sendFailure('unknown', 'a Evolution API não disse se a mensagem saiu')
      return { providerId: sent.key.id }
    }),
    act: (action) => act(calls, action).catch(asPhoneFailure(gateway)),
    async download(pointer) {
      const { id } = mediaPointer.parse(pointer)
      const json = { message: { key: { id } }, convertToMp4: false }
      const path = `/chat/getBase64FromMediaMessage/${instance}`
      const { file } = await fetchFile(path, { json, field: 'base64' }).catch(unlessRefused([400, 404], { file: null }))
      return file ?? expired()
    },
    ask: answering(gateway, questionsOf(calls, tools)),
    receive: ({ body }) => readCall(body, instance, tools.now()),
    testSettings: () => tried(gateway, () => call('/instance/fetchInstances', anyAnswer)),
  }
}

const refusalAnswer = record({ response: record({ message: listOrOne(z.unknown()) }) })

/** Returns the messages of a 400 response. */
function refusalsOf(error: unknown): readonly unknown[] {
  if (!(error instanceof GatewayRefusal) || error.status !== 400) return []
  const read = readOutside(refusalAnswer, error.answer)
  return read?.data.response?.message ?? []
}

/** Whether a call was refused because the number has no WhatsApp. */
const hasNobody = (error: unknown): boolean => refusalsOf(error).some((one) => isRecord(one) && one['exists'] === false)

/** Whether Evolution itself failed, which it answers with 400 as well; the message may have been sent before. */
const hasBroken = (error: unknown): boolean => refusalsOf(error).some((one) => /^\w*Error: /.test(String(one)))
