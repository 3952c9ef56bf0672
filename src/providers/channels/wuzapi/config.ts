import type { ChannelConfig } from '../config.ts'
import { gatewayCapabilities } from '../gateway-capabilities.ts'

const MB = 1024 * 1024

/** Numbers of WhatsApp whose phone is linked to a WuzAPI, which its owner runs. */
export const wuzapiConfig: ChannelConfig = {
  id: 'wuzapi',
  types: [{ type: 'meow', name: 'WhatsApp Meow (QR Code)' }],
  look: { icon: 'whatsapp', color: 'teal' },
  fields: {},
  isPersistent: true,
  isPaced: true,
  // It sends files along with what it tells, also those that are fetched here.
  webhook: { maxBytes: 40 * MB, isRegistered: true },
  settings: {
    name: 'WuzAPI',
    fields: {
      url: { kind: 'url', label: 'URL da API', required: true, default: 'http://localhost:8080' },
      key: { kind: 'secret', label: 'Chave Global', required: true },
    },
  },
  capabilities: {
    ...gatewayCapabilities,
    presence: true,
    receipts: ['delivered', 'read'],
    idempotentSending: true,
  },
}
