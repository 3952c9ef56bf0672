import type { ChannelConfig } from '../config.ts'
import { gatewayCapabilities } from '../gateway-capabilities.ts'

/** Numbers of WhatsApp whose phone is linked to a server of UAZAPI (uazapiGO, version 2). */
export const uazapiConfig: ChannelConfig = {
  id: 'uazapi',
  types: [{ type: 'uazapi', name: 'WhatsApp Uazapi (QR Code)' }],
  look: { icon: 'whatsapp', color: 'sky' },
  fields: {},
  isPersistent: true,
  isPaced: true,
  webhook: { isRegistered: true },
  settings: {
    name: 'Uazapi',
    fields: {
      url: { kind: 'url', label: 'URL da API', required: true, default: 'https://free.uazapi.com' },
      key: { kind: 'secret', label: 'Chave Global', required: true },
    },
  },
  capabilities: { ...gatewayCapabilities, presence: true },
}
