import type { ChannelConfig } from '../config.ts'
import { linkedCapabilities } from '../linked-capabilities.ts'

/** Config of WhatsApp numbers with a phone linked to an instance of Z-API, which is created there. */
export const zapiConfig: ChannelConfig = {
  id: 'zapi',
  types: [{ type: 'zapi', name: 'WhatsApp Z-API (QR Code)' }],
  look: { icon: 'whatsapp', color: 'indigo' },
  about: {
    does: 'WhatsApp por QR Code em uma instância alugada da Z-API.',
    asks: 'Uma instância na Z-API, com o ID e o token dela.',
    takes: '10 minutos',
  },
  fields: {
    wabaId: {
      ...{ kind: 'text', label: 'Número do ID', required: true, max: 80, isAccount: true },
      hint: 'No painel da Z-API, na instância: “ID da instância”.',
    },
    tokenAPI: {
      kind: 'secret',
      label: 'Número do Token',
      required: true,
      hint: 'No painel da Z-API, na instância: “Token da instância”.',
    },
  },
  isPersistent: true,
  isPaced: true,
  webhook: { isRegistered: true },
  settings: {
    name: 'Z-API',
    fields: {
      url: { kind: 'url', label: 'URL da API', required: true, default: 'https://api.z-api.io' },
      key: {
        kind: 'secret',
        label: 'Chave Global (Client-Token)',
        hint: 'No painel da Z-API, em Segurança › Token de segurança da conta. Em branco onde ele está desligado.',
      },
    },
  },
  capabilities: linkedCapabilities,
}
