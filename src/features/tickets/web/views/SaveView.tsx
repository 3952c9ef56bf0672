import { Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ticketViews } from '#features/tickets/views-addresses.ts'
import type { TicketView } from '#features/tickets/views-contract.ts'
import { isApiError, sentence, sentencesIn } from '#web/api.ts'
import { call } from '#web/client.ts'
import { may } from '#web/session/permissions.ts'
import { t } from '#web/t.ts'
import { FormDialog } from '#web/ui/feedback/FormDialog.tsx'
import { notify } from '#web/ui/feedback/notify.tsx'
import { useQueues } from '../choices/choices.ts'
import type { ListFilter } from '../lists/list-filter.ts'
import { viewOf } from './views.ts'

const audiences = [
  { value: 'person', label: t('Só eu') },
  { value: 'queue', label: t('Quem atende uma fila') },
  { value: 'company', label: t('Toda a empresa') },
] as const

/** Dialog that saves the current filter as a view, or changes a view's name and audience. */
export function SaveView(props: { view: TicketView | null; filter: ListFilter; onClose: () => void }) {
  const { view, filter, onClose } = props
  const queues = useQueues() ?? []
  const [name, setName] = useState(view?.name ?? '')
  const [audience, setAudience] = useState<TicketView['audience']>(view?.audience ?? 'person')
  const [queueId, setQueue] = useState(view?.queueId ?? null)
  const [details, setDetails] = useState<Readonly<Record<string, string>>>({})
  const submit = async () => {
    if (name.trim() === '') return setDetails({ name: t('Dê um nome à visão.') })
    if (audience === 'queue' && queueId === null) return setDetails({ queueId: t('Escolha a fila.') })
    const body = { name, audience, ...(audience === 'queue' ? { queueId } : {}) }
    try {
      if (view) await call(ticketViews.update, { params: { id: view.id }, body }, { quiet: true })
      else await call(ticketViews.create, { body: { ...body, filter: viewOf(filter) } }, { quiet: true })
      notify({ tone: 'pos', title: t('Visão {name} salva', { name: name.trim() }) })
      onClose()
    } catch (error) {
      const found = isApiError(error) ? sentencesIn(error.details) : {}
      setDetails(found['name'] || found['queueId'] ? found : { name: sentence(error) })
    }
  }
  return (
    <FormDialog
      title={view ? t('Mudar a visão {name}', { name: view.name }) : t('Salvar como visão')}
      action={t('Salvar')}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label={t('Nome')}
        placeholder={t('Por exemplo: VIPs esperando')}
        maxLength={40}
        value={name}
        error={details['name']}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {may('tickets:all') && (
        <Select
          label={t('Quem vê')}
          allowDeselect={false}
          data={audiences}
          value={audience}
          onChange={(next) => next && setAudience(next)}
        />
      )}
      {audience === 'queue' && (
        <Select
          label={t('Fila')}
          searchable
          allowDeselect={false}
          data={queues.map(({ id, queue }) => ({ value: String(id), label: queue }))}
          value={queueId === null ? null : String(queueId)}
          error={details['queueId']}
          onChange={(next) => setQueue(next === null ? null : Number(next))}
        />
      )}
    </FormDialog>
  )
}
