/** `data` of a call; `isRefused`: the product refused it. */
export type CallData = { readonly call: { readonly isVideo: boolean; readonly isRefused: boolean } }

/** Time after the first ring within which a call is refused, in ms; later it is over. */
export const RINGS_MS = 60_000

/** The call in a message's `data`; null where there is none. */
export function callOf(data: unknown): CallData['call'] | null {
  const call = typeof data === 'object' && data !== null && 'call' in data ? data.call : null
  if (typeof call !== 'object' || call === null || !('isVideo' in call)) return null
  return { isVideo: call.isVideo === true, isRefused: 'isRefused' in call && call.isRefused === true }
}

/** A call in words. */
export const callText = ({ isVideo, isRefused }: CallData['call']): string =>
  `Chamada de ${isVideo ? 'vídeo' : 'voz'}${isRefused ? ' recusada' : ''}`
