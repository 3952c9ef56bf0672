import type { ProviderFault } from '../port.ts'
import { readCall } from './inbound.ts'

/** Delay of a message that could not be decrypted at first, in ms. */
const WAITING_MS = 8000

/** Known faults of Z-API besides those of every gateway. */
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
