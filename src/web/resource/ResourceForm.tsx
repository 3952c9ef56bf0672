import { type ReactNode, useRef } from 'react'
import { type FieldValue, startOf } from '#kit/fields/kinds.ts'
import type { Resource, ResourceField } from '#kit/resource.ts'
import { call } from '../client.ts'
import { FieldInput } from '../fields/field.tsx'
import { t } from '../t.ts'
import { FormDrawer } from '../ui/layout/FormDrawer.tsx'
import { useDrawerForm } from '../ui/layout/use-drawer-form.ts'
import { useRow } from './use-row.ts'

type Value = FieldValue<ResourceField>
type Values = Record<string, Value>

const empty = ({ spec }: Resource): Values =>
  Object.fromEntries(Object.entries(spec.fields).map(([key, field]) => [key, startOf(field) as Value]))

const pick = ({ spec }: Resource, row: Readonly<Record<string, unknown>>): Values =>
  Object.fromEntries(Object.keys(spec.fields).map((key) => [key, row[key] as Value]))

/**
 * Form drawer of a plain table: `id` of the row, or 'novo'. `children` are shown below its fields, `also` is the number of
 * changes in them, and `afterSave` stores them with the row.
 */
export function ResourceForm(props: {
  resource: Resource
  id: string
  onClose: () => void
  children?: ReactNode
  also?: number
  afterSave?: (id: number) => Promise<void>
  /** Values of a new row beside its fields. */
  made?: Values
}) {
  const { resource, id, onClose, children, also = 0, afterSave } = props
  const { spec, ops } = resource
  const isNew = id === 'novo'
  const row = useRow(ops.get, id)
  const fields = Object.entries(spec.fields)
  const { values, errors, changed, set, drawer, save } = useDrawerForm(empty(resource), {
    stored: isNew ? null : row.data && pick(resource, row.data),
    reading: row,
    checker: isNew ? ops.create.body : ops.update.body,
    unique: [fields[0]?.[0] ?? ''],
    onClose,
  })
  const word = spec.singular.toLowerCase()
  // A row exists even if its files were refused: saving again updates it and does not create another.
  const made = useRef(isNew ? null : Number(id))
  const send = async () => {
    // Sends changed fields only, to keep what others changed meanwhile.
    const body = isNew ? { ...values, ...props.made } : Object.fromEntries(changed.map((key) => [key, values[key]]))
    if (made.current === null) made.current = (await call(ops.create, { body }, { quiet: true })).id
    else if (Object.keys(body).length > 0)
      await call(ops.update, { params: { id: made.current }, body }, { quiet: true })
    await afterSave?.(made.current)
    return `${spec.singular} ${spec.gender === 'f' ? 'salva' : 'salvo'}`
  }
  return (
    <FormDrawer
      {...drawer}
      changed={drawer.changed + also}
      onSave={() => void save(send)}
      title={isNew ? `${spec.gender === 'f' ? t('Nova') : t('Novo')} ${word}` : t('Editar {word}', { word })}
      size={480}
    >
      {fields.map(([key, field], index) => (
        <FieldInput
          key={key}
          field={field}
          value={values[key]}
          error={errors[key]}
          autoFocus={index === 0}
          onChange={(value) => set(key, value)}
        />
      ))}
      {children}
    </FormDrawer>
  )
}
