import type { ProviderFault } from '../port.ts'
import { failureOf, GraphRefusal } from './graph.ts'

const refused = (code: number, label: string, effect: string): ProviderFault => ({
  ...{ id: String(code), label, effect, fails: () => failureOf(new GraphRefusal(400, { code }), true) },
})

/** Known refusals of Meta. */
export const metaFaults: readonly ProviderFault[] = [
  refused(131_047, 'Recusar: 131047', 'A próxima resposta é recusada: passaram 24 horas.'),
  refused(131_049, 'Recusar: 131049', 'A próxima resposta é recusada: o contato já recebeu anúncios demais.'),
  refused(130_429, 'Ocupado: 130429', 'O limite de envios foi atingido: a próxima resposta espera e vai depois.'),
  refused(190, 'Token vencido: 190', 'A próxima resposta para o canal, até um administrador iniciá-lo de novo.'),
  refused(132_015, 'Modelo pausado', 'A próxima resposta é recusada, como a de um modelo pausado: 132015.'),
]
