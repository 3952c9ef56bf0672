/** Maximum duration of a turn until it has an answer, in ms: transcripts, retries and the fallback account included. */
export const TURN_MS = 60_000

/** Maximum part of a turn for transcribing recordings, in ms; what is not transcribed by then is asked without. */
export const LISTENING_MS = 20_000

/**
 * Returns when an account of a turn must have answered (epoch ms): at the turn's end, or, if a fallback account follows,
 * after two thirds of the time that is left.
 */
export const answerUntil = (now: number, end: number, hasFallback: boolean): number =>
  hasFallback ? now + Math.floor((Math.max(0, end - now) * 2) / 3) : end
