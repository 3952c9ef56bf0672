import { Button, Modal } from '@mantine/core'
import { t } from '../../t.ts'
import { CopyButton } from '../inputs/CopyButton.tsx'
import dialogs from './dialogs.module.css'
import css from './secret-dialog.module.css'

/** Dialog with a secret that is shown only once, to be copied; `text` explains its use. */
export function SecretDialog(props: { title: string; text: string; secret: string; onClose: () => void }) {
  const { title, text, secret, onClose } = props
  return (
    <Modal opened onClose={onClose} size={480} title={title} closeOnClickOutside={false}>
      <div className={dialogs.form}>
        <p className={css.text}>{text}</p>
        <code className={css.secret}>{secret}</code>
        <p className={css.text}>{t('Guarde-o agora: ele não será mostrado de novo.')}</p>
        <div className={dialogs.footer}>
          <CopyButton label={t('Copiar')} text={() => secret} />
          <Button onClick={onClose}>{t('Já guardei')}</Button>
        </div>
      </div>
    </Modal>
  )
}
