import type { CallInput } from '#kit/contract.ts'
import { notifyError } from '#web/api.ts'
import { call } from '#web/client.ts'
import { lab } from '../addresses.ts'
import type { LabMessage, LabPhone } from '../contract.ts'
import { saveMessage } from './data.ts'

/** What the person of a phone does to a message; true when it worked, else it was told why not. */
export async function actOn(
  phone: LabPhone,
  { id: messageId }: LabMessage,
  body: CallInput<typeof lab.act>['body'],
): Promise<boolean> {
  try {
    saveMessage(await call(lab.act, { params: { id: phone.id, messageId }, body }, { quiet: true }))
    return true
  } catch (error) {
    notifyError(error)
    return false
  }
}
