import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { metaDirect } from './direct.ts'
import { checkInteractive, type Interactive } from './interactive.ts'
import { metaNumber } from './numbers.ts'
import { Refused } from './refused.ts'
import { metaLogin } from './signup.ts'
import { metaTemplates } from './templates.ts'

const KB = 1024
const HOUR_MS = 3_600_000

/** Limits of Meta by kind of file: bytes and MIME types (media page of the Cloud API). */
const MEDIA = {
  image: { most: 5 * KB * KB, mimes: /^image\/(jpeg|png)$/ },
  video: { most: 16 * KB * KB, mimes: /^video\/(mp4|3gpp)$/ },
  audio: { most: 16 * KB * KB, mimes: /^audio\/(aac|amr|mpeg|mp4|ogg; codecs=opus)$/ },
  document: { most: 100 * KB * KB, mimes: /./ },
  sticker: { most: 500 * KB, mimes: /^image\/webp$/ },
} as const
type Kind = keyof typeof MEDIA

type Message = {
  to?: string
  recipient?: string
  type: string
  text?: { body: string }
  interactive?: Interactive
  reaction?: { message_id: string; emoji: string }
  context?: { message_id: string }
  template?: Parameters<ReturnType<typeof metaTemplates>['requireSendable']>[0]
} & { [K in Kind]?: { id: string; caption?: string; filename?: string } } & Record<string, unknown>

/** A message that Meta took. */
export type Taken = Message & { readonly wamid: string }

/** App at Meta with one number. */
export type MetaApp = {
  appId: string
  appSecret: string
  wabaId: string
  phoneId: string
  token: string
  display: string
}

/**
 * Starts Meta's Graph API and its webhooks: it accepts and refuses as Meta does, and calls the app back with signed bodies.
 */
export async function startMeta(clock: () => number = Date.now) {
  const unique = () => String(BigInt(`0x${randomBytes(7).toString('hex')}`))
  const app: MetaApp = {
    ...{ appId: unique(), appSecret: randomBytes(16).toString('hex'), wabaId: unique(), phoneId: unique() },
    ...{ token: `EAA${randomBytes(12).toString('hex')}`, display: '+55 11 3000-4000' },
  }
  const state = {
    scopes: [
      ...['whatsapp_business_management', 'whatsapp_business_messaging'],
      ...['pages_messaging', 'pages_manage_metadata', 'instagram_basic', 'instagram_manage_messages'],
    ],
    isTokenValid: true,
    /** The app that made the token is another one. */
    isTokenOfOtherApp: false,
    isSubscribed: false,
    /** Webhook address of the app; empty: none. */
    callback: '',
    /** Refusals of the next sends, in order; null: as ever. */
    refusals: [] as ({ code: number; status?: number; retryAfter?: number } | null)[],
    /** Number of the next sends that are done but whose responses are lost. */
    lostAnswers: 0,
    /** Text of sends whose responses are lost. */
    lostBody: '',
    /** Status of a message that is sent before the response, with our id if `tellsOurId`; '': none. */
    tellsFirst: '',
    tellsOurId: true,
    /** Number of the next uploads that are refused. */
    refusedUploads: 0,
    /** Number of the next file links that are broken. */
    goneLinks: 0,
    /** Numbers that may be written to, for tests of numbers that are not on the list; empty: all. */
    allowed: new Set<string>(),
  }
  const media = new Map<string, { bytes: Uint8Array; mime: string; kind?: Kind }>()
  const lastInbound = new Map<string, number>()
  const templates = metaTemplates(unique)
  const number = metaNumber({
    display: app.display,
    isHandle: (handle) => templates.handles.has(handle),
    pictureOf: (handle) => `${address}/pictures/${encodeURIComponent(handle)}`,
  })
  const login = metaLogin(app)
  const direct = metaDirect({ unique, clock, tell: (object, entry) => tell({ object, entry: [entry] }) })
  const taken: Taken[] = []
  /** Free-form messages sent outside of their recipient's window. */
  const outside: Message[] = []
  let address = ''

  function store(bytes: Uint8Array, mime: string): string {
    const id = unique()
    media.set(id, { bytes, mime })
    return id
  }

  function check(message: Message): void {
    const to = message.to ?? message.recipient
    if (!to || (message.to !== undefined && !/^\d{8,15}$/.test(message.to))) throw new Refused(131009)
    if (message.to && state.allowed.size > 0 && !state.allowed.has(message.to)) throw new Refused(131030)
    if (message.to === app.display.replace(/\D/g, '')) throw new Refused(131021)
    const last = lastInbound.get(to)
    if (message.type !== 'template' && (last === undefined || clock() - last >= 24 * HOUR_MS)) {
      outside.push(message)
      throw new Refused(131047)
    }
    if (message[message.type] === undefined) throw new Refused(131008)
    if ((message.text?.body.length ?? 1) < 1 || (message.text?.body.length ?? 0) > 4096) throw new Refused(131009)
    if (message.template) templates.requireSendable(message.template, (id) => media.has(id))
    checkFile(message)
    if (message.interactive) checkInteractive(message.interactive)
    if (message.reaction && !message.reaction.message_id.startsWith('wamid.')) throw new Refused(131009)
  }

  function checkFile(message: Message): void {
    if (!(message.type in MEDIA)) return
    const kind = message.type as Kind
    const { id, caption = '' } = message[kind]!
    const file = media.get(id)
    if (!file) throw new Refused(100)
    if (caption.length > 1024 || (caption && (kind === 'audio' || kind === 'sticker'))) throw new Refused(100)
    if (file.bytes.length > MEDIA[kind].most || !MEDIA[kind].mimes.test(file.mime)) throw new Refused(131053)
  }

  function send(message: Message): object {
    const refusal = state.refusals.shift()
    if (refusal) throw new Refused(refusal.code, refusal.status, undefined, refusal.retryAfter)
    check(message)
    const wamid = `wamid.${randomUUID()}`
    taken.push({ ...message, wamid })
    const to = message.to ?? message.recipient!
    return {
      messaging_product: 'whatsapp',
      contacts: [{ input: to, ...(message.to ? { wa_id: to } : { user_id: to }) }],
      messages: [{ id: wamid, message_status: 'accepted' }],
    }
  }

  async function upload(request: IncomingMessage, body: Buffer): Promise<object> {
    const headers = { 'content-type': String(request.headers['content-type']) }
    const form = await new Response(new Uint8Array(body), { headers }).formData()
    const file = form.get('file')
    if (form.get('messaging_product') !== 'whatsapp' || !(file instanceof Blob)) throw new Refused(100)
    const mime = String(form.get('type'))
    if (state.refusedUploads > 0) {
      state.refusedUploads--
      throw new Refused(131053)
    }
    if (mime === 'audio/ogg') throw new Refused(131053)
    return { id: store(new Uint8Array(await file.arrayBuffer()), mime) }
  }

  async function answerOf(request: IncomingMessage, body: Buffer): Promise<object> {
    const url = new URL(request.url!, address)
    const [version = '', node = '', edge = ''] = url.pathname.slice(1).split('/')
    const bearer = String(request.headers.authorization).replace('Bearer ', '')
    if (!/^v\d+\.\d+$/.test(version)) throw new Refused(2500)
    if (`${node}/${edge}` === 'oauth/access_token') return login.exchange(url.searchParams)
    if (node === 'debug_token') {
      if (bearer !== `${app.appId}|${app.appSecret}`) throw new Refused(190, 401)
      if (state.isTokenOfOtherApp) throw new Refused(100)
      const token = url.searchParams.get('input_token') ?? ''
      const isValid = state.isTokenValid && [app.token, direct.accounts.page.token].includes(token)
      const scopes = isValid ? { scopes: state.scopes, granular_scopes: login.scopes() } : { scopes: [] }
      return { data: { app_id: app.appId, is_valid: isValid, ...scopes } }
    }
    const [, session] = /^\/v[\d.]+\/(upload:.+)$/.exec(request.url!) ?? []
    if (session && request.headers.authorization === `OAuth ${app.token}`)
      return templates.fill(session, request.headers['file_offset'] as string | undefined, body)
    if (node === app.appId && bearer === `${app.appId}|${app.appSecret}`) return { id: app.appId }
    const type = String(request.headers['content-type'])
    const call = { method: request.method!, node, edge, query: url.searchParams, bearer, body, type }
    const other = state.isTokenValid ? await direct.answer(call, address) : undefined
    if (other) return other
    if (bearer !== app.token || !state.isTokenValid) throw new Refused(190, 401)
    const what = `${request.method} ${node === app.phoneId ? 'phone' : node === app.wabaId ? 'waba' : 'other'} ${edge}`
    const isJson = type.startsWith('application/json')
    const ofNumber = await number.answer(what, url.searchParams, isJson ? JSON.parse(body.toString() || '{}') : {})
    if (ofNumber) return ofNumber
    switch (what) {
      case 'GET waba message_templates':
        return templates.list(url.searchParams)
      case 'POST waba message_templates':
        return templates.create(JSON.parse(body.toString()))
      case 'DELETE waba message_templates':
        return templates.remove(url.searchParams)
      case 'POST other uploads':
        if (node !== app.appId) throw new Refused(100)
        return templates.begin(url.searchParams)
      case 'POST other ':
        return templates.edit(node, JSON.parse(body.toString()))
      case 'GET waba phone_numbers':
        return { data: [{ id: app.phoneId, display_phone_number: app.display, verified_name: 'Empório' }] }
      case 'POST waba subscribed_apps':
        await number.subscribe(JSON.parse(body.toString() || '{}'))
        state.isSubscribed = true
        return { success: true }
      case 'POST phone media':
        return upload(request, body)
      case 'POST phone messages':
        return send(JSON.parse(body.toString()) as Message)
      case 'GET other ': {
        const file = media.get(node)
        if (!file) throw new Refused(100)
        return { id: node, url: `${address}/files/${node}`, mime_type: file.mime, file_size: file.bytes.length }
      }
      default:
        throw new Refused(100)
    }
  }

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request)
    if (/^\/v[\d.]+\/dialog\/oauth\?/.test(request.url!)) {
      const to = login.open(new URL(request.url!, address).searchParams)
      return void (to ? response.writeHead(302, { location: to }) : response.writeHead(400)).end()
    }
    const [, picture] = /^\/pictures\/(.+)$/.exec(request.url!) ?? []
    if (picture !== undefined) return void response.end(templates.handles.get(decodeURIComponent(picture)))
    const [, link] = /^\/links\/(.+)$/.exec(request.url!) ?? []
    if (link !== undefined) {
      const found = request.headers.authorization === undefined ? direct.links.get(link) : undefined
      const status = direct.state.areLinksDown ? 503 : found ? 200 : 404
      return void response.writeHead(status).end(status === 200 ? found?.bytes : '')
    }
    const [, file] = /^\/files\/(\d+)$/.exec(request.url!) ?? []
    if (file !== undefined) {
      const isTheirs = request.headers.authorization === `Bearer ${app.token}` && state.isTokenValid
      if (state.goneLinks > 0) {
        state.goneLinks--
        return void response.writeHead(404).end()
      }
      return void response.writeHead(isTheirs ? 200 : 401).end(isTheirs ? media.get(file)?.bytes : '')
    }
    const reply = (status: number, answer: object, headers: Record<string, string> = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(answer))
    try {
      const answer = await answerOf(request, body)
      const [{ id = '' } = {}] = (answer as { messages?: { id: string }[] }).messages ?? []
      const biz_opaque_callback_data = taken.find(({ wamid }) => wamid === id)?.['biz_opaque_callback_data']
      if (id && state.tellsFirst)
        await confirm(state.tellsFirst, id, state.tellsOurId ? { biz_opaque_callback_data } : {})
      const isLost = state.lostBody !== '' && body.includes(state.lostBody)
      if (request.url!.endsWith('/messages') && (state.lostAnswers > 0 || isLost)) {
        if (!isLost) state.lostAnswers--
        return void response.destroy()
      }
      reply(200, answer)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      const { code, status, subcode, retryAfter } = error
      const headers = retryAfter === undefined ? undefined : { 'retry-after': String(retryAfter) }
      const more = subcode === undefined ? {} : { error_subcode: subcode }
      reply(
        status,
        { error: { message: `(#${code}) Title`, type: 'OAuthException', code, ...more, fbtrace_id: 'A' } },
        headers,
      )
    }
  }

  const server = createServer((request, response) => {
    take(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  /** Serializes a body as Meta does, with non-ASCII characters as `\uXXXX`. */
  const written = (value: object): string =>
    JSON.stringify(value).replace(/[\u0080-\uffff]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
  const signatureOf = (body: string, secret = app.appSecret): string =>
    `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
  const post = (body: string, signature = signatureOf(body)) =>
    fetch(state.callback, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-hub-signature-256': signature },
      body,
    })
  /** The last bodies that it posted, so that they can be posted again. */
  const posted: string[] = []
  async function tell(value: object): Promise<void> {
    const body = written(value)
    posted.push(body)
    if (posted.length > 200) posted.shift()
    const reply = await post(body)
    if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`)
  }
  const entryOf = (value: object, field = 'messages') => {
    const metadata = { display_phone_number: app.display.replace(/\D/g, ''), phone_number_id: app.phoneId }
    const change = { field, value: { messaging_product: 'whatsapp', metadata, ...value } }
    return { object: 'whatsapp_business_account', entry: [{ id: app.wabaId, changes: [change] }] }
  }
  async function push(value: object, field?: string): Promise<void> {
    await tell(entryOf(value, field))
  }
  const seconds = () => String(Math.floor(clock() / 1000))
  async function confirm(status: string, wamid: string, more: object = {}): Promise<void> {
    const { to, recipient } = taken.find((one) => one.wamid === wamid) ?? {}
    const whom = to ? { recipient_id: to } : { recipient_user_id: recipient }
    await push({ statuses: [{ id: wamid, status, timestamp: seconds(), ...whom, ...more }] })
  }

  return {
    ...{ templates, number, login, direct },
    ...{
      app,
      state,
      address,
      taken,
      outside,
      media,
      lastInbound,
      store,
      push,
      post,
      written,
      signatureOf,
      entryOf,
      posted,
    },
    /** Writes a message of a contact to the number; returns the message's id. */
    async write(
      from: { number?: string; userId?: string; name: string },
      message: object,
      id = `wamid.${randomUUID()}`,
    ) {
      const { number, userId, name } = from
      lastInbound.set(number ?? userId!, Math.floor(clock() / 1000) * 1000)
      const who = { ...(number ? { from: number } : {}), ...(userId ? { from_user_id: userId } : {}) }
      const known = { profile: { name }, ...(number ? { wa_id: number } : {}), ...(userId ? { user_id: userId } : {}) }
      await push({ contacts: [known], messages: [{ ...who, id, timestamp: seconds(), ...message }] })
      return id
    },
    /** Sends the status of a message of the company. */
    confirm,
    /** Sends a webhook event of the account, at a time in seconds. */
    async tellAccount(field: string, value: object, time = Number(seconds())) {
      const entry = [{ id: app.wabaId, time, changes: [{ field, value }] }]
      const reply = await post(written({ object: 'whatsapp_business_account', entry }))
      if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`)
    },
    /** Sends a webhook event of a template, at a time in seconds. */
    async tellTemplate(field: string, value: object, time = Number(seconds())) {
      const entry = [{ id: app.wabaId, time, changes: [{ field, value }] }]
      // Meta writes ids of templates as numbers, however long they are.
      const body = written({ object: 'whatsapp_business_account', entry })
      const reply = await post(body.replace(/(?<="message_template_id":)"(\d+)"/, '$1'))
      if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`)
    },
    /** Asks the callback for the challenge, as Meta does before it believes in an address. */
    shake: (token: string) =>
      fetch(
        `${state.callback}?hub.mode=subscribe&hub.verify_token=${encodeURIComponent(token)}&hub.challenge=1158201444`,
      ),
    close: () => new Promise<void>((done) => void server.close(() => done())),
  }
}
