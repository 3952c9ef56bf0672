import { z } from 'zod'
import { readOutside } from '#kit/outside.ts'
import { record, textOrNumber as text } from '#kit/outside-fields.ts'
import { CalendarFailure } from '../port.ts'

const reason = record({ reason: text })
const errorBody = record({
  error: z.union([record({ errors: z.array(reason), details: z.array(reason), status: text }), z.string()]),
})

/** Returns the reasons of an error, in lower case. */
export function reasonOf(given: unknown): readonly string[] {
  const error = readOutside(errorBody, given)?.data.error
  if (error === undefined || typeof error === 'string') return error ? [error.toLowerCase()] : []
  const named = [...(error.errors ?? []), ...(error.details ?? [])].map((one) => one.reason)
  return [...named, error.status].flatMap((one) => (one ? [one.toLowerCase()] : []))
}

const PATIENCE = ['ratelimitexceeded', 'userratelimitexceeded', 'quotaexceeded', 'rate_limit_exceeded']
const NO_SCOPE = ['insufficientpermissions', 'access_token_scope_insufficient']
const NO_API = ['accessnotconfigured', 'service_disabled']

/** Maps an error response to a failure; `isChanges`: of a call for changes, where 410 means an expired cursor. */
export function refusalOf(status: number, reasons: readonly string[], isChanges: boolean): CalendarFailure {
  const has = (some: readonly string[]) => reasons.some((one) => some.includes(one))
  const failure = (problem: CalendarFailure['problem'], message: string) => new CalendarFailure(problem, message)
  if (status === 401) return failure('revoked', 'O Google não aceita mais esta autorização. Entre de novo com a conta.')
  if (status === 429 || status >= 500 || (status === 403 && has(PATIENCE)))
    return failure('later', 'O Google pede para esperar.')
  if (status === 403 && has(NO_SCOPE))
    return failure('revoked', 'O acesso à agenda não foi permitido. Entre de novo e marque-o.')
  if (status === 403 && has(NO_API))
    return failure('setup', 'A Google Calendar API não está ativada no projeto deste ID do cliente.')
  if (status === 410 && isChanges) return failure('cursor', 'A posição da sincronização venceu.')
  if (status === 404 || status === 410) return failure('gone', 'O evento, ou a agenda, não existe mais no Google.')
  if (status === 409) return failure('taken', 'O evento já existe.')
  if (status === 412) return failure('changed', 'O evento mudou no Google.')
  return failure('refused', 'O Google não aceitou o evento. Confira horário e convidados.')
}
