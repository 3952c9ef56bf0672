import { isOneOf } from '#domain/keys.ts'
import { useChoices } from '#web/choices.ts'
import { call } from '#web/client.ts'
import { FieldInput } from '#web/fields/field.tsx'
import { useRow } from '#web/resource/use-row.ts'
import { t } from '#web/t.ts'
import { ManyChoice } from '#web/ui/inputs/ManyChoice.tsx'
import type { FormFields } from '#web/ui/inputs/use-form.ts'
import { FormDrawer } from '#web/ui/layout/FormDrawer.tsx'
import { useDrawerForm } from '#web/ui/layout/use-drawer-form.ts'
import { slaPolicies } from '../addresses.ts'
import type { SlaPolicy } from '../contract.ts'
import { slaForm } from '../forms.ts'
import { slaTable } from '../table.ts'
import { DurationField } from './DurationField.tsx'

type Values = Record<'firstMinutes' | 'nextMinutes' | 'solutionMinutes', number | null> &
  Record<'queueIds' | 'connectionIds' | 'tagIds' | 'walletIds', number[]> & {
    name: string
    isActive: boolean
    warnPercent: number
  }
const empty: Values = {
  name: '',
  isActive: false,
  firstMinutes: null,
  nextMinutes: null,
  solutionMinutes: null,
  warnPercent: slaTable.fields.warnPercent.default,
  queueIds: [],
  connectionIds: [],
  tagIds: [],
  walletIds: [],
}

// Deleted records are left out of the form, and are removed from the policy with the next change.
const ids = (named: SlaPolicy['queues']) => named.flatMap(({ id, name }) => (name === null ? [] : [id]))
const valuesOf = ({ queues, connections, tags, wallets, ...row }: SlaPolicy): Values => ({
  name: row.name,
  isActive: row.isActive,
  firstMinutes: row.firstMinutes,
  nextMinutes: row.nextMinutes,
  solutionMinutes: row.solutionMinutes,
  warnPercent: row.warnPercent,
  queueIds: ids(queues),
  connectionIds: ids(connections),
  tagIds: ids(tags),
  walletIds: ids(wallets),
})

const PLAIN = ['name', 'isActive', 'firstMinutes', 'nextMinutes', 'solutionMinutes', 'warnPercent'] as const

const TIMES = ['firstMinutes', 'nextMinutes', 'solutionMinutes'] as const
const isTime = (key: string): key is (typeof TIMES)[number] => isOneOf(TIMES, key)

/** Drawer of one policy: `id` of the row, or 'novo'. */
export function PolicyForm({ id, onClose }: { id: string; onClose: () => void }) {
  const isNew = id === 'novo'
  const row = useRow(slaPolicies.get, id)
  const { values, errors, set, drawer, save } = useDrawerForm<Values>(empty, {
    stored: isNew ? null : row.data && valuesOf(row.data),
    reading: row,
    checker: slaForm,
    onClose,
  })
  const send = async () => {
    if (isNew) await call(slaPolicies.create, { body: values }, { quiet: true })
    else await call(slaPolicies.update, { params: { id: Number(id) }, body: values }, { quiet: true })
    return t('Política salva')
  }
  const conditions = [
    ['queueIds', t('Filas'), useChoices('queues')],
    ['connectionIds', t('Canais'), useChoices('connections')],
    ['tagIds', t('Etiquetas'), useChoices('tags')],
    ['walletIds', t('Carteiras de'), useChoices('users')],
  ] as const
  return (
    <FormDrawer
      {...drawer}
      onSave={() => void save(send)}
      title={isNew ? t('Nova política') : (row.data?.name ?? t('Política'))}
      size={480}
    >
      <PlainFields values={values} errors={errors} set={set} />
      {conditions.map(([key, label, options]) => (
        <ManyChoice
          key={key}
          label={label}
          hint={t('Em branco, vale para todos.')}
          none={t('Nada com esse nome')}
          options={options}
          chosen={values[key]}
          error={errors[key]}
          onChange={(next) => set(key, next)}
        />
      ))}
    </FormDrawer>
  )
}

function PlainFields({ values, errors, set }: FormFields<Values>) {
  return PLAIN.map((key) =>
    isTime(key) ? (
      <DurationField
        key={key}
        label={slaTable.fields[key].label.replace(/ \(.*/, '')}
        hint={slaTable.fields[key].hint ?? ''}
        value={values[key]}
        error={errors[key]}
        onChange={(next) => set(key, next)}
      />
    ) : (
      <FieldInput
        key={key}
        field={slaTable.fields[key]}
        autoFocus={key === 'name'}
        value={values[key]}
        error={errors[key]}
        onChange={(next) => set(key, next as never)}
      />
    ),
  )
}
