import { callText } from '#domain/messages/calls.ts'

/** Returns the message for an incoming call that rings since `timestamp` (epoch ms). */
export function callMessage(providerId: string, timestamp: number, isVideo: boolean) {
  const call = { isVideo, isRefused: false }
  return { providerId, timestamp, type: 'call', body: callText(call), data: { call } } as const
}
