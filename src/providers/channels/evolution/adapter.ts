import { gated } from '../file-gate.ts'
import { expired, gatewayFiles } from '../file-in-answer.ts'
import {
  answering,
  type GatewayPhone,
  type GatewayQuestions,
  gatewayLife,
  phoneFailureOf,
  pictureAt,
  unlessRefused,
} from '../gateway.ts'
import { type Gateway, GatewayRefusal, gatewayCalls, tried } from '../gateway-calls.ts'
import type { KnownGroup } from '../group-news.ts'
import { type ChannelAction, type MakeChannelAdapter, sendFailure } from '../port.ts'
import { conversationOf, jidOf } from '../whatsapp-addresses.ts'
import { addressed, phoneOf } from '../whatsapp-outbound.ts'
import { type Group, type MediaPointer, membersOf, readCall } from './inbound.ts'
import { sendingOf } from './outbound.ts'

/** What it is to call us for. */
const EVENTS = [
  ...['QRCODE_UPDATED', 'CONNECTION_UPDATE', 'LOGOUT_INSTANCE', 'REMOVE_INSTANCE', 'MESSAGES_UPSERT', 'SEND_MESSAGE'],
  ...['MESSAGES_EDITED', 'MESSAGES_UPDATE', 'MESSAGES_DELETE', 'CONTACTS_UPDATE', 'GROUPS_UPSERT', 'GROUP_UPDATE'],
  'GROUP_PARTICIPANTS_UPDATE',
]
/** So long its codes may be read: it makes a new one then. */
const CODE_SECONDS = 45
/** So long a file may be on its way. */
const FILE_MS = 120_000
const MOST_LIST_BYTES = 50 * 1024 * 1024
/** So long the contact is shown that somebody writes, unless it is said again. */
const TYPING_MS = 5000

const states = { open: 'open', connecting: 'opening', close: 'closed' } as const

type Sent = { readonly key?: { readonly id?: string } }
type Contact = { readonly remoteJid: string; readonly pushName?: string | null }

/** A phone that an Evolution API keeps: calls of it outwards, its webhook inwards. */
export const evolutionAdapter: MakeChannelAdapter = (_values, tools) => {
  const { url = '', key = '' } = tools.settings as Readonly<Record<string, string>>
  const gateway: Gateway = { name: 'a Evolution API', url, headers: { apikey: key } }
  const call = gatewayCalls(tools, gateway)
  const fetchFile = gatewayFiles(tools, gateway)
  const instance = tools.door?.name ?? ''
  const chat = <T>(action: string, json: object, method: 'POST' | 'DELETE' = 'POST', maxBytes?: number) =>
    call<T>(`/chat/${action}/${instance}`, { method, json, ...(maxBytes ? { maxBytes, answerMs: FILE_MS } : {}) })
  const failing = (error: unknown): never => {
    throw phoneFailureOf(error, gateway)
  }

  const phone: GatewayPhone = {
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
      // 403: somebody has made it meanwhile.
      await call('/instance/create', { method: 'POST', json }).catch(unlessRefused([403], null))
    },
    async state() {
      const found = await call<{ instance?: { state?: string } }>(`/instance/connectionState/${instance}`).catch(
        unlessRefused([404], null),
      )
      if (!found) return { is: 'gone' }
      // While it starts it knows the instance, and not yet how it stands.
      const is = states[found.instance?.state as keyof typeof states] ?? 'opening'
      if (is !== 'open') return { is }
      const all = await call<{ ownerJid?: string | null }[]>(`/instance/fetchInstances?instanceName=${instance}`)
      return { is, number: all[0]?.ownerJid ? conversationOf(all[0].ownerJid) : null }
    },
    async code(pairing) {
      const asked = pairing ? `?number=${pairing}` : ''
      // What goes wrong here it answers with 200.
      const { code, pairingCode } = await call<{ code?: string | null; pairingCode?: string | null }>(
        `/instance/connect/${instance}${asked}`,
      )
      if (pairing) return pairingCode ? { pairingCode, seconds: CODE_SECONDS } : null
      return code ? { qrcode: code, seconds: CODE_SECONDS } : null
    },
    async callsUs(address) {
      type Webhook = {
        enabled?: boolean
        url?: string
        webhookByEvents?: boolean
        webhookBase64?: boolean
        events?: string[]
      } | null
      const set = await call<Webhook>(`/webhook/find/${instance}`).catch(unlessRefused([404], null))
      // With files in them its calls are too large to be taken.
      const isPlain = !set?.webhookByEvents && !set?.webhookBase64
      const isOurs = set?.enabled === true && set.url === address && isPlain
      return isOurs && EVENTS.every((event) => set.events?.includes(event))
    },
    async setWebhook(address) {
      const webhook = { enabled: true, url: address, byEvents: false, base64: false, events: EVENTS }
      await call(`/webhook/set/${instance}`, { method: 'POST', json: { webhook } })
    },
    // It unlinks the phone by itself; nothing of it stays there.
    logout: async () =>
      void (await call(`/instance/delete/${instance}`, { method: 'DELETE' }).catch(unlessRefused([400, 404], null))),
    async groups() {
      const [groups, contacts] = await Promise.all([
        call<Group[]>(`/group/fetchAllGroups/${instance}?getParticipants=true`, { maxBytes: MOST_LIST_BYTES }),
        chat<Contact[]>('findContacts', { where: {} }, 'POST', MOST_LIST_BYTES),
      ])
      const names = new Map(contacts.map(({ remoteJid, pushName }) => [conversationOf(remoteJid), pushName ?? '']))
      return groups.map(
        ({ id, subject = '', participants = [] }): KnownGroup => ({
          ...{ key: id, name: subject, members: membersOf(participants, names) },
        }),
      )
    },
  }

  const questions: GatewayQuestions = {
    async number({ number }) {
      const [found] = await chat<{ jid: string; exists: boolean }[]>('whatsappNumbers', {
        numbers: [number.replace(/\D/g, '')],
      })
      return found?.exists ? { identity: conversationOf(found.jid) } : null
    },
    async picture({ identity }) {
      const { profilePictureUrl } = await chat<{ profilePictureUrl?: string | null }>('fetchProfilePictureUrl', {
        number: phoneOf(identity),
      })
      return pictureAt(tools, profilePictureUrl)
    },
    async groups() {
      return ((await phone.groups?.()) ?? []).map(({ key: group, name }) => ({ key: group, name }))
    },
  }

  async function act(action: ChannelAction): Promise<void> {
    const number = phoneOf(action.conversationKey)
    if (action.type === 'read') return
    if (action.type === 'presence')
      return void (await chat('sendPresence', { number, presence: action.state, delay: TYPING_MS }))
    const remoteJid = jidOf(action.conversationKey)
    const participant = action.author ? { participant: jidOf(action.author) } : {}
    const fromMe = action.type !== 'react' || action.fromMe
    const about = { id: action.providerId, remoteJid, fromMe, ...participant }
    if (action.type === 'edit') await chat('updateMessage', { number, key: about, text: addressed(action).text })
    else if (action.type === 'revoke') await chat('deleteMessageForEveryone', about, 'DELETE')
    else
      await call(`/message/sendReaction/${instance}`, {
        ...{ method: 'POST', json: { key: about, reaction: action.emoji ?? '' } },
      })
  }

  return {
    ...gatewayLife(gateway, phone, tools),
    send: gated(async (message) => {
      const { action, json } = await sendingOf(message, tools)
      const path = `/message/${action}/${instance}`
      const sent = await call<Sent>(path, { method: 'POST', json, answerMs: FILE_MS }).catch((error: unknown) => {
        if (hasNobody(error)) throw sendFailure('refused', 'ERR_WAPP_INVALID_CONTACT')
        const failure = phoneFailureOf(error, gateway)
        throw failure.kind === 'refused' && hasBroken(error) ? sendFailure('unknown', failure.message) : failure
      })
      if (!sent.key?.id) throw sendFailure('unknown', 'a Evolution API não disse se a mensagem saiu')
      return { providerId: sent.key.id }
    }),
    act: (action) => act(action).catch(failing),
    async download(pointer) {
      const { id } = pointer as unknown as MediaPointer
      const json = { message: { key: { id } }, convertToMp4: false }
      const path = `/chat/getBase64FromMediaMessage/${instance}`
      const { file } = await fetchFile(path, { json, field: 'base64' }).catch(unlessRefused([400, 404], { file: null }))
      return file ?? expired()
    },
    ask: answering(gateway, questions),
    receive: ({ body }) => readCall(body, instance, tools.now()),
    testSettings: () => tried(gateway, () => call('/instance/fetchInstances')),
  }
}

/** What it says to something that it refused. */
function refusalsOf(error: unknown): readonly unknown[] {
  if (!(error instanceof GatewayRefusal) || error.status !== 400) return []
  return [(error.answer as { response?: { message?: unknown } }).response?.message].flat()
}

/** Whether it refused because WhatsApp has nobody by that number. */
const hasNobody = (error: unknown): boolean =>
  refusalsOf(error).some((one) => (one as { exists?: boolean } | undefined)?.exists === false)

/** Whether something in it failed, which it answers with 400 as well: that may have been after the message had left. */
const hasBroken = (error: unknown): boolean => refusalsOf(error).some((one) => /^\w*Error: /.test(String(one)))
