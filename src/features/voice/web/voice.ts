import { connectionState, currentSocket, on } from '#web/realtime/realtime.ts'
import { viewer } from '#web/session/session.ts'
import { createStore } from '#web/store.ts'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { voiceEvents } from '../addresses.ts'
import type { VoiceAnswer, VoiceRequest, VoiceState } from '../contract.ts'

const ANSWER_MS = 30_000
const NOTHING: VoiceState = { devices: [], calls: [] }

/** Devices and calls of the user, kept current by the server. */
export const voice = createStore<VoiceState>(NOTHING)

const ask = async (wanted: VoiceRequest): Promise<VoiceAnswer> => {
  const socket = currentSocket()
  if (!socket?.connected) return { error: t('Sem conexão com o servidor. Tente de novo.') }
  return socket.timeout(ANSWER_MS).emitWithAck(`${viewer().tenantId}:voice`, wanted)
}

/** Follows devices and calls until the returned function is called; after each reconnection they are read again. */
export function listen(): () => void {
  // Without an answer the socket is about to close, and they are read when it is open again.
  const read = () => void ask({ do: 'listen' }).catch(() => {})
  const offs = [on(voiceEvents.state, voice.set), connectionState.subscribe((state) => state === 'open' && read())]
  if (connectionState.get() === 'open') read()
  return () => {
    for (const off of offs) off()
    voice.set(NOTHING)
  }
}

/** Sends a request about calls; a refusal is shown. */
export async function request(wanted: VoiceRequest): Promise<void> {
  const { error } = await ask(wanted).catch(() => ({ error: t('O servidor não respondeu. Tente de novo.') }))
  if (error) notify({ tone: 'neg', title: error })
}
