import { type ChannelConfig, noCapabilities } from '../config.ts'

const file = { maxBytes: 16 * 1024 * 1024 }

/** Config of the webchat on customers' sites; its visitors have no address, so that only they can begin a conversation. */
export const webchatConfig: ChannelConfig = {
  id: 'webchat',
  types: [{ type: 'webchat', name: 'WebChat' }],
  look: { icon: 'webchat', color: 'indigo' },
  about: {
    does: 'Uma janela de conversa no site da empresa.',
    asks: 'Poder colar uma linha de código no site.',
    takes: '5 minutos',
    isOfficial: true,
  },
  fields: {},
  screen: '/configuracoes/webchat',
  continues: 'away',
  capabilities: {
    ...noCapabilities,
    maxTextLength: 4096,
    files: { image: file, video: file, audio: file, document: file },
    quote: true,
    forward: true,
    react: true,
    editMinutes: 15,
    revokeHours: 48,
    contact: true,
    location: true,
    buttons: { max: 3, chars: 20 },
    presence: true,
    receipts: ['delivered', 'read'],
    begins: 'contact',
    idempotentSending: true,
  },
}
