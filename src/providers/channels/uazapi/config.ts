import type { ChannelConfig } from '../config.ts'
import { linkedCapabilities } from '../linked-capabilities.ts'

/** Config of WhatsApp numbers with a phone linked to a server of UAZAPI (uazapiGO, version 2). */
export const uazapiConfig: ChannelConfig = {
  id: 'uazapi',
  types: [{ type: 'uazapi', name: 'WhatsApp Uazapi (QR Code)' }],
  look: { icon: 'whatsapp', color: 'sky' },
  about: {
    does: 'WhatsApp por QR Code em um servidor alugado da Uazapi.',
    asks: 'Uma conta na Uazapi e a chave de administrador (Admin Token).',
    takes: '10 minutos',
  },
  fields: {},
  isPersistent: true,
  isPaced: true,
  webhook: { isRegistered: true },
  settings: {
    name: 'Uazapi',
    fields: {
      url: { kind: 'url', label: 'URL da API', required: true, default: 'https://free.uazapi.com' },
      key: {
        kind: 'secret',
        label: 'Chave Global',
        required: true,
        hint: 'O “Admin Token” do painel da Uazapi, em Servidores.',
      },
    },
  },
  capabilities: { ...linkedCapabilities, presence: true },
}
