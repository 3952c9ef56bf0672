import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { deliveryOf, type Refused } from './delivery.ts'
import { type FormFile, readForm } from './form.ts'

/** Current state of the bot's message in a chat. */
export type BotMessage = {
  readonly id: number
  readonly chatId: number
  readonly method: string
  body: string | null
  entities: readonly { type: string; offset: number; length: number }[]
  reaction: string | null
  readonly quotes: number | null
  readonly data: Readonly<Record<string, unknown>> | null
  readonly file: FormFile | null
  readonly keyboard: readonly { text: string; callback_data: string }[]
}

/** A person, or a group, at Telegram. */
export type Chat = {
  readonly id: number
  readonly type: 'private' | 'group' | 'supergroup'
  readonly first_name?: string
  readonly title?: string
  hasBlocked?: boolean
  movedTo?: number
}

/** Simulated faults of Telegram. */
type Faults = {
  /** No request gets a response. */
  isSilent: boolean
  /** Number of sends that are done but whose responses are lost. */
  lostAnswers: number
  /** Chats with a rate limit, by the `retry_after` in seconds. */
  readonly slowed: Map<number, number>
  /** Rate limit of the next file, as `retry_after` in seconds. */
  slowedFile: number
  /** Whether setting a webhook fails because Telegram cannot reach its address. */
  refusesWebhook: boolean
  /** Delay of each response, in ms. */
  delayMs: number
}

const MB = 1024 * 1024
/** The few emojis with which bots may react. */
const REACTIONS = ['👍', '👎', '❤', '🔥', '🎉', '😁', '🙏']
const refused = (description: string, error_code = 400, parameters?: object): Refused => ({
  ...{ error_code, description },
  ...(parameters ? { parameters } : {}),
})
const slowed = (seconds: number): Refused =>
  refused(`Too Many Requests: retry after ${seconds}`, 429, { retry_after: seconds })
const isRefused = (answer: unknown): answer is Refused =>
  typeof answer === 'object' && answer !== null && 'error_code' in answer

type Payload = Readonly<Record<string, unknown>>

/** Starts Telegram's Bot API with one bot (documentation of 2026), and people and groups that write to it. */
export async function startTelegram({ resolve = (url: string) => url, now = () => Date.now() } = {}) {
  const bot = {
    id: 7_000_000_000 + Math.floor(Math.random() * 1e9),
    username: `guiche_${randomBytes(3).toString('hex')}_bot`,
  }
  const state = { token: `${bot.id}:${randomBytes(26).toString('base64url').slice(0, 35)}` }
  const chats = new Map<number, Chat>()
  const got: BotMessage[] = []
  const calls: { method: string; payload: Payload }[] = []
  const files = new Map<string, { bytes: Uint8Array; size: number }>()
  const photos = new Map<number, string>()
  const typing: { chatId: number; action: string }[] = []
  const answered: string[] = []
  const faults: Faults = {
    isSilent: false,
    lostAnswers: 0,
    slowed: new Map(),
    slowedFile: 0,
    refusesWebhook: false,
    delayMs: 0,
  }
  let lastMessage = 100

  const delivery = deliveryOf({
    resolve,
    answer: (about) => {
      const { method, ...payload } = about as { method: string }
      void run(method, payload, {}, new AbortController().signal)
    },
  })

  /** Returns the message that a bot's call names; undefined if there is none. */
  const meant = ({ chat_id, message_id }: Payload) =>
    got.find((one) => one.chatId === Number(chat_id) && one.id === Number(message_id))

  /** Returns the error why a chat accepts no message at present; null if it does. */
  function whyNot(chatId: number): Refused | null {
    const chat = chats.get(chatId)
    const seconds = faults.slowed.get(chatId)
    if (seconds !== undefined) {
      faults.slowed.delete(chatId)
      return slowed(seconds)
    }
    if (!chat) return refused('Bad Request: chat not found')
    if (chat.movedTo)
      return refused('Bad Request: group chat was upgraded to a supergroup chat', 400, {
        migrate_to_chat_id: chat.movedTo,
      })
    if (!chat.hasBlocked) return null
    return chat.type === 'private'
      ? refused('Forbidden: bot was blocked by the user', 403)
      : refused('Forbidden: bot was kicked from the group chat', 403)
  }

  function send(method: string, payload: Payload, uploads: Readonly<Record<string, FormFile>>): unknown {
    const chatId = Number(payload['chat_id'])
    const problem = whyNot(chatId)
    if (problem) return problem
    const field = method.slice(4)
    const attached = String(payload[field.charAt(0).toLowerCase() + field.slice(1)] ?? '')
    const file = attached.startsWith('attach://') ? uploads[attached.slice(9)]! : null
    const text = payload['text'] as string | undefined
    const caption = payload['caption'] as string | undefined
    if (method === 'sendMessage' && !text) return refused('Bad Request: message text is empty')
    if ((text ?? '').length > 4096) return refused('Bad Request: message is too long')
    if ((caption ?? '').length > 1024) return refused('Bad Request: message caption is too long')
    const most = method === 'sendPhoto' ? 10 * MB : 50 * MB
    if (file && file.bytes.length > most) return refused('Request Entity Too Large', 413)
    if (method === 'sendVenue' && (!payload['title'] || !payload['address'])) return refused('Bad Request: VENUE_EMPTY')
    const { reply_parameters: answers, reply_markup: markup } = payload as {
      reply_parameters?: { message_id: number; allow_sending_without_reply?: boolean }
      reply_markup?: { inline_keyboard: { text: string; callback_data: string }[][] }
    }
    const keyboard = markup?.inline_keyboard.flat() ?? []
    if (keyboard.some((one) => Buffer.byteLength(one.callback_data) > 64))
      return refused('Bad Request: BUTTON_DATA_INVALID')
    const { latitude, longitude, title, address, phone_number, first_name } = payload
    const place =
      latitude === undefined
        ? null
        : {
            latitude,
            longitude,
            ...(title ? { name: title } : {}),
            ...(address && address !== title ? { address } : {}),
          }
    const id = ++lastMessage
    got.push({
      ...{ id, chatId, method, body: text ?? caption ?? '', reaction: null, file, keyboard },
      entities: (payload['entities'] ?? payload['caption_entities'] ?? []) as BotMessage['entities'],
      quotes: answers?.message_id ?? null,
      data: phone_number ? { fullName: first_name, phoneNumber: phone_number } : place,
    })
    return {
      message_id: id,
      date: Math.floor(now() / 1000),
      chat: chats.get(chatId),
      from: { id: bot.id, is_bot: true, first_name: 'Guichê' },
      text,
    }
  }

  function edit(payload: Payload, field: 'text' | 'caption'): unknown {
    const problem = whyNot(Number(payload['chat_id']))
    if (problem) return problem
    const message = meant(payload)
    if (!message) return refused('Bad Request: message to edit not found')
    const isText = message.method === 'sendMessage'
    if (field === 'text' && !isText) return refused('Bad Request: there is no text in the message to edit')
    if (message.body === payload[field])
      return refused(
        'Bad Request: message is not modified: specified new message content and reply markup are exactly the same',
      )
    message.body = String(payload[field] ?? '')
    return true
  }

  async function run(
    method: string,
    payload: Payload,
    uploads: Readonly<Record<string, FormFile>>,
    gone: AbortSignal,
  ): Promise<unknown> {
    calls.push({ method, payload })
    switch (method) {
      case 'getMe':
        return { id: bot.id, is_bot: true, first_name: 'Guichê', username: bot.username }
      case 'setWebhook':
        return faults.refusesWebhook
          ? refused('Bad Request: bad webhook: Failed to resolve host: Name or service not known')
          : delivery.setWebhook(payload as { url: string })
      case 'deleteWebhook':
        return delivery.deleteWebhook()
      case 'getWebhookInfo':
        return {
          url: delivery.webhook.url,
          has_custom_certificate: false,
          pending_update_count: delivery.pending.length,
        }
      case 'getUpdates':
        return delivery.getUpdates(payload, gone)
      case 'editMessageText':
        return edit(payload, 'text')
      case 'editMessageCaption':
        return edit(payload, 'caption')
      case 'deleteMessage': {
        const message = meant(payload)
        if (!message || message.body === null) return refused('Bad Request: message to delete not found')
        message.body = null
        return true
      }
      case 'setMessageReaction': {
        const [reaction] = payload['reaction'] as { emoji: string }[]
        const message = meant(payload)
        if (reaction && !REACTIONS.includes(reaction.emoji)) return refused('Bad Request: REACTION_INVALID')
        if (message) message.reaction = reaction?.emoji ?? null
        return true
      }
      case 'sendChatAction':
        typing.push({ chatId: Number(payload['chat_id']), action: String(payload['action']) })
        return true
      case 'answerCallbackQuery':
        answered.push(String(payload['callback_query_id']))
        return true
      case 'getFile': {
        const { slowedFile: seconds } = faults
        faults.slowedFile = 0
        if (seconds > 0) return slowed(seconds)
        const file = files.get(String(payload['file_id']))
        if (!file) return refused('Bad Request: wrong file_id or the file is temporarily unavailable')
        if (file.size > 20 * MB) return refused('Bad Request: file is too big')
        return { file_id: payload['file_id'], file_size: file.size, file_path: `files/${String(payload['file_id'])}` }
      }
      case 'getUserProfilePhotos': {
        const photo = photos.get(Number(payload['user_id']))
        return { total_count: photo ? 1 : 0, photos: photo ? [[{ file_id: photo, width: 640, height: 640 }]] : [] }
      }
      case 'getChat': {
        const id = Number(payload['chat_id'])
        return { ...chats.get(id), ...(photos.has(id) ? { photo: { small_file_id: photos.get(id) } } : {}) }
      }
      default:
        return method.startsWith('send') ? send(method, payload, uploads) : refused('Not Found', 404)
    }
  }

  async function serve(request: IncomingMessage, response: ServerResponse) {
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    const bytes = await buffer(request)
    if (faults.isSilent) return void request.socket.destroy()
    const reply = (status: number, body: string | Uint8Array, type = 'application/json') => {
      response.writeHead(status, { 'content-type': type })
      response.end(body)
    }
    const refuse = ({ error_code, ...more }: Refused) =>
      reply(error_code, JSON.stringify({ ok: false, error_code, ...more }))
    const path = decodeURIComponent(String(request.url))
    const file = /^\/file\/bot([^/]+)\/files\/(.+)$/.exec(path)
    if (file) {
      const found = file[1] === state.token ? files.get(file[2]!) : undefined
      return found ? reply(200, found.bytes, 'application/octet-stream') : refuse(refused('Not Found', 404))
    }
    const [, token, method = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(path) ?? []
    if (!token || !/^\d+:[\w-]{20,}$/.test(token)) return refuse(refused('Not Found', 404))
    if (token !== state.token) return refuse(refused('Unauthorized', 401))
    const type = String(request.headers['content-type'] ?? '')
    const form = type.startsWith('multipart/') ? readForm(bytes, type) : null
    const payload = form
      ? Object.fromEntries(
          Object.entries(form.fields).map(([name, value]) => [name, /^[[{]/.test(value) ? JSON.parse(value) : value]),
        )
      : bytes.length > 0
        ? JSON.parse(bytes.toString())
        : {}
    if (faults.delayMs > 0) await new Promise((done) => setTimeout(done, faults.delayMs))
    const result = await run(method, payload, form?.files ?? {}, gone.signal)
    if (isRefused(result)) return refuse(result)
    if (faults.lostAnswers > 0 && method.startsWith('send') && method !== 'sendChatAction') {
      faults.lostAnswers--
      return void request.socket.destroy()
    }
    reply(200, JSON.stringify({ ok: true, result }))
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  /** Writes a person's message with any content in a chat; returns its number. */
  function say(chat: Chat, content: object, from: object = chat, more: object = {}): number {
    const message_id = ++lastMessage
    const { hasBlocked: _, movedTo: __, ...shown } = chat
    const author = { is_bot: false, language_code: 'pt-br', ...from, type: undefined }
    delivery.push({
      message: { message_id, from: author, chat: shown, date: Math.floor(now() / 1000), ...content, ...more },
    })
    return message_id
  }

  return {
    /** Replaces the bot by a new one; returns its token. */
    renew(): string {
      state.token = state.token.replace(/.{8}$/, randomBytes(6).toString('base64url'))
      got.length = 0
      chats.clear()
      delivery.reset()
      return state.token
    },
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ bot, state, chats, got, calls, files, photos, typing, answered, faults, delivery, say },
    close: () =>
      new Promise<void>((done) => {
        delivery.close()
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

/** Running Telegram stand-in. */
export type TelegramPeer = Awaited<ReturnType<typeof startTelegram>>
