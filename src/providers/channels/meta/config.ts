import { type ChannelConfig, noCapabilities } from '../config.ts'
import { officialFiles } from '../official-files.ts'

const MB = 1024 * 1024

/** Config of WhatsApp Business Platform numbers, by Meta's Graph API. */
export const metaConfig: ChannelConfig = {
  id: 'meta',
  types: [{ type: 'waba', name: 'WhatsApp oficial' }],
  look: { icon: 'whatsapp', color: 'green' },
  businessField: 'wabaId',
  about: {
    does: 'O WhatsApp da própria Meta, com modelos de mensagem e sem risco de bloqueio por uso de terceiros.',
    asks: 'Uma conta do WhatsApp Business na Meta e um número que não esteja no aplicativo.',
    takes: '30 minutos',
    isOfficial: true,
  },
  fields: {
    tokenAPI: { kind: 'text', label: 'Identificação do número de telefone', required: true, max: 40, isAccount: true },
    wabaId: {
      ...{ kind: 'text', label: 'Identificação da conta do WhatsApp Business', required: true, max: 40 },
      hint: 'Na Meta, em WhatsApp › Configuração da API, abaixo do número.',
    },
    bmToken: {
      kind: 'secret',
      label: 'Token do Gerenciador de Negócios Meta',
      required: true,
      hint: 'Na Meta, em Configurações do negócio › Usuários do sistema › Gerar token.',
    },
    wabaVersion: { kind: 'text', label: 'Versão da API', max: 8 },
  },
  environment: ['META_GRAPH_URL', 'META_LOGIN_URL'],
  settings: {
    name: 'Meta',
    fields: {
      appId: {
        ...{ kind: 'text', label: 'ID do aplicativo', required: true, max: 40 },
        hint: 'Em developers.facebook.com, no alto da página do aplicativo.',
      },
      appSecret: {
        kind: 'secret',
        label: 'Chave secreta do aplicativo',
        required: true,
        hint: 'No aplicativo, em Configurações › Básico.',
      },
      verifyToken: { kind: 'secret', label: 'Token de verificação do webhook', required: true },
      version: { kind: 'text', label: 'Versão da API', required: true, max: 8, default: 'v24.0' },
      configId: { kind: 'text', label: 'ID da configuração de login', max: 40 },
    },
    webhook: { maxBytes: 3 * MB },
    signup: { logins: { facebook: 'Facebook Login' } },
  },
  capabilities: {
    ...noCapabilities,
    maxTextLength: 4096,
    files: {
      ...officialFiles,
      document: { maxBytes: 100 * MB },
      sticker: { maxBytes: 500 * 1024, mimes: ['image/webp'], caption: false },
    },
    quote: true,
    forward: true,
    react: true,
    contact: true,
    location: true,
    buttons: { max: 3, chars: 20 },
    list: { rows: 10, title: 24, description: 72, button: 20, section: 24 },
    link: { chars: 20 },
    form: { chars: 20 },
    locationRequest: true,
    receipts: ['delivered', 'read', 'played'],
    templates: true,
    windowHours: 24,
    freeHoursAfterAd: 72,
    begins: 'anyone',
    settledWithin: 60,
  },
}
