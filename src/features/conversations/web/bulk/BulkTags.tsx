import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import { plural, t } from '#web/t.ts'
import { ManyChoice } from '#web/ui/inputs/ManyChoice.tsx'
import css from '../dialogs.module.css'
import { useTags } from '../list/choices.ts'
import type { Perform } from './run.tsx'

/** Gives tags to many tickets, or takes them away. */
export function BulkTags(props: { action: 'tag' | 'untag'; count: number; onDone: Perform; onClose: () => void }) {
  const { action, count, onDone, onClose } = props
  const tags = useTags() ?? []
  const [tagIds, setTags] = useState<number[]>([])
  const [busy, setBusy] = useState(false)
  const [missing, setMissing] = useState(false)
  const submit = async () => {
    if (tagIds.length === 0) return setMissing(true)
    setBusy(true)
    await onDone(action, { tagIds })
    setBusy(false)
  }
  const tickets = plural(count, t('atendimento'), t('atendimentos'))
  return (
    <Modal
      opened
      onClose={onClose}
      size={420}
      padding={20}
      title={action === 'tag' ? t('Etiquetar {tickets}', { tickets }) : t('Tirar etiquetas de {tickets}', { tickets })}
    >
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <ManyChoice
          label={t('Etiquetas')}
          none={t('Nenhuma com esse nome.')}
          options={tags.map(({ id, tag }) => ({ id, name: tag }))}
          chosen={tagIds}
          onChange={setTags}
          error={missing && tagIds.length === 0 ? t('Escolha as etiquetas.') : undefined}
        />
        <div className={css.footer}>
          <Button variant="default" onClick={onClose}>
            {t('Cancelar')}
          </Button>
          <Button type="submit" loading={busy}>
            {action === 'tag' ? t('Etiquetar') : t('Tirar etiquetas')}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
