import { textFieldIn } from '#domain/keys.ts'
import { parseJson, readOutside } from '#kit/outside.ts'
import { isSame } from '../is-same.ts'
import {
  type ChannelAction,
  type ChannelAdapter,
  type MakeChannelAdapter,
  sendFailure,
  type WebhookRequest,
  type WebhookResult,
} from '../port.ts'
import { openTelegram, refusalIn } from './api.ts'
import { telegramFaults } from './faults.ts'
import { botIdOf, messageIn, providerIdOf } from './ids.ts'
import { readUpdate, uncoloured } from './inbound.ts'
import { failing, telegramLife } from './life.ts'
import { sendingOf } from './outbound.ts'
import { answers } from './schemas.ts'
import { formatted } from './text.ts'

/** Time-out of a file transfer, in ms. */
const FILE_MS = 600_000
/** Preferred side length of contacts' pictures, in pixels. */
const SIDE = 256

/** Creates the adapter of a Telegram bot. */
export const telegramAdapter: MakeChannelAdapter = (values, tools) => {
  const token = String(values['tokenTelegram'] ?? '').trim()
  const botId = botIdOf(token)
  const telegram = openTelegram(tools, token)
  const { door } = tools
  const { call } = telegram

  /** Calls a method, and once more with a group's new id if the group has moved. */
  async function send(method: string, payload: Readonly<Record<string, unknown>>): Promise<unknown> {
    return call(method, payload).catch((error: unknown) => {
      const to = refusalIn(error)?.parameters?.migrate_to_chat_id
      if (to === undefined) throw error
      // The quoted message remained in the old group.
      const { reply_parameters: _, ...rest } = payload
      return call(method, { ...rest, chat_id: to })
    })
  }

  async function act(action: ChannelAction): Promise<void> {
    const chat_id = Number(action.conversationKey)
    if (action.type === 'read') return
    if (action.type === 'presence') {
      // The typing state ends by itself.
      if (action.state === 'paused') return
      await call('sendChatAction', { chat_id, action: action.state === 'recording' ? 'record_voice' : 'typing' })
      return
    }
    const target = messageIn(botId, action.providerId)
    if (!target) throw sendFailure('refused', 'Esta mensagem é de outro bot.')
    const of = { chat_id: Number(target.chatId), message_id: target.messageId }
    if (action.type === 'edit') await edit(of, action.body)
    else if (action.type === 'revoke') await call('deleteMessage', of).catch(unless(/message to delete not found/i))
    else {
      const reaction = action.emoji ? [{ type: 'emoji', emoji: uncoloured(action.emoji) }] : []
      await call('setMessageReaction', { ...of, reaction })
    }
  }

  async function edit(of: object, body: string): Promise<void> {
    const { text, entities } = formatted(body)
    const isSameAlready = unless(/message is not modified/i)
    await call('editMessageText', { ...of, text, entities }).catch((error: unknown) => {
      // The caption of a file needs another method.
      if (!isOf(error, /no text in the message/i)) return isSameAlready(error)
      return call('editMessageCaption', { ...of, caption: text, caption_entities: entities }).catch(isSameAlready)
    })
  }

  async function fileOf(fileId: string): Promise<string> {
    const path = readOutside(answers.file, await call('getFile', { file_id: fileId }))?.data.file_path
    if (!path) throw sendFailure('refused', 'Mídia expirada.')
    return telegram.fileAddress(path)
  }

  async function picture(identity: string): Promise<Uint8Array | null> {
    const id = Number(identity)
    const fileId = id > 0 ? await photoOf(id) : await photoOfGroup(id)
    if (!fileId) return null
    const { status, body } = await tools.fetch(await fileOf(fileId))
    if (status === 200) return body
    throw sendFailure('unreachable', 'ERR_WAPP_DOWNLOAD_MEDIA')
  }
  async function photoOf(user_id: number): Promise<string | undefined> {
    const photos = readOutside(answers.photos, await call('getUserProfilePhotos', { user_id, limit: 1 }))
    const [sizes = []] = photos?.data.photos ?? []
    return (sizes.find(({ width = 0 }) => width >= SIDE) ?? sizes.at(-1))?.file_id
  }
  const photoOfGroup = async (chat_id: number): Promise<string | undefined> =>
    readOutside(answers.chat, await call('getChat', { chat_id }))?.data.photo?.small_file_id

  const ask: Required<ChannelAdapter>['ask'] = async (question, about) => {
    if (question !== 'picture') throw sendFailure('refused', 'ERR_CHANNEL_CANNOT')
    return picture(textFieldIn(about, 'identity')).catch(failing)
  }

  function receive({ headers, body }: WebhookRequest): WebhookResult {
    if (!isSame(String(headers['x-telegram-bot-api-secret-token'] ?? ''), door?.secret)) return { isGenuine: false }
    const { events, press, unread } = readUpdate(parseJson(body), botId, tools.now())
    // The answer to the call is a method of the Bot API.
    const method = JSON.stringify({ method: 'answerCallbackQuery', callback_query_id: press })
    return {
      ...{ isGenuine: true, events: events.map((event) => ({ event })), unread },
      ...(press === null ? {} : { answer: { contentType: 'application/json', body: method } }),
    }
  }

  return {
    ...telegramLife(telegram, botId, tools),
    faults: telegramFaults,
    async send(message) {
      const work = async () => {
        const { method, payload } = await sendingOf(message, botId, tools)
        return send(method, payload)
      }
      const { chat, message_id: number } = readOutside(answers.sent, await work().catch(failing))?.data ?? {}
      if (chat?.id === undefined || number === undefined)
        throw sendFailure('unknown', 'O Telegram não disse se a mensagem saiu.')
      return { providerId: providerIdOf(botId, chat.id, number) }
    },
    act: (action) => act(action).catch(failing),
    async download(pointer) {
      const fileId = textFieldIn(pointer, 'fileId')
      // Files too large for bots, or removed, are refused; rate limits contain the delay.
      const address = await fileOf(fileId).catch(failing)
      const answer = await tools.stream(address, { answerMs: FILE_MS })
      if (answer.status === 200) return answer.body
      answer.body.destroy()
      if (answer.status === 404) throw sendFailure('refused', 'Mídia expirada.')
      throw new Error(`Telegram answered ${answer.status} for a file`)
    },
    ask,
    receive,
  }
}

const isOf = (error: unknown, pattern: RegExp): boolean => pattern.test(refusalIn(error)?.description ?? '')

/** Returns an error handler that ignores refusals matching a pattern, because the change was already made. */
const unless =
  (pattern: RegExp) =>
  (error: unknown): void => {
    if (!isOf(error, pattern)) throw error
  }
