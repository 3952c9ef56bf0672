import type { TicketDetail } from '#features/ledger/ticket-rows.ts'
import { t } from '#web/t.ts'
import { useUnknownVariables } from '#web/variables.ts'
import { filledIn } from '../replies/quick-replies.ts'
import css from './composer.module.css'

/** Preview of a text with its variables filled in for the customer; lists the variables without a value. */
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
