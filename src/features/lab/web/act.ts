import type { CallInput } from '#kit/contract.ts'
import { notifyError } from '#web/api.ts'
import { call } from '#web/client.ts'
import { lab } from '../addresses.ts'
import type { LabMessage, LabPhone } from '../contract.ts'
import { saveMessage } from './data.ts'

/** What the person of a phone does to a message; true when it worked, else it was told why not. */
export async function actOn(
  phone: LabPhone,
  { id: messageId, sender }: LabMessage,
  body: CallInput<typeof lab.act>['body'],
  /** Who of a group does it; left out: whoever wrote it, else who stands first. */
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
