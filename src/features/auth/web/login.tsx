import { PasswordInput, TextInput } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { boot } from '#web/boot.ts'
import type { LoginAnswer } from '#web/session.ts'
import { BusyButton } from '#web/ui/busy-button.tsx'
import { ArrowRightIcon, HideIcon, LockIcon, PersonIcon, ShowIcon } from '#web/ui/icons.ts'
import { explainFailure, logIn } from './enter.ts'
import { EntryFrame } from './frame.tsx'
import css from './login.module.css'

/** “Bom dia” 05–12, “Boa tarde” 12–18, “Boa noite” 18–05, by the clock of this machine. */
function greeting(hour: number): string {
  if (hour >= 5 && hour < 12) return 'Bom dia!'
  return hour >= 12 && hour < 18 ? 'Boa tarde!' : 'Boa noite!'
}

/** The eye of a password field. */
export const passwordEye = ({ reveal }: { reveal: boolean }) =>
  reveal ? <HideIcon size={18} /> : <ShowIcon size={18} />

/**
 * The login screen; `onDone` gets the answer after it has been stored, `onForgot` what has been typed as the name so far.
 */
export function Login({
  onDone,
  onForgot,
}: {
  onDone: (answer: LoginAnswer) => void
  onForgot: (name: string) => void
}) {
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [busy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const missing: Record<string, string> = {}
    if (!name.trim()) missing.email = 'Informe o e-mail ou usuário.'
    if (!password) missing.password = 'Informe a senha.'
    setErrors(missing)
    const first = Object.keys(missing)[0]
    if (first) return form.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus()
    setBusy(true)
    try {
      onDone(await logIn(name, password))
    } catch (error) {
      setErrors(explainFailure(error))
      setBusy(false)
    }
  }
  return (
    <EntryFrame
      title={`${greeting(new Date().getHours())} O balcão já abriu.`}
      text="Entre para continuar seus atendimentos."
    >
      <form ref={form} className={css.form} onSubmit={submit} noValidate>
        <TextInput
          size="lg"
          label="E-mail ou usuário"
          name="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          value={name}
          error={errors.email}
          leftSection={<PersonIcon size={18} />}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <PasswordInput
          size="lg"
          label="Senha"
          name="password"
          autoComplete="current-password"
          value={password}
          error={errors.password}
          leftSection={<LockIcon size={18} />}
          visibilityToggleIcon={passwordEye}
          visibilityToggleButtonProps={{ 'aria-label': 'Mostrar ou esconder a senha' }}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <BusyButton
          type="submit"
          size="lg"
          fullWidth
          busy={busy}
          doing="Entrando"
          rightSection={<ArrowRightIcon size={18} />}
        >
          Entrar
        </BusyButton>
        <p className={css.ways}>
          <button type="button" onClick={() => onForgot(name.trim())}>
            Esqueci minha senha
          </button>
          {boot.isSignupOpen && <a href="/signup">Criar uma conta</a>}
        </p>
      </form>
    </EntryFrame>
  )
}
