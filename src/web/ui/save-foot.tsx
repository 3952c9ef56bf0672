import { Button } from '@mantine/core'
import { BusyButton } from './busy-button.tsx'
import css from './save-foot.module.css'

/** The foot of a card that is saved by itself: what is unsaved, and the two ways out. Nothing is there until a change. */
export function SaveFoot(props: {
  isChanged: boolean
  busy: boolean
  onSave: () => void
  onDrop: () => void
  /** What keeps it from being saved. */
  problem?: string | undefined
}) {
  const { isChanged, busy, onSave, onDrop, problem } = props
  if (!isChanged) return null
  return (
    <footer className={css.foot}>
      <span data-problem={problem !== undefined || undefined} role={problem ? 'alert' : undefined}>
        {problem ?? 'Alterações não salvas'}
      </span>
      <Button variant="default" onClick={onDrop} disabled={busy}>
        Descartar
      </Button>
      <BusyButton busy={busy} doing="Salvando" onClick={onSave}>
        Salvar
      </BusyButton>
    </footer>
  )
}
