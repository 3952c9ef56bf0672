import { DragDropContext, Draggable, Droppable, type DropResult } from '@hello-pangea/dnd'
import { Button, NumberInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { StageDraft, Template } from '#domain/funnel/templates.ts'
import { isApiError, notifyError } from '#web/api.ts'
import { call } from '#web/client.ts'
import { FieldInput } from '#web/fields/field.tsx'
import { t } from '#web/t.ts'
import { MoveDialog } from '#web/ui/feedback/MoveDialog.tsx'
import { AddIcon, DeleteIcon, GripIcon } from '#web/ui/icons.ts'
import { IconButton } from '#web/ui/inputs/IconButton.tsx'
import { FormDrawer } from '#web/ui/layout/FormDrawer.tsx'
import { useDrawerForm } from '#web/ui/layout/use-drawer-form.ts'
import { styleNonce } from '#web/ui/nonce.ts'
import { pipelineStages, pipelines } from '../addresses.ts'
import { pipelineForm } from '../forms.ts'
import type { Pipeline } from '../pipelines-contract.ts'
import css from './funnel.module.css'

/** Stage being edited; `key` distinguishes new ones. */
type Row = StageDraft & { readonly id?: number; readonly key: string }
type Values = { name: string; stages: readonly Row[] }

let made = 0
const rowOf = (stage: StageDraft & { id?: number }): Row => ({
  ...stage,
  key: stage.id ? `s${stage.id}` : `n${++made}`,
})
const fresh = (): Row => rowOf({ name: '', color: '#3874B6', chance: 50, staleDays: 15 })
const bodyOf = ({ name, stages }: Values) => ({ name, stages: stages.map(({ key: _, ...stage }) => stage) })
const checker = { safeParse: (values: Values) => pipelineForm.safeParse(bodyOf(values)) }

/** Drawer of a pipeline: name, and stages in order; a new one may start from a template. */
export function PipelineForm(props: { pipeline: Pipeline | null; template?: Template; onClose: () => void }) {
  const { pipeline, template, onClose } = props
  const [start] = useState(
    (): Values =>
      pipeline
        ? {
            name: pipeline.name,
            stages: pipeline.stages.map(({ id, name, color, chance, staleDays }) =>
              rowOf({ id, name, color, chance, staleDays }),
            ),
          }
        : { name: template?.name ?? '', stages: template?.stages.map(rowOf) ?? [fresh()] },
  )
  const { values, errors, set, drawer, save } = useDrawerForm<Values>(start, {
    stored: pipeline ? start : null,
    checker,
    unique: ['name', t('Já existe um funil com este nome.')],
    onClose,
  })
  const [emptying, setEmptying] = useState<Row | null>(null)
  const { name, stages } = values
  const send = async () => {
    const body = pipelineForm.parse(bodyOf(values))
    if (pipeline) await call(pipelines.update, { params: { id: pipeline.id }, body }, { quiet: true })
    else await call(pipelines.create, { body }, { quiet: true })
    return t('Funil salvo')
  }
  const put = (key: string, change: Partial<Row>) =>
    set(
      'stages',
      stages.map((one) => (one.key === key ? { ...one, ...change } : one)),
    )
  const discard = (row: Row) =>
    set(
      'stages',
      stages.filter((one) => one.key !== row.key),
    )
  // A stage with opportunities must be emptied first; it is deleted at once, not on saving.
  const remove = async (row: Row) => {
    if (row.id === undefined) return discard(row)
    try {
      await call(pipelineStages.remove, { params: { id: row.id } }, { quiet: true })
      discard(row)
    } catch (error) {
      if (isApiError(error) && error.code === 'ERR_PIPELINE_STAGE_IN_USE') setEmptying(row)
      else notifyError(error)
    }
  }
  const onDragEnd = ({ source, destination }: DropResult) => {
    if (!destination) return
    const next = [...stages]
    const [taken] = next.splice(source.index, 1)
    next.splice(destination.index, 0, taken!)
    set('stages', next)
  }
  const others = stages.filter((one) => one.id !== undefined && one.key !== emptying?.key)
  return (
    <FormDrawer
      {...drawer}
      onSave={() => void save(send)}
      title={pipeline ? pipeline.name : t('Novo funil')}
      sub={t('Arraste para mudar a ordem das etapas.')}
      size={760}
    >
      <TextInput
        label={t('Nome do funil')}
        placeholder={t('Vendas da loja')}
        required
        autoFocus
        maxLength={60}
        value={name}
        error={errors['name']}
        onChange={(event) => set('name', event.currentTarget.value)}
      />
      <DragDropContext nonce={styleNonce()} onDragEnd={onDragEnd}>
        <Droppable droppableId="stages">
          {({ innerRef, droppableProps, placeholder }) => (
            <ul ref={innerRef} {...droppableProps} className={css.stages} aria-label={t('Etapas')}>
              {stages.map((row, index) => (
                <Draggable key={row.key} draggableId={row.key} index={index}>
                  {(drag) => (
                    <li ref={drag.innerRef} {...drag.draggableProps} className={css.stage}>
                      <StageRow
                        row={row}
                        handle={
                          <span
                            {...drag.dragHandleProps}
                            className={css.grip}
                            role="button"
                            tabIndex={0}
                            aria-label={t('Mudar a posição de {name}', { name: row.name })}
                          >
                            <GripIcon size={17} />
                          </span>
                        }
                        isOnly={stages.length === 1}
                        onChange={(change) => put(row.key, change)}
                        onRemove={() => void remove(row)}
                      />
                    </li>
                  )}
                </Draggable>
              ))}
              {placeholder}
            </ul>
          )}
        </Droppable>
      </DragDropContext>
      {errors['stages'] && (
        <p className={css.problem} role="alert">
          {t('Confira as etapas: cada uma tem nome, chance de 0 a 100 e de 1 a 365 dias.')}
        </p>
      )}
      <Button variant="default" leftSection={<AddIcon size={17} />} onClick={() => set('stages', [...stages, fresh()])}>
        {t('Incluir etapa')}
      </Button>
      {emptying && (
        <MoveDialog
          title={t('Para onde vão as oportunidades de {name}?', { name: emptying.name })}
          hint={t('Elas vão para o fim da etapa escolhida, e esta é excluída agora.')}
          placeholder={t('Escolha uma etapa')}
          nothingFound={t('Nenhuma etapa com esse nome')}
          missing={t('Escolha a etapa.')}
          action={t('Mover e excluir')}
          isFinal
          options={others.map(({ id, name: label }) => ({ value: String(id), label }))}
          onPick={async (to) => {
            await call(
              pipelineStages.replace,
              { params: { id: emptying.id ?? 0 }, body: { stageId: Number(to) } },
              { quiet: true, long: true },
            )
            discard(emptying)
          }}
          onClose={() => setEmptying(null)}
        />
      )}
    </FormDrawer>
  )
}

function StageRow(props: {
  row: Row
  handle: React.ReactNode
  isOnly: boolean
  onChange: (change: Partial<Row>) => void
  onRemove: () => void
}) {
  const { row, handle, isOnly, onChange, onRemove } = props
  return (
    <>
      {handle}
      <TextInput
        size="sm"
        label={t('Etapa')}
        maxLength={40}
        value={row.name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <FieldInput
        field={{ label: t('Cor'), kind: 'color', default: '#3874B6' }}
        value={row.color}
        onChange={(next) => onChange({ color: next })}
      />
      <NumberInput
        size="sm"
        w={92}
        label={t('Chance')}
        suffix="%"
        min={0}
        max={100}
        allowDecimal={false}
        value={row.chance}
        onChange={(next) => onChange({ chance: Number(next) })}
      />
      <NumberInput
        size="sm"
        w={112}
        label={t('Parada após')}
        suffix={t(' dias')}
        min={1}
        max={365}
        allowDecimal={false}
        value={row.staleDays}
        onChange={(next) => onChange({ staleDays: Number(next) })}
      />
      <IconButton aria-label={t('Excluir a etapa {name}', { name: row.name })} disabled={isOnly} onClick={onRemove}>
        <DeleteIcon size={17} />
      </IconButton>
    </>
  )
}
