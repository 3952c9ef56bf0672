import type { ProviderFault } from '../port.ts'
import { readCall } from './inbound.ts'

/** So long a message stays away that could not be read yet. */
const WAITING_MS = 8000

/** What Z-API is known to do amiss beside what every gateway does. */
export const zapiFaults: readonly ProviderFault[] = [
  {
    ...{ id: 'waiting', label: 'waitingMessage' },
    effect: 'A próxima mensagem chega como “Aguardando esta mensagem”; oito segundos depois vem ela mesma.',
    arrives(event) {
      const { conversationKey: phone, message, sender } = event
      const about = { messageId: message.providerId, phone, momment: message.timestamp, senderName: sender.name }
      const body = { type: 'ReceivedCallback', instanceId: '', ...about, waitingMessage: true }
      const read = readCall(new TextEncoder().encode(JSON.stringify(body)), '', new Date(message.timestamp))
      const events = read.isGenuine ? read.events.map((one) => one.event) : []
      return [
        { afterMs: 0, events },
        { afterMs: WAITING_MS, events: [event] },
      ]
    },
  },
]
