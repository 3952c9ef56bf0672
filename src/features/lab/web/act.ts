import type { CallInput } from '#kit/contract.ts'
import { notifyError } from '#web/api.ts'
import { call } from '#web/client.ts'
import { lab } from '../addresses.ts'
import type { LabMessage, LabPhone } from '../contract.ts'
import { saveMessage } from './data.ts'

/** Sends an act of the phone's person on a message; returns whether it succeeded, after showing the error if not. */
export async function actOn(
  phone: LabPhone,
  { id: messageId, sender }: LabMessage,
  body: CallInput<typeof lab.act>['body'],
  /** Id of the acting group member; default: the author, else the first member. */
  by?: number,
): Promise<boolean> {
  const as = phone.isGroup ? (by ?? sender?.phoneId ?? phone.members[0]?.phoneId) : undefined
  try {
    saveMessage(
      await call(
        lab.act,
        { params: { id: as ?? phone.id, messageId }, body: { ...body, ...(as ? { groupId: phone.id } : {}) } },
        { quiet: true },
      ),
    )
    return true
  } catch (error) {
    notifyError(error)
    return false
  }
}
