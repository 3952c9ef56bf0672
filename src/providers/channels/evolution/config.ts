import type { ChannelConfig } from '../config.ts'
import { linkedCapabilities } from '../linked-capabilities.ts'

/** Config of WhatsApp numbers with a phone linked to an Evolution API (version 2), which its owner runs. */
export const evolutionConfig: ChannelConfig = {
  id: 'evolution',
  types: [{ type: 'evo', name: 'WhatsApp Evolution (QR Code)' }],
  look: { icon: 'whatsapp', color: 'green' },
  about: {
    does: 'WhatsApp por QR Code em um servidor Evolution API seu.',
    asks: 'O endereço do servidor e a chave global dele.',
    takes: '10 minutos',
  },
  fields: {},
  isPersistent: true,
  isPaced: true,
  webhook: { isRegistered: true },
  settings: {
    name: 'Evolution API',
    fields: {
      url: {
        kind: 'url',
        label: 'URL da API',
        required: true,
        hint: 'O endereço do seu servidor, como https://evolution.suaempresa.com.br, sem barra no final.',
      },
      key: {
        kind: 'secret',
        label: 'Chave Global',
        required: true,
        hint: 'O valor de AUTHENTICATION_API_KEY na configuração do servidor.',
      },
    },
  },
  capabilities: { ...linkedCapabilities, presence: true },
}
