import type { ChannelConfig } from '../config.ts'
import { linkedCapabilities } from '../linked-capabilities.ts'

const MB = 1024 * 1024

/** Config of WhatsApp numbers with a phone linked to a WuzAPI, which its owner runs. */
export const wuzapiConfig: ChannelConfig = {
  id: 'wuzapi',
  types: [{ type: 'meow', name: 'WhatsApp Meow (QR Code)' }],
  look: { icon: 'whatsapp', color: 'teal' },
  about: {
    does: 'WhatsApp por QR Code em um servidor WuzAPI seu.',
    asks: 'O endereço do servidor e a chave de administrador dele.',
    takes: '10 minutos',
  },
  fields: {},
  isPersistent: true,
  isPaced: true,
  // Its webhook calls include files, also those that are fetched here.
  webhook: { maxBytes: 40 * MB, isRegistered: true },
  settings: {
    name: 'WuzAPI',
    fields: {
      url: {
        kind: 'url',
        label: 'URL da API',
        required: true,
        hint: 'O endereço do seu servidor, como https://wuzapi.suaempresa.com.br, sem barra no final.',
      },
      key: {
        kind: 'secret',
        label: 'Chave Global',
        required: true,
        hint: 'O valor de WUZAPI_ADMIN_TOKEN na configuração do servidor.',
      },
    },
  },
  capabilities: {
    ...linkedCapabilities,
    presence: true,
    receipts: ['delivered', 'read'],
    idempotentSending: true,
  },
}
