import { type FormEvent, useState } from 'react'
import { passwordProblem } from '#domain/access/password.ts'
import { ownProfile } from '#features/users/profile-addresses.ts'
import { isApiError, sentence, sentencesIn } from '#web/api.ts'
import { call } from '#web/client.ts'
import { encryptPassword } from '#web/session/encrypt-password.ts'
import { plural, t } from '#web/t.ts'
import { BusyButton } from '#web/ui/feedback/BusyButton.tsx'
import { notify } from '#web/ui/feedback/notify.tsx'
import { Pair, SwitchGroup, SwitchRow } from '#web/ui/inputs/fields.tsx'
import { PasswordField } from '#web/ui/inputs/PasswordField.tsx'
import { passwordNeeds } from '#web/ui/inputs/password-needs.ts'
import type { FieldErrors } from '#web/ui/inputs/use-form.ts'
import { Card } from '#web/ui/layout/page.tsx'
import { useUnsaved } from '#web/unsaved.ts'
import css from './profile.module.css'

const empty = { current: '', password: '', repeated: '' }

/** Form of the user's new password, which requires the present one. */
export function OwnPassword() {
  const [values, setValues] = useState(empty)
  const [errors, setErrors] = useState<FieldErrors>({})
  const [endOthers, setEndOthers] = useState(true)
  const [busy, setBusy] = useState(false)
  useUnsaved(Object.values(values).some((text) => text !== ''))
  const field = (key: keyof typeof empty, label: string, autoComplete: string) => ({
    label,
    autoComplete,
    value: values[key],
    error: errors[key],
    onChange: (event: { currentTarget: { value: string } }) => {
      setErrors({})
      setValues({ ...values, [key]: event.currentTarget.value })
    },
  })
  const save = async (event: FormEvent) => {
    event.preventDefault()
    const found = problems(values)
    if (Object.keys(found).length > 0) return setErrors(found)
    setBusy(true)
    try {
      const [current, password] = await Promise.all([encryptPassword(values.current), encryptPassword(values.password)])
      const body = { current, password, endOthers }
      const { ended } = await call(ownProfile.changePassword, { body }, { quiet: true })
      setValues(empty)
      notify({
        tone: 'pos',
        title: t('Senha alterada'),
        ...(ended > 0 ? { text: `${plural(ended, 'outro dispositivo saiu', 'outros dispositivos saíram')}.` } : {}),
      })
    } catch (error) {
      if (isApiError(error) && error.code === 'ERR_VALIDATION') setErrors(sentencesIn(error.details))
      else notify({ tone: 'neg', title: sentence(error) })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Card title={t('Senha')}>
      <form className={css.fields} onSubmit={(event) => void save(event)} noValidate>
        <PasswordField {...field('current', t('Senha atual'), 'current-password')} />
        <Pair>
          <PasswordField {...field('password', t('Nova senha'), 'new-password')} description={passwordNeeds} />
          <PasswordField {...field('repeated', t('Repita a nova senha'), 'new-password')} />
        </Pair>
        <EndOthers endOthers={endOthers} setEndOthers={setEndOthers} />
        <div className={css.row}>
          <span />
          <BusyButton type="submit" variant="default" busy={busy} doing={t('Mudando')}>
            {t('Mudar a senha')}
          </BusyButton>
        </div>
      </form>
    </Card>
  )
}

function EndOthers({ endOthers, setEndOthers }: { endOthers: boolean; setEndOthers: (next: boolean) => void }) {
  return (
    <SwitchGroup>
      <SwitchRow
        name={t('Sair dos outros dispositivos')}
        effect={t('Quem entrou com a senha de antes precisa entrar de novo.')}
        checked={endOthers}
        onChange={setEndOthers}
      />
    </SwitchGroup>
  )
}

function problems({ current, password, repeated }: typeof empty): FieldErrors {
  const problem = passwordProblem(password)
  return {
    ...(current ? {} : { current: t('Informe a senha atual.') }),
    ...(problem ? { password: problem } : repeated !== password ? { repeated: t('As senhas não são iguais.') } : {}),
  }
}
