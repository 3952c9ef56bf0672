import { useState } from 'react'
import { plural, t } from '#web/t.ts'
import { FormDialog } from '#web/ui/feedback/FormDialog.tsx'
import { ManyChoice } from '#web/ui/inputs/ManyChoice.tsx'
import { useTags } from '../choices/choices.ts'
import type { Perform } from './run.tsx'

/** Dialog that adds tags to many tickets, or removes them. */
export function BulkTags(props: { action: 'tag' | 'untag'; count: number; onDone: Perform; onClose: () => void }) {
  const { action, count, onDone, onClose } = props
  const tags = useTags() ?? []
  const [tagIds, setTags] = useState<number[]>([])
  const [missing, setMissing] = useState(false)
  const submit = async () => {
    if (tagIds.length === 0) return setMissing(true)
    await onDone(action, { tagIds })
  }
  const tickets = plural(count, t('atendimento'), t('atendimentos'))
  return (
    <FormDialog
      title={action === 'tag' ? t('Etiquetar {tickets}', { tickets }) : t('Tirar etiquetas de {tickets}', { tickets })}
      action={action === 'tag' ? t('Etiquetar') : t('Tirar etiquetas')}
      onSubmit={submit}
      onClose={onClose}
    >
      <ManyChoice
        label={t('Etiquetas')}
        none={t('Nenhuma com esse nome.')}
        options={tags.map(({ id, tag }) => ({ id, name: tag }))}
        chosen={tagIds}
        onChange={setTags}
        error={missing && tagIds.length === 0 ? t('Escolha as etiquetas.') : undefined}
      />
    </FormDialog>
  )
}
