import type { ProviderFault } from '../port.ts'
import { failureOf } from './api.ts'

/** Returns the `SendFailure` of a simulated Bot API refusal. */
const refused = (error_code: number, description: string, parameters: { retry_after?: number } = {}) =>
  failureOf(Object.assign(new Error(description), { name: 'GrammyError', error_code, description, parameters }))

/** Known faults of Telegram. */
export const telegramFaults: readonly ProviderFault[] = [
  {
    ...{ id: 'wait', label: 'Esperar 20 s (429)' },
    effect: 'O Telegram pede 20 segundos: as próximas respostas a este contato esperam, as dos outros seguem.',
    fails: () => refused(429, 'Too Many Requests: retry after 20', { retry_after: 20 }),
  },
  {
    ...{ id: 'blocked', label: 'Bloquear o bot (403)' },
    effect: 'A próxima resposta é recusada, e o contato fica marcado: bloqueou o bot.',
    fails: () => refused(403, 'Forbidden: bot was blocked by the user'),
  },
  {
    ...{ id: 'token', label: 'Token trocado (401)' },
    effect: 'O Telegram não aceita mais o token: a próxima resposta para o canal e espera por quem o corrija.',
    fails: () => refused(401, 'Unauthorized'),
  },
  {
    ...{ id: 'other', label: 'Outro programa (409)', stops: 'replaced' },
    effect: 'Outro programa usa o mesmo token: o canal para até alguém o ligar de novo.',
  },
]
