import { failureOf, type Gateway, GatewayRefusal } from '../gateway-calls.ts'
import { type ProviderFault, sendFailure } from '../port.ts'
import { eventOf, REFUSALS } from './provider.ts'

/** Known faults of SMS providers. */
export const smsFaults = (gateway: Pick<Gateway, 'name'>): readonly ProviderFault[] => [
  {
    ...{ id: 'inside', label: 'Erro dentro de 200' },
    effect: 'O provedor responde 200 com um erro dentro: a próxima resposta é recusada.',
    fails: () => failureOf(new GatewayRefusal(400, { Success: false }), gateway),
  },
  {
    ...{ id: 'credit', label: 'Sem créditos' },
    effect: 'Acabaram os créditos: a próxima resposta espera e é tentada de novo.',
    fails: () => sendFailure('unreachable', REFUSALS.credit),
  },
  {
    ...{ id: 'undelivered', label: 'Não entregue', isLost: true },
    effect: 'O provedor aceita a próxima resposta, e o relatório diz que a operadora não a entregou.',
    reports: ({ messageId: id, to, now }) => [eventOf({ is: 'failed', id, to, error: REFUSALS.undelivered }, now)],
  },
]
