/**
 * How far a mail is by which a message went that its channel could not bring: the contact had left. Only `sent` says that it
 * left; `uncertain`, that nobody knows.
 */
export type ByMailState = 'sending' | 'sent' | 'failed' | 'uncertain'

/** The mail by which a message went; it is called as the last message in it. */
export type ByMail = { readonly id: string; readonly state: ByMailState }

/** The `data` of a message that went by mail. */
export type ByMailData = { readonly byMail: ByMail }

const LABELS: Readonly<Record<ByMailState, string>> = {
  sending: 'vai por e-mail',
  sent: 'por e-mail',
  failed: 'e-mail não chegou',
  uncertain: 'e-mail incerto',
}

/** The `data` of a message with what its bubble says of such a mail; any other as it is. */
export function withMailLabel(data: unknown): unknown {
  const { byMail } = (data ?? {}) as Partial<ByMailData>
  return byMail ? { ...(data as ByMailData), byMail: { ...byMail, label: LABELS[byMail.state] } } : data
}

/** From where a state goes on: what bounced had left, and what nobody knew of may prove to have left. */
export const BEFORE: Readonly<Record<Exclude<ByMailState, 'sending'>, readonly ByMailState[]>> = {
  sent: ['sending', 'uncertain'],
  uncertain: ['sending'],
  failed: ['sending', 'uncertain', 'sent'],
}
