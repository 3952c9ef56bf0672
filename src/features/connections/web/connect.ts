import { capabilitiesOf } from '#providers/channels/configs.ts'
import { isApiError } from '#web/api.ts'
import { attempt } from '#web/attempt.ts'
import { call } from '#web/client.ts'
import { t } from '#web/t.ts'
import { connections } from '../connection-addresses.ts'

/** Fails with what the provider's test found, in place of that it found something. */
export function explain(error: unknown): never {
  if (isApiError(error) && typeof error.details['config'] === 'string') error.message = error.details['config']
  throw error
}

/** Whether a phone is linked to channels of a type by a code. */
export function isLinked(type: string): boolean {
  const { qr, pairingCode } = capabilitiesOf(type)
  return qr || pairingCode
}

/** Starts a connection and says that it is up; where a phone has to be linked, `onLink` shows the code. */
export async function connect({ id, type }: { id: number; type: string }, onLink: () => void): Promise<void> {
  const notice = isLinked(type) ? undefined : t('Canal conectado')
  const start = () => call(connections.start, { params: { id }, body: {} }, { quiet: true }).catch(explain)
  if ((await attempt(start, notice)) && isLinked(type)) onLink()
}
