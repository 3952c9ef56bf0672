import { Button } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { isApiError, notifyError } from '#web/api.ts'
import { encryptPassword } from '#web/session/encrypt-password.ts'
import { t } from '#web/t.ts'
import { BusyButton } from '#web/ui/feedback/BusyButton.tsx'
import { PasswordField } from '#web/ui/inputs/PasswordField.tsx'
import css from './second-factor.module.css'

/** Form that requires the user's password before a security change; a wrong one is shown at the field. */
export function PasswordForm(props: {
  text: string
  action: string
  doing: string
  isDangerous?: boolean
  children?: ReactNode
  run: (password: string) => Promise<void>
  onCancel: () => void
}) {
  const { text, action, doing, isDangerous, children, run, onCancel } = props
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!password) return setError(t('Informe a senha.'))
    setBusy(true)
    try {
      await run(await encryptPassword(password))
    } catch (failure) {
      setBusy(false)
      const refusal = isApiError(failure) && failure.details.password
      if (refusal) setError(String(refusal))
      else notifyError(failure)
    }
  }
  return (
    <form className={css.repeat} onSubmit={submit} noValidate>
      <p>{text}</p>
      {children}
      <PasswordField
        label={t('Sua senha')}
        autoComplete="current-password"
        autoFocus
        value={password}
        error={error}
        onChange={(event) => {
          setPassword(event.currentTarget.value)
          setError(undefined)
        }}
      />
      <div className={css.actions}>
        <BusyButton type="submit" busy={busy} doing={doing} {...(isDangerous ? { color: 'neg' } : {})}>
          {action}
        </BusyButton>
        <Button variant="default" onClick={onCancel}>
          {t('Cancelar')}
        </Button>
      </div>
    </form>
  )
}
