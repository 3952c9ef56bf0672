import { NumberInput, Select, TextInput } from '@mantine/core'
import { TEMPLATE_VARIABLES } from '#domain/messages/template.ts'
import type { TemplateField } from '#kit/fields/template.ts'
import { useChoices } from '../choices.ts'
import { TemplateInput } from '../fields/template.tsx'
import { t } from '../t.ts'
import { ArrowDownIcon, ArrowUpIcon, DeleteIcon } from '../ui/icons.ts'
import { CountInput } from '../ui/inputs/CountInput.tsx'
import { Pair } from '../ui/inputs/fields.tsx'
import { IconButton } from '../ui/inputs/IconButton.tsx'
import { ManyChoice } from '../ui/inputs/ManyChoice.tsx'
import css from './actions.module.css'
import type { Draft } from './draft.ts'
import { KINDS, UNITS, unitOf } from './labels.ts'

const bodyOf = {
  kind: 'template',
  label: '',
  max: 4000,
  variables: TEMPLATE_VARIABLES,
} as const satisfies TemplateField

/** Editor of one action in a list: its kind, its argument and its position; `byItself`: it runs automatically. */
export function StepEditor(props: {
  step: Draft
  index: number
  count: number
  error?: string | undefined
  byItself?: boolean
  onChange: (step: Draft) => void
  onMove: (by: -1 | 1) => void
  onRemove: () => void
}) {
  const { step, index, count, error, byItself = false, onChange, onMove, onRemove } = props
  const { label, icon: Icon } = KINDS[step.kind]
  const n = index + 1
  return (
    <li className={css.step} aria-label={t('Passo {n}: {label}', { n, label })}>
      <div className={css.stepHeader}>
        <Icon size={18} />
        <b>{label}</b>
        <IconButton aria-label={t('Subir o passo {n}', { n })} disabled={index === 0} onClick={() => onMove(-1)}>
          <ArrowUpIcon size={17} />
        </IconButton>
        <IconButton
          aria-label={t('Descer o passo {n}', { n })}
          disabled={index === count - 1}
          onClick={() => onMove(1)}
        >
          <ArrowDownIcon size={17} />
        </IconButton>
        <IconButton aria-label={t('Tirar o passo {n}', { n })} onClick={onRemove}>
          <DeleteIcon size={17} />
        </IconButton>
      </div>
      <StepFields step={step} error={error} byItself={byItself} onChange={onChange} />
    </li>
  )
}

const ME = 'me'

type Common = { error: string | undefined; byItself: boolean; onChange: (step: Draft) => void }
type Fields<K extends Draft['kind']> = Common & { step: Extract<Draft, { kind: K }> }

/** Argument of an action. */
function StepFields({ step, ...common }: Common & { step: Draft }) {
  switch (step.kind) {
    case 'tag':
    case 'untag':
      return <TagFields step={step} {...common} />
    case 'queue':
      return <QueueField step={step} {...common} />
    case 'stage':
      return <StageField step={step} {...common} />
    case 'opportunity':
      return <OpportunityFields step={step} {...common} />
    case 'person':
      return <PersonField step={step} {...common} />
    case 'note':
    case 'text':
      return <TextField step={step} {...common} />
    case 'snooze':
      return <SnoozeFields step={step} {...common} />
    case 'close':
      return <ReasonField step={step} {...common} />
  }
}

function TagFields({ step, error, onChange }: Fields<'tag' | 'untag'>) {
  const tags = useChoices('tags')
  const gone = step.tagIds.filter((id) => tags.length > 0 && !tags.some((tag) => tag.id === id))
  return (
    <ManyChoice
      label={t('Etiquetas')}
      none={t('Nenhuma com esse nome.')}
      options={[...tags, ...gone.map((id) => ({ id, name: t('(não existe mais)') }))]}
      chosen={step.tagIds}
      error={error}
      onChange={(tagIds) => onChange({ ...step, tagIds })}
    />
  )
}

function QueueField({ step, error, onChange }: Fields<'queue'>) {
  const queues = useChoices('queues')
  return (
    <Select
      label={t('Fila')}
      description={t(
        'O atendimento espera nela, sem responsável. Um passo de pessoa depois deste escolhe quem atende.',
      )}
      searchable
      allowDeselect={false}
      data={optionsOf(queues, step.queueId)}
      value={step.queueId === null ? null : String(step.queueId)}
      error={error}
      onChange={(id) => onChange({ ...step, queueId: id === null ? null : Number(id) })}
    />
  )
}

function StageField({ step, error, onChange }: Fields<'stage'>) {
  const stages = useChoices('stages')
  return (
    <Select
      label={t('Etapa')}
      searchable
      allowDeselect={false}
      data={optionsOf(stages, step.stageId)}
      value={step.stageId === null ? null : String(step.stageId)}
      error={error}
      onChange={(id) => onChange({ ...step, stageId: id === null ? null : Number(id) })}
    />
  )
}

function OpportunityFields({ step, error, onChange }: Fields<'opportunity'>) {
  const stages = useChoices('pipelines').flatMap(({ name, stages: own }) =>
    own.map((stage) => ({ id: stage.id, name: `${name} · ${stage.name}` })),
  )
  return (
    <>
      <TextInput
        label={t('Nome da oportunidade')}
        description={t('Com as variáveis da conversa, como {{name}}.')}
        maxLength={120}
        value={step.name}
        error={error}
        onChange={(event) => onChange({ ...step, name: event.currentTarget.value })}
      />
      <Pair>
        <Select
          label={t('Etapa do funil')}
          searchable
          allowDeselect={false}
          data={optionsOf(stages, step.pipelineStageId)}
          value={step.pipelineStageId === null ? null : String(step.pipelineStageId)}
          error={error}
          onChange={(id) => onChange({ ...step, pipelineStageId: id === null ? null : Number(id) })}
        />
        <NumberInput
          label={t('Valor')}
          prefix="R$ "
          hideControls
          thousandSeparator="."
          decimalSeparator=","
          decimalScale={2}
          min={0}
          value={step.value}
          onChange={(next) => onChange({ ...step, value: next === '' ? '0' : String(next) })}
        />
      </Pair>
    </>
  )
}

function PersonField({ step, error, byItself, onChange }: Fields<'person'>) {
  const people = useChoices('users')
  return (
    <Select
      label={t('Pessoa')}
      searchable
      allowDeselect={false}
      data={[...(byItself ? [] : [{ value: ME, label: t('Quem usa a macro') }]), ...optionsOf(people, step.userId)]}
      value={step.userId === null ? ME : step.userId === undefined ? null : String(step.userId)}
      error={error}
      onChange={(id) => onChange({ ...step, userId: id === ME ? null : Number(id) })}
    />
  )
}

function TextField({ step, error, onChange }: Fields<'note' | 'text'>) {
  return (
    <TemplateInput
      field={{ ...bodyOf, label: step.kind === 'note' ? t('Nota') : t('Texto') }}
      look={{ rows: 3 }}
      value={step.body}
      error={error}
      onChange={(body) => onChange({ ...step, body })}
    />
  )
}

function SnoozeFields({ step, error, onChange }: Fields<'snooze'>) {
  const unit = step.unit ?? unitOf(step.minutes).minutes
  const amount = Math.round(step.minutes / unit)
  return (
    <Pair>
      <CountInput
        label={t('Por quanto tempo')}
        value={amount}
        error={error}
        onChange={(next) => onChange({ ...step, minutes: next * unit, unit })}
      />
      <Select
        label={t('Unidade')}
        allowDeselect={false}
        data={UNITS.map(({ minutes, many }) => ({ value: String(minutes), label: many }))}
        value={String(unit)}
        onChange={(next) => next && onChange({ ...step, minutes: amount * Number(next), unit: Number(next) })}
      />
    </Pair>
  )
}

function ReasonField({ step, error, byItself, onChange }: Fields<'close'>) {
  const reasons = useChoices('reasons')
  return (
    <Select
      label={t('Motivo')}
      description={
        byItself
          ? t('Com a despedida do canal e a pergunta da avaliação.')
          : t('A despedida e a avaliação saem quando não der mais para desfazer.')
      }
      placeholder={t('Como o atendimento a tem')}
      searchable
      clearable
      data={optionsOf(reasons, step.reasonId)}
      value={step.reasonId == null ? null : String(step.reasonId)}
      error={error}
      onChange={(id) => onChange({ ...step, reasonId: id === null ? null : Number(id) })}
    />
  )
}

/** Returns the active rows as options, with the chosen one also where it no longer exists. */
function optionsOf(
  rows: readonly { id: number; name: string; isActive?: boolean }[],
  chosen: number | null | undefined,
) {
  const offered = rows
    .filter((row) => row.isActive !== false)
    .map((row) => ({ value: String(row.id), label: row.name }))
  const isGone = chosen != null && rows.length > 0 && !offered.some(({ value }) => value === String(chosen))
  return isGone ? [...offered, { value: String(chosen), label: t('(não existe mais)') }] : offered
}
