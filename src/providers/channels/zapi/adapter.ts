import { z } from 'zod'
import { isRecord } from '#domain/keys.ts'
import { memberOf, present } from '#domain/present.ts'
import { flag, listOrOne, record, textOrNumber } from '#kit/outside-fields.ts'
import { type ProviderValues, textValues } from '#kit/provider.ts'
import { gated } from '../file-gate.ts'
import {
  answering,
  asPhoneFailure,
  type GatewayPhone,
  type GatewayQuestions,
  gatewayLife,
  type PhoneCode,
  pictureAt,
  unlessRefused,
} from '../gateway.ts'
import { anyAnswer, type Gateway, GatewayRefusal, readingCalls, tried } from '../gateway-calls.ts'
import type { KnownGroup } from '../group-news.ts'
import {
  type ChannelAction,
  type ChannelTools,
  type MakeChannelAdapter,
  needsPerson,
  type Outbound,
  sendFailure,
} from '../port.ts'
import { addressed } from '../whatsapp-outbound.ts'
import { outsideId } from '../whatsapp-shapes.ts'
import { zapiConfig } from './config.ts'
import { zapiFaults } from './faults.ts'
import { mediaPointer, readCall } from './inbound.ts'
import { sendingOf } from './outbound.ts'
import { conversationOf, isConversation, phoneOf } from './phones.ts'

/** Lifetime of a QR code, which Z-API then renews, and of a typed code, in seconds. */
const CODE_SECONDS = { read: 20, typed: 120 } as const
/** Time-out of a file transfer, in ms. */
const FILE_MS = 120_000
/** Maximum number of groups that are read, and of contacts for their names. */
const MOST_GROUPS = 200
const MOST_NAMES = 1000
const HTTPS_ONLY = 'A Z-API só chama endereços https: defina PUBLIC_URL com https.'

const statusAnswer = record({ connected: flag })
const codeAnswer = record({ value: z.string() })
const existsAnswer = record({ exists: flag, phone: textOrNumber })
const pictureAnswer = listOrOne(record({ link: z.string() }))
const sentAnswer = record({ messageId: outsideId, id: outsideId })
const groupsAnswer = z.array(z.looseObject({ phone: textOrNumber, name: textOrNumber.optional() }))
const contactsAnswer = z.array(
  record({ phone: textOrNumber, name: textOrNumber, notify: textOrNumber, short: textOrNumber }),
)
const metadataAnswer = record({
  participants: z.array(
    z.looseObject({ phone: textOrNumber, isAdmin: flag.optional(), isSuperAdmin: flag.optional() }),
  ),
})
type Participant = NonNullable<z.output<typeof metadataAnswer>['participants']>[number]

/** Returns the error text of a response of any status. */
const problemIn = (answer: unknown): string => {
  const error = isRecord(answer) ? answer['error'] : null
  return typeof error === 'string' ? error : error ? JSON.stringify(error) : ''
}

/** Returns a response without an error; fails with `GatewayRefusal` otherwise. */
function unlessProblem(answer: unknown): unknown {
  const problem = problemIn(answer)
  if (!problem || (isRecord(answer) && answer['connected'] !== undefined)) return answer
  if (/null not allowed|client-token/i.test(problem)) throw new GatewayRefusal(401, answer)
  throw new GatewayRefusal(/not found/i.test(problem) ? 404 : 400, answer)
}

/** Whether Z-API does not know the instance; another server's 404 has other words. */
const isUnknownInstance = (error: unknown): boolean =>
  error instanceof GatewayRefusal && /instance|not found/i.test(problemIn(error.answer))

/** Returns the API calls of one instance of Z-API. */
function openCalls(values: ProviderValues, tools: ChannelTools) {
  const settings = textValues(tools.settings)
  const url = settings['url'] || String(memberOf(present(zapiConfig.settings).fields, 'url').default)
  const instanceId = String(values['wabaId'] ?? '')
  const token = String(values['tokenAPI'] ?? '')
  const key = settings['key']
  const gateway: Gateway = { name: 'a Z-API', url, headers: key ? { 'client-token': key } : {} }
  const raw = readingCalls(tools, gateway)

  /** Calls the instance; an error within a 200 response counts as a refusal. */
  async function call<S extends z.ZodType>(
    path: string,
    schema: S,
    about: Parameters<typeof raw>[2] = {},
    of = { instanceId, token },
  ): Promise<z.output<S>> {
    const base = `/instances/${encodeURIComponent(of.instanceId)}/token/${encodeURIComponent(of.token)}`
    return raw(`${base}/${path}`, schema, { ...about, opened: unlessProblem })
  }
  const post = <S extends z.ZodType>(path: string, schema: S, json: object) =>
    call(path, schema, { method: 'POST', json, answerMs: FILE_MS })
  const participantsOf = async (group: string): Promise<readonly Participant[]> =>
    (await call(`group-metadata/${group}`, metadataAnswer)).participants ?? []
  return { call, post, participantsOf, gateway, instanceId }
}
type Calls = ReturnType<typeof openCalls>

/** Opens the phone for the gateway's connection life cycle: state, pairing, logout, groups. */
function openPhone(calls: Calls): GatewayPhone {
  const { call } = calls
  let shown: { of: string; code: PhoneCode; until: number } | null = null
  return {
    // Instances are created at Z-API, by its paying customer.
    async make() {
      if ((await this.state()).is === 'gone') throw needsPerson('Z-API has no such instance')
    },
    async state() {
      const found = await call('status', statusAnswer).catch(unlessRefused([400, 404], null))
      if (!found) return { is: 'gone' }
      if (!found.connected) return { is: 'closed' }
      const { phone: number } = await call('device', record({ phone: textOrNumber })).catch(
        unlessRefused([400, 404], { phone: '' }),
      )
      return { is: 'open', number: number || null }
    },
    async code(pairing) {
      const of = pairing ?? ''
      // Each requested code replaces the previous one.
      if (shown?.of === of && performance.now() < shown.until) return shown.code
      const { value } = await call(pairing ? `phone-code/${pairing}` : 'qr-code/image', codeAnswer)
      if (!value) return null
      const seconds = pairing ? CODE_SECONDS.typed : CODE_SECONDS.read
      const code = pairing ? { pairingCode: value.replace('-', ''), seconds } : { qrcode: value, seconds }
      shown = { of, code, until: performance.now() + seconds * 1000 }
      return code
    },
    // Z-API does not report its webhook, so it is always set again.
    callsUs: async () => false,
    async setWebhook(address) {
      await call('update-every-webhooks', anyAnswer, { method: 'PUT', json: { value: address, notifySentByMe: true } })
    },
    // This GET takes effect at once.
    async logout() {
      shown = null
      await call('disconnect', anyAnswer).catch(unlessRefused([400, 404], null))
    },
    groups: () => groupsOf(calls),
  }
}

async function groupsOf({ call, participantsOf }: Calls): Promise<KnownGroup[]> {
  const [groups, contacts] = await Promise.all([
    call(`groups?page=1&pageSize=${MOST_GROUPS}`, groupsAnswer),
    call(`contacts?page=1&pageSize=${MOST_NAMES}`, contactsAnswer),
  ])
  const names = new Map(contacts.map((one) => [one.phone ?? '', one.notify || one.name || one.short || '']))
  const known: KnownGroup[] = []
  for (const { phone: group, name = '' } of groups) {
    if (!isConversation(conversationOf(group, true))) continue
    const members = (await participantsOf(group)).map(({ phone: one, isAdmin, isSuperAdmin }) => ({
      ...{ identity: one, name: names.get(one) ?? '', number: /^\d+$/.test(one) ? one : null },
      isAdmin: Boolean(isAdmin || isSuperAdmin),
    }))
    known.push({ key: conversationOf(group, true), name, members })
  }
  return known
}

/** Returns the supported queries. */
function questionsOf({ call }: Calls, tools: ChannelTools): GatewayQuestions {
  return {
    async number({ number }) {
      const found = await call(`phone-exists/${number.replace(/\D/g, '')}`, existsAnswer)
      return found.exists ? { identity: found.phone || number.replace(/\D/g, '') } : null
    },
    async picture({ identity }) {
      const asked = `profile-picture?phone=${encodeURIComponent(phoneOf(identity))}`
      const [found] = await call(asked, pictureAnswer)
      return pictureAt(tools, found?.link === 'null' ? null : found?.link)
    },
    async groups() {
      const groups = await call(`groups?page=1&pageSize=${MOST_GROUPS}`, groupsAnswer)
      return groups.map(({ phone: group, name = '' }) => ({ key: conversationOf(group, true), name }))
    },
  }
}

/** Returns the numbers to mention for everyone in a group, as there is no mention of all. */
const everyoneIn = async ({ participantsOf }: Calls, { mentions, conversationKey }: Outbound): Promise<string[]> =>
  mentions?.everyone ? (await participantsOf(phoneOf(conversationKey))).map((one) => one.phone) : []

async function act({ call, post }: Calls, action: ChannelAction): Promise<void> {
  const to = phoneOf(action.conversationKey)
  if (action.type === 'read' || action.type === 'presence') return
  const messageId = action.providerId
  if (action.type === 'edit')
    await post('send-text', anyAnswer, { phone: to, message: addressed(action).text, editMessageId: messageId })
  else if (action.type === 'revoke')
    await call(`messages?${new URLSearchParams({ messageId, phone: to, owner: 'true' })}`, anyAnswer, {
      method: 'DELETE',
    })
  else if (action.emoji) await post('send-reaction', anyAnswer, { phone: to, reaction: action.emoji, messageId })
  else await post('send-remove-reaction', anyAnswer, { phone: to, messageId })
}

/** Creates the adapter of a phone at a Z-API instance: calls outwards, webhooks inwards. */
export const zapiAdapter: MakeChannelAdapter = (values, tools) => {
  const calls = openCalls(values, tools)
  const { call, post, gateway, instanceId } = calls
  const phone = openPhone(calls)
  const life = gatewayLife(gateway, phone, tools)
  return {
    ...life,
    faults: [...life.faults, ...zapiFaults],
    async test() {
      const isInsecure = URL.parse(gateway.url)?.protocol === 'https:' && tools.door?.url?.startsWith('http:')
      if (isInsecure) return { ok: false, problem: HTTPS_ONLY }
      const tested = await life.test()
      if (!tested.ok || (await phone.state()).is !== 'gone') return tested
      return { ok: false, problem: 'A Z-API não conhece esta instância com este token. Confira os dois.' }
    },
    send: gated(async (message) => {
      const work = async () => {
        const { path, json } = await sendingOf(message, tools, await everyoneIn(calls, message))
        return post(path, sentAnswer, json)
      }
      const sent = await work().catch(asPhoneFailure(gateway))
      const id = sent.messageId ?? sent.id
      if (!id) throw sendFailure('unknown', 'a Z-API não disse se a mensagem saiu')
      return { providerId: id }
    }),
    act: (action) => act(calls, action).catch(asPhoneFailure(gateway)),
    async download(pointer) {
      const { url: link } = mediaPointer.parse(pointer)
      const answer = await tools.stream(link, { answerMs: FILE_MS })
      if (answer.status === 200) return answer.body
      answer.body.destroy()
      if ([403, 404, 410].includes(answer.status)) throw sendFailure('refused', 'Mídia expirada.')
      throw new GatewayRefusal(answer.status, {})
    },
    ask: answering(gateway, questionsOf(calls, tools)),
    receive: ({ body }) => readCall(body, instanceId, tools.now()),
    // Without a known instance, a genuine Z-API responds that it does not exist.
    testSettings: () =>
      tried(gateway, () =>
        call('status', anyAnswer, {}, { instanceId: 'nenhuma', token: 'nenhum' }).catch((error: unknown) => {
          if (!isUnknownInstance(error)) throw error
        }),
      ),
  }
}
