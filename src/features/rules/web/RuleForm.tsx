import { Select, Switch } from '@mantine/core'
import { type Condition, isHeard } from '#domain/rules/rules.ts'
import { ActionList } from '#web/actions/ActionList.tsx'
import { actionOf, type Draft } from '#web/actions/draft.ts'
import { KINDS } from '#web/actions/labels.ts'
import { PartList } from '#web/actions/PartList.tsx'
import { call } from '#web/client.ts'
import { FieldInput } from '#web/fields/field.tsx'
import { useRow } from '#web/resource/use-row.ts'
import { t } from '#web/t.ts'
import type { FormFields } from '#web/ui/inputs/use-form.ts'
import { FormDrawer } from '#web/ui/layout/FormDrawer.tsx'
import { useDrawerForm } from '#web/ui/layout/use-drawer-form.ts'
import { rules } from '../addresses.ts'
import type { Rule } from '../contract.ts'
import { conditionForm, ruleAction, ruleForm } from '../forms.ts'
import { EVENTS, ruleTable } from '../table.ts'
import { ConditionEditor } from './ConditionEditor.tsx'
import { conditionOf } from './draft.ts'
import { FIELDS } from './labels.ts'
import css from './rules.module.css'
import { TrialPart } from './TrialPart.tsx'

type Values = {
  name: string
  event: Rule['event']
  isActive: boolean
  match: Rule['match']
  conditions: readonly Condition[]
  actions: readonly Draft[]
}

const empty: Values = { name: '', event: 'received', isActive: false, match: 'all', conditions: [], actions: [] }

const valuesOf = ({ name, event, isActive, match, conditions, steps }: Rule): Values => ({
  ...{ name, event, isActive, match },
  conditions: conditions.map(({ condition }) => condition),
  actions: steps.map(({ action }) => action),
})

const bodyOf = (values: Values) => ({ ...values, actions: values.actions.map(actionOf) })
// Validates the body that is sent.
const checker = { safeParse: (values: Values) => ruleForm.safeParse(bodyOf(values)) }

/** Drawer of one rule: `id` of the row, or 'novo'. */
export function RuleForm({ id, onClose }: { id: string; onClose: () => void }) {
  const isNew = id === 'novo'
  const row = useRow(rules.get, id)
  const { values, errors, set, check, drawer, save } = useDrawerForm<Values>(empty, {
    stored: isNew ? null : row.data && valuesOf(row.data),
    reading: row,
    checker,
    onClose,
  })
  const { name, actions } = values
  const send = async () => {
    const body = bodyOf(values) as ReturnType<typeof ruleForm.parse>
    if (isNew) await call(rules.create, { body }, { quiet: true })
    else await call(rules.update, { params: { id: Number(id) }, body }, { quiet: true })
    return t('Automação salva')
  }
  return (
    <FormDrawer
      {...drawer}
      onSave={() => void save(send)}
      title={isNew ? t('Nova automação') : (row.data?.name ?? t('Automação'))}
      size={560}
    >
      <FieldInput
        field={ruleTable.fields.name}
        autoFocus
        value={name}
        error={errors['name']}
        onChange={(next) => set('name', next)}
      />
      <EventFields values={values} errors={errors} set={set} />
      <Conditions values={values} errors={errors} set={set} />
      <ActionList
        name={t('Ações')}
        heading={t('Então, nesta ordem')}
        add={t('Incluir ação')}
        actions={actions}
        error={errors['actions']}
        problemOf={(action) => ruleAction.safeParse(action).error?.issues[0]?.message}
        byItself
        onChange={(next) => set('actions', next)}
      />
      <TrialPart
        labels={actions.map(({ kind }) => KINDS[kind].label)}
        prepare={async () => {
          const { event, match, conditions, actions } = bodyOf(values)
          return (await check()) ? { event, match, conditions, actions } : null
        }}
      />
    </FormDrawer>
  )
}

function EventFields({ values, errors, set }: FormFields<Values>) {
  const { isActive, event } = values
  return (
    <>
      <Switch
        label={t('Ligada')}
        description={t('Desligada, ela não faz nada; o teste funciona do mesmo jeito.')}
        checked={isActive}
        onChange={(change) => set('isActive', change.currentTarget.checked)}
      />
      <Select
        label={t('Quando')}
        description={t('Em grupos, automações não agem.')}
        allowDeselect={false}
        data={Object.entries(EVENTS).map(([value, label]) => ({ value, label }))}
        value={event}
        error={errors['event']}
        onChange={(next) => next && set('event', next as Rule['event'])}
      />
    </>
  )
}

function Conditions({ values, errors, set }: FormFields<Values>) {
  const { event, match, conditions } = values
  const setConditions = (next: readonly Condition[]) => set('conditions', next)
  // Finds the invalid part, after the form has reported one.
  const wrongOf = (condition: Condition) =>
    errors['conditions'] ? conditionForm.safeParse(condition).error?.issues[0]?.message : undefined
  const wrong = conditions.map(wrongOf)
  return (
    <PartList
      name={t('Condições')}
      heading={t('Se')}
      header={
        <>
          {conditions.length === 0 && <p className={css.hint}>{t('Sem condições, vale sempre.')}</p>}
          {conditions.length > 1 && (
            <Select
              aria-label={t('Quantas condições precisam valer')}
              allowDeselect={false}
              data={[
                { value: 'all', label: t('todas as condições valem') },
                { value: 'any', label: t('alguma das condições vale') },
              ]}
              value={match}
              onChange={(next) => next && set('match', next)}
            />
          )}
        </>
      }
      error={errors['conditions']}
      partErrors={wrong}
      add={t('Incluir condição')}
      kinds={Object.entries(FIELDS)
        .filter(([field]) => isHeard(event, { field: field as Condition['field'] }))
        .map(([field, { label, icon }]) => ({
          id: field,
          label,
          icon,
          run: () => setConditions([...conditions, conditionOf(field as Condition['field'])]),
        }))}
    >
      {conditions.map((condition, index) => (
        <ConditionEditor
          key={index}
          condition={condition}
          index={index}
          error={wrong[index]}
          onChange={(next) => setConditions(conditions.with(index, next))}
          onRemove={() => setConditions(conditions.toSpliced(index, 1))}
        />
      ))}
    </PartList>
  )
}
