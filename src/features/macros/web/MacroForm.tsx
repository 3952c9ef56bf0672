import { Select } from '@mantine/core'
import { ActionList } from '#web/actions/ActionList.tsx'
import { actionOf, type Draft } from '#web/actions/draft.ts'
import { useChoices } from '#web/choices.ts'
import { call } from '#web/client.ts'
import { FieldInput } from '#web/fields/field.tsx'
import { useRow } from '#web/resource/use-row.ts'
import { t } from '#web/t.ts'
import { FormDrawer } from '#web/ui/layout/FormDrawer.tsx'
import { useDrawerForm } from '#web/ui/layout/use-drawer-form.ts'
import { macros } from '../addresses.ts'
import type { Macro } from '../contract.ts'
import { actionForm, macroForm } from '../forms.ts'
import { AUDIENCES, macroTable } from '../table.ts'

type Values = {
  name: string
  color: string
  audience: Macro['audience']
  queueId: number | null
  actions: readonly Draft[]
}

const empty: Values = {
  name: '',
  color: macroTable.fields.color.default,
  audience: 'company',
  queueId: null,
  actions: [],
}

const valuesOf = ({ name, color, audience, queueId, steps }: Macro): Values => ({
  ...{ name, color, audience, queueId },
  actions: steps.map(({ action }) => action),
})

const bodyOf = (values: Values) => ({ ...values, actions: values.actions.map(actionOf) })
// Validates the body that is sent.
const checker = { safeParse: (values: Values) => macroForm.safeParse(bodyOf(values)) }

/** Drawer of one macro: `id` of the row, or 'novo'. */
export function MacroForm({ id, onClose }: { id: string; onClose: () => void }) {
  const isNew = id === 'novo'
  const row = useRow(macros.get, id)
  const { values, errors, set, drawer, save } = useDrawerForm<Values>(empty, {
    stored: isNew ? null : row.data && valuesOf(row.data),
    reading: row,
    checker,
    onClose,
  })
  const { name, color, actions } = values
  const send = async () => {
    const body = bodyOf(values) as ReturnType<typeof macroForm.parse>
    if (isNew) await call(macros.create, { body }, { quiet: true })
    else await call(macros.update, { params: { id: Number(id) }, body }, { quiet: true })
    return t('Macro salva')
  }
  return (
    <FormDrawer
      {...drawer}
      onSave={() => void save(send)}
      title={isNew ? t('Nova macro') : (row.data?.name ?? t('Macro'))}
      size={540}
    >
      <FieldInput
        field={macroTable.fields.name}
        autoFocus
        value={name}
        error={errors['name']}
        onChange={(next) => set('name', next)}
      />
      <FieldInput
        field={macroTable.fields.color}
        value={color}
        error={errors['color']}
        onChange={(next) => set('color', next)}
      />
      <Audience values={values} errors={errors} set={set} />
      <ActionList
        name={t('Passos')}
        heading={t('Passos, na ordem em que são feitos')}
        add={t('Incluir passo')}
        actions={actions}
        error={errors['actions']}
        problemOf={(action) => actionForm.safeParse(action).error?.issues[0]?.message}
        onChange={(next) => set('actions', next)}
      />
    </FormDrawer>
  )
}

type Form = Pick<ReturnType<typeof useDrawerForm<Values>>, 'values' | 'errors' | 'set'>

/** Who may use the macro; with a queue, which one. */
function Audience({ values: { audience, queueId }, errors, set }: Form) {
  const queues = useChoices('queues')
  return (
    <>
      <Select
        label={t('Quem usa')}
        allowDeselect={false}
        data={Object.entries(AUDIENCES).map(([value, label]) => ({ value, label }))}
        value={audience}
        error={errors['audience']}
        onChange={(next) => next && set('audience', next as Macro['audience'])}
      />
      {audience === 'queue' && (
        <Select
          label={t('Fila')}
          searchable
          allowDeselect={false}
          data={queues.filter((one) => one.isActive).map((one) => ({ value: String(one.id), label: one.name }))}
          value={queueId === null ? null : String(queueId)}
          error={errors['queueId']}
          onChange={(next) => set('queueId', next === null ? null : Number(next))}
        />
      )}
    </>
  )
}
