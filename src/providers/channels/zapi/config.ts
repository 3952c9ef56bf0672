import type { ChannelConfig } from '../config.ts'
import { gatewayCapabilities } from '../gateway-capabilities.ts'

/** Numbers of WhatsApp whose phone is linked to an instance of Z-API, which was made there. */
export const zapiConfig: ChannelConfig = {
  id: 'zapi',
  types: [{ type: 'zapi', name: 'WhatsApp Z-API (QR Code)' }],
  look: { icon: 'whatsapp', color: 'indigo' },
  fields: {
    wabaId: { kind: 'text', label: 'Número do ID', required: true, max: 80, isAccount: true },
    tokenAPI: { kind: 'secret', label: 'Número do Token', required: true },
  },
  isPersistent: true,
  isPaced: true,
  webhook: { isRegistered: true },
  settings: {
    name: 'Z-API',
    fields: {
      url: { kind: 'url', label: 'URL da API', required: true, default: 'https://api.z-api.io' },
      key: { kind: 'secret', label: 'Chave Global (Client-Token)' },
    },
  },
  capabilities: gatewayCapabilities,
}
