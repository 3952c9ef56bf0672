import { byteGate } from '#kit/byte-gate.ts'
import { type ChannelAdapter, sendFailure } from './port.ts'

/**
 * Limit of bytes sent at once, because a gateway takes a file as one text of a call, which is several times in memory
 * meanwhile; so does a mail.
 */
const MOST_BYTES = 64 * 1024 * 1024
/**
 * Maximum wait, half of the minimum time-out of a send: a send begun later would be recorded as uncertain although it is
 * sent.
 */
const PATIENCE_MS = 60_000
const throughGate = byteGate(MOST_BYTES, {
  ms: PATIENCE_MS,
  error: () => sendFailure('unreachable', 'Saem muitos arquivos grandes ao mesmo tempo.'),
})

/** Wraps a channel's `send` with a limit of the file bytes that are sent at once over all connections of this process. */
export const gated =
  (send: ChannelAdapter['send']): ChannelAdapter['send'] =>
  (message) =>
    message.file ? throughGate(message.file.size, () => send(message)) : send(message)
