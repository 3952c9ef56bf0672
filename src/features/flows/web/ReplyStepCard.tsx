import { Button, Radio, Select, TextInput } from '@mantine/core'
import type { ReplyAction } from '#domain/flow/replies.ts'
import { itemAt } from '#domain/present.ts'
import parts from '#web/actions/actions.module.css'
import { useChoices } from '#web/choices.ts'
import { t } from '#web/t.ts'
import { AddIcon, DeleteIcon } from '#web/ui/icons.ts'
import { IconButton } from '#web/ui/inputs/IconButton.tsx'
import css from './auto-replies.module.css'
import { TemplateText } from './builder/TemplateText.tsx'

/** Action being edited; without an id until it is stored. */
type ActionDraft = Omit<ReplyAction, 'id'> & { readonly id?: number }

/** Step being edited. */
export type StepDraft = {
  readonly id: number
  readonly reply: string
  readonly initialStep: boolean
  readonly actions: readonly ActionDraft[]
}

const kinds = [
  { value: '0', label: t('Próxima etapa') },
  { value: '1', label: t('Encaminhar para fila') },
  { value: '2', label: t('Encaminhar para usuário') },
]
const unchosen = { nextStepId: null, queueId: null, userIdDestination: null }
const newAction: ActionDraft = { words: '', action: 0, ...unchosen, replyDefinition: '' }
const destinations = [
  ['nextStepId', t('Etapa seguinte')],
  ['queueId', t('Fila')],
  ['userIdDestination', t('Usuário')],
] as const

/** Card of an auto reply's step: its text, and the actions by understood answer. */
export function ReplyStepCard(props: {
  index: number
  step: StepDraft
  steps: readonly StepDraft[]
  /** Problems by path within the step. */
  problems: ReadonlyMap<string, string>
  onChange: (step: StepDraft) => void
  onInitial: () => void
  onRemove: () => void
}) {
  const { index, step, steps, problems, onChange, onInitial, onRemove } = props
  const n = index + 1
  const title = t('Etapa {n}', { n })
  const { actions } = step
  return (
    <li className={css.step} aria-label={title}>
      <div className={css.header}>
        <b>{title}</b>
        <Radio label={t('Inicial')} checked={step.initialStep} onChange={onInitial} />
        <IconButton aria-label={t('Tirar a etapa {n}', { n })} onClick={onRemove}>
          <DeleteIcon size={17} />
        </IconButton>
      </div>
      <TemplateText
        label={t('Mensagem da etapa {n}', { n })}
        value={step.reply}
        captured={[]}
        rows={2}
        onChange={(reply) => onChange({ ...step, reply })}
      />
      {problems.get('reply') && (
        <p className={parts.problem} role="alert">
          {problems.get('reply')}
        </p>
      )}
      {actions.map((action, at) => (
        <ActionFields
          key={at}
          name={`${n}.${at + 1}`}
          action={action}
          steps={steps}
          problemOf={(field) => problems.get(`actions.${at}.${field}`)}
          onChange={(next) => onChange({ ...step, actions: actions.with(at, next) })}
          onRemove={() => onChange({ ...step, actions: actions.toSpliced(at, 1) })}
        />
      ))}
      <Button
        variant="subtle"
        leftSection={<AddIcon size={17} />}
        onClick={() => onChange({ ...step, actions: [...actions, newAction] })}
      >
        {t('Incluir resposta do cliente')}
      </Button>
    </li>
  )
}

function ActionFields(props: {
  name: string
  action: ActionDraft
  steps: readonly StepDraft[]
  problemOf: (field: string) => string | undefined
  onChange: (action: ActionDraft) => void
  onRemove: () => void
}) {
  const { name, action, steps, problemOf, onChange, onRemove } = props
  const offered = useOffered(action, steps)
  const [field, label] = destinations[action.action]
  const chosen = action[field]
  return (
    <fieldset className={css.action}>
      <div className={css.header}>
        <legend>{t('Resposta {name}', { name })}</legend>
        <IconButton aria-label={t('Tirar a resposta {name}', { name })} onClick={onRemove}>
          <DeleteIcon size={17} />
        </IconButton>
      </div>
      <TextInput
        label={t('Palavras-chave')}
        description={t('Separadas por vírgula; a resposta inteira precisa ser uma delas.')}
        value={action.words}
        maxLength={500}
        error={problemOf('words')}
        onChange={(event) => onChange({ ...action, words: event.currentTarget.value })}
      />
      <Select
        label={t('Então')}
        allowDeselect={false}
        data={kinds}
        value={String(action.action)}
        onChange={(next) => onChange({ ...action, ...unchosen, action: Number(next) as 0 | 1 | 2 })}
      />
      <Select
        label={label}
        searchable
        data={offered}
        value={chosen === null ? null : String(chosen)}
        error={problemOf(field)}
        onChange={(next) => onChange({ ...action, [field]: next === null ? null : Number(next) })}
      />
      <TextInput
        label={t('Mensagem de retorno')}
        value={action.replyDefinition}
        maxLength={4096}
        error={problemOf('replyDefinition')}
        onChange={(event) => onChange({ ...action, replyDefinition: event.currentTarget.value })}
      />
    </fieldset>
  )
}

function useOffered(action: ActionDraft, steps: readonly StepDraft[]) {
  const queues = useChoices('queues')
  const users = useChoices('users')
  return itemAt(
    [
      steps.map(({ id }, index) => ({ value: String(id), label: t('Etapa {n}', { n: index + 1 }) })),
      queues.map((one) => ({ value: String(one.id), label: one.name })),
      users.map((one) => ({ value: String(one.id), label: one.name })),
    ],
    action.action,
  )
}
