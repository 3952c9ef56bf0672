import { Button } from '@mantine/core'
import { useState } from 'react'
import { isApiError } from '#web/api.ts'
import { t } from '#web/t.ts'
import { BusyButton } from '#web/ui/feedback/BusyButton.tsx'
import { EntryFrame } from './EntryFrame.tsx'
import { type Confirmed, confirmEmail, explainFailure } from './enter.ts'
import css from './login.module.css'

/** Page that confirms an e-mail address on a click, since mail scanners open links too. */
export function ConfirmEmail(props: { code: string; email: string; onOver: (error: unknown) => void }) {
  const { code, email, onOver } = props
  const [busy, setBusy] = useState(false)
  const [confirmed, setConfirmed] = useState<Confirmed>()
  const confirm = async () => {
    setBusy(true)
    try {
      setConfirmed(await confirmEmail(code))
    } catch (error) {
      if (isApiError(error) && error.code === 'ERR_CODE_INVALID') return onOver(error)
      explainFailure(error)
      setBusy(false)
    }
  }
  if (!confirmed) {
    return (
      <EntryFrame title={t('Confirme o seu e-mail')} text={t('{email} passa a ser a sua entrada.', { email })}>
        <div className={css.form}>
          <BusyButton size="lg" fullWidth busy={busy} doing={t('Confirmando')} onClick={() => void confirm()}>
            {t('Este e-mail é meu')}
          </BusyButton>
        </div>
      </EntryFrame>
    )
  }
  const other = confirmed.username
    ? t('Ele já é a entrada de outra conta. Entre nesta com o usuário {username}.', { username: confirmed.username })
    : t('Ele já é a entrada de outra conta.')
  return (
    <EntryFrame
      title={t('E-mail confirmado')}
      text={confirmed.isHeld ? t('Entre com {email} e a sua senha.', { email: confirmed.email }) : other}
    >
      <div className={css.form}>
        <Button component="a" href="/login" size="lg" fullWidth>
          {t('Ir para a entrada')}
        </Button>
      </div>
    </EntryFrame>
  )
}
