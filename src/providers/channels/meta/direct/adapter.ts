import { buffer } from 'node:stream/consumers'
import { z } from 'zod'
import { textFieldIn } from '#domain/keys.ts'
import { present } from '#domain/present.ts'
import { numberOrText, record, textOrNumber as text } from '#kit/outside-fields.ts'
import { textValues } from '#kit/provider.ts'
import { type ChannelTools, isSendFailure, type MakeChannelAdapter, type Outbound, sendFailure } from '../../port.ts'
import { type AppSettings, type Problem, problemOf, whyNotApp, whyNotToken } from '../app.ts'
import { metaFaults } from '../faults.ts'
import { failureOf, fileUnavailable, type Graph, GraphRefusal, openGraph, openLink } from '../graph.ts'
import { answers } from '../schemas.ts'
import { withUpload } from '../uploads.ts'
import { attachmentType, sendingOf, textOf } from './outbound.ts'

const MOST_BYTES = 1000
const PICTURE_BYTES = 5 * 1024 * 1024
const SCOPES = {
  page: ['pages_messaging', 'pages_manage_metadata'],
  instagram: ['instagram_basic', 'instagram_manage_messages', 'pages_manage_metadata'],
}
/** Webhook fields to subscribe to; a page has other names than an Instagram account, also if it represents one. */
const FIELDS = {
  META_GRAPH_URL:
    'messages,message_echoes,message_edits,messaging_postbacks,messaging_referrals,message_reactions,message_reads,message_deliveries,standby',
  META_INSTAGRAM_URL:
    'messages,message_edit,messaging_postbacks,messaging_referral,message_reactions,messaging_seen,comments,standby',
}

/**
 * Creates the adapter of an Instagram account's direct messages, directly (Instagram Login) or through its linked page
 * (Facebook Login).
 */
export const instagramAdapter: MakeChannelAdapter = (values, tools) => {
  const pageId = String(values['wabaId'] ?? '')
  return adapterOf(values, tools, {
    isInstagram: true,
    ...(pageId
      ? { nodeId: pageId, host: 'META_GRAPH_URL' }
      : { nodeId: String(values['tokenAPI']), host: 'META_INSTAGRAM_URL' }),
  })
}

/** Adapter of messages to a Facebook page. */
export const messengerAdapter: MakeChannelAdapter = (values, tools) =>
  adapterOf(values, tools, { isInstagram: false, nodeId: String(values['tokenAPI']), host: 'META_GRAPH_URL' })

type Of = {
  readonly isInstagram: boolean
  /** Id of the page or account in whose name calls are made. */
  readonly nodeId: string
  readonly host: 'META_GRAPH_URL' | 'META_INSTAGRAM_URL'
}

function adapterOf(
  values: Parameters<MakeChannelAdapter>[0],
  tools: ChannelTools,
  of: Of,
): ReturnType<MakeChannelAdapter> {
  const settings = textValues(tools.settings)
  const text = (name: string) => String(values[name] ?? '')
  const token = text('bmToken')
  const graph = openGraph(tools, text('wabaVersion') || settings['version'] || 'v24.0', token, of.host)
  const post = (json: object) => graph.ask(answers.sent, [of.nodeId, 'messages'], { method: 'POST', json })
  const sending = <T>(work: Promise<T>, isBefore: boolean): Promise<T> =>
    work.catch((error: unknown) => {
      throw isSendFailure(error) ? error : failureOf(error, isBefore)
    })
  return {
    faults: metaFaults,
    async send(message) {
      if (of.isInstagram && Buffer.byteLength(textOf(message)) > MOST_BYTES)
        throw sendFailure('refused', 'O texto passa de 1.000 bytes, o limite do Instagram. Divida-o em duas mensagens.')
      const send = (attachmentId: string | null) => {
        const payload = sendingOf(message, attachmentId, of.isInstagram)
        if (!payload) throw sendFailure('refused', 'Este canal não leva este tipo de mensagem.')
        return post(payload)
      }
      const uploading = () => sending(upload(graph, tools, of, message), true)
      const { message_id: providerId } = await sending(withUpload(tools, message, uploading, send), false)
      if (providerId === undefined) throw sendFailure('unknown', 'A Meta não disse se a mensagem saiu.')
      return { providerId }
    },
    async act(action) {
      if (action.type !== 'react') return
      const reaction = { message_id: action.providerId, ...(action.emoji ? { reaction: action.emoji } : {}) }
      const sender_action = action.emoji ? 'react' : 'unreact'
      await sending(post({ recipient: { id: action.conversationKey }, sender_action, payload: reaction }), false)
    },
    async download(pointer) {
      return openLink(tools.stream, textFieldIn(pointer, 'link')).catch((error: unknown) => {
        // The story or the link has expired, and there is no other one.
        const isGone = error instanceof GraphRefusal && [403, 404, 410].includes(error.status)
        throw isGone ? sendFailure('refused', 'Mídia expirada.') : fileUnavailable()
      })
    },
    async ask(question, about) {
      if (question !== 'picture' && question !== 'name') throw sendFailure('refused', 'ERR_CHANNEL_CANNOT')
      const profile = await sending(profileOf(graph, of, textFieldIn(about, 'identity')), true)
      if (question === 'name') return profile?.name ?? null
      return profile?.picture ? await pictureAt(tools, profile.picture) : null
    },
    async renew() {
      if (of.host !== 'META_INSTAGRAM_URL') return null
      const query = { grant_type: 'ig_refresh_token' }
      const { access_token, expires_in } = await sending(graph.ask(renewed, ['refresh_access_token'], { query }), true)
      return { field: 'bmToken', secret: access_token, until: tools.now().getTime() + expires_in * 1000 }
    },
    test: () => testAccount(graph, settings, { ...of, token, account: text('tokenAPI'), business: text('wabaId') }),
  }
}

async function upload(graph: Graph, { readFile }: ChannelTools, of: Of, { type, file }: Outbound): Promise<string> {
  const { path, name, mime } = present(file)
  const form = new FormData()
  const attachment = { type: attachmentType(type), payload: { is_reusable: true } }
  form.append('message', JSON.stringify({ attachment }))
  if (of.isInstagram) form.append('platform', 'instagram')
  form.append('filedata', new Blob([await buffer(readFile(path))], { type: mime }), name)
  const { attachment_id } = await graph.ask(uploaded, [of.nodeId, 'message_attachments'], { method: 'POST', form })
  return attachment_id
}

const renewed = z.looseObject({ access_token: text, expires_in: numberOrText })
const uploaded = z.looseObject({ attachment_id: text })
const profile = record({ name: text, first_name: text, last_name: text, username: text, profile_pic: text })

type Profile = { name: string | null; picture: string | null }

/** Returns the profile of a contact; null if they do not share it with the company. */
async function profileOf(graph: Graph, { isInstagram }: Of, identity: string): Promise<Profile | null> {
  const fields = isInstagram ? 'name,username,profile_pic' : 'first_name,last_name,profile_pic'
  const found = await graph.ask(profile, [identity], { query: { fields } }).catch((error: unknown) => {
    if (error instanceof GraphRefusal && [10, 100, 200, 230].includes(error.code ?? 0)) return null
    throw error
  })
  if (!found) return null
  const full = [found.first_name, found.last_name].filter(Boolean).join(' ')
  return { name: found.name || full || found.username || null, picture: found.profile_pic ?? null }
}

async function pictureAt({ fetch }: ChannelTools, link: string): Promise<Uint8Array | null> {
  const { status, body } = await fetch(link, { maxBytes: PICTURE_BYTES })
  return status === 200 ? body : null
}

type Tested = Of & { readonly token: string; readonly account: string; readonly business: string }

/** Checks everything at Meta that sending and receiving require, in order, and subscribes the app. */
async function testAccount(graph: Graph, settings: AppSettings, of: Tested): Promise<{ ok: true } | Problem> {
  const kind = of.isInstagram ? 'instagram' : 'page'
  const problem =
    of.host === 'META_INSTAGRAM_URL' ? whyNotApp(settings) : await whyNotToken(graph, settings, of.token, SCOPES[kind])
  if (problem) return problem
  const wrong = await whyNotAccount(graph, of)
  if (wrong) return wrong
  const query = { subscribed_fields: FIELDS[of.host] }
  return graph.call([of.nodeId, 'subscribed_apps'], { method: 'POST', query }).then(
    () => ({ ok: true }),
    (error: unknown) =>
      problemOf(error, 'O aplicativo não pôde ser inscrito na conta: sem isso as mensagens não chegam.'),
  )
}

const node = record({ user_id: text, instagram_business_account: record({ id: text }), business: record({ id: text }) })

async function whyNotAccount(
  graph: Graph,
  { isInstagram, host, nodeId, account, business }: Tested,
): Promise<Problem | null> {
  const isAlone = host === 'META_INSTAGRAM_URL'
  const fields = isAlone
    ? 'user_id,username'
    : isInstagram
      ? 'id,instagram_business_account'
      : business
        ? 'id,business'
        : 'id'
  const what = isAlone ? 'esta conta do Instagram' : 'esta página'
  const answer = await graph
    .ask(node, [isAlone ? 'me' : nodeId], { query: { fields } })
    .then((found) => ({ found }))
    .catch((error: unknown) => problemOf(error, `O token não alcança ${what}. Confira a identificação dela.`))
  if (!('found' in answer)) return answer
  const { found } = answer
  if (isInstagram) {
    const own = isAlone ? found.user_id : found.instagram_business_account?.id
    return own === account
      ? null
      : {
          ok: false,
          problem: isAlone
            ? 'O token é de outra conta do Instagram.'
            : 'A página não está ligada a esta conta do Instagram.',
        }
  }
  return !business || found.business?.id === business
    ? null
    : { ok: false, problem: 'A página não é deste portfólio empresarial.' }
}
