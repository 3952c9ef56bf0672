import { isKeyOf, isRecord } from '../keys.ts'

/**
 * State of a mail with a message that the channel could not deliver because the contact had left. Only `sent` confirms the
 * sending; `uncertain`: unknown.
 */
export type ByMailState = 'sending' | 'sent' | 'failed' | 'uncertain'

/** Mail that contains a message; its id is that of its last message. */
export type ByMail = { readonly id: string; readonly state: ByMailState }

/** `data` of a message that was sent by mail. */
export type ByMailData = { readonly byMail: ByMail }

const LABELS: Readonly<Record<ByMailState, string>> = {
  sending: 'vai por e-mail',
  sent: 'por e-mail',
  failed: 'e-mail não chegou',
  uncertain: 'e-mail incerto',
}

const isByMail = (value: unknown): value is ByMail =>
  isRecord(value) && typeof value['state'] === 'string' && isKeyOf(LABELS, value['state'])

/** Returns a message's `data` with the label of its mail; other `data` unchanged. */
export function withMailLabel(data: unknown): unknown {
  if (!isRecord(data) || !isByMail(data['byMail'])) return data
  const { byMail } = data
  return { ...data, byMail: { ...byMail, label: LABELS[byMail.state] } }
}

/** Permitted previous states: a bounced mail had been sent, and an uncertain one may prove to have been sent. */
export const BEFORE: Readonly<Record<Exclude<ByMailState, 'sending'>, readonly ByMailState[]>> = {
  sent: ['sending', 'uncertain'],
  uncertain: ['sending'],
  failed: ['sending', 'uncertain', 'sent'],
}
