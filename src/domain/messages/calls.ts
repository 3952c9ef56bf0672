/** `data` of a call; `isRefused`: the product refused it. */
export type CallData = { readonly call: { readonly isVideo: boolean; readonly isRefused: boolean } }

/** Time after the first ring within which a call can be refused, in ms. */
export const RINGS_MS = 60_000

/** Returns the call in a message's `data`; null if none. */
export function callOf(data: unknown): CallData['call'] | null {
  const call = typeof data === 'object' && data !== null && 'call' in data ? data.call : null
  if (typeof call !== 'object' || call === null || !('isVideo' in call)) return null
  return { isVideo: call.isVideo === true, isRefused: 'isRefused' in call && call.isRefused === true }
}

/** Formats a call as text. */
export const callText = ({ isVideo, isRefused }: CallData['call']): string =>
  `Chamada de ${isVideo ? 'vídeo' : 'voz'}${isRefused ? ' recusada' : ''}`
