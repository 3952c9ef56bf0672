import { randomBytes, randomUUID } from 'node:crypto'
import { Refused } from './refused.ts'

const DAY_MS = 86_400_000
const MB = 1024 * 1024
/** Limits of Instagram by kind of file: bytes and MIME types. */
const INSTAGRAM = {
  image: { most: 8 * MB, mimes: /^image\/(jpeg|png)$/ },
  video: { most: 25 * MB, mimes: /^video\/(mp4|ogg|webm|quicktime)$/ },
  audio: { most: 25 * MB, mimes: /^audio\/(aac|mp4|x-m4a|x-wav|wav)$/ },
  file: { most: 0, mimes: /^$/ },
} as const
type Kind = keyof typeof INSTAGRAM

/** Webhook fields that an app may subscribe to, by kind of node. */
const FIELDS = {
  page: 'feed messages message_echoes message_edits messaging_postbacks messaging_referrals message_reactions message_reads message_deliveries messaging_optins standby',
  instagram:
    'messages message_edit messaging_postbacks messaging_referral message_reactions messaging_seen messaging_optins comments standby',
}

type Sent = {
  recipient: { id?: string; comment_id?: string }
  messaging_type?: string
  tag?: string
  sender_action?: string
  payload?: { message_id: string; reaction?: string }
  message?: {
    text?: string
    metadata?: string
    quick_replies?: { title: string; payload: string }[]
    attachment?: { type: Kind; payload: { attachment_id: string } }
  }
}
/** A message that Meta took, with the file that it has. */
export type DirectTaken = Sent & { readonly mid: string; readonly to: string }

type Call = {
  method: string
  node: string
  edge: string
  query: URLSearchParams
  bearer: string
  body: Buffer
  type: string
}
type Tell = (object: string, entry: object) => Promise<void>
/** Kind of account whose token made a call. */
type Caller = 'page' | 'instagram'

/**
 * Creates a page with its Messenger, an Instagram account with a separate login, and one reached through the page
 * (`linked`), all of one app, with their limits and errors.
 */
export function metaDirect({ unique, clock, tell }: { unique: () => string; clock: () => number; tell: Tell }) {
  const tokenOf = () => `IG${randomBytes(12).toString('hex')}`
  const accounts = {
    page: { id: unique(), token: tokenOf(), businessId: unique() },
    instagram: { id: unique(), token: tokenOf() },
    linked: { id: unique() },
  }
  /** A token that was renewed is good until its own end. */
  const earlier = new Set<string>()
  const state = {
    refusals: [] as { code: number; subcode?: number; status?: number }[],
    isSubscribed: { page: false, instagram: false },
    /** Instagram account linked to the page; null: none. */
    linkedTo: accounts.linked.id as string | null,
    /** Whether the echo of a sent message comes before the response. */
    echoesFirst: false,
    renewed: 0,
    /** The token of the last call. */
    bearer: '',
    /** Whether downloads of files fail. */
    areLinksDown: false,
    isRenewalRefused: false,
  }
  const people = new Map<string, { name: string; picture: string; last: number; service: Service; isGone?: boolean }>()
  const comments = new Map<string, { from: string; at: number; isAnswered: boolean }>()
  const files = new Map<string, { kind: Kind; bytes: Uint8Array; mime: string; name: string }>()
  const links = new Map<string, { bytes: Uint8Array; mime: string }>()
  const taken: DirectTaken[] = []
  const reactions = new Map<string, string | null>()
  /** Messages sent outside of their recipient's window. */
  const outside: Sent[] = []
  type Service = keyof typeof accounts
  const objectOf = (service: Service) => (service === 'page' ? 'page' : 'instagram')

  function requireOpen(service: Service, sent: Sent): string {
    const { id, comment_id } = sent.recipient
    if (comment_id) {
      const comment = comments.get(comment_id)
      const isLate = !comment || clock() - comment.at >= 7 * DAY_MS
      if (service === 'page' || isLate || comment.isAnswered || !sent.message?.text) throw new Refused(10, 400, 2534022)
      comment.isAnswered = true
      return comment.from
    }
    const person = people.get(id ?? '')
    if (!person) throw new Refused(100, 400, 2018001)
    if (person.isGone) throw new Refused(551, 400, 1545041)
    const isHuman = sent.messaging_type === 'MESSAGE_TAG' && sent.tag === 'HUMAN_AGENT'
    if (clock() - person.last < (isHuman ? 7 : 1) * DAY_MS) return id!
    outside.push(sent)
    throw new Refused(10, 400, service === 'page' ? 2018278 : 2534022)
  }

  function check(service: Service, { message, messaging_type }: Sent): void {
    if (service === 'page' && messaging_type === undefined) throw new Refused(100)
    const { text, quick_replies: replies = [], attachment } = message!
    if ((text === undefined) === (attachment === undefined)) throw new Refused(100)
    if (service === 'page' ? (text?.length ?? 0) > 2000 : Buffer.byteLength(text ?? '') > 1000) throw new Refused(100)
    const isFine = replies.length <= 13 && replies.every(({ title }) => title.length > 0 && title.length <= 20)
    if (!isFine || new Set(replies.map(({ title }) => title)).size < replies.length) throw new Refused(100)
    const file = attachment && files.get(attachment.payload.attachment_id)
    if (attachment && file?.kind !== attachment.type) throw new Refused(100)
  }

  async function send(service: Service, sent: Sent): Promise<object> {
    const refusal = state.refusals.shift()
    if (refusal) throw new Refused(refusal.code, refusal.status, refusal.subcode)
    if (sent.sender_action) {
      const { message_id, reaction = null } = sent.payload!
      reactions.set(message_id, sent.sender_action === 'react' ? reaction : null)
      return { recipient_id: sent.recipient.id }
    }
    check(service, sent)
    const to = requireOpen(service, sent)
    const mid = `m_${randomUUID()}`
    taken.push({ ...sent, mid, to })
    if (state.echoesFirst)
      await echo(service, to, { mid, ...sent.message, ...(service === 'page' ? {} : { metadata: undefined }) })
    return { recipient_id: to, message_id: mid }
  }

  async function upload(by: Caller, { body, type }: Call): Promise<object> {
    const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()
    const { attachment } = JSON.parse(String(form.get('message'))) as { attachment: { type: Kind } }
    const file = form.get('filedata')
    const isInstagram = form.get('platform') === 'instagram'
    if (!(file instanceof File) || (by === 'instagram' && !isInstagram)) throw new Refused(100)
    const limit = isInstagram ? INSTAGRAM[attachment.type] : { most: 25 * MB, mimes: /./ }
    if (file.size > limit.most || !limit.mimes.test(file.type)) throw new Refused(100, 400, 2018047)
    const id = unique()
    files.set(id, {
      kind: attachment.type,
      bytes: new Uint8Array(await file.arrayBuffer()),
      mime: file.type,
      name: file.name,
    })
    return { attachment_id: id }
  }

  const callerOf = (bearer: string): Caller | undefined =>
    earlier.has(bearer) ? 'instagram' : (['page', 'instagram'] as const).find((one) => accounts[one].token === bearer)

  /** Handles a call with a token of the page or of the account; returns undefined for any other. */
  async function answer(call: Call, address: string): Promise<object | undefined> {
    const by = callerOf(call.bearer)
    if (!by) return undefined
    state.bearer = call.bearer
    const { method, node, edge, query } = call
    const { id } = accounts[by]
    const parsed = () => JSON.parse(call.body.toString()) as Sent
    const what = `${method} ${node === id ? 'own' : node === 'me' ? 'me' : 'other'} ${edge}`
    if (node === 'refresh_access_token') {
      if (by !== 'instagram' || query.get('grant_type') !== 'ig_refresh_token') throw new Refused(100)
      if (state.isRenewalRefused) throw new Refused(190, 400)
      state.renewed++
      earlier.add(accounts.instagram.token)
      accounts.instagram.token = tokenOf()
      return { access_token: accounts.instagram.token, token_type: 'bearer', expires_in: 60 * 86_400 }
    }
    switch (what) {
      case 'GET me ':
        return { user_id: id, username: 'emporio' }
      case 'GET own ':
        return {
          id,
          ...(by === 'page' ? { business: { id: accounts.page.businessId } } : {}),
          ...(by === 'page' && state.linkedTo ? { instagram_business_account: { id: state.linkedTo } } : {}),
        }
      case 'POST own subscribed_apps': {
        const fields = query.get('subscribed_fields')?.split(',') ?? []
        const known = FIELDS[by].split(' ')
        if (!fields.includes('messages') || fields.some((one) => !known.includes(one))) throw new Refused(100)
        state.isSubscribed[by] = true
        return { success: true }
      }
      case 'POST own messages': {
        // A page sends to people who wrote to it, and to those who wrote to its linked account.
        const sent = parsed()
        const isLinked = by === 'page' && people.get(sent.recipient.id ?? '')?.service === 'linked'
        return send(isLinked ? 'linked' : by, sent)
      }
      case 'POST own message_attachments':
        return upload(by, call)
      case 'GET other ': {
        const person = people.get(node)
        if (!person) throw new Refused(100)
        const [first_name, ...others] = person.name.split(' ')
        const names =
          person.service === 'page'
            ? { first_name, last_name: others.join(' ') }
            : { name: person.name, username: first_name }
        return { id: node, ...names, profile_pic: person.picture && `${address}/links/${person.picture}` }
      }
      default:
        throw new Refused(100)
    }
  }

  const push = (service: Service, happened: object, field: 'messaging' | 'standby' = 'messaging') =>
    tell(objectOf(service), { id: accounts[service].id, time: clock(), [field]: [happened] })
  const between = (from: string, to: string) => ({
    sender: { id: from },
    recipient: { id: to },
    timestamp: clock(),
  })
  const inbound = (service: Service, from: string) => between(from, accounts[service].id)

  function echo(service: Service, to: string, { mid, text, attachment, metadata }: Record<string, unknown>) {
    const given = attachment as { type: Kind; payload: { attachment_id: string } } | undefined
    const attachments = given && [{ type: given.type, payload: { url: 'https://cdn.example/x' } }]
    const message = { mid, is_echo: true, ...(text ? { text } : {}), ...(attachments ? { attachments } : {}), metadata }
    return push(service, { ...between(accounts[service].id, to), message })
  }

  return {
    ...{ accounts, state, people, comments, files, links, taken, reactions, outside, answer, push, inbound, echo },
    /** Stores a file for Meta's links; returns its path. */
    link(bytes: Uint8Array, mime: string, name = 'foto.jpg'): string {
      const path = `${unique()}/${name}`
      links.set(path, { bytes, mime })
      return path
    },
    /** Writes a person's message to the page or the account; returns the message's id. */
    async write(
      service: Service,
      from: { id: string; name: string; picture?: string },
      message: object,
      mid = `m_${randomUUID()}`,
    ) {
      const { id, name, picture = people.get(id)?.picture ?? '' } = from
      people.set(id, { name, picture, last: clock(), service })
      await push(service, { ...inbound(service, id), message: { mid, ...message } })
      return mid
    },
    /** Writes a public comment below a post of the account. */
    async comment(from: { id: string; username: string }, text: string) {
      const id = unique()
      comments.set(id, { from: from.id, at: clock(), isAnswered: false })
      const value = { id, text, from, media: { id: unique() } }
      const { instagram } = accounts
      await tell('instagram', {
        id: instagram.id,
        time: Math.floor(clock() / 1000),
        changes: [{ field: 'comments', value }],
      })
      return id
    },
  }
}
