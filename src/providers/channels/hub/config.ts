import { type ChannelCapabilities, type ChannelConfig, type ChannelLook, noCapabilities } from '../config.ts'
import { officialFiles } from '../official-files.ts'

const MB = 1024 * 1024

const look = (icon: ChannelLook['icon'], color: ChannelLook['color']): { look: ChannelLook } => ({
  look: { icon, color },
})
// Only contacts who have written can be written to, and Meta approves templates of WhatsApp only.
const answered: Partial<ChannelCapabilities> = { begins: 'contact', templates: false, windowHours: null }
const variant = (
  type: string,
  name: string,
  drawn: { look: ChannelLook },
  capabilities?: Partial<ChannelCapabilities>,
) => ({ type: `hub_${type}`, name: `${name} (Hub)`, ...drawn, ...(capabilities ? { capabilities } : {}) })

/** Config of accounts at NotificaMe Hub; capabilities depend on the account's channel. */
export const hubConfig: ChannelConfig = {
  id: 'hub',
  types: [
    {
      ...{ type: 'hub', name: 'Hub Notificame' },
      variants: [
        variant('whatsapp_business_account', 'WhatsApp', look('whatsapp', 'green')),
        variant('instagram', 'Instagram', look('instagram', 'pink'), {
          ...answered,
          maxTextLength: 1000,
          windowHours: 24,
        }),
        variant('facebook', 'Facebook', look('messenger', 'blue'), {
          ...answered,
          maxTextLength: 2000,
          windowHours: 24,
        }),
        variant('telegram', 'Telegram', look('telegram', 'sky'), answered),
        variant('email', 'E-mail', look('email', 'amber'), answered),
        variant('sms', 'SMS', look('sms', 'grey'), {
          ...{ templates: false, windowHours: null, maxTextLength: 1000, files: {} },
        }),
        variant('webchat', 'WebChat', look('webchat', 'indigo'), answered),
        variant('mercado_livre', 'Mercado Livre', look('store', 'amber'), answered),
        variant('olx', 'OLX', look('store', 'violet'), answered),
        variant('ifood', 'iFood', look('store', 'pink'), answered),
        variant('linkedin', 'LinkedIn', look('linkedin', 'blue'), answered),
        variant('twitter', 'Twitter', look('twitter', 'sky'), answered),
        variant('tiktok', 'TikTok', look('tiktok', 'teal'), answered),
        variant('youtube', 'YouTube', look('youtube', 'pink'), answered),
      ],
    },
  ],
  look: { icon: 'hub', color: 'teal' },
  contactField: 'hubWhatsapp',
  isPersistent: true,
  readsTemplates: true,
  webhook: { isRegistered: true },
  picked: { label: 'Canal no hub', variant: 'channel' },
  about: {
    does: 'Contas que você já conectou no Hub Notificame: WhatsApp, Instagram, Facebook e outras.',
    asks: 'Uma conta no Notificame e o token dela.',
    takes: '10 minutos',
  },
  fields: {
    channelId: { kind: 'text', label: 'ID do canal no hub', required: true, max: 100, isAccount: true },
    channel: { kind: 'text', label: 'Tipo do canal no hub', required: true, max: 60 },
  },
  settings: {
    name: 'Hub Notificame',
    fields: {
      url: { kind: 'url', label: 'URL da API', required: true, default: 'https://api.notificame.com.br/v1' },
      key: {
        kind: 'secret',
        label: 'Seu Token Notificame',
        required: true,
        hint: 'No painel do Notificame, em Configurações › API.',
      },
    },
  },
  capabilities: {
    ...noCapabilities,
    maxTextLength: 4096,
    files: {
      ...officialFiles,
      document: { maxBytes: 50 * MB },
    },
    receipts: ['delivered', 'read'],
    templates: true,
    windowHours: 24,
    begins: 'anyone',
    settledWithin: 60,
  },
}
