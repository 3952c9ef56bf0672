import { useState } from 'react'
import { isBulkWanted, showBulk } from '#features/bulk/web/index.ts'
import { notifyError } from '#web/api.ts'
import { type Choices, useChoices } from '#web/choices.ts'
import { call } from '#web/client.ts'
import { t } from '#web/t.ts'
import { MoveDialog } from '#web/ui/feedback/MoveDialog.tsx'
import { LostIcon, PersonIcon, TransferIcon, WonIcon } from '#web/ui/icons.ts'
import { BulkBar } from '#web/ui/table/BulkBar.tsx'
import { opportunities } from '../addresses.ts'
import type { CardAction, CardArgs } from '../contract.ts'
import { textsOf } from './bulk-texts.ts'
import { LoseDialog } from './LoseDialog.tsx'

/** Bar of actions on the selected opportunities, with undo. */
export function ChosenBar(props: {
  ids: readonly number[]
  pipeline: Choices['pipelines']
  nameOf: (id: number) => string | undefined
  onDone: () => void
  onClear: () => void
}) {
  const { ids, pipeline, nameOf, onDone, onClear } = props
  const colleagues = useChoices('users')
  const [asked, setAsked] = useState<'move' | 'lose' | 'owner' | null>(null)
  const run = async (action: CardAction, args: CardArgs = {}) => {
    const ask = (dryRun: boolean) =>
      call(opportunities.bulk, { body: { ids: [...ids], action, args, dryRun } }, { quiet: true, long: true })
    try {
      if (!(await isBulkWanted(await ask(true), textsOf(action), { nameOf }))) return
      showBulk(await ask(false), textsOf(action))
      onDone()
    } catch (error) {
      notifyError(error)
    }
  }
  const close = () => setAsked(null)
  return (
    <>
      <BulkBar
        count={ids.length}
        onClear={onClear}
        commands={[
          { id: 'move', label: t('Mover'), icon: TransferIcon, run: () => setAsked('move') },
          { id: 'win', label: t('Ganhar'), icon: WonIcon, run: () => void run('win') },
          { id: 'lose', label: t('Perder'), icon: LostIcon, run: () => setAsked('lose') },
          { id: 'owner', label: t('Responsável'), icon: PersonIcon, run: () => setAsked('owner') },
        ]}
      />
      {asked === 'lose' && (
        <LoseDialog title={t('Perder as selecionadas')} onLose={(reason) => run('lose', { reason })} onClose={close} />
      )}
      {asked === 'move' && (
        <MoveDialog
          title={t('Mover as selecionadas')}
          placeholder={t('Escolha uma etapa')}
          nothingFound={t('Nenhuma etapa com esse nome')}
          missing={t('Escolha a etapa.')}
          action={t('Mover')}
          options={pipeline.stages.map(({ id, name }) => ({ value: String(id), label: name }))}
          onPick={(to) => run('move', { stageId: Number(to) })}
          onClose={close}
        />
      )}
      {asked === 'owner' && <OwnerDialog colleagues={colleagues} run={run} close={close} />}
    </>
  )
}

function OwnerDialog({
  colleagues,
  run,
  close,
}: {
  colleagues: readonly Choices['users'][]
  run: (action: CardAction, args?: CardArgs) => Promise<void>
  close: () => void
}) {
  const none = { value: 'none', label: t('Sem responsável') }
  return (
    <MoveDialog
      title={t('Mudar o responsável')}
      placeholder={t('Escolha uma pessoa')}
      nothingFound={t('Ninguém com esse nome')}
      missing={t('Escolha o responsável.')}
      action={t('Mudar')}
      options={[none, ...colleagues.map(({ id, name }) => ({ value: String(id), label: name }))]}
      onPick={(to) => run('owner', { userId: to === 'none' ? null : Number(to) })}
      onClose={close}
    />
  )
}
