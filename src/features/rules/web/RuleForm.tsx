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
  const { name, event, isActive, match, conditions, actions } = values
  const send = () => sendRule(values, isNew ? null : Number(id))
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
        onChange={(next) => set('name', next as string)}
      />
      <Switch
        label={t('Ligada')}
        description={t('Desligada, ela não faz nada; o teste funciona do mesmo jeito.')}
        checked={isActive}
        onChange={(change) => set('isActive', change.currentTarget.checked)}
      />
      <EventField value={event} error={errors['event']} onChange={(next) => set('event', next)} />
      <Conditions
        event={event}
        match={match}
        conditions={conditions}
        error={errors['conditions']}
        onMatch={(next) => set('match', next)}
        onChange={(next) => set('conditions', next)}
      />
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

/** Choice of the event that starts the rule. */
function EventField(props: {
  value: Rule['event']
  error: string | undefined
  onChange: (event: Rule['event']) => void
}) {
  const { value, error, onChange } = props
  return (
    <Select
      label={t('Quando')}
      description={t('Em grupos, automações não agem.')}
      allowDeselect={false}
      data={Object.entries(EVENTS).map(([id, label]) => ({ value: id, label }))}
      value={value}
      error={error}
      onChange={(next) => next && onChange(next as Rule['event'])}
    />
  )
}

/** Saves the rule, as a new one if `id` is null; returns the notice. */
async function sendRule(values: Values, id: number | null): Promise<string> {
  const body = bodyOf(values) as ReturnType<typeof ruleForm.parse>
  if (id === null) await call(rules.create, { body }, { quiet: true })
  else await call(rules.update, { params: { id }, body }, { quiet: true })
  return t('Automação salva')
}

/** List of the conditions, and how many of them have to apply. */
function Conditions(props: {
  event: Rule['event']
  match: Rule['match']
  conditions: readonly Condition[]
  error: string | undefined
  onMatch: (match: Rule['match']) => void
  onChange: (conditions: readonly Condition[]) => void
}) {
  const { event, match, conditions, error, onMatch, onChange } = props
  // Finds the invalid part, after the form has reported one.
  const wrongOf = (condition: Condition) =>
    error ? conditionForm.safeParse(condition).error?.issues[0]?.message : undefined
  const wrong = conditions.map(wrongOf)
  return (
    <PartList
      name={t('Condições')}
      heading={t('Se')}
      header={
        <>
          {conditions.length === 0 && <p className={css.hint}>{t('Sem condições, vale sempre.')}</p>}
          {conditions.length > 1 && <MatchChoice match={match} onChange={onMatch} />}
        </>
      }
      error={error}
      partErrors={wrong}
      add={t('Incluir condição')}
      kinds={Object.entries(FIELDS)
        .filter(([field]) => isHeard(event, { field: field as Condition['field'] }))
        .map(([field, { label, icon }]) => ({
          id: field,
          label,
          icon,
          run: () => onChange([...conditions, conditionOf(field as Condition['field'])]),
        }))}
    >
      {conditions.map((condition, index) => (
        <ConditionEditor
          key={index}
          condition={condition}
          index={index}
          error={wrong[index]}
          onChange={(next) => onChange(conditions.with(index, next))}
          onRemove={() => onChange(conditions.toSpliced(index, 1))}
        />
      ))}
    </PartList>
  )
}

/** Choice of whether all conditions have to apply. */
function MatchChoice({ match, onChange }: { match: Rule['match']; onChange: (match: Rule['match']) => void }) {
  return (
    <Select
      aria-label={t('Quantas condições precisam valer')}
      allowDeselect={false}
      data={[
        { value: 'all', label: t('todas as condições valem') },
        { value: 'any', label: t('alguma das condições vale') },
      ]}
      value={match}
      onChange={(next) => next && onChange(next)}
    />
  )
}
