import type { ProviderFault } from '../port.ts'
import { readCall } from './inbound.ts'

/** Known faults of an Evolution API besides those of every gateway. */
export const evolutionFaults: readonly ProviderFault[] = [
  {
    ...{ id: 'deleted', label: 'DELETED sem apagar' },
    effect: 'Da próxima mensagem a Evolution diz DELETED sem que alguém a tenha apagado: ela fica.',
    arrives(event) {
      const { conversationKey, message } = event
      const data = { keyId: message.providerId, remoteJid: `${conversationKey}@s.whatsapp.net`, fromMe: false }
      const body = { instance: '', event: 'messages.update', data: { ...data, status: 'DELETED' } }
      const read = readCall(new TextEncoder().encode(JSON.stringify(body)), '', new Date(message.timestamp))
      const events = read.isGenuine ? read.events.map((one) => one.event) : []
      return [
        { afterMs: 0, events: [event] },
        { afterMs: 1000, events },
      ]
    },
  },
]
