/** Format of a call's sound: signed 16-bit PCM, one channel, in frames of 40 ms (specification, Voice). */
export const SOUND = { rate: 16_000, channels: 1, bits: 16, frame: 16_000 / 25 } as const

/** Bytes of one frame of sound. */
export const FRAME_BYTES: number = (SOUND.frame * SOUND.channels * SOUND.bits) / 8

/** Times of the specification, in ms. */
export const VOICE_MS = {
  /** Age at which a frame of the microphone is dropped instead of sent. */
  microphone: 250,
  /** Time after which the next device is tried for an outgoing call. */
  dial: 1000,
  /** Time after the end of a call until lists of calls are read again. */
  reload: 500,
} as const

/** Statuses of a current call: incoming and ringing, outgoing and ringing, answered. */
export const CALL_STATUSES = ['offer', 'outcoming_calling', 'accept'] as const
export type CallStatus = (typeof CALL_STATUSES)[number]

/** States of a page's recorder: no microphone yet, microphone open, its sound is sent. */
export const RECORDER_STATES = ['not ready', 'ready', 'recording'] as const
export type Recorder = (typeof RECORDER_STATES)[number]

/** Signals that end a call, and the time (ms) for which its end is still shown. */
export const ENDINGS = { terminate: 250, reject: 250, reject_elsewhere: 250, accept_elsewhere: 500 } as const
export type Ending = keyof typeof ENDINGS

/** Direction of a call, as seen by the company. */
export type Direction = 'incoming' | 'outgoing'

/** Statuses of a call in the log: ringing (outgoing, incoming), answered, and ended after or without an answer. */
export const LOGGED = {
  Calling: 'Chamando',
  Received: 'Recebida',
  Accepted: 'Aceita',
  Completed: 'Completada',
  Ended: 'Encerrada',
} as const
export type LoggedStatus = keyof typeof LOGGED

/** Returns the status in the log of a call that begins. */
export const loggedAtBegin = (direction: Direction): LoggedStatus => (direction === 'incoming' ? 'Received' : 'Calling')

/** Returns the status in the log of a call that ended, answered or not. */
export const loggedAtEnd = (wasAnswered: boolean): LoggedStatus => (wasAnswered ? 'Completed' : 'Ended')

/** Result of trying one device for an outgoing call: a failure is the provider's sentence; `busy` and `late` have none. */
export type DialResult = 'ringing' | 'busy' | 'late' | { readonly sentence: string }

/** Text for an outgoing call that every device refused. */
export const BUSY = 'Linha ocupada, tente mais tarde ou faça um upgrade'
/** Text for a call without a connected device. */
export const NOT_CONNECTED = 'Webphone não está conectado'

/** Returns the reason of a call that failed on every tried device: the provider's sentence where all agree on one. */
export function whyNotDialled(results: readonly DialResult[]): string {
  if (results.length === 0) return NOT_CONNECTED
  const sentences = new Set(results.map((result) => (typeof result === 'object' ? result.sentence : '')))
  const [only = ''] = sentences
  return sentences.size === 1 && only ? only : BUSY
}

/** Returns the duration of a call in seconds; 0 if it was not answered. */
export const secondsOf = (answeredAt: Date | null, endedAt: Date | null): number =>
  answeredAt && endedAt ? Math.max(0, Math.round((endedAt.getTime() - answeredAt.getTime()) / 1000)) : 0
