import { Select, TextInput } from '@mantine/core'
import { withField } from '#domain/flow/edit.ts'
import { ASSISTANT_EXITS, COMPARISONS } from '#domain/flow/flow.ts'
import { idOf, type JsonObject, textOf, textsOf } from '#domain/flow/json.ts'
import { fieldsOf, readCondition } from '#domain/flow/read.ts'
import { keysIn } from '#domain/keys.ts'
import { t } from '#web/t.ts'
import { ConditionIcon } from '#web/ui/icons.ts'
import { ManyChoice } from '#web/ui/inputs/ManyChoice.tsx'
import type { Command } from '#web/ui/layout/command.ts'
import { type Destination, DestinationFields, ListText } from './fields.tsx'
import { ItemCard } from './ItemCard.tsx'
import { comparisons, conditionText, endOf, exitTexts } from './labels.tsx'
import { useNames } from './names.ts'

const kinds = ['node', 'queue', 'user', 'close', 'channel'] as const
const keys = {
  node: 'nextStepId',
  queue: 'queueId',
  user: 'userIdDestination',
  close: 'closeTicket',
  channel: 'channelDestination',
}

const asked = {
  any: t('Qualquer resposta'),
  answer: t('A resposta'),
  variable: t('Uma variável'),
  hours: t('O horário de atendimento'),
  channel: t('O canal'),
  tags: t('As etiquetas da conversa'),
  assistant: t('O fim do assistente'),
}
type Asked = keyof typeof asked

const exits = ASSISTANT_EXITS.map((key, index) => ({ id: index + 1, key, name: exitTexts[key] }))

/** Returns a condition changed to test something else. */
function askingOf(value: JsonObject, of: Asked): JsonObject {
  const plain = withField(
    withField(value, 'type', of === 'any' ? 'US' : 'R'),
    'condition',
    of === 'hours' ? ['open'] : of === 'assistant' ? ['failed'] : [],
  )
  if (of === 'any' || of === 'answer') return 'on' in fieldsOf(value) ? withField(plain, 'on', undefined) : plain
  return withField(plain, 'on', of)
}

/** Card of a step's condition: its test and its destination. */
export function ConditionCard(props: {
  value: JsonObject
  /** True if the step waits for an answer, which conditions may test. */
  waits: boolean
  /** True if an assistant answers in the step; conditions may test how it ended. */
  asksAssistant: boolean
  steps: readonly { readonly id: string; readonly name: string }[]
  captured: readonly string[]
  isOpen: boolean
  commands: readonly Command[]
  onToggle: () => void
  onChange: (value: JsonObject, key: string) => void
}) {
  const { value, waits, asksAssistant, steps, captured, isOpen, commands, onToggle, onChange } = props
  const names = useNames()
  const condition = readCondition(value)
  const { test, action } = condition
  const fields = fieldsOf(value)
  const values = textsOf(fields['condition'] ?? fields['values'])
  const set = (key: string, next: unknown) => onChange(withField(value, key, next), key)
  const offered = keysIn(asked).filter(
    (one) => (one === 'assistant' ? asksAssistant : !waits || one === 'any' || one === 'answer') || one === test.of,
  )
  const end = endOf(action, names)
  const target =
    action.to === 'node' ? (steps.find(({ id }) => id === action.nodeId)?.name ?? t('(nenhuma etapa)')) : end.title
  const comparison = 'comparison' in test && (
    <Select
      label={t('Comparação')}
      allowDeselect={false}
      data={COMPARISONS.map((one) => ({ value: one, label: comparisons[one] }))}
      value={test.comparison}
      onChange={(next) => set('comparisonType', next)}
    />
  )
  return (
    <ItemCard
      icon={ConditionIcon}
      title={conditionText(condition, names)}
      summary={`→ ${target}`}
      sorts
      {...{ isOpen, commands, onToggle }}
    >
      <Select
        label={t('Quando')}
        allowDeselect={false}
        data={offered.map((one) => ({ value: one, label: asked[one] }))}
        value={test.of}
        onChange={(next) => next && onChange(askingOf(value, next), 'of')}
      />
      {test.of === 'variable' && (
        <TextInput
          label={t('Variável')}
          description={t('Como em {{nome}}, sem as chaves.')}
          value={test.name}
          onChange={(event) => set('variable', event.currentTarget.value)}
        />
      )}
      {comparison}
      {(test.of === 'answer' || test.of === 'variable') && (
        <ListText
          label={t('Valores')}
          hint={t('Um por linha; vale qualquer um deles.')}
          texts={values}
          onChange={(next) => set('condition', next)}
        />
      )}
      {test.of === 'channel' && (
        <ListText
          label={t('Tipos de canal')}
          hint={t('Um por linha, como whatsapp ou webchat.')}
          texts={values}
          onChange={(next) => set('condition', next)}
        />
      )}
      {test.of === 'hours' && (
        <Select
          label={t('Horário')}
          allowDeselect={false}
          data={[
            { value: 'open', label: t('Dentro do horário') },
            { value: 'closed', label: t('Fora do horário') },
          ]}
          value={test.isOpen ? 'open' : 'closed'}
          onChange={(next) => set('condition', [next])}
        />
      )}
      {test.of === 'tags' && (
        <ManyChoice
          label={t('Etiquetas')}
          none={t('Nenhuma com esse nome')}
          options={names.tags}
          chosen={test.tagIds}
          onChange={(ids) => set('condition', ids.map(String))}
        />
      )}
      {test.of === 'assistant' && (
        <ManyChoice
          label={t('Quando')}
          none={t('Nenhum com esse nome')}
          options={exits}
          chosen={exits.filter(({ key }) => test.exits.includes(key)).map(({ id }) => id)}
          onChange={(ids) =>
            set(
              'condition',
              exits.filter(({ id }) => ids.includes(id)).map(({ key }) => key),
            )
          }
        />
      )}
      <DestinationFields
        label={t('Então')}
        offered={kinds}
        {...{ steps, captured }}
        destination={{ kind: action.to, value: fields[keys[action.to]] }}
        onChange={({ kind, value: next }: Destination) => {
          if (kind === 'none') return
          const led = withField(value, 'action', kinds.indexOf(kind))
          onChange(
            withField(led, keys[kind], kind === 'close' || kind === 'node' ? (next ?? '') : idOf(next)),
            textOf(keys[kind]),
          )
        }}
      />
    </ItemCard>
  )
}
