import { Button, PasswordInput, TextInput, type TextInputProps } from '@mantine/core'
import { type FormEvent, useCallback, useEffect, useState } from 'react'
import { passwordProblem } from '#domain/access/password.ts'
import { MAIL_ADDRESS } from '#domain/messages/mail.ts'
import { isApiError, sentence } from '#web/api.ts'
import { t } from '#web/t.ts'
import { LockIcon } from '#web/ui/icons.ts'
import { ConfirmEmail } from './ConfirmEmail.tsx'
import { EnterButton } from './EnterButton.tsx'
import { EntryFrame } from './EntryFrame.tsx'
import { checkSetup, type Entered, explainFailure, type SetupKind, setUp } from './enter.ts'
import css from './login.module.css'
import { passwordEye } from './login.tsx'
import { NewPassword } from './NewPassword.tsx'

/** “Defina sua senha”: page of a one-time code, for the installation's owner or an invited user (decision A15). */
export function Setup({ code, onDone }: { code: string; onDone: (answer: Entered) => void }) {
  const [kind, setKind] = useState<SetupKind>()
  const [refused, setRefused] = useState<unknown>()
  const look = useCallback(() => {
    checkSetup(code).then((found) => {
      setRefused(undefined)
      setKind(found)
    }, setRefused)
  }, [code])
  useEffect(look, [look])
  if (refused) {
    // The URL no longer has the code; after any other error the page can retry.
    const isOver = isApiError(refused) && refused.code === 'ERR_CODE_INVALID'
    return (
      <EntryFrame
        title={isOver ? t('Este link não vale mais') : t('Não foi possível conferir o link')}
        text={
          isOver ? t('Ele já foi usado ou venceu. Peça um novo, ou entre com a senha que você tem.') : sentence(refused)
        }
      >
        <div className={css.form}>
          {!isOver && (
            <Button size="lg" fullWidth onClick={look}>
              {t('Tentar de novo')}
            </Button>
          )}
          <Button component="a" href="/login" size="lg" fullWidth variant={isOver ? 'filled' : 'default'}>
            {t('Ir para a entrada')}
          </Button>
        </div>
      </EntryFrame>
    )
  }
  if (!kind) return null
  if (kind.kind === 'email') return <ConfirmEmail code={code} email={kind.email ?? ''} onOver={setRefused} />
  return <SetupForm code={code} kind={kind} onDone={onDone} />
}

function SetupForm({ code, kind, onDone }: { code: string; kind: SetupKind; onDone: (answer: Entered) => void }) {
  const isOwner = kind.kind === 'owner'
  const [values, setValues] = useState({
    name: kind.name ?? '',
    email: kind.email ?? '',
    companyName: '',
    password: '',
    repeated: '',
  })
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [busy, setBusy] = useState(false)
  const field = (key: keyof typeof values) => ({
    size: 'lg',
    name: key,
    value: values[key],
    error: errors[key],
    onChange: (event: { currentTarget: { value: string } }) =>
      setValues({ ...values, [key]: event.currentTarget.value }),
  })
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const found = problems(values, isOwner)
    setErrors(found)
    if (Object.keys(found).length > 0) return
    setBusy(true)
    try {
      onDone(await setUp({ code, password: values.password, ...(isOwner ? ownerOf(values) : {}) }))
    } catch (error) {
      setErrors(explainFailure(error))
      setBusy(false)
    }
  }
  return (
    <EntryFrame
      title={t('Defina sua senha')}
      text={
        isOwner
          ? t('Você será o dono desta instalação.')
          : t('Olá, {name}! Falta só a sua senha.', { name: kind.name ?? 'boas-vindas' })
      }
    >
      <form className={css.form} onSubmit={submit} noValidate>
        {isOwner && <OwnerFields field={field} />}
        <NewPassword
          label={t('Senha')}
          value={values.password}
          error={errors.password}
          onChange={(password) => setValues({ ...values, password })}
        />
        <PasswordInput
          {...field('repeated')}
          label={t('Repita a senha')}
          autoComplete="new-password"
          leftSection={<LockIcon size={18} />}
          visibilityToggleIcon={passwordEye}
          visibilityToggleButtonProps={{ 'aria-label': t('Mostrar ou esconder a repetição') }}
        />
        <EnterButton busy={busy} label={t('Salvar e entrar')} />
      </form>
    </EntryFrame>
  )
}

type Values = Record<'name' | 'email' | 'companyName' | 'password' | 'repeated', string>

const ownerOf = ({ name, email, companyName }: Values) => ({
  name: name.trim(),
  email: email.trim(),
  ...(companyName.trim() ? { companyName: companyName.trim() } : {}),
})

function OwnerFields({ field }: { field: (key: 'name' | 'email' | 'companyName') => TextInputProps }) {
  return (
    <>
      <TextInput {...field('name')} label={t('Seu nome')} autoComplete="name" autoFocus />
      <TextInput {...field('email')} label={t('E-mail')} type="email" autoComplete="username" />
      <TextInput
        {...field('companyName')}
        label={t('Nome da empresa')}
        autoComplete="organization"
        placeholder={t('Minha empresa')}
      />
    </>
  )
}

function problems(
  values: Record<'name' | 'email' | 'password' | 'repeated', string>,
  isOwner: boolean,
): Record<string, string> {
  const found: Record<string, string> = {}
  if (isOwner && values.name.trim().length < 3) found.name = t('Informe seu nome.')
  if (isOwner && !MAIL_ADDRESS.test(values.email.trim())) found.email = t('Informe um e-mail válido.')
  const problem = passwordProblem(values.password)
  if (problem) found.password = problem
  else if (values.repeated !== values.password) found.repeated = t('As senhas não são iguais.')
  return found
}
