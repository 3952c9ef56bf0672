import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { TicketDetail } from '#features/ledger/ticket-rows.ts'
import { change } from '#features/tickets/web/actions/actions.ts'
import { offeredReasons } from '#features/tickets/web/closing/resolve.ts'
import { FieldInput } from '#web/fields/field.tsx'
import { t } from '#web/t.ts'
import css from './context.module.css'

const money = { kind: 'money', label: t('Valor') } as const

/** Reason and value of the ticket, editable at any time; closing asks for them again. */
export function OutcomeSection({ ticket }: { ticket: TicketDetail }) {
  const { id, reasons: reason } = ticket
  const stored = ticket.value === null ? null : Number(ticket.value).toFixed(2)
  const { data: offered = [], isPending } = useQuery(offeredReasons())
  const [value, setValue] = useState(stored)
  useEffect(() => setValue(stored), [stored])
  const save = () => {
    if (value !== stored) void change(id, { value })
  }
  const known = isPending || offered.some((one) => one.id === reason)
  return (
    <section className={css.section}>
      <h2>{t('Motivo e valor')}</h2>
      <div className={css.outcome}>
        {(offered.length > 0 || reason !== null) && (
          <Select
            label={t('Motivo')}
            placeholder={t('Sem motivo')}
            searchable
            clearable
            clearButtonProps={{ 'aria-label': t('Limpar motivo') }}
            nothingFoundMessage={t('Nenhum motivo com esse nome')}
            data={[
              ...offered.map((one) => ({ value: String(one.id), label: one.name })),
              ...(known || reason === null ? [] : [{ value: String(reason), label: t('Motivo desativado') }]),
            ]}
            value={reason === null ? null : String(reason)}
            onChange={(next) => void change(id, { reasons: next === null ? null : Number(next) })}
          />
        )}
        <form
          onBlur={save}
          onSubmit={(event) => {
            event.preventDefault()
            save()
          }}
        >
          <FieldInput field={money} value={value} onChange={(next) => setValue(next || null)} />
        </form>
      </div>
    </section>
  )
}
