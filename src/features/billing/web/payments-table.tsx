import { type PaymentState, paymentState } from '#domain/billing/payments.ts'
import { formatDate, formatMoney } from '#web/format.ts'
import { t } from '#web/t.ts'
import { Pill, type Tone } from '#web/ui/identity/badges.tsx'
import type { Column } from '#web/ui/table/DataTable.tsx'
import type { CompanyPayment } from '../contract.ts'
import css from './billing.module.css'

const STATES: Readonly<Record<Exclude<PaymentState, 'other'>, { label: string; tone: Tone }>> = {
  paid: { label: t('Pago'), tone: 'pos' },
  overdue: { label: t('Vencido'), tone: 'neg' },
  pending: { label: t('Pendente'), tone: 'warn' },
}

/** Display texts of Asaas' further statuses; an unknown one is shown as it is. */
const OTHERS: Readonly<Record<string, string>> = {
  REFUNDED: t('Estornado'),
  REFUND_REQUESTED: t('Estorno pedido'),
  REFUND_IN_PROGRESS: t('Estorno em andamento'),
  CHARGEBACK_REQUESTED: t('Contestado'),
  CHARGEBACK_DISPUTE: t('Contestado'),
  AWAITING_CHARGEBACK_REVERSAL: t('Contestado'),
  AWAITING_RISK_ANALYSIS: t('Em análise'),
}

function State({ status }: { status: string }) {
  const state = paymentState(status)
  if (state === 'other') return <Pill>{Object.hasOwn(OTHERS, status) ? OTHERS[status] : status}</Pill>
  const { label, tone } = STATES[state]
  return <Pill tone={tone}>{label}</Pill>
}

/** Formats a day (AAAA-MM-DD), whatever the time zone. */
export const dayText = (day: string): string => formatDate(`${day}T12:00:00Z`)

/** Columns of a table of payments. */
export const paymentColumns: readonly Column<CompanyPayment>[] = [
  { key: 'id', title: t('ID do pagamento'), cell: ({ id }) => <code>{id}</code> },
  { key: 'status', title: t('Situação'), cell: ({ status }) => <State status={status} /> },
  {
    key: 'dueDate',
    title: t('Vencimento'),
    cell: ({ dueDate, paidAt }) => (
      <span className={css.names}>
        {dayText(dueDate)}
        {paidAt && <small>{t('pago em {day}', { day: dayText(paidAt) })}</small>}
      </span>
    ),
  },
  { key: 'value', title: t('Valor'), numeric: true, cell: ({ value }) => formatMoney(value) },
  {
    key: 'links',
    title: t('Link para pagamento'),
    cell: ({ invoiceUrl, bankSlipUrl }) => (
      <span className={css.links}>
        {invoiceUrl && (
          <a href={invoiceUrl} target="_blank" rel="noreferrer">
            {t('Fatura')}
          </a>
        )}
        {bankSlipUrl && (
          <a href={bankSlipUrl} target="_blank" rel="noreferrer">
            {t('Boleto')}
          </a>
        )}
        {!invoiceUrl && !bankSlipUrl && '–'}
      </span>
    ),
  },
]
