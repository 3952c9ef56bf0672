import type { TicketDetail } from '#features/ledger/ticket-rows.ts'
import { t } from '#web/t.ts'
import { useUnknownVariables } from '#web/variables.ts'
import { filledIn } from '../replies/quick-replies.ts'
import css from './composer.module.css'

/** What the customer will read in place of the variables in a text, and which of them nothing fills. */
export function VariablesNotice({ ticket, text }: { ticket: TicketDetail; text: string }) {
  const unknown = useUnknownVariables(text)
  const read = filledIn(text, ticket)
  return (
    <>
      {unknown && (
        <p className={css.tooLong} role="alert">
          {unknown}
        </p>
      )}
      {read !== text && <p className={css.reads}>{t('O cliente lê: {text}', { text: read })}</p>}
    </>
  )
}
