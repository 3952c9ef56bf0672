import { Button, Modal, Select } from '@mantine/core'
import { useState } from 'react'
import { plural, t } from '#web/t.ts'
import css from '../dialogs.module.css'
import { useColleagues, useQueues } from '../list/choices.ts'
import type { Perform } from './run.tsx'

/** “Transferir” of many tickets: to a queue, and to a person in it when one is chosen. */
export function BulkTransfer(props: { count: number; onDone: Perform; onClose: () => void }) {
  const { count, onDone, onClose } = props
  const queues = useQueues() ?? []
  const [queueId, setQueue] = useState<string | null>(null)
  const people = useColleagues(queueId ? Number(queueId) : null) ?? []
  const [userId, setUser] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [missing, setMissing] = useState(false)
  const submit = async () => {
    if (!queueId && !userId) return setMissing(true)
    setBusy(true)
    const args = { ...(queueId ? { queueId: Number(queueId) } : {}), ...(userId ? { userId: Number(userId) } : {}) }
    await onDone('transfer', args)
    setBusy(false)
  }
  return (
    <Modal
      opened
      onClose={onClose}
      size={420}
      padding={20}
      title={t('Transferir {tickets}', { tickets: plural(count, t('atendimento'), t('atendimentos')) })}
    >
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <Select
          data-autofocus
          openOnFocus={false}
          label={t('Fila de destino')}
          placeholder={t('Cada um na sua fila de agora')}
          searchable
          clearable
          data={queues.map(({ id: value, queue }) => ({ value: String(value), label: queue }))}
          value={queueId}
          error={missing && !queueId && !userId ? t('Escolha a fila ou a pessoa.') : undefined}
          onChange={(next) => {
            setQueue(next)
            setUser(null)
          }}
        />
        <Select
          label={t('Pessoa')}
          description={t('Sem uma pessoa, os atendimentos esperam na fila.')}
          placeholder={t('Quem estiver livre')}
          searchable
          clearable
          data={people.map((one) => ({
            value: String(one.id),
            label: one.isOnline ? one.name : t('{name} (offline)', { name: one.name }),
          }))}
          value={userId}
          onChange={setUser}
        />
        <div className={css.footer}>
          <Button variant="default" onClick={onClose}>
            {t('Cancelar')}
          </Button>
          <Button type="submit" loading={busy}>
            {t('Transferir')}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
