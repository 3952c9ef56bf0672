import { type Gateway, GatewayRefusal } from '../gateway-calls.ts'
import type { ForPhone, ProviderEvent, ProviderFault } from '../port.ts'
import { sendFailureOf } from './api.ts'
import { readCall } from './inbound.ts'

/** Returns the events of the statuses that the hub reports of a message, in order. */
function statuses({ to, now }: ForPhone, given: readonly { id?: string; code: string; other?: string }[]) {
  const calls = given.map(({ id, code, other }) => ({
    ...{ type: 'MESSAGE_STATUS', message: { to }, ...(id ? { messageId: id } : {}) },
    messageStatus: { code, ...(other ? { providerMessageId: other } : {}) },
  }))
  const read = readCall(new TextEncoder().encode(JSON.stringify(calls)), { channelId: '', type: '', now })
  return read.isGenuine ? read.events.map(({ event }): ProviderEvent => event) : []
}

/** Known faults of NotificaMe Hub. */
export const hubFaults = (gateway: Pick<Gateway, 'name'>): readonly ProviderFault[] => [
  {
    ...{ id: 'early', label: 'Status adiantado', isReportedFirst: true },
    effect: 'Da próxima resposta o hub diz que foi entregue antes de dizer que a aceitou.',
    reports: (message) => statuses(message, [{ id: message.messageId, code: 'DELIVERED' }]),
  },
  {
    ...{ id: 'renamed', label: 'Id que muda' },
    effect: 'A entrega da próxima resposta vem pelo id do hub, e a leitura só pelo do canal.',
    reports(message) {
      const other = `wamid.${message.messageId}`
      return statuses(message, [
        { id: message.messageId, code: 'DELIVERED', other },
        { code: 'READ', other },
      ])
    },
  },
  {
    ...{ id: 'inside', label: 'Erro dentro de 200' },
    effect: 'O hub responde 200 com um erro da Meta dentro (131047): a próxima resposta é recusada.',
    fails: () =>
      sendFailureOf(new GatewayRefusal(400, { error: { code: 131_047, message: 'Re-engagement message' } }), gateway),
  },
  {
    ...{ id: 'token', label: 'Token trocado', stops: 'token' },
    effect: 'O hub não conhece mais o token: o canal para até alguém o corrigir.',
  },
]
