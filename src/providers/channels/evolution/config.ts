import type { ChannelConfig } from '../config.ts'
import { gatewayCapabilities } from '../gateway-capabilities.ts'

/** Numbers of WhatsApp whose phone is linked to an Evolution API (version 2), which its owner runs. */
export const evolutionConfig: ChannelConfig = {
  id: 'evolution',
  types: [{ type: 'evo', name: 'WhatsApp Evolution (QR Code)' }],
  look: { icon: 'whatsapp', color: 'green' },
  fields: {},
  isPersistent: true,
  isPaced: true,
  webhook: { isRegistered: true },
  settings: {
    name: 'Evolution API',
    fields: {
      url: { kind: 'url', label: 'URL da API', required: true, default: 'http://localhost:8080' },
      key: { kind: 'secret', label: 'Chave Global', required: true },
    },
  },
  capabilities: { ...gatewayCapabilities, presence: true },
}
