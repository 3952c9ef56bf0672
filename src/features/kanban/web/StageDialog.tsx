import { t } from '#web/t.ts'
import { MoveDialog } from '#web/ui/feedback/MoveDialog.tsx'

const none = 'none'

/** Asks for one of some stages, or for none. */
export function StageDialog({
  stages,
  onPick,
  ...dialog
}: {
  title: string
  hint?: string
  action: string
  /** Whether the move cannot be undone. */
  isFinal?: boolean
  stages: readonly { id: number; name: string }[]
  onPick: (kanban: number | null) => Promise<void>
  onClose: () => void
}) {
  return (
    <MoveDialog
      {...dialog}
      placeholder={t('Escolha uma etapa')}
      nothingFound={t('Nenhuma etapa com esse nome')}
      missing={t('Escolha a etapa.')}
      options={[
        ...stages.map(({ id, name }) => ({ value: String(id), label: name })),
        { value: none, label: t('Sem etapa (fora do painel)') },
      ]}
      onPick={(to) => onPick(to === none ? null : Number(to))}
    />
  )
}
