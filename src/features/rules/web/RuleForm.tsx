import { Button, Select, Switch } from '@mantine/core'
import { type Condition, isHeard } from '#domain/rules/rules.ts'
import { actionOf, type Draft, draftOf, moved } from '#web/actions/draft.ts'
import { KINDS } from '#web/actions/labels.ts'
import { StepEditor } from '#web/actions/StepEditor.tsx'
import { call } from '#web/client.ts'
import { FieldInput } from '#web/fields/field.tsx'
import { useRow } from '#web/resource/use-row.ts'
import { t } from '#web/t.ts'
import { AddIcon } from '#web/ui/icons.ts'
import { CommandMenu } from '#web/ui/layout/CommandMenu.tsx'
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
// What is checked is what is sent.
const checker = { safeParse: (values: unknown) => ruleForm.safeParse(bodyOf(values as Values)) }

/** The drawer of one rule: `id` of the row, or 'novo'. */
export function RuleForm({ id, onClose }: { id: string; onClose: () => void }) {
  const isNew = id === 'novo'
  const row = useRow(rules.get, id)
  const { values, errors, set, check, drawer, save } = useDrawerForm<Values>(empty, {
    stored: isNew ? null : row.data && valuesOf(row.data as Rule),
    reading: row,
    checker,
    onClose,
  })
  const { name, event, isActive, match, conditions, actions } = values
  const send = async () => {
    const body = bodyOf(values) as ReturnType<typeof ruleForm.parse>
    if (isNew) await call(rules.create, { body }, { quiet: true })
    else await call(rules.update, { params: { id: Number(id) }, body }, { quiet: true })
    return t('Automação salva')
  }
  const setConditions = (next: readonly Condition[]) => set('conditions', next)
  const setActions = (next: readonly Draft[]) => set('actions', next)
  // Which of the parts is meant, once the form has said that one is wrong.
  const problemOf = (step: Draft) =>
    errors['actions'] ? ruleAction.safeParse(actionOf(step)).error?.issues[0]?.message : undefined
  const wrongOf = (condition: Condition) =>
    errors['conditions'] ? conditionForm.safeParse(condition).error?.issues[0]?.message : undefined
  const [problems, wrong] = [actions.map(problemOf), conditions.map(wrongOf)]
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
      <Select
        label={t('Quando')}
        description={t('Em grupos, automações não agem.')}
        allowDeselect={false}
        data={Object.entries(EVENTS).map(([value, label]) => ({ value, label }))}
        value={event}
        error={errors['event']}
        onChange={(next) => next && set('event', next as Rule['event'])}
      />
      <section className={css.editor} aria-label={t('Condições')}>
        <p className={css.label}>{t('Se')}</p>
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
            onChange={(next) => next && set('match', next as Rule['match'])}
          />
        )}
        <ol>
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
        </ol>
        <Overall error={errors['conditions']} parts={wrong} />
        <CommandMenu
          position="top-start"
          commands={Object.entries(FIELDS)
            .filter(([field]) => isHeard(event, { field: field as Condition['field'] }))
            .map(([field, { label, icon }]) => ({
              id: field,
              label,
              icon,
              run: () => setConditions([...conditions, conditionOf(field as Condition['field'])]),
            }))}
          target={
            <Button variant="default" leftSection={<AddIcon size={17} />}>
              {t('Incluir condição')}
            </Button>
          }
        />
      </section>
      <section className={css.editor} aria-label={t('Ações')}>
        <p className={css.label}>{t('Então, nesta ordem')}</p>
        <ol>
          {actions.map((step, index) => (
            <StepEditor
              key={index}
              step={step}
              index={index}
              count={actions.length}
              error={problems[index]}
              byItself
              onChange={(next) => setActions(actions.with(index, next))}
              onMove={(by) => setActions(moved(actions, index, by))}
              onRemove={() => setActions(actions.toSpliced(index, 1))}
            />
          ))}
        </ol>
        <Overall error={errors['actions']} parts={problems} />
        <CommandMenu
          position="top-start"
          commands={Object.entries(KINDS).map(([kind, { label, icon }]) => ({
            id: kind,
            label,
            icon,
            run: () => setActions([...actions, draftOf(kind as keyof typeof KINDS)]),
          }))}
          target={
            <Button variant="default" leftSection={<AddIcon size={17} />}>
              {t('Incluir ação')}
            </Button>
          }
        />
      </section>
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

/** What is wrong with a list itself, where none of its parts says it. */
function Overall({ error, parts }: { error: string | undefined; parts: readonly (string | undefined)[] }) {
  if (!error || parts.some((part) => part !== undefined)) return null
  return (
    <p className={css.problem} role="alert">
      {error}
    </p>
  )
}
