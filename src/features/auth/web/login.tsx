import { Button, PasswordInput, TextInput } from '@mantine/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { canUsePasskeys } from '#web/session/passkeys.ts'
import { boot } from '#web/start/boot.ts'
import { t } from '#web/t.ts'
import { EnterWithIcon, HideIcon, LockIcon, PasskeyIcon, PersonIcon, ShowIcon } from '#web/ui/icons.ts'
import { EnterButton } from './EnterButton.tsx'
import { EntryFrame } from './EntryFrame.tsx'
import { type Entered, explainFailure, leaveForProvider, logIn, logInWithPasskey } from './enter.ts'
import css from './login.module.css'

/** Returns “Bom dia” 05–12, “Boa tarde” 12–18, “Boa noite” 18–05, by the device's local time. */
function greeting(hour: number): string {
  if (hour >= 5 && hour < 12) return t('Bom dia!')
  return hour >= 12 && hour < 18 ? t('Boa tarde!') : t('Boa noite!')
}

/** Interval at which a waiting challenge is replaced; challenges expire after five minutes. */
const RENEW_MS = 280_000

/** Visibility icon of a password field. */
export const passwordEye = ({ reveal }: { reveal: boolean }) =>
  reveal ? <HideIcon size={18} /> : <ShowIcon size={18} />

/**
 * Login page; `onDone` gets the stored response, `onForgot` the typed name, and `onLeave` is called before the redirect to
 * the external provider.
 */
export function Login({
  onDone,
  onForgot,
  onLeave,
}: {
  onDone: (answer: Entered) => void
  onForgot: (name: string) => void
  onLeave: () => void
}) {
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [busy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const missing: Record<string, string> = {}
    if (!name.trim()) missing.email = t('Informe o e-mail ou usuário.')
    if (!password) missing.password = t('Informe a senha.')
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
  const withPasskey = async (quietly: boolean) => {
    try {
      const answer = await logInWithPasskey(quietly)
      if (answer) onDone(answer)
    } catch (error) {
      explainFailure(error)
    }
  }
  usePasskeySuggestion(withPasskey)
  return (
    <EntryFrame
      title={t('{value} O balcão já abriu.', { value: greeting(new Date().getHours()) })}
      text={t('Entre para continuar seus atendimentos.')}
    >
      <form ref={form} className={css.form} onSubmit={submit} noValidate>
        <NameAndPassword name={name} errors={errors} setName={setName} password={password} setPassword={setPassword} />
        <EnterButton busy={busy} label={t('Entrar')} />
        <OtherWays onLeave={onLeave} withPasskey={withPasskey} />
        <p className={css.ways}>
          <button type="button" onClick={() => onForgot(name.trim())}>
            {t('Esqueci minha senha')}
          </button>
          {boot.isSignupOpen && <a href="/signup">{t('Criar uma conta')}</a>}
        </p>
      </form>
    </EntryFrame>
  )
}

/** Hook that suggests passkeys in the name field, if the browser supports it. */
function usePasskeySuggestion(withPasskey: (quietly: boolean) => Promise<void>) {
  const offer = useRef(() => withPasskey(true))
  useEffect(() => {
    if (!canUsePasskeys()) return
    let retry: ReturnType<typeof setInterval> | undefined
    let isGone = false
    void PublicKeyCredential.isConditionalMediationAvailable?.().then((isAvailable) => {
      if (!isAvailable || isGone) return
      void offer.current()
      retry = setInterval(() => void offer.current(), RENEW_MS)
    })
    return () => {
      isGone = true
      clearInterval(retry)
    }
  }, [])
}

/** Passkey and external login, where they are offered. */
function OtherWays({
  onLeave,
  withPasskey,
}: {
  onLeave: () => void
  withPasskey: (quietly: boolean) => Promise<void>
}) {
  const withProvider = async () => {
    try {
      onLeave()
      await leaveForProvider()
    } catch (error) {
      explainFailure(error)
    }
  }
  return (
    (canUsePasskeys() || boot.external) && (
      <div className={css.others}>
        {canUsePasskeys() && (
          <Button
            variant="default"
            size="lg"
            fullWidth
            leftSection={<PasskeyIcon size={18} />}
            onClick={() => void withPasskey(false)}
          >
            {t('Entrar com passkey')}
          </Button>
        )}
        {boot.external && (
          <Button
            variant="default"
            size="lg"
            fullWidth
            leftSection={<EnterWithIcon size={18} />}
            onClick={() => void withProvider()}
          >
            {boot.external.label}
          </Button>
        )}
      </div>
    )
  )
}

function NameAndPassword(props: {
  name: string
  errors: Record<string, string>
  setName: (next: string) => void
  password: string
  setPassword: (next: string) => void
}) {
  const { name, errors, setName, password, setPassword } = props
  return (
    <>
      <TextInput
        size="lg"
        label={t('E-mail ou usuário')}
        name="email"
        autoComplete="username webauthn"
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
        label={t('Senha')}
        name="password"
        autoComplete="current-password"
        value={password}
        error={errors.password}
        leftSection={<LockIcon size={18} />}
        visibilityToggleIcon={passwordEye}
        visibilityToggleButtonProps={{ 'aria-label': t('Mostrar ou esconder a senha') }}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
    </>
  )
}
