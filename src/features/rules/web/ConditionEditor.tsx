import { MultiSelect, Select, TagsInput } from '@mantine/core'
import type { Condition } from '#domain/rules/rules.ts'
import { useChoices } from '#web/choices.ts'
import { t } from '#web/t.ts'
import { DeleteIcon } from '#web/ui/icons.ts'
import { IconButton } from '#web/ui/inputs/IconButton.tsx'
import { ManyChoice } from '#web/ui/inputs/ManyChoice.tsx'
import { FIELDS, STATUSES } from './labels.ts'
import css from './rules.module.css'

/** Editor of a rule's condition: comparison and values. */
export function ConditionEditor(props: {
  condition: Condition
  index: number
  error?: string | undefined
  onChange: (condition: Condition) => void
  onRemove: () => void
}) {
  const { condition, index, error, onChange, onRemove } = props
  const { label, icon: Icon, is, isNot } = FIELDS[condition.field]
  const n = index + 1
  return (
    <li className={css.part} aria-label={t('Condição {n}: {label}', { n, label })}>
      <div className={css.partHeader}>
        <Icon size={18} />
        <b>{label}</b>
        <IconButton aria-label={t('Tirar a condição {n}', { n })} onClick={onRemove}>
          <DeleteIcon size={17} />
        </IconButton>
      </div>
      <Select
        aria-label={t('Como a condição {n} compara', { n })}
        allowDeselect={false}
        data={[
          { value: 'is', label: is },
          { value: 'isNot', label: isNot },
        ]}
        value={condition.is ? 'is' : 'isNot'}
        onChange={(next) => onChange({ ...condition, is: next === 'is' })}
      />
      <Values condition={condition} error={error} onChange={onChange} />
    </li>
  )
}

/** Value for "none" among ids, which begin with 1. */
const NONE = 0

function Values({
  condition,
  error,
  onChange,
}: {
  condition: Condition
  error: string | undefined
  onChange: (condition: Condition) => void
}) {
  const rows = {
    queueId: useChoices('queues'),
    userId: useChoices('users'),
    walletIds: useChoices('users'),
    stageId: useChoices('stages'),
    tagIds: useChoices('tags'),
    connectionId: useChoices('connections'),
  }
  switch (condition.field) {
    case 'isOpen':
      return null
    case 'phrases':
      return (
        <TagsInput
          label={t('Alguma destas palavras')}
          description={t('Maiúsculas e acentos não contam. Tecle Enter depois de cada uma.')}
          placeholder={condition.values.length === 0 ? t('boleto, segunda via…') : ''}
          splitChars={[',', ';']}
          value={[...condition.values]}
          error={error}
          onChange={(values) => onChange({ ...condition, values })}
        />
      )
    case 'status':
      return (
        <MultiSelect
          label={t('Alguma destas')}
          data={Object.entries(STATUSES).map(([value, label]) => ({ value, label }))}
          value={[...condition.values]}
          error={error}
          onChange={(values) => onChange({ ...condition, values: values as (keyof typeof STATUSES)[] })}
        />
      )
    default: {
      const { field } = condition
      const { none } = FIELDS[field]
      const there = rows[field].map(({ id, name }) => ({ id, name }))
      const chosen = condition.values.map((id) => id ?? NONE)
      const gone = chosen.filter((id) => id !== NONE && there.length > 0 && !there.some((row) => row.id === id))
      const values = (ids: number[]) => ids.map((id) => (id === NONE ? null : id))
      return (
        <ManyChoice
          label={t('Algum destes')}
          none={t('Nada com esse nome.')}
          options={[
            ...(none ? [{ id: NONE, name: none }] : []),
            ...there,
            ...gone.map((id) => ({ id, name: t('(não existe mais)') })),
          ]}
          chosen={chosen}
          error={error}
          onChange={(ids) => onChange({ ...condition, values: values(ids) } as Condition)}
        />
      )
    }
  }
}
