import { Modal, Select } from '@mantine/core'
import { useState } from 'react'
import { firstOf } from '#domain/present.ts'
import { t } from '#web/t.ts'
import { DialogEnd } from '#web/ui/feedback/DialogEnd.tsx'
import css from './builder.module.css'

const shares = [5, 10, 25, 50]

/** Dialog that asks for the share of new conversations to follow the draft first. */
export function PublishShare({
  onPublish,
  onClose,
}: {
  onPublish: (share: number) => Promise<boolean>
  onClose: () => void
}) {
  const [share, setShare] = useState(firstOf(shares))
  const [isBusy, setBusy] = useState(false)
  const publish = async () => {
    setBusy(true)
    await onPublish(share)
    onClose()
  }
  return (
    <Modal opened onClose={onClose} size={420} title={t('Publicar para uma parte')}>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault()
          void publish()
        }}
      >
        <p>
          {t(
            'Uma parte das conversas novas segue o rascunho; as outras, a versão publicada. Depois você o publica para todos, ou volta.',
          )}
        </p>
        <Select
          label={t('Parte das conversas novas')}
          allowDeselect={false}
          data-autofocus
          data={shares.map((one) => ({ value: String(one), label: t('{share} %', { share: one }) }))}
          value={String(share)}
          onChange={(chosen) => setShare(Number(chosen))}
        />
        <DialogEnd action={t('Publicar')} doing={t('Publicando')} busy={isBusy} onClose={onClose} />
      </form>
    </Modal>
  )
}
