import { capabilitiesOf } from '#providers/channels/configs.ts'
import { isApiError } from '#web/api.ts'
import { attempt } from '#web/attempt.ts'
import { call } from '#web/client.ts'
import { t } from '#web/t.ts'
import { connections } from '../connection-addresses.ts'

/** Rethrows an error with the problem found by the provider's test as its message. */
export function explain(error: unknown): never {
  if (isApiError(error) && typeof error.details['config'] === 'string') error.message = error.details['config']
  throw error
}

/** Whether a phone is linked to channels of a type by a code. */
export function isLinked(type: string): boolean {
  const { qr, pairingCode } = capabilitiesOf(type)
  return qr || pairingCode
}

/** Starts a connection and notifies that it is connected; for channels with linked phones, `onLink` shows the code instead. */
export async function connect({ id, type }: { id: number; type: string }, onLink: () => void): Promise<void> {
  const notice = isLinked(type) ? undefined : t('Canal conectado')
  const start = () => call(connections.start, { params: { id }, body: {} }, { quiet: true }).catch(explain)
  if ((await attempt(start, notice)) && isLinked(type)) onLink()
}
