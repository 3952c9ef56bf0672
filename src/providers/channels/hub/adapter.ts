import type { Readable } from 'node:stream'
import { z } from 'zod'
import { withoutEnd } from '#domain/text.ts'
import { readOutside } from '#kit/outside.ts'
import { record, textOrNumber as text } from '#kit/outside-fields.ts'
import { GatewayRefusal } from '../gateway-calls.ts'
import { metaTemplate, readTemplate } from '../meta-templates.ts'
import { type ChannelAdapter, type ChannelTools, type MakeChannelAdapter, sendFailure } from '../port.ts'
import { providerLife } from '../provider-life.ts'
import { asSendFailure, isTokenRefused, listIn, NO_CHANNEL, openHub } from './api.ts'
import { channelOfType, typeOfChannel } from './channels.ts'
import { hubFaults } from './faults.ts'
import { type MediaPointer, mediaPointer, readCall } from './inbound.ts'
import { contentsOf } from './outbound.ts'

const NOT_SET = 'Preencha antes o token em Configurações > Hub Notificame.'
const NO_ADDRESS = 'A instalação não sabe o próprio endereço: defina PUBLIC_URL, que o hub precisa chamar.'
const WHATSAPP = 'hub_whatsapp_business_account'
const FILE_MS = 120_000

const subscriptions = z.array(record({ criteria: record({ channel: text }), webhook: record({ url: text }) }))
const named = record({ id: text })

type Hub = ReturnType<typeof openHub>

/** Returns functions that register the webhook of a channel; `ensure` does so only if the hub does not have it yet. */
function openWebhook({ call }: Hub, channelId: string) {
  let isRegistered = false

  async function register(url: string): Promise<void> {
    await call('/subscriptions/', { method: 'POST', json: { criteria: { channel: channelId }, webhook: { url } } })
    isRegistered = true
  }

  // If the hub does not list its webhooks, ours is registered once per opening.
  async function callsUs(url: string): Promise<boolean> {
    const listed = await call('/subscriptions/').catch((error: unknown) => {
      if (error instanceof GatewayRefusal && error.status !== 401 && error.status !== 403) return null
      throw error
    })
    const known = listIn(listed, 'subscriptions')
    if (!known) return isRegistered
    return (readOutside(subscriptions, known)?.data ?? []).some(
      ({ criteria, webhook }) => criteria?.channel === channelId && webhook?.url === url,
    )
  }

  async function ensure(url: string | null): Promise<void> {
    if (url && !(await callsUs(url))) await register(url)
  }
  return { register, ensure }
}

async function download(
  { gateway }: Hub,
  { stream }: ChannelTools,
  { channelId, type }: { channelId: string; type: string },
  pointer: MediaPointer,
): Promise<Readable> {
  const answer = await stream(pointer.url, { answerMs: FILE_MS })
  if (answer.status === 200) return answer.body
  answer.body.destroy()
  if (type !== WHATSAPP) {
    if (answer.status === 404 || answer.status === 410) throw sendFailure('refused', 'Mídia expirada.')
    throw new Error(`the hub answered ${answer.status} for a file`)
  }
  // WhatsApp's files require its token, so the hub fetches them.
  const contents = [{ type: 'file', fileMimeType: pointer.kind, fileUrl: pointer.url }]
  const fetched = await stream(`${withoutEnd(gateway.url, /\//)}/channels/whatsapp/media`, {
    ...{ method: 'POST', answerMs: FILE_MS, body: JSON.stringify({ from: channelId, contents }) },
    headers: { ...gateway.headers, 'content-type': 'application/json' },
  })
  if (fetched.status === 200) return fetched.body
  fetched.body.destroy()
  if (fetched.status === 404 || fetched.status === 410) throw sendFailure('refused', 'Mídia expirada.')
  throw new Error(`the hub answered ${fetched.status} for a file`)
}

/** Sends a message; returns its id at the hub. */
async function post({ call, gateway }: Hub, path: string, json: object): Promise<string> {
  const answer = await call(path, { method: 'POST', json }).catch(asSendFailure(gateway))
  const { id } = readOutside(named, answer)?.data ?? {}
  if (!id) throw sendFailure('unknown', 'O NotificaMe Hub não disse se a mensagem saiu.')
  return id
}

/** Returns the templates of a WhatsApp number. */
async function templatesOf({ call, gateway }: Hub, channelId: string) {
  const path = `/templates/${encodeURIComponent(channelId)}`
  const answer = await call(path).catch(asSendFailure(gateway))
  const listed = readOutside(z.array(metaTemplate), listIn(answer, 'templates') ?? [])
  return (listed?.data ?? []).map(readTemplate)
}

/** Checks that the hub lists the channel, with this type. */
async function tested(
  { channels, problem }: Hub,
  channelId: string,
  type: string,
): ReturnType<NonNullable<ChannelAdapter['test']>> {
  return channels().then(
    (listed) => {
      const found = listed.find(({ id }) => id === channelId)
      if (!found) return { ok: false, problem: NO_CHANNEL }
      return typeOfChannel(found.channel) === type
        ? { ok: true }
        : { ok: false, problem: 'No hub, este canal é de outro tipo. Escolha-o de novo ao editar o canal.' }
    },
    (error: unknown) => ({ ok: false, problem: problem(error) }),
  )
}

/** Adapter of a channel's account at NotificaMe Hub. */
export const hubAdapter: MakeChannelAdapter = (values, tools) => {
  const settings = tools.settings
  const hub = openHub(tools, settings)
  const { gateway, channels, requireChannel, problem } = hub
  const channelId = String(values['channelId'] ?? '')
  const type = String(values['channel'] ?? '')
  const channel = channelOfType(type)
  const door = tools.door?.url ?? null
  const isSet = Boolean(settings.url && settings.key)
  const { register, ensure } = openWebhook(hub, channelId)
  const check = () => requireChannel(channelId)

  return {
    ...providerLife({
      whyNot: () => (isSet ? (door ? null : NO_ADDRESS) : NOT_SET),
      ...{ check, ensureWebhook: () => ensure(door), look: check, isKeyRefused: isTokenRefused },
    }),
    faults: hubFaults(gateway),
    async setWebhook() {
      if (!door) throw sendFailure('refused', NO_ADDRESS)
      await register(door).catch((error: unknown) => {
        throw sendFailure('refused', problem(error))
      })
    },
    async send(message) {
      const json = { from: channelId, to: message.conversationKey, contents: contentsOf(message, channel, tools) }
      return { providerId: await post(hub, `/channels/${encodeURIComponent(channel)}/messages`, json) }
    },
    async ask(question) {
      if (question !== 'templates') throw sendFailure('refused', 'ERR_CHANNEL_CANNOT')
      return type === WHATSAPP ? templatesOf(hub, channelId) : []
    },
    download: (pointer) => download(hub, tools, { channelId, type }, mediaPointer.parse(pointer)),
    receive: ({ body }) => readCall(body, { channelId, type, now: tools.now() }),
    async accounts() {
      const listed = await channels().catch((error: unknown) => {
        throw sendFailure('refused', isSet ? problem(error) : NOT_SET)
      })
      return listed.map(({ id, name, channel: of }) => ({
        ...{ account: id, name, label: name, type: typeOfChannel(of) },
        values: { channelId: id, channel: typeOfChannel(of) },
      }))
    },
    async test() {
      if (!isSet) return { ok: false, problem: NOT_SET }
      if (!door) return { ok: false, problem: NO_ADDRESS }
      return tested(hub, channelId, type)
    },
    async testSettings() {
      if (!isSet) return { ok: false, problem: 'Preencha endereço e token.' }
      return channels().then(
        () => ({ ok: true }),
        (error: unknown) => ({ ok: false, problem: problem(error) }),
      )
    },
  }
}
