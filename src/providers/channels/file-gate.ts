import { byteGate } from '#kit/byte-gate.ts'
import { type ChannelAdapter, sendFailure } from './port.ts'

/** A gateway takes a file as one text of a call, which lies in memory several times over while it goes; so does a mail. */
const MOST_BYTES = 64 * 1024 * 1024
/** Half of the time that a send may take at least: what was not begun by then would be called uncertain, and leave after all. */
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
