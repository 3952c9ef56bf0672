import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ownData } from '#features/users/forms.ts'
import { ownProfile } from '#features/users/profile-addresses.ts'
import { isApiError, sentence, sentencesIn } from '#web/api.ts'
import { call } from '#web/client.ts'
import { useMay } from '#web/session/permissions.ts'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { Pair } from '#web/ui/inputs/fields.tsx'
import { PhoneInput } from '#web/ui/inputs/PhoneInput.tsx'
import { useDraft } from '#web/ui/inputs/use-draft.ts'
import type { FieldErrors } from '#web/ui/inputs/use-form.ts'
import { Card } from '#web/ui/layout/page.tsx'
import { SaveFooter } from '#web/ui/layout/SaveFooter.tsx'
import css from './profile.module.css'

/** Section with the user's own name and phone; the login e-mail is changed elsewhere, with a password. */
export function OwnData({ person }: { person: { name: string; email: string; phone?: string | undefined } }) {
  const draft = useDraft({ name: person.name, phone: person.phone ?? '' })
  const [errors, setErrors] = useState<FieldErrors>({})
  const [busy, setBusy] = useState(false)
  const queries = useQueryClient()
  const isManager = useMay()('users:write')
  const set = (part: Partial<typeof draft.value>) => {
    setErrors({})
    draft.set({ ...draft.value, ...part })
  }
  const save = async () => {
    const checked = ownData.safeParse(draft.value)
    if (!checked.success)
      return setErrors(Object.fromEntries(checked.error.issues.map(({ path, message }) => [String(path[0]), message])))
    setBusy(true)
    try {
      await call(ownProfile.save, { body: checked.data }, { quiet: true })
      await queries.refetchQueries({ queryKey: ['users'], type: 'active' })
      draft.discard()
      notify({ tone: 'pos', title: t('Dados salvos') })
    } catch (error) {
      if (isApiError(error) && error.code === 'ERR_VALIDATION') setErrors(sentencesIn(error.details))
      else notify({ tone: 'neg', title: sentence(error) })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Card title={t('Meus dados')}>
      <div className={css.fields}>
        <Pair>
          <TextInput
            label={t('Nome')}
            required
            maxLength={50}
            value={draft.value.name}
            error={errors.name}
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
          <PhoneInput
            label={t('Telefone')}
            value={draft.value.phone}
            error={errors.phone}
            onChange={(phone) => set({ phone })}
          />
        </Pair>
        <TextInput
          label={t('E-mail')}
          value={person.email}
          readOnly
          description={
            isManager ? t('É com ele que você entra.') : t('É com ele que você entra; quem muda é um administrador.')
          }
        />
      </div>
      <SaveFooter isChanged={draft.isChanged} busy={busy} onSave={() => void save()} onDrop={draft.discard} />
    </Card>
  )
}
