import { Select } from '@mantine/core'
import { useState } from 'react'
import { type ColumnsBy, type FigureList, figuresOf, ofColumn } from '#domain/tickets/figures.ts'
import { Choice } from '#features/tickets/web/asked/Choice.tsx'
import own from '#features/tickets/web/asked/ticket-acts.module.css'
import { MoveChannel } from '#features/tickets/web/bulk/MoveChannel.tsx'
import { useColleagues, useConnections, useQueues } from '#features/tickets/web/choices/choices.ts'
import { Closing } from '#features/tickets/web/closing/closing-dialog.tsx'
import { t } from '#web/t.ts'
import { FormDialog } from '#web/ui/feedback/FormDialog.tsx'
import { runOn } from './company.ts'

/**
 * Dialog of a bulk action on all tickets of a list: closing them; moving them to a person or queue (`from`: current one,
 * null for none, absent to choose); or moving them between connections.
 */
export type Asked =
  | { readonly kind: 'close'; readonly title: string; readonly list: FigureList; readonly seen?: number | undefined }
  | { readonly kind: 'move'; readonly by: ColumnsBy; readonly groups: boolean; readonly from?: number | null }
  | { readonly kind: 'channels' }

type Part<Kind extends Asked['kind']> = { of: Extract<Asked, { kind: Kind }>; onClose: () => void }

/** Dialog of a bulk action on tickets of the company. */
export function MassDialog({ of, onClose }: { of: Asked; onClose: () => void }) {
  if (of.kind === 'channels') return <MoveChannels onClose={onClose} />
  return of.kind === 'move' ? <MoveAll of={of} onClose={onClose} /> : <CloseAll of={of} onClose={onClose} />
}

function CloseAll({ of: { title, list, seen }, onClose }: Part<'close'>) {
  return (
    <Closing
      title={title}
      onClose={onClose}
      onResolve={async (args) => {
        if (await runOn(list, 'close', args, seen)) onClose()
      }}
    />
  )
}

const labels = {
  user: {
    title: t('Transferir entre pessoas'),
    hint: t('Tudo o que está aberto ou pendente com uma pessoa passa para outra; cada atendimento fica na sua fila.'),
    from: t('De quem'),
    to: t('Para quem'),
    missing: t('Escolha a pessoa.'),
    same: t('Escolha outra pessoa.'),
  },
  queue: {
    title: t('Transferir entre filas'),
    hint: t('Tudo o que está aberto ou pendente em uma fila passa a esperar em outra, sem responsável.'),
    from: t('Fila de origem'),
    to: t('Fila de destino'),
    missing: t('Escolha a fila.'),
    same: t('Escolha outra fila.'),
  },
} as const

function MoveAll({ of: { by, groups, from }, onClose }: Part<'move'>) {
  const people = useColleagues()
  const queues = useQueues()
  const [source, setSource] = useState<string | null>(from == null ? null : String(from))
  const [target, setTarget] = useState<string | null>(null)
  const [isTried, setTried] = useState(false)
  const { title, hint, from: fromLabel, to: toLabel, missing, same } = labels[by]
  const rows = (by === 'user' ? people : queues?.map(({ id, queue }) => ({ id, name: queue }))) ?? []
  const data = rows.map(({ id, name }) => ({ value: String(id), label: name }))
  const isAsked = from === undefined
  const problem = target === null ? missing : target === source && same
  const submit = async () => {
    setTried(true)
    if (problem || target === null || (isAsked && source === null)) return
    const list = ofColumn(figuresOf(groups).live, by, source === null ? null : Number(source))
    const args = by === 'user' ? { userId: Number(target) } : { queueId: Number(target) }
    if (await runOn(list, 'transfer', args)) onClose()
  }
  const field = { openOnFocus: false, allowDeselect: false, searchable: true, data } as const
  return (
    <FormDialog title={title} action={t('Transferir')} onSubmit={submit} onClose={onClose}>
      <p className={own.hint}>
        {from === null && by === 'queue'
          ? t('Tudo o que está aberto ou pendente sem fila passa a esperar em uma.')
          : hint}
      </p>
      {isAsked && (
        <Select
          {...field}
          data-autofocus
          label={fromLabel}
          value={source}
          error={isTried && source === null ? missing : undefined}
          onChange={setSource}
        />
      )}
      <Select
        {...field}
        data-autofocus={!isAsked || undefined}
        label={toLabel}
        value={target}
        error={(isTried && problem) || undefined}
        onChange={setTarget}
      />
    </FormDialog>
  )
}

function MoveChannels({ onClose }: { onClose: () => void }) {
  const connections = useConnections()
  const [from, setFrom] = useState<{ id: number; name: string } | null>(null)
  if (from) return <MoveChannel id={from.id} name={from.name} onClose={onClose} />
  return (
    <Choice
      title={t('Transferir entre canais')}
      hint={t('Primeiro o canal do qual os atendimentos saem.')}
      label={t('Canal de origem')}
      missing={t('Escolha o canal.')}
      button={t('Continuar')}
      rows={connections}
      onPick={async (id) => setFrom(connections?.find((one) => one.id === id) ?? null)}
      onClose={onClose}
    />
  )
}
