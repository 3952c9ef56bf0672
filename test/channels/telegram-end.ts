import { connections } from '#features/connections/contract.ts'
import { type Chat, startTelegram, type TelegramPeer } from '#test/peers/telegram/bot-api.ts'
import { call, type Product } from '#test/server.ts'
import { until } from '#test/until.ts'
import type { Arrived } from './contact-end.ts'

/** Contacts who write to a bot, and who share groups with it. */
export const OTAVIO: Chat = { id: 77_100_200, type: 'private', first_name: 'Otávio' }
export const NADIA: Chat = { id: 77_100_201, type: 'private', first_name: 'Nádia' }

/** Public https address of a product in tests, which has none itself. */
const CALLED = 'https://guiche.example'

/** Starts a Telegram stand-in for a product; with `isCalled` it delivers updates by https webhook. */
export async function telegramFor(product: Product, { isCalled = false } = {}): Promise<TelegramPeer> {
  const resolve = (url: string) => url.replace(CALLED, product.address)
  const peer = await startTelegram({ resolve, now: () => product.platform.now().getTime() })
  Object.assign(product.platform.env, {
    TELEGRAM_API_URL: peer.address,
    PUBLIC_URL: isCalled ? CALLED : product.address,
  })
  return peer
}

/** Creates a bot connection, started unless `isStarted` is false; returns functions to read, start and await its state. */
export async function connectedBot(
  product: Product,
  token: string,
  peer: TelegramPeer,
  { isStarted = true, tokenTelegram = peer.state.token } = {},
) {
  const made = await call(product, connections.create, token, {
    body: { type: 'telegram', name: 'Bot da loja', config: { tokenTelegram } },
  })
  if (made.status !== 200) throw new Error(JSON.stringify(made.body))
  const params = { id: made.body.id }
  const read = async () => (await call(product, connections.get, token, { params })).body
  const start = () => call(product, connections.start, token, { params, body: {} })
  const is = (status: string) => until(async () => (await read()).status === status)
  if (isStarted) {
    const started = await start()
    if (started.status !== 200) throw new Error(JSON.stringify(started.body))
    await is('CONNECTED')
  }
  return { ...params, params, read, start, is }
}

/** Returns the bot's messages in a chat. */
export const gotBy = (peer: TelegramPeer, chatId: number): Arrived[] =>
  peer.got
    .filter((one) => one.chatId === chatId)
    .map(({ id, method, body, quotes, data, file, keyboard }) => ({
      ...{ id: `${peer.bot.id}/${chatId}/${id}`, body: body ?? '' },
      quotes: quotes === null ? null : `${peer.bot.id}/${chatId}/${quotes}`,
      data: (keyboard.length > 0
        ? { buttons: keyboard.map(({ text, callback_data: of }) => ({ id: of, text })) }
        : data) as Arrived['data'],
      file: file && { name: /Photo|Voice|Sticker/.test(method) ? null : file.name, bytes: file.bytes },
      voice: method === 'sendVoice' ? true : null,
      isSticker: method === 'sendSticker',
    }))
