import { type ChannelConfig, noCapabilities } from '../config.ts'

const MB = 1_000_000
/** Maximum length of a caption, in characters. */
const caption = 1024

/** Config of Telegram bots, by the Bot API: called if the installation has an https URL, else polled. */
export const telegramConfig: ChannelConfig = {
  id: 'telegram',
  types: [{ type: 'telegram', name: 'Telegram' }],
  look: { icon: 'telegram', color: 'sky' },
  contactField: 'telegramId',
  isPersistent: true,
  about: {
    does: 'Um bot do Telegram que fala em nome da empresa.',
    asks: 'O token que o @BotFather dá ao criar o bot.',
    takes: '3 minutos',
    isOfficial: true,
  },
  fields: {
    tokenTelegram: {
      kind: 'secret',
      label: 'Token do bot',
      required: true,
      hint: 'No Telegram, fale com o @BotFather e envie /newbot: ele responde com o token.',
    },
  },
  environment: ['TELEGRAM_API_URL'],
  webhook: { isRegistered: true },
  capabilities: {
    ...noCapabilities,
    maxTextLength: 4096,
    files: {
      image: { maxBytes: 10 * MB, mimes: ['image/jpeg', 'image/png', 'image/webp', 'image/gif'], caption },
      video: { maxBytes: 50 * MB, mimes: ['video/mp4'], caption },
      audio: {
        maxBytes: 50 * MB,
        mimes: ['audio/mpeg', 'audio/mp4', 'audio/x-m4a', 'audio/ogg'],
        ...{ caption, voice: true },
      },
      document: { maxBytes: 50 * MB, caption },
      sticker: { maxBytes: 500_000, mimes: ['image/webp'], caption: false },
    },
    quote: true,
    forward: true,
    react: true,
    editMinutes: 48 * 60,
    revokeHours: 48,
    contact: true,
    location: true,
    buttons: { max: 13, chars: 20 },
    groups: true,
    presence: true,
    picture: true,
  },
}
