import { Button, Modal, Select } from '@mantine/core'
import { useState } from 'react'
import { sentence } from '#web/api.ts'
import { t } from '#web/t.ts'
import { BusyButton } from '#web/ui/feedback/BusyButton.tsx'
import css from './board.module.css'

const none = 'none'

/** Asks for one of some stages, or for none. */
export function StageDialog(props: {
  title: string
  hint?: string
  action: string
  doing: string
  /** It is not taken back. */
  isFinal?: boolean
  stages: readonly { id: number; name: string }[]
  onPick: (kanban: number | null) => Promise<void>
  onClose: () => void
}) {
  const { title, hint, action, doing, isFinal = false, stages, onPick, onClose } = props
  const [to, setTo] = useState<string | null>(null)
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const pick = async () => {
    if (!to) return setError(t('Escolha a etapa.'))
    setBusy(true)
    try {
      await onPick(to === none ? null : Number(to))
      onClose()
    } catch (refused) {
      setError(sentence(refused))
      setBusy(false)
    }
  }
  return (
    <Modal opened onClose={onClose} size={480} title={title}>
      {hint && <p className={css.hint}>{hint}</p>}
      <Select
        label={t('Mover para')}
        placeholder={t('Escolha uma etapa')}
        required
        searchable
        data-autofocus
        openOnFocus={false}
        nothingFoundMessage={t('Nenhuma etapa com esse nome')}
        data={[
          ...stages.map(({ id, name }) => ({ value: String(id), label: name })),
          { value: none, label: t('Sem etapa (fora do painel)') },
        ]}
        value={to}
        error={error}
        onChange={(next) => {
          setTo(next)
          setError(undefined)
        }}
      />
      <div className={css.footer}>
        <Button variant="default" onClick={onClose} disabled={busy}>
          {t('Cancelar')}
        </Button>
        <BusyButton {...(isFinal ? { color: 'neg' } : {})} busy={busy} doing={doing} onClick={() => void pick()}>
          {action}
        </BusyButton>
      </div>
    </Modal>
  )
}
