import { callText } from '#domain/messages/calls.ts'

/** Returns the message that stands for a call that rings at the company, from `timestamp` (epoch ms) on. */
export function callMessage(providerId: string, timestamp: number, isVideo: boolean) {
  const call = { isVideo, isRefused: false }
  return { providerId, timestamp, type: 'call', body: callText(call), data: { call } } as const
}
