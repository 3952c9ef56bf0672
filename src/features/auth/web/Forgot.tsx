import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { isApiError, request, sentence } from '#web/api.ts'
import { BusyButton } from '#web/ui/feedback/BusyButton.tsx'
import { notify } from '#web/ui/feedback/notify.tsx'
import { EmailIcon } from '#web/ui/icons.ts'
import { EntryFrame } from './EntryFrame.tsx'
import css from './login.module.css'

/** Asks for a link for a new password; `name` is what was typed as the login name. */
export function Forgot({ name, onBack }: { name: string; onBack: () => void }) {
  const [email, setEmail] = useState(name.includes('@') ? name : '')
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [sent, setSent] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!/^\S+@\S+\.\S+$/.test(email.trim())) return setError('Informe o e-mail da sua conta.')
    setBusy(true)
    try {
      await request('POST', '/password-reset', { body: { email: email.trim() }, quiet: true })
      notify({ tone: 'pos', id: 'reset', title: 'E-mail de recuperação de senha enviado.' })
      setSent(true)
    } catch (failure) {
      if (isApiError(failure) && failure.details.email) setError(String(failure.details.email))
      notify({ tone: 'neg', id: 'reset', title: 'Erro ao solicitar redefinição de senha.', text: sentence(failure) })
    } finally {
      setBusy(false)
    }
  }
  const back = (
    <Button variant="default" size="lg" fullWidth onClick={onBack}>
      Voltar para a entrada
    </Button>
  )
  if (sent) {
    return (
      <EntryFrame
        title="Confira seu e-mail"
        text={`Se houver uma conta com ${email.trim()}, o link para criar uma nova senha chega em instantes. Ele vale por 1 hora.`}
      >
        <div className={css.form}>
          {back}
          <p className={css.ways}>
            <button type="button" onClick={() => setSent(false)}>
              Não chegou? Pedir de novo
            </button>
          </p>
        </div>
      </EntryFrame>
    )
  }
  return (
    <EntryFrame
      title="Esqueceu a senha?"
      text="Diga o e-mail da sua conta. Enviamos um link para criar uma nova senha."
    >
      <form className={css.form} onSubmit={submit} noValidate>
        <TextInput
          size="lg"
          label="E-mail"
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
        <BusyButton type="submit" size="lg" fullWidth busy={busy} doing="Enviando">
          Enviar o link
        </BusyButton>
        {back}
      </form>
    </EntryFrame>
  )
}
