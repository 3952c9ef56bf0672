import { Button, Select } from '@mantine/core'
import { edgesIn, type FlowDocument } from '#domain/flow/document.ts'
import { connect, startIn, stepsInOrder } from '#domain/flow/edit.ts'
import { textOf } from '#domain/flow/json.ts'
import { type Parts, partsOf } from '#domain/flow/parts.ts'
import { t } from '#web/t.ts'
import { AddIcon, ArrowRightIcon, CopyIcon, DeleteIcon } from '#web/ui/icons.ts'
import { CommandMenu } from '#web/ui/layout/CommandMenu.tsx'
import type { Draft } from './draft.ts'
import type { Level } from './graph.ts'
import { LevelMark } from './LevelMark.tsx'
import { conditionText, endOf, iconOf, interactionText, withVariables } from './labels.tsx'
import { useMarks } from './marks.ts'
import { useNames } from './names.ts'
import css from './outline.module.css'
import { PaintMark } from './PaintMark.tsx'
import { StepSearch } from './StepSearch.tsx'
import { StepFigures, WayFigure } from './step-figures.tsx'
import type { Edits } from './use-edits.ts'

/** Flow as a list: its steps in order of their edges, each with its interactions and destinations. */
export function Outline(props: {
  draft: Draft
  /** Document shown read-only instead of the draft. */
  shown: FlowDocument | null
  edits: Edits
  levels: ReadonlyMap<string | null, Level>
  selected: ReadonlySet<string>
  /** True if the search field is shown here. */
  searches: boolean
  onOpen: (id: string) => void
}) {
  const { draft, shown, edits, levels, selected, searches, onOpen } = props
  const drafted = draft.state.use(({ document: now }) => now)
  const document = shown ?? drafted
  const marks = useMarks()
  const steps = stepsInOrder(document).map(partsOf)
  const nameOf = (id: string) => steps.find((step) => step.id === id)?.name ?? t('(nenhuma etapa)')
  return (
    <div className={css.page}>
      {searches && <StepSearch steps={steps} onOpen={onOpen} />}
      <Beginning document={document} shown={shown} steps={steps} draft={draft} edits={edits} />
      <ol aria-label={t('Etapas do fluxo')}>
        {steps.map((step) => {
          const { id, name } = step
          return (
            <li key={id} data-selected={selected.has(id) || undefined}>
              <header>
                <button
                  type="button"
                  disabled={shown !== null}
                  onClick={() => onOpen(id)}
                  aria-current={selected.has(id) || undefined}
                >
                  <strong>{name}</strong>
                  <StepFigures id={id} />
                  <PaintMark mark={marks.get(id)} />
                  <LevelMark level={levels.get(id) ?? null} />
                </button>
                {shown === null && <StepMenu name={name} edits={edits} id={id} />}
              </header>
              <StepTexts step={step} nameOf={nameOf} />
            </li>
          )
        })}
      </ol>
    </div>
  )
}

function StepMenu({ name, edits, id }: { name: string; edits: Edits; id: string }) {
  return (
    <CommandMenu
      label={t('Ações de {name}', { name })}
      commands={[
        { id: 'copy', label: t('Duplicar'), icon: CopyIcon, run: () => edits.duplicate(id) },
        {
          id: 'remove',
          label: t('Excluir'),
          icon: DeleteIcon,
          tone: 'neg',
          run: () => edits.removeIds(new Set([id])),
        },
      ]}
    />
  )
}

function StepTexts({ step, nameOf }: { step: Parts; nameOf: (id: string) => string }) {
  const { id, interactions, conditions } = step
  const names = useNames()
  const marks = useMarks()
  return (
    <>
      {interactions.map((one, index) => {
        const Icon = iconOf(one)
        return (
          <p key={index}>
            <Icon size={15} />
            <span>{withVariables(interactionText(one, names))}</span>
          </p>
        )
      })}
      {conditions.map((one, index) => (
        <p key={`c${index}`} className={css.way}>
          <ArrowRightIcon size={15} />
          <span>
            {conditionText(one, names)} →{' '}
            <b>{one.action.to === 'node' ? nameOf(one.action.nodeId) : endOf(one.action, names).title}</b>{' '}
            <WayFigure {...{ id, index }} /> <PaintMark mark={marks.get(`${id}>${index}`)} />
          </span>
        </p>
      ))}
    </>
  )
}

/** The step that the flow begins with. */
function Beginning(props: {
  document: FlowDocument
  shown: FlowDocument | null
  steps: Parts[]
  draft: Draft
  edits: Edits
}) {
  const { document, shown, steps, draft, edits } = props
  const start = textOf(startIn(document)?.['id']) || 'start'
  const first = edgesIn(document).find(({ from }) => textOf(from) === start || textOf(from) === 'start')
  return (
    <div className={css.beginning} hidden={shown !== null}>
      <Select
        label={t('O fluxo começa em')}
        placeholder={t('Escolha a primeira etapa')}
        searchable
        allowDeselect={false}
        nothingFoundMessage={t('Nenhuma etapa com esse nome')}
        data={steps.map(({ id, name }) => ({ value: id, label: name }))}
        value={textOf(first?.['to']) || null}
        onChange={(id) => draft.edit((now) => connect(now, { id: start, index: null }, id))}
      />
      <Button variant="light" leftSection={<AddIcon size={16} />} onClick={() => edits.add({})}>
        {t('Etapa')}
      </Button>
    </div>
  )
}
