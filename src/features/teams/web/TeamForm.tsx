import { TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { isApiError, sentence } from '#web/api.ts'
import { call } from '#web/client.ts'
import { SwitchGroup, SwitchRow } from '#web/ui/fields.tsx'
import { FormDrawer } from '#web/ui/form-drawer.tsx'
import { notify } from '#web/ui/notify.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'
import { type FieldErrors, useForm } from '#web/ui/use-form.ts'
import { useOpening } from '#web/ui/use-opening.ts'
import { type TeamRow, teamForm, teams } from '../contract.ts'

/** The drawer of one team: `id` of the row, or 'novo'; a new one goes on to its people. */
export function TeamForm(props: {
  id: string
  team: TeamRow | undefined
  onMade: (team: TeamRow) => void
  onClose: () => void
}) {
  const { id, team, onMade, onClose } = props
  const isNew = id === 'novo'
  const form = useForm({ group: '', isActive: true }, teamForm)
  const [busy, setBusy] = useState(false)
  const { opened, close } = useOpening(onClose)
  const [loaded, setLoaded] = useState(false)
  const { values, errors, set, reset } = form
  useEffect(() => {
    if (!team || loaded) return
    reset({ group: team.group, isActive: team.isActive })
    setLoaded(true)
  }, [team, loaded, reset])
  const save = async () => {
    if (!form.check()) return
    setBusy(true)
    try {
      if (isNew) onMade(await call(teams.create, { body: values }, { quiet: true }))
      else await call(teams.update, { params: { id: Number(id) }, body: values }, { quiet: true })
      notify({ tone: 'pos', title: 'Equipe salva' })
      reset(values)
      close()
    } catch (error) {
      if (isApiError(error) && error.code === 'ERR_DUPLICATED')
        form.setErrors({ group: 'Já existe uma equipe com este nome.' })
      else if (isApiError(error) && error.code === 'ERR_VALIDATION') form.setErrors(error.details as FieldErrors)
      else notify({ tone: 'neg', title: sentence(error) })
    } finally {
      setBusy(false)
    }
  }
  const isReady = isNew || loaded
  return (
    <FormDrawer
      opened={opened}
      onClose={close}
      onSave={() => void save()}
      title={isNew ? 'Nova equipe' : (team?.group ?? 'Equipe')}
      changed={isReady ? form.changed.length : 0}
      busy={busy}
      size={480}
    >
      {!isReady && <SkeletonRows kind="card" rows={2} />}
      {isReady && (
        <>
          <TextInput
            label="Nome da Equipe"
            required
            data-autofocus
            maxLength={60}
            value={values.group}
            error={errors.group}
            onChange={(event) => set('group', event.currentTarget.value)}
          />
          <SwitchGroup>
            <SwitchRow
              name="Ativo"
              effect="Desligada, some para quem faz parte dela."
              checked={values.isActive}
              onChange={(isActive) => set('isActive', isActive)}
            />
          </SwitchGroup>
        </>
      )}
    </FormDrawer>
  )
}
