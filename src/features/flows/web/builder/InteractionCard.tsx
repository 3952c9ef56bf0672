import { Select, TextInput } from '@mantine/core'
import { Suspense, useId } from 'react'
import { momentOfAppointment } from '#domain/flow/appointment.ts'
import { withField } from '#domain/flow/edit.ts'
import { idOf, isObject, isSet, type JsonObject, textOf, textsOf } from '#domain/flow/json.ts'
import { interactionKind } from '#domain/flow/nodes/index.ts'
import type { FormField } from '#domain/flow/nodes/kind.ts'
import { fieldsOf, readInteraction } from '#domain/flow/read.ts'
import { loadSmsParts } from '#features/messages/web/index.ts'
import { wallClock } from '#kit/fields/datetime.ts'
import { timeZone } from '#web/format.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { t } from '#web/t.ts'
import { SwitchRow } from '#web/ui/inputs/fields.tsx'
import type { Command } from '#web/ui/layout/command.ts'
import { HeadersText, ListText, OneOf, WholeNumber } from './fields.tsx'
import { ItemCard } from './ItemCard.tsx'
import { detailText, iconOf, isAvailable, labelOf } from './labels.tsx'
import { MediaInput } from './MediaInput.tsx'
import { useNames } from './names.ts'
import { TemplateText } from './TemplateText.tsx'

const PhoneField = lazyPart(async () => (await import('./PhoneField.tsx')).PhoneField)
const SmsParts = lazyPart(loadSmsParts)
const SmsConnection = lazyPart(async () => (await import('./SmsConnection.tsx')).SmsConnection)

/** Card of a step's interaction: summary, and its form while open. */
export function InteractionCard(props: {
  value: JsonObject
  captured: readonly string[]
  isOpen: boolean
  commands: readonly Command[]
  onToggle: () => void
  onChange: (value: JsonObject, key: string) => void
}) {
  const { value, captured, isOpen, commands, onToggle, onChange } = props
  const names = useNames()
  const one = readInteraction(value)
  const form = interactionKind(one.type)?.form
  const label = labelOf(one)
  return (
    <ItemCard
      icon={iconOf(one)}
      title={label}
      summary={detailText(one, names)}
      sorts
      {...{ isOpen, commands, onToggle }}
    >
      {!isAvailable(one) && (
        <p>{t('“{label}” ainda não está disponível aqui: é pulado. Fica guardado no fluxo como veio.', { label })}</p>
      )}
      {isAvailable(one) &&
        form?.map((field) => (
          <Field
            key={field.key}
            {...{ field, captured }}
            fields={fieldsOf(value)}
            onChange={(next) => onChange(withField(value, field.key, next), field.key)}
            // Merges into `data`, where a file has its own `type`, unlike the interaction's beside it.
            onFields={(more) => onChange({ ...value, data: { ...fieldsBelow(value), ...more } }, field.key)}
          />
        ))}
    </ItemCard>
  )
}

/** Converts a date to the company's wall-clock time for the input; empty if invalid. */
function wallOf(date: string): string {
  const at = momentOfAppointment({ type: 'custom', date, delayMs: 0 }, 0, timeZone())
  return at === null ? '' : wallClock(new Date(at).toISOString(), timeZone())
}

const fieldsBelow = ({ data }: JsonObject): JsonObject => (isObject(data) ? data : {})

function Field(props: {
  field: FormField
  fields: JsonObject
  captured: readonly string[]
  onChange: (value: unknown) => void
  onFields: (fields: JsonObject) => void
}) {
  const { field, fields, captured, onChange, onFields } = props
  const { tags, stages, pipelineStages, calendars, reasons, flows, assistants } = useNames()
  const id = useId()
  const value = [field.key, ...(field.also ?? [])]
    .map((key) => fields[key])
    .find((one) => one !== undefined && one !== null)
  const { label, hint } = field
  if (field.when && !field.when(fields)) return null
  switch (field.kind) {
    case 'template':
      return (
        <TemplateText
          {...{ label, captured, onChange, ...(hint ? { hint } : {}) }}
          isPlain={field.isPlain ?? false}
          value={textOf(value ?? fields['message'])}
        />
      )
    case 'textMessage':
      return (
        <div>
          <TemplateText
            {...{ label, captured, onChange }}
            isPlain
            hint={t('As variáveis contam pelo que trouxerem.')}
            value={textOf(value)}
          />
          {textOf(value) !== '' && (
            <Suspense>
              <SmsParts text={textOf(value)} />
            </Suspense>
          )}
        </div>
      )
    case 'connection':
      return (
        <Suspense>
          <SmsConnection {...{ label, value, onChange }} />
        </Suspense>
      )
    case 'assistant': {
      const { provider } = field
      const rows = assistants.filter((one) => provider === null || one.provider === provider)
      const none = provider === null ? {} : { none: t('A conta padrão') }
      return <OneOf label={label} rows={rows} value={idOf(value)} onChange={onChange} {...none} />
    }
    case 'phone':
      return (
        <Suspense>
          <PhoneField {...{ label, onChange }} what={field.what} value={textOf(value)} />
        </Suspense>
      )
    case 'text':
      return (
        <TextInput
          id={id}
          label={label}
          description={hint}
          value={textOf(value)}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )
    case 'lines':
      return <ListText label={label} {...(hint ? { hint } : {})} texts={textsOf(value)} onChange={onChange} />
    case 'headers':
      return <HeadersText {...{ label, hint, value, onChange }} />
    case 'number': {
      const { usual, min, max } = field
      return <WholeNumber {...{ label, value, usual, min, max, onChange }} />
    }
    case 'choice':
      return (
        <Select
          label={label}
          allowDeselect={false}
          data={field.options.map(([key, name]) => ({ value: key, label: name }))}
          value={textOf(value) || field.usual}
          onChange={onChange}
        />
      )
    case 'switch':
      return <SwitchRow name={label} checked={value === undefined ? field.usual : isSet(value)} onChange={onChange} />
    case 'tag':
      return <OneOf label={label} rows={tags} value={idOf(value)} onChange={onChange} />
    case 'stage':
      return <OneOf label={label} rows={stages} value={idOf(value)} onChange={onChange} />
    case 'pipelineStage':
      return <OneOf label={label} rows={pipelineStages} value={idOf(value)} onChange={onChange} />
    case 'calendar':
      return <OneOf label={label} rows={calendars} value={idOf(value)} onChange={onChange} />
    case 'reason':
      return <OneOf label={label} rows={reasons} value={idOf(value)} onChange={onChange} />
    case 'moment':
      return (
        <TextInput
          id={id}
          type="datetime-local"
          label={label}
          value={wallOf(textOf(value))}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )
    case 'file':
      return <MediaInput label={label} name={textOf(value) && textOf(fields['name'])} onChange={onFields} />
    case 'flow':
      return <OneOf label={label} hint={hint} rows={flows} value={idOf(value)} onChange={onChange} />
  }
}
