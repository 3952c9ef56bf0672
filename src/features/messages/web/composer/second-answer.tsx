import type { MessageRow } from '#features/ledger/message-rows.ts'
import { t } from '#web/t.ts'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { quotePreview } from '../parts/quote.tsx'

/** Asks for confirmation before a reply that follows shortly after a colleague's. */
export const confirmSecond = (answer: MessageRow): Promise<boolean> =>
  confirm({
    title: t('{name} acabou de responder', { name: answer.userName ?? t('Um colega') }),
    text: <q>{quotePreview(answer)}</q>,
    action: t('Enviar mesmo assim'),
    tone: 'brand',
  })
