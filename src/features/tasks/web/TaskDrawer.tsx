import { NumberInput, Select } from '@mantine/core'
import { useState } from 'react'
import { MOST_TIMES, RECURRENCES } from '#domain/tasks/tasks.ts'
import type { Resource } from '#kit/resource.ts'
import { ResourceForm } from '#web/resource/ResourceForm.tsx'
import { t } from '#web/t.ts'
import { Notice, Pair } from '#web/ui/inputs/fields.tsx'

const every = RECURRENCES.map((days) => ({
  value: String(days),
  label: days === 1 ? t('Não se repete') : t('A cada {days} dias', { days }),
}))

/** Related records of a new task. */
export type TaskAbout = {
  readonly ticketId?: number | null
  readonly contactId?: number | null
  readonly opportunityId?: number | null
}

/** Props of a task's drawer; `id` 'novo' is a new task. */
export type TaskDrawerProps = { resource: Resource; id: string; onClose: () => void }

/** Drawer of a task; a new one (`id` 'novo') may recur, and gets the given related records. */
export function TaskDrawer({ about, ...props }: TaskDrawerProps & { about: TaskAbout }) {
  const [recurrence, setRecurrence] = useState(1)
  const [times, setTimes] = useState(2)
  if (props.id !== 'novo') return <ResourceForm {...props} />
  const { ticketId = null, contactId = null, opportunityId = null } = about
  const made = { ticketId, contactId, opportunityId, recurrence, recurrenceTimes: recurrence === 1 ? 1 : times }
  return (
    <ResourceForm {...props} made={made} also={recurrence === 1 ? 0 : 1}>
      <Pair>
        <Select
          label={t('Recorrência')}
          allowDeselect={false}
          data={every}
          value={String(recurrence)}
          onChange={(days) => setRecurrence(Number(days))}
        />
        {recurrence !== 1 && (
          <NumberInput
            label={t('Quantas vezes')}
            min={2}
            max={MOST_TIMES}
            clampBehavior="strict"
            allowDecimal={false}
            value={times}
            onChange={(value) => setTimes(Number(value) || 2)}
          />
        )}
      </Pair>
      {recurrence !== 1 && (
        <Notice tone="info">{t('São criadas {times} tarefas, uma para cada data.', { times })}</Notice>
      )}
      {opportunityId && <Notice tone="info">{t('Fica ligada à oportunidade {id}.', { id: opportunityId })}</Notice>}
      {contactId && !opportunityId && (
        <Notice tone="info">{t('Fica ligada ao contato {id}.', { id: contactId })}</Notice>
      )}
      {ticketId && <Notice tone="info">{t('Fica ligada ao atendimento {id}.', { id: ticketId })}</Notice>}
    </ResourceForm>
  )
}
