import { call } from '#web/client.ts'
import { FieldInput } from '#web/fields/field.tsx'
import { t } from '#web/t.ts'
import { FormDrawer } from '#web/ui/layout/FormDrawer.tsx'
import { useDrawerForm } from '#web/ui/layout/use-drawer-form.ts'
import { teams } from '../addresses.ts'
import type { TeamRow } from '../contract.ts'
import { teamForm } from '../forms.ts'
import { teamTable } from '../table.ts'

/** Drawer of one team: `id` of the row, or 'novo'; after creation the members dialog follows. */
export function TeamForm(props: {
  id: string
  team: TeamRow | undefined
  onMade: (team: TeamRow) => void
  onClose: () => void
}) {
  const { id, team, onMade, onClose } = props
  const isNew = id === 'novo'
  const { values, errors, set, drawer, save } = useDrawerForm(
    { group: '', isActive: true },
    {
      stored: isNew ? null : team && { group: team.group, isActive: team.isActive },
      checker: teamForm,
      unique: ['group', t('Já existe uma equipe com este nome.')],
      onClose,
    },
  )
  const send = async () => {
    if (isNew) onMade(await call(teams.create, { body: values }, { quiet: true }))
    else await call(teams.update, { params: { id: Number(id) }, body: values }, { quiet: true })
    return t('Equipe salva')
  }
  return (
    <FormDrawer
      {...drawer}
      onSave={() => void save(send)}
      title={isNew ? t('Nova equipe') : (team?.group ?? t('Equipe'))}
      size={480}
    >
      <FieldInput
        field={teamTable.fields.group}
        autoFocus
        value={values.group}
        error={errors.group}
        onChange={(group) => set('group', group)}
      />
      <FieldInput
        field={teamTable.fields.isActive}
        value={values.isActive}
        onChange={(isActive) => set('isActive', isActive)}
      />
    </FormDrawer>
  )
}
