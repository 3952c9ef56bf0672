import { Button, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { MAIL_ADDRESS } from '#domain/messages/mail.ts'
import { isApiError, request, sentence } from '#web/api.ts'
import { t } from '#web/t.ts'
import { BusyButton } from '#web/ui/feedback/BusyButton.tsx'
import { notify } from '#web/ui/feedback/notify.tsx'
import { EmailIcon } from '#web/ui/icons.ts'
import { EntryFrame } from './EntryFrame.tsx'
import css from './login.module.css'

/** Form that requests a password link; `name` is the typed login name. */
export function Forgot({ name, onBack }: { name: string; onBack: () => void }) {
  const [email, setEmail] = useState(name.includes('@') ? name : '')
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [sent, setSent] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!MAIL_ADDRESS.test(email.trim())) return setError(t('Informe o e-mail da sua conta.'))
    setBusy(true)
    try {
      await request('POST', '/password-reset', { body: { email: email.trim() }, quiet: true })
      notify({ tone: 'pos', id: 'reset', title: t('E-mail de recuperação de senha enviado.') })
      setSent(true)
    } catch (failure) {
      if (isApiError(failure) && failure.details.email) setError(String(failure.details.email))
      notify({ tone: 'neg', id: 'reset', title: t('Erro ao solicitar redefinição de senha.'), text: sentence(failure) })
    } finally {
      setBusy(false)
    }
  }
  const back = (
    <Button variant="default" size="lg" fullWidth onClick={onBack}>
      {t('Voltar para a entrada')}
    </Button>
  )
  if (sent) return <LinkSent email={email} back={back} onRetry={() => setSent(false)} />
  return (
    <EntryFrame
      title={t('Esqueceu a senha?')}
      text={t('Diga o e-mail da sua conta. Enviamos um link para criar uma nova senha.')}
    >
      <form className={css.form} onSubmit={submit} noValidate>
        <TextInput
          size="lg"
          label={t('E-mail')}
          name="email"
          type="email"
          autoComplete="username"
          autoFocus
          value={email}
          error={error}
          leftSection={<EmailIcon size={18} />}
          onChange={(event) => {
            setEmail(event.currentTarget.value)
            setError(undefined)
          }}
        />
        <BusyButton type="submit" size="lg" fullWidth busy={busy} doing={t('Enviando')}>
          {t('Enviar o link')}
        </BusyButton>
        {back}
      </form>
    </EntryFrame>
  )
}

/** The screen after the link was asked for. */
function LinkSent({ email, back, onRetry }: { email: string; back: ReactNode; onRetry: () => void }) {
  return (
    <EntryFrame
      title={t('Confira seu e-mail')}
      text={t(
        'Se houver uma conta com {email}, o link para criar uma nova senha chega em instantes. Ele vale por 1 hora.',
        { email: email.trim() },
      )}
    >
      <div className={css.form}>
        {back}
        <p className={css.ways}>
          <button type="button" onClick={onRetry}>
            {t('Não chegou? Pedir de novo')}
          </button>
        </p>
      </div>
    </EntryFrame>
  )
}
