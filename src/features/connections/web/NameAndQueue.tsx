import { Select, TextInput } from '@mantine/core'
import { useChoices } from '#web/choices.ts'
import { t } from '#web/t.ts'
import type { FieldErrors } from '#web/ui/inputs/use-form.ts'

/** Fields of every channel: its name for the team, and the queue of its new conversations. */
export function NameAndQueue(props: {
  values: { name: string; queueId: number | null }
  errors: FieldErrors
  set: ((key: 'name', value: string) => void) & ((key: 'queueId', value: number | null) => void)
  autoFocus?: boolean
}) {
  const { values, errors, set, autoFocus } = props
  const queues = useChoices('queues')
  return (
    <>
      <TextInput
        label={t('Nome do canal')}
        description={t('Como a equipe o vê nas listas.')}
        required
        data-autofocus={autoFocus || undefined}
        maxLength={60}
        value={values.name}
        error={errors['name']}
        onChange={(event) => set('name', event.currentTarget.value)}
      />
      <Select
        label={t('Fila')}
        description={t('Onde as conversas novas esperam.')}
        placeholder={t('Sem fila')}
        searchable
        clearable
        nothingFoundMessage={t('Nenhuma fila com esse nome')}
        data={queues
          .filter((queue) => queue.isActive || queue.id === values.queueId)
          .map(({ id, queue }) => ({ value: String(id), label: queue }))}
        value={values.queueId === null ? null : String(values.queueId)}
        error={errors['queueId']}
        onChange={(queue) => set('queueId', queue === null ? null : Number(queue))}
      />
    </>
  )
}
