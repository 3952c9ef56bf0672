import { Select } from '@mantine/core'
import { useState } from 'react'
import { t } from '#web/t.ts'
import { useColleagues, useQueues } from '../choices/choices.ts'

/** State of a transfer's target: a queue and a person of it, or any person without a queue. */
export function useDestination() {
  const queues = useQueues() ?? []
  const [to, setTo] = useState<{ queueId: number | null; userId: number | null }>({ queueId: null, userId: null })
  const people = useColleagues(to.queueId) ?? []
  return { ...to, setTo, queues, people }
}

/** Fields of a transfer's target; changing the queue resets the person. `without` is the person not offered. */
export function Destination(props: {
  of: ReturnType<typeof useDestination>
  placeholder: string
  hint: string
  error: string | false
  required?: boolean
  without?: number
}) {
  const { of, placeholder, hint, error, required, without } = props
  const { queueId, userId, setTo, queues, people } = of
  return (
    <>
      <Select
        data-autofocus
        openOnFocus={false}
        label={t('Fila de destino')}
        placeholder={placeholder}
        withAsterisk={required}
        searchable
        clearable={!required}
        allowDeselect={!required}
        data={queues.map(({ id, queue }) => ({ value: String(id), label: queue }))}
        value={queueId && String(queueId)}
        error={error}
        onChange={(next) => setTo({ queueId: next ? Number(next) : null, userId: null })}
      />
      <Select
        label={t('Pessoa')}
        description={hint}
        placeholder={t('Quem estiver livre')}
        searchable
        clearable
        data={people
          .filter(({ id }) => id !== without)
          .map(({ id, name, isOnline }) => ({
            value: String(id),
            label: isOnline ? name : t('{name} (offline)', { name }),
          }))}
        value={userId && String(userId)}
        onChange={(next) => setTo({ queueId, userId: next ? Number(next) : null })}
      />
    </>
  )
}
