import type { OpenContactEnd } from '#test/channels/contact-end.ts'
import { pictureOf } from '#test/channels/picture-check.ts'
import { channelSuite } from '#test/channels/suite.ts'
import { connectedBot, gotBy, NADIA, OTAVIO, telegramFor } from '#test/channels/telegram-end.ts'
import type { Chat } from '#test/peers/telegram/bot-api.ts'
import { telegramConfig } from './config.ts'

const FILES = ['photo', 'video', 'voice', 'document', 'sticker']

/** Person who writes to a bot. */
const openBot: OpenContactEnd = async (product, { token }) => {
  const telegram = await telegramFor(product)
  telegram.chats.set(OTAVIO.id, OTAVIO)
  const picture = await pictureOf('#d01010')
  telegram.files.set('foto', { bytes: picture, size: picture.length })
  telegram.photos.set(OTAVIO.id, 'foto')
  const { id: connectionId } = await connectedBot(product, token, telegram)
  const now = () => Math.floor(product.platform.now().getTime() / 1000)
  const { push } = telegram.delivery
  const numberOf = (providerId: string) => Number(providerId.split('/')[2])
  let groups = 0
  return {
    connectionId,
    async write({ payload, file }, quotes) {
      const {
        message_id: _,
        from: __,
        chat: ___,
        date: ____,
        ...content
      } = (payload as { message: Record<string, unknown> }).message
      const kind = FILES.find((name) => name in content)
      if (file && kind) {
        const bytes = Buffer.from(file.base64, 'base64')
        const part = [content[kind]].flat().at(-1) as { file_id: string }
        telegram.files.set(part.file_id, { bytes, size: bytes.length })
      }
      const answers = quotes && { reply_to_message: { message_id: numberOf(quotes), chat: OTAVIO, date: now() } }
      telegram.say(OTAVIO, { ...content, ...answers })
    },
    arrived: async () => gotBy(telegram, OTAVIO.id),
    confirm: async () => {},
    seesTyping: () => telegram.typing.some(({ action }) => action === 'typing'),
    changes: async (id) => {
      const { body, reaction } = telegram.got.find((one) => one.id === numberOf(id))!
      return { body, reaction }
    },
    async act({ providerId }, what) {
      const message_id = numberOf(providerId)
      const of = { message_id, chat: OTAVIO, date: now() }
      if (what.act === 'edit') push({ edited_message: { ...of, from: OTAVIO, edit_date: now(), text: what.body } })
      if (what.act === 'react') {
        const reaction = what.reaction ? [{ type: 'emoji', emoji: what.reaction.replace('\uFE0F', '') }] : []
        push({ message_reaction: { ...of, user: OTAVIO, old_reaction: [], new_reaction: reaction } })
      }
      if (what.act === 'press') {
        const { keyboard } = telegram.got.find(({ id }) => id === message_id)!
        const inline_keyboard = keyboard.map((button) => [button])
        const message = { ...of, reply_markup: { inline_keyboard } }
        push({ callback_query: { id: `press ${what.buttonId}`, from: OTAVIO, message, data: what.buttonId } })
      }
    },
    untold: ['revoke'],
    async openGroup() {
      const group: Chat = { id: -100_200_300 - ++groups, type: 'group', title: `Vizinhos ${groups}` }
      telegram.chats.set(group.id, group)
      telegram.say(group, { new_chat_members: [{ ...NADIA, is_bot: false }] }, OTAVIO)
      return {
        ...{ conversationKey: String(group.id), name: group.title!, members: ['Otávio', 'Nádia'] },
        write: async (text) => void telegram.say(group, { text }, OTAVIO),
        // Telegram does not report deletions to bots.
        act: null,
        arrived: async () => gotBy(telegram, group.id).map(({ body }) => ({ body, mentions: [], everyone: false })),
      }
    },
    close: telegram.close,
  }
}

channelSuite(telegramConfig, import.meta.dirname, openBot)
