import { PasswordInput, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { request } from '#web/api.ts'
import { encryptPassword } from '#web/session/encrypt-password.ts'
import { type LoginAnswer, storeLogin } from '#web/session/session.ts'
import { t } from '#web/t.ts'
import { LockIcon, PersonIcon } from '#web/ui/icons.ts'
import { EnterButton } from './EnterButton.tsx'
import { EntryFrame } from './EntryFrame.tsx'
import { explainFailure } from './enter.ts'
import css from './login.module.css'
import { passwordEye } from './login.tsx'
import { rememberSupport } from './support-memory.ts'

/** Form of support access: opens an account for an hour, with the installation's master key (decision A14). */
export function MasterKey({ onDone }: { onDone: (answer: LoginAnswer) => void }) {
  const [email, setEmail] = useState('')
  const [key, setKey] = useState('')
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const missing: Record<string, string> = {}
    if (!email.trim()) missing.email = t('Informe o e-mail ou usuário.')
    if (!key) missing.password = t('Informe a chave mestra.')
    setErrors(missing)
    if (Object.keys(missing).length > 0) return
    setBusy(true)
    try {
      const body = { email: email.trim(), password: await encryptPassword(key) }
      const answer = await request<LoginAnswer & { endsAt: string }>('POST', '/auth/masterkey', { body, quiet: true })
      storeLogin(answer)
      rememberSupport(answer.endsAt)
      onDone(answer)
    } catch (error) {
      const found = explainFailure(error)
      setErrors(found.password && !found.email ? { password: t('A conta ou a chave não confere.') } : found)
      setBusy(false)
    }
  }
  return (
    <EntryFrame
      title={t('Acesso de suporte')}
      text={t('Abre a conta indicada por 60 minutos. A empresa vê um aviso, e o acesso fica registrado na auditoria.')}
    >
      <form className={css.form} onSubmit={submit} noValidate>
        <KeyFields email={email} errors={errors} setEmail={setEmail} masterKey={key} setMasterKey={setKey} />
        <EnterButton busy={busy} doing={t('Abrindo')} label={t('Abrir a conta')} />
        <p className={css.ways}>
          <a href="/login">{t('Entrar com a própria conta')}</a>
        </p>
      </form>
    </EntryFrame>
  )
}

/** Fields of the account's name and the master key. */
function KeyFields(props: {
  email: string
  errors: Record<string, string>
  setEmail: (next: string) => void
  masterKey: string
  setMasterKey: (next: string) => void
}) {
  const { email, errors, setEmail, masterKey, setMasterKey } = props
  return (
    <>
      <TextInput
        size="lg"
        label={t('E-mail ou usuário da conta')}
        name="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        value={email}
        error={errors.email}
        leftSection={<PersonIcon size={18} />}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <PasswordInput
        size="lg"
        label={t('Chave mestra')}
        name="key"
        autoComplete="off"
        value={masterKey}
        error={errors.password}
        leftSection={<LockIcon size={18} />}
        visibilityToggleIcon={passwordEye}
        visibilityToggleButtonProps={{ 'aria-label': t('Mostrar ou esconder a chave') }}
        onChange={(event) => setMasterKey(event.currentTarget.value)}
      />
    </>
  )
}
