import type { ProviderFields } from '#kit/provider.ts'
import { type ChannelCapabilities, type ChannelConfig, noCapabilities } from '../../config.ts'

const MB = 1024 * 1024

const token: ProviderFields = {
  bmToken: { kind: 'secret', label: 'Token de acesso', required: true },
  wabaVersion: { kind: 'text', label: 'Versão da API', max: 8 },
}

const capabilities: ChannelCapabilities = {
  ...noCapabilities,
  react: true,
  buttons: { max: 13, chars: 20 },
  picture: true,
  names: true,
  windowHours: 24,
  humanAgentDays: 7,
  settledWithin: 60,
}

/** Config part of channels that belong to the same app at Meta as its numbers. */
const ofMeta = { settingsOf: 'meta' } as const

/** Config of a professional Instagram account's direct messages, story mentions and comments. */
export const instagramConfig: ChannelConfig = {
  id: 'instagram',
  types: [{ type: 'instagram', name: 'Instagram' }],
  look: { icon: 'instagram', color: 'pink' },
  contactField: 'instagramPK',
  ...ofMeta,
  about: {
    does: 'As conversas do Instagram da empresa, pela Meta.',
    asks: 'Uma conta profissional do Instagram ligada a uma página do Facebook.',
    takes: '15 minutos',
    isOfficial: true,
  },
  fields: {
    tokenAPI: { kind: 'text', label: 'Identificação da conta do Instagram', required: true, max: 40, isAccount: true },
    // With a page the account is accessed through it (Facebook Login), else directly (Instagram Login).
    wabaId: { kind: 'text', label: 'Identificação da página do Facebook ligada à conta', max: 40 },
    ...token,
  },
  environment: ['META_GRAPH_URL', 'META_INSTAGRAM_URL'],
  renews: 'bmToken',
  capabilities: {
    ...capabilities,
    maxTextLength: 1000,
    maxTextBytes: 1000,
    files: {
      image: { maxBytes: 8 * MB, mimes: ['image/jpeg', 'image/png'], caption: false },
      video: { maxBytes: 25 * MB, mimes: ['video/mp4', 'video/webm', 'video/quicktime'], caption: false },
      audio: {
        maxBytes: 25 * MB,
        mimes: ['audio/mp4', 'audio/x-m4a', 'audio/aac', 'audio/wav', 'audio/x-wav'],
        caption: false,
      },
    },
    commentDays: 7,
    receipts: ['read'],
  },
}

/** Config of messages to a Facebook page. */
export const messengerConfig: ChannelConfig = {
  id: 'messenger',
  types: [{ type: 'messenger', name: 'Messenger' }],
  look: { icon: 'messenger', color: 'blue' },
  contactField: 'messengerId',
  ...ofMeta,
  about: {
    does: 'As mensagens da página do Facebook da empresa, pela Meta.',
    asks: 'Ser administrador da página no Facebook.',
    takes: '15 minutos',
    isOfficial: true,
  },
  fields: {
    tokenAPI: { kind: 'text', label: 'Identificação da página do Facebook', required: true, max: 40, isAccount: true },
    wabaId: { kind: 'text', label: 'Identificação do portfólio empresarial', max: 40 },
    ...token,
  },
  environment: ['META_GRAPH_URL'],
  capabilities: {
    ...capabilities,
    maxTextLength: 2000,
    files: {
      image: { maxBytes: 25 * MB, caption: false },
      video: { maxBytes: 25 * MB, caption: false },
      audio: { maxBytes: 25 * MB, caption: false },
      document: { maxBytes: 25 * MB, caption: false },
    },
    receipts: ['delivered', 'read'],
  },
}
