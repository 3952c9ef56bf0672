import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { isApiError, sentence } from '#web/api.ts'
import { t } from '#web/t.ts'
import { BusyButton } from '#web/ui/feedback/BusyButton.tsx'
import { QrCode } from '#web/ui/identity/QrCode.tsx'
import css from './second-factor.module.css'

/**
 * Enrolment of an authenticator app: QR code, key as text, and the first code. `confirm` submits the code and throws on
 * refusal; a refused code is shown at the field, other errors go to `onFailure`.
 */
export function Enrolment(props: {
  secret: string
  uri: string
  confirm: (code: string) => Promise<void>
  onFailure: (error: unknown) => void
  onCancel?: () => void
}) {
  const { secret, uri, confirm, onFailure, onCancel } = props
  const [code, setCode] = useState('')
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (code.length < 6) return setError(t('Digite os 6 dígitos que o aplicativo mostra.'))
    setBusy(true)
    try {
      await confirm(code)
    } catch (failure) {
      setBusy(false)
      setCode('')
      if (isApiError(failure) && failure.code === 'ERR_A2F_INVALID') setError(sentence(failure))
      else onFailure(failure)
    }
  }
  return (
    <form className={css.enrolment} onSubmit={submit} noValidate>
      <ol className={css.steps}>
        <li>
          {t('Abra um aplicativo autenticador no celular (Google Authenticator, Microsoft Authenticator, 1Password…).')}
        </li>
        <li>{t('Leia este código com ele.')}</li>
        <li>{t('Digite aqui os 6 dígitos que ele mostra.')}</li>
      </ol>
      <QrCode text={uri} label={t('Código QR para o aplicativo autenticador')} />
      <details className={css.byHand}>
        <summary>{t('Não consegue ler? Digite a chave')}</summary>
        <code>{secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
      </details>
      <CodeInput
        label={t('Código do aplicativo')}
        value={code}
        error={error}
        onChange={(next) => {
          setCode(next)
          setError(undefined)
        }}
      />
      <BusyButton type="submit" size="lg" fullWidth busy={busy} doing={t('Conferindo')}>
        {t('Ligar segundo fator')}
      </BusyButton>
      {onCancel && (
        <Button variant="default" size="lg" fullWidth onClick={onCancel}>
          {t('Cancelar')}
        </Button>
      )}
    </form>
  )
}

/** Input of six digits; extracts the digits from pasted text. */
export function CodeInput(props: {
  label: string
  value: string
  error?: string | undefined
  autoFocus?: boolean
  onChange: (digits: string) => void
}) {
  const { label, value, error, autoFocus = false, onChange } = props
  return (
    <TextInput
      size="lg"
      className={css.code}
      label={label}
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      placeholder="000000"
      autoFocus={autoFocus}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value.replace(/\D/g, '').slice(0, 6))}
    />
  )
}
