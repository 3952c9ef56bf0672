import { Button, PasswordInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { passwordProblem } from '#domain/access/password.ts'
import { isApiError, request, sentence } from '#web/api.ts'
import { encryptPassword } from '#web/session/encrypt-password.ts'
import { t } from '#web/t.ts'
import { BusyButton } from '#web/ui/feedback/BusyButton.tsx'
import { notify } from '#web/ui/feedback/notify.tsx'
import { LockIcon } from '#web/ui/icons.ts'
import { EntryFrame } from './EntryFrame.tsx'
import css from './login.module.css'
import { passwordEye } from './login.tsx'
import { NewPassword } from './NewPassword.tsx'

type Values = { password: string; repeated: string }

/** Page for a new password by a link's code; null: the page was reopened after the code was removed from the URL. */
export function Reset(props: { code: string | null; onDone: () => void; onRestart: () => void }) {
  const { code, onDone, onRestart } = props
  const [values, setValues] = useState<Values>({ password: '', repeated: '' })
  const [errors, setErrors] = useState<Partial<Values>>({})
  const [busy, setBusy] = useState(false)
  const [isOver, setIsOver] = useState(code === null)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const { password, repeated } = values
    const problem = passwordProblem(password)
    if (problem) return setErrors({ password: problem })
    if (repeated !== password) return setErrors({ repeated: t('As senhas não são iguais.') })
    setBusy(true)
    try {
      const body = { token: code, password: await encryptPassword(password) }
      await request('POST', '/reset-password', { body, quiet: true })
      notify({ tone: 'pos', id: 'reset', title: t('Senha redefinida com sucesso!') })
      onDone()
    } catch (error) {
      notify({ tone: 'neg', id: 'reset', title: t('Erro ao redefinir a senha.'), text: sentence(error) })
      if (isApiError(error) && error.code === 'ERR_CODE_INVALID') setIsOver(true)
      else if (isApiError(error)) setErrors(error.details)
      setBusy(false)
    }
  }
  if (isOver) return <LinkOver onRestart={onRestart} onDone={onDone} />
  return (
    <EntryFrame
      title={t('Crie uma nova senha')}
      text={t('Ao salvar, você sai de todos os dispositivos em que estava.')}
    >
      <form className={css.form} onSubmit={submit} noValidate>
        <PasswordFields
          values={values}
          errors={errors}
          onChange={(change) => {
            setValues({ ...values, ...change })
            setErrors({})
          }}
        />
        <BusyButton type="submit" size="lg" fullWidth busy={busy} doing={t('Salvando')}>
          {t('Salvar a nova senha')}
        </BusyButton>
      </form>
    </EntryFrame>
  )
}

function PasswordFields(props: {
  values: Values
  errors: Partial<Values>
  onChange: (change: Partial<Values>) => void
}) {
  const { values, errors, onChange } = props
  return (
    <>
      <NewPassword
        label={t('Nova senha')}
        autoFocus
        value={values.password}
        error={errors.password}
        onChange={(password) => onChange({ password })}
      />
      <PasswordInput
        size="lg"
        label={t('Repita a nova senha')}
        autoComplete="new-password"
        value={values.repeated}
        error={errors.repeated}
        leftSection={<LockIcon size={18} />}
        visibilityToggleIcon={passwordEye}
        visibilityToggleButtonProps={{ 'aria-label': t('Mostrar ou esconder a repetição') }}
        onChange={(event) => onChange({ repeated: event.currentTarget.value })}
      />
    </>
  )
}

/** The screen of a link that was used or has expired. */
function LinkOver({ onRestart, onDone }: { onRestart: () => void; onDone: () => void }) {
  return (
    <EntryFrame
      title={t('Este link não vale mais')}
      text={t('Ele serve uma única vez e por 1 hora. Peça outro, ou entre com a senha que você tem.')}
    >
      <div className={css.form}>
        <Button size="lg" fullWidth onClick={() => onRestart()}>
          {t('Pedir outro link')}
        </Button>
        <Button variant="default" size="lg" fullWidth onClick={onDone}>
          {t('Ir para a entrada')}
        </Button>
      </div>
    </EntryFrame>
  )
}
