import { Select } from '@mantine/core'
import type { TicketDetail } from '#features/ledger/ticket-rows.ts'
import { change } from '#features/tickets/web/actions/actions.ts'
import { useStages } from '#features/tickets/web/choices/choices.ts'
import { t } from '#web/t.ts'
import { Stage } from '#web/ui/identity/badges.tsx'
import css from './context.module.css'

/** Kanban stage of the contact; of a closed ticket the stage in which it ended. */
export function StageSection({ ticket }: { ticket: TicketDetail }) {
  const { id, kanban, status } = ticket
  const stages = useStages()
  if (!stages || (stages.length === 0 && kanban === null)) return null
  const colorOf = (value: string) => stages.find((one) => String(one.id) === value)?.color ?? ''
  return (
    <section className={css.section}>
      <h2>{t('Kanban')}</h2>
      <Select
        size="sm"
        mt={6}
        aria-label={t('Etapa do kanban')}
        placeholder={t('Sem etapa')}
        clearable
        clearButtonProps={{ 'aria-label': t('Limpar Kanban') }}
        disabled={status === 'closed'}
        data={stages.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={kanban === null ? null : String(kanban)}
        renderOption={({ option }) => <Stage name={option.label} color={colorOf(option.value)} />}
        onChange={(next) => void change(id, { kanban: next === null ? null : Number(next) })}
      />
    </section>
  )
}
