import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { emailChange } from '#features/users/forms.ts'
import { ownProfile } from '#features/users/profile-addresses.ts'
import { call } from '#web/client.ts'
import { encryptPassword } from '#web/session/encrypt-password.ts'
import { t } from '#web/t.ts'
import { BusyButton } from '#web/ui/feedback/BusyButton.tsx'
import { notify } from '#web/ui/feedback/notify.tsx'
import { Pair } from '#web/ui/inputs/fields.tsx'
import { PasswordField } from '#web/ui/inputs/PasswordField.tsx'
import { useForm } from '#web/ui/inputs/use-form.ts'
import { Card } from '#web/ui/layout/page.tsx'
import { useUnsaved } from '#web/unsaved.ts'
import css from './profile.module.css'

const empty = { email: '', current: '' }

/** Form of a new login e-mail, which requires the present password; `waiting`: one whose link was not opened yet. */
export function OwnEmail({ waiting }: { waiting: string | null }) {
  const { values, errors, set, reset, check, refuse } = useForm(empty, emailChange)
  const [busy, setBusy] = useState(false)
  const queries = useQueryClient()
  useUnsaved(values.email !== '' || values.current !== '')
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (!check()) return
    setBusy(true)
    try {
      const body = { email: values.email, current: await encryptPassword(values.current) }
      const { isMailed } = await call(ownProfile.changeEmail, { body }, { quiet: true })
      await queries.refetchQueries({ queryKey: ['users'], type: 'active' })
      reset(empty)
      notify(
        isMailed
          ? {
              tone: 'pos',
              title: t('Link enviado para {email}', { email: values.email }),
              text: t('O novo e-mail vale depois de aberto o link.'),
            }
          : { tone: 'pos', title: t('E-mail alterado'), text: t('Na próxima vez, entre com o novo.') },
      )
    } catch (error) {
      refuse(error, ['email'])
    } finally {
      setBusy(false)
    }
  }
  return (
    <Card title={t('E-mail de entrada')}>
      <form className={css.fields} onSubmit={(event) => void save(event)} noValidate>
        <Pair>
          <TextInput
            label={t('Novo e-mail')}
            type="email"
            autoComplete="email"
            maxLength={254}
            value={values.email}
            error={errors.email}
            onChange={(event) => set('email', event.currentTarget.value)}
          />
          <PasswordField
            label={t('Confirme com a senha')}
            autoComplete="current-password"
            value={values.current}
            error={errors.current}
            onChange={(event) => set('current', event.currentTarget.value)}
          />
        </Pair>
        <div className={css.row}>
          <span>{waiting && t('Falta abrir o link enviado para {waiting}.', { waiting })}</span>
          <BusyButton type="submit" variant="default" busy={busy} doing={t('Mudando')}>
            {t('Mudar o e-mail')}
          </BusyButton>
        </div>
      </form>
    </Card>
  )
}
