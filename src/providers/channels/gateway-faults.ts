import { failureOf, type Gateway, GatewayRefusal } from './gateway-calls.ts'
import type { ForPhone, ProviderFault } from './port.ts'

/** Returns the echo event of a message of ours that the phone has sent. */
const echoOf = ({ messageId, conversationKey, body, now }: ForPhone) => ({
  ...({ type: 'echo', mayBeOurs: true, dedupeKey: `echo ${messageId}`, conversationKey, messageId } as const),
  sender: { identity: conversationKey, name: '', number: null },
  message: { providerId: messageId, timestamp: now.getTime(), type: 'text' as const, body },
})

/** Known faults of every gateway. */
export const gatewayFaults = (gateway: Pick<Gateway, 'name'>): readonly ProviderFault[] => [
  {
    ...{ id: 'gone', label: 'Instância apagada', stops: 'unlinked' },
    effect: 'Alguém apagou a instância no gateway: o canal para, e o que se escreve espera até ser ligado de novo.',
  },
  {
    ...{ id: 'key', label: 'Chave trocada', fails: () => failureOf(new GatewayRefusal(401, {}), gateway) },
    effect: 'O gateway não aceita mais a chave: a próxima resposta para o canal e espera por quem a corrija.',
  },
  {
    ...{ id: 'restart', label: 'Reiniciar', fails: () => failureOf(new GatewayRefusal(503, {}), gateway) },
    effect: 'O gateway está reiniciando: a próxima resposta espera e vai depois.',
  },
  {
    ...{ id: 'lost', label: 'Sem resposta', fails: () => failureOf(new GatewayRefusal(502, {}), gateway) },
    effect: 'A próxima resposta sai, mas o gateway não o confirma; o eco do telefone esclarece.',
    reports: (message) => [echoOf(message)],
  },
  {
    ...{ id: 'lies', label: 'Sucesso falso', isLost: true },
    effect: 'O gateway aceita a próxima resposta e depois avisa que não a enviou.',
    reports: ({ messageId, conversationKey, now }) => [
      {
        ...{ type: 'receipt', dedupeKey: `${messageId} failed`, conversationKey, providerId: messageId },
        ...{ status: 'failed', timestamp: now.getTime(), error: `${gateway.name} não conseguiu enviar a mensagem` },
      },
    ],
  },
]
