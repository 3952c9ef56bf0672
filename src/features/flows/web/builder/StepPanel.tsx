import { Button, Select, TextInput } from '@mantine/core'
import { type Ref, useState } from 'react'
import { changeItems, changeNode, type ItemList, itemsOf, movedItem, settingsIn, withField } from '#domain/flow/edit.ts'
import type { JsonObject } from '#domain/flow/json.ts'
import { withConditionsOf, withOptionConditions } from '#domain/flow/option-conditions.ts'
import { optionsWithoutCondition, partsOf } from '#domain/flow/parts.ts'
import { readConfigurations } from '#domain/flow/read.ts'
import { uuid } from '#web/api.ts'
import { plural, t } from '#web/t.ts'
import { AddIcon, CopyIcon, DeleteIcon } from '#web/ui/icons.ts'
import { SwitchRow } from '#web/ui/inputs/fields.tsx'
import { IconButton } from '#web/ui/inputs/IconButton.tsx'
import { CommandMenu } from '#web/ui/layout/CommandMenu.tsx'
import { SectionTabs } from '#web/ui/layout/section-tabs.tsx'
import css from './builder.module.css'
import { ConditionCard } from './ConditionCard.tsx'
import type { Draft } from './draft.ts'
import { InteractionCard } from './InteractionCard.tsx'
import { newInteraction, OFFERED } from './interaction-forms.ts'
import { indexAfter, itemCommands } from './item-commands.ts'
import { SidePanel } from './SidePanel.tsx'
import { SilenceHint } from './SilenceHint.tsx'
import { SortableItems } from './SortableItems.tsx'
import { anyAnswer, type Edits, optionAnswer } from './use-edits.ts'

const id = () => uuid().slice(0, 8)

/** Panel that edits a step: interactions, conditions and options. */
export function StepPanel(props: {
  draft: Draft
  edits: Edits
  step: JsonObject
  steps: readonly { readonly id: string; readonly name: string }[]
  captured: readonly string[]
  /** Index of the condition that is initially open. */
  condition: number | null
  panel: Ref<HTMLElement>
  onClose: () => void
}) {
  const { draft, edits, step, steps, captured, condition, panel, onClose } = props
  const parts = partsOf(step)
  const asksAssistant = parts.interactions.some(({ does }) => does === 'assistant')
  const { silence } = readConfigurations(settingsIn(draft.state.use().document))
  const [section, setSection] = useState<ItemList | 'settings'>(condition === null ? 'interactions' : 'conditions')
  const [open, setOpen] = useState<number | null>(condition ?? (parts.interactions.length > 0 ? 0 : null))
  const change = (key: string, next: (step: JsonObject) => JsonObject) =>
    draft.edit((document) => changeNode(document, parts.id, next), `${parts.id} ${key}`)
  const changeList = (list: ItemList, next: (items: readonly JsonObject[]) => readonly JsonObject[], key = '') =>
    draft.edit(
      (document) => withOptionConditions(document, changeItems(document, parts.id, list, next), parts.id, optionAnswer),
      key && `${parts.id} ${list} ${key}`,
    )
  const move = (of: ItemList, from: number, to: number, key = '') => {
    changeList(of, (items) => movedItem(items, from, to), key)
    setOpen(open === null ? null : indexAfter(open, from, to))
  }
  const list = (of: ItemList) =>
    itemsOf(step, of).map((value, index, all) => ({
      value,
      isOpen: open === index,
      onToggle: () => setOpen(open === index ? null : index),
      onChange: (next: JsonObject, key: string) =>
        changeList(of, (items) => items.map((one, at) => (at === index ? next : one)), `${index} ${key}`),
      commands: itemCommands({
        index,
        count: all.length,
        onMove: (to) => move(of, index, to),
        onDuplicate: () => {
          changeList(of, (items) => items.toSpliced(index + 1, 0, { ...value, id: id() }))
          setOpen(open !== null && open > index ? open + 1 : open)
        },
        onRemove: () => {
          changeList(of, (items) => items.toSpliced(index, 1))
          setOpen(null)
        },
      }),
    }))
  const add = (of: ItemList, value: JsonObject) => {
    setOpen(itemsOf(step, of).length)
    changeList(of, (items) => [...items, value])
  }
  const { interactions, conditions, capture, wait } = parts
  const freeOptions = optionsWithoutCondition(parts)
  const sections = [
    { key: 'interactions', name: t('Interações {count}', { count: interactions.length }) },
    { key: 'conditions', name: t('Condições {count}', { count: conditions.length }) },
    { key: 'settings', name: t('Ajustes') },
  ] as const
  return (
    <SidePanel
      kind={t('Etapa')}
      title={parts.name}
      panel={panel}
      onClose={onClose}
      tools={
        <>
          <IconButton aria-label={t('Duplicar a etapa')} onClick={() => edits.duplicate(parts.id)}>
            <CopyIcon size={18} />
          </IconButton>
          <IconButton aria-label={t('Excluir a etapa')} onClick={() => edits.removeIds(new Set([parts.id]))}>
            <DeleteIcon size={18} />
          </IconButton>
        </>
      }
      tabs={
        <SectionTabs
          sections={sections}
          open={section}
          onOpen={(next) => {
            setSection(next)
            setOpen(null)
          }}
        />
      }
    >
      {section === 'interactions' && (
        <>
          <SortableItems label={t('Interações')} onMove={(from, to) => move('interactions', from, to, 'order')}>
            {list('interactions').map((one, index) => (
              <InteractionCard key={`${index} ${String(one.value['id'])}`} {...one} captured={captured} />
            ))}
          </SortableItems>
          <CommandMenu
            commands={OFFERED.map(({ type, label }) => ({
              id: type,
              label,
              run: () => add('interactions', newInteraction(type, id())),
            }))}
            position="bottom-start"
            target={
              <Button variant="light" fullWidth leftSection={<AddIcon size={16} />}>
                {t('Adicionar interação')}
              </Button>
            }
          />
          <SwitchRow
            name={t('Capturar resposta como variável')}
            effect={
              capture
                ? t('Use depois como {{{key}}}', { key: capture.key })
                : t('Guarda o que o cliente responder a esta etapa.')
            }
            checked={capture !== null}
            onChange={(isOn) => change('capture', (one) => withField(one, 'variableKey', isOn ? t('resposta') : ''))}
          />
          {capture && (
            <div className={css.two}>
              <TextInput
                label={t('Nome da variável')}
                value={capture.key}
                maxLength={60}
                onChange={(event) => {
                  const key = event.currentTarget.value.replace(/[\s{}|.]/g, '')
                  if (key) change('capture', (one) => withField(one, 'variableKey', key))
                }}
              />
              <Select
                label={t('Tipo')}
                allowDeselect={false}
                data={[
                  { value: 'text', label: t('Texto') },
                  { value: 'number', label: t('Número') },
                ]}
                value={capture.isNumber ? 'number' : 'text'}
                onChange={(type) => change('type', (one) => withField(one, 'variableType', type))}
              />
            </div>
          )}
          {silence && wait && conditions.length > 0 && <SilenceHint silence={silence} />}
        </>
      )}
      {section === 'conditions' && (
        <>
          {conditions.length === 0 && <p>{t('Sem condições o fluxo termina depois desta etapa.')}</p>}
          <SortableItems label={t('Condições')} onMove={(from, to) => move('conditions', from, to, 'order')}>
            {list('conditions').map((one, index) => (
              <ConditionCard
                key={`${index} ${String(one.value['id'])}`}
                {...one}
                {...{ steps, captured }}
                waits={wait}
                asksAssistant={asksAssistant}
              />
            ))}
          </SortableItems>
          {freeOptions.length > 0 && (
            <Button
              variant="default"
              fullWidth
              leftSection={<AddIcon size={16} />}
              onClick={() => changeList('conditions', (items) => withConditionsOf(freeOptions, items, optionAnswer))}
            >
              {t('Criar {what}', {
                what: plural(freeOptions.length, t('condição das opções'), t('condições das opções')),
              })}
            </Button>
          )}
          <Button
            variant="light"
            fullWidth
            leftSection={<AddIcon size={16} />}
            onClick={() =>
              add('conditions', anyAnswer(conditions.length === 0 ? {} : { type: 'R', comparisonType: 'equals' }))
            }
          >
            {t('Adicionar condição')}
          </Button>
        </>
      )}
      {section === 'settings' && (
        <>
          <TextInput
            label={t('Nome da etapa')}
            value={parts.name}
            maxLength={100}
            onChange={(event) => {
              const { value } = event.currentTarget
              change('name', (one) => ({ ...one, name: value }))
            }}
          />
          <SwitchRow
            name={t('Esperar a resposta')}
            effect={t('Desligado, as condições são julgadas na hora, por variáveis, horário, canal e etiquetas.')}
            checked={wait}
            onChange={(isOn) => change('wait', (one) => withField(one, 'wait', isOn))}
          />
        </>
      )}
    </SidePanel>
  )
}
