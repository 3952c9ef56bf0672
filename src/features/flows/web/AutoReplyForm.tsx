import { Button, Select, TextInput } from '@mantine/core'
import { itemAt } from '#domain/present.ts'
import parts from '#web/actions/actions.module.css'
import { call } from '#web/client.ts'
import { useRow } from '#web/resource/use-row.ts'
import { t } from '#web/t.ts'
import { AddIcon } from '#web/ui/icons.ts'
import { SwitchRow } from '#web/ui/inputs/fields.tsx'
import type { FieldErrors, SetField } from '#web/ui/inputs/use-form.ts'
import { FormDrawer } from '#web/ui/layout/FormDrawer.tsx'
import { useDrawerForm } from '#web/ui/layout/use-drawer-form.ts'
import { autoReplies } from '../reply-addresses.ts'
import type { AutoReply } from '../reply-contract.ts'
import { replyForm, replyStep } from '../reply-forms.ts'
import { MOMENTS } from '../reply-table.ts'
import { ReplyStepCard, type StepDraft } from './ReplyStepCard.tsx'

type Values = Pick<AutoReply, 'name' | 'action' | 'celularTeste' | 'isActive'> & { steps: readonly StepDraft[] }

// New steps have negative ids: the server assigns the stored ones and adapts references.
const newStep = (steps: readonly StepDraft[]): StepDraft => ({
  ...{ id: Math.min(0, ...steps.map(({ id }) => id)) - 1, reply: '' },
  ...{ initialStep: steps.length === 0, actions: [] },
})
const empty: Values = { name: '', action: 0, celularTeste: '', isActive: false, steps: [newStep([])] }

const valuesOf = ({ name, action, celularTeste, isActive, steps }: AutoReply): Values => ({
  ...{ name, action, celularTeste, isActive },
  steps: steps.map((step) => ({ ...step, actions: [...step.actions] })),
})

/** Drawer of one auto reply: `id` of the row, or 'novo'. */
export function AutoReplyForm({ id, onClose }: { id: string; onClose: () => void }) {
  const isNew = id === 'novo'
  const row = useRow(autoReplies.get, id)
  const { values, errors, set, drawer, save } = useDrawerForm<Values>(empty, {
    stored: isNew ? null : row.data && valuesOf(row.data),
    reading: row,
    checker: replyForm,
    rules: { steps: [(steps) => steps.length > 0 || t('Inclua ao menos uma etapa.')] },
    onClose,
  })
  const { name, action, celularTeste, isActive, steps } = values
  const send = async () => {
    const body = values as ReturnType<typeof replyForm.parse>
    if (isNew) await call(autoReplies.create, { body }, { quiet: true })
    else await call(autoReplies.update, { params: { id: Number(id) }, body }, { quiet: true })
    return t('Resposta automática salva')
  }
  return (
    <FormDrawer
      {...drawer}
      onSave={() => void save(send)}
      title={isNew ? t('Nova resposta automática') : (row.data?.name ?? t('Resposta automática'))}
      size={560}
    >
      <TextInput
        label={t('Nome')}
        required
        autoFocus
        value={name}
        error={errors['name']}
        onChange={(event) => set('name', event.currentTarget.value)}
      />
      <MomentSelect action={action} set={set} />
      <TextInput
        label={t('Número para teste')}
        description={t('Preenchido, ela só responde a este número, com DDD.')}
        inputMode="tel"
        value={celularTeste}
        error={errors['celularTeste']}
        onChange={(event) => set('celularTeste', event.currentTarget.value)}
      />
      <SwitchRow
        name={t('Ativa')}
        effect={t('Desligada, ela não responde a ninguém.')}
        checked={isActive}
        onChange={(next) => set('isActive', next)}
      />
      <StepsPart set={set} steps={steps} errors={errors} />
    </FormDrawer>
  )
}

function MomentSelect({ action, set }: { action: 0 | 1; set: SetField<Values> }) {
  return (
    <Select
      label={t('Quando')}
      description={
        action === 0
          ? t('Em conversas novas que nenhum chatbot atende.')
          : t('A conversa continua resolvida; a resposta do cliente, até um dia depois, segue daqui.')
      }
      allowDeselect={false}
      data={Object.entries(MOMENTS).map(([value, label]) => ({ value, label }))}
      value={String(action)}
      onChange={(next) => set('action', next === '1' ? 1 : 0)}
    />
  )
}

function StepsPart({
  set,
  steps,
  errors,
}: {
  set: SetField<Values>
  steps: readonly StepDraft[]
  errors: FieldErrors
}) {
  const setSteps = (next: readonly StepDraft[]) => set('steps', next)
  // Problems of each step, shown once the form has found any.
  const problems = steps.map(
    (step) =>
      new Map(
        errors['steps']
          ? replyStep.safeParse(step).error?.issues.map(({ path, message }) => [path.join('.'), message] as const)
          : [],
      ),
  )
  return (
    <section className={parts.parts} aria-label={t('Etapas')}>
      <ol>
        {steps.map((step, index) => (
          <ReplyStepCard
            key={step.id}
            index={index}
            step={step}
            steps={steps}
            problems={itemAt(problems, index)}
            onChange={(next) => setSteps(steps.with(index, next))}
            onInitial={() => setSteps(steps.map((one) => ({ ...one, initialStep: one === step })))}
            onRemove={() => setSteps(steps.toSpliced(index, 1))}
          />
        ))}
      </ol>
      {errors['steps'] && problems.every(({ size }) => size === 0) && (
        <p className={parts.problem} role="alert">
          {errors['steps']}
        </p>
      )}
      <Button
        variant="default"
        leftSection={<AddIcon size={17} />}
        onClick={() => setSteps([...steps, newStep(steps)])}
      >
        {t('Incluir etapa')}
      </Button>
    </section>
  )
}
