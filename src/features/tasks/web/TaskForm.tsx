import { NumberInput, Select } from '@mantine/core'
import { useState } from 'react'
import { MOST_TIMES, RECURRENCES } from '#domain/tasks/tasks.ts'
import type { Resource } from '#kit/resource.ts'
import { ResourceForm } from '#web/resource/ResourceForm.tsx'
import { t } from '#web/t.ts'
import { Notice, Pair } from '#web/ui/inputs/fields.tsx'
import { useUrlState } from '#web/url-state.ts'

const every = RECURRENCES.map((days) => ({
  value: String(days),
  label: days === 1 ? t('Não se repete') : t('A cada {days} dias', { days }),
}))

/** The form of a task; a new one may recur, and is about the conversation (`atendimento`) or contact (`contato`) that the address names. */
export function TaskForm(props: { resource: Resource; id: string; onClose: () => void }) {
  const [url] = useUrlState()
  const [recurrence, setRecurrence] = useState(1)
  const [times, setTimes] = useState(2)
  if (props.id !== 'novo') return <ResourceForm {...props} />
  const ticketId = Number(url.atendimento) || null
  const contactId = Number(url.contato) || null
  const made = { ticketId, contactId, recurrence, recurrenceTimes: recurrence === 1 ? 1 : times }
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
      {contactId && <Notice tone="info">{t('Fica ligada ao contato {id}.', { id: contactId })}</Notice>}
      {ticketId && <Notice tone="info">{t('Fica ligada ao atendimento {id}.', { id: ticketId })}</Notice>}
    </ResourceForm>
  )
}
