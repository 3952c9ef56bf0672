import { sentence } from '#web/api.ts'
import { call } from '#web/client.ts'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { contacts } from '../addresses.ts'

/** Undoes a merge and shows the result, or the error. */
export async function undoMerge(mergeId: number): Promise<void> {
  try {
    await call(contacts.undoMerge, { params: { mergeId } }, { quiet: true })
    notify({ tone: 'pos', title: t('Mescla desfeita'), text: t('Cada contato voltou a ser quem era.') })
  } catch (error) {
    notify({ tone: 'neg', title: sentence(error) })
  }
}
