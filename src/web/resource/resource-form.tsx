import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Resource } from '#kit/resource.ts'
import { isApiError, sentence } from '../api.ts'
import { call, query } from '../client.ts'
import { FormDrawer } from '../ui/form-drawer.tsx'
import { notify } from '../ui/notify.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { LoadError } from '../ui/states.tsx'
import { useForm } from '../ui/use-form.ts'
import { useOpening } from '../ui/use-opening.ts'
import { FieldInput } from './resource-field.tsx'

type Values = Record<string, string | boolean>

const empty = ({ spec }: Resource): Values =>
  Object.fromEntries(
    Object.entries(spec.fields).map(([key, field]) => [
      key,
      field.default ?? (field.kind === 'boolean' ? false : field.kind === 'color' ? '#3874B6' : ''),
    ]),
  )

const pick = ({ spec }: Resource, row: Readonly<Record<string, unknown>>): Values =>
  Object.fromEntries(Object.keys(spec.fields).map((key) => [key, (row[key] ?? '') as string | boolean]))

/** The form drawer of a plain table: `id` of the row, or 'novo'. */
export function ResourceForm({ resource, id, onClose }: { resource: Resource; id: string; onClose: () => void }) {
  const { spec, ops } = resource
  const isNew = id === 'novo'
  const row = useQuery({ ...query(ops.get, { params: { id: Number(id) } }), enabled: !isNew, staleTime: 0 })
  const form = useForm<Values>(empty(resource), isNew ? ops.create.body : ops.update.body)
  const [busy, setBusy] = useState(false)
  const { opened, close } = useOpening(onClose)
  const { reset } = form
  useEffect(() => {
    if (row.data) reset(pick(resource, row.data))
  }, [row.data, reset, resource])
  const word = spec.singular.toLowerCase()
  const save = async () => {
    if (!form.check()) return
    setBusy(true)
    try {
      if (isNew) await call(ops.create, { body: form.values }, { quiet: true })
      else await call(ops.update, { params: { id: Number(id) }, body: form.values }, { quiet: true })
      notify({ tone: 'pos', title: `${spec.singular} ${spec.gender === 'f' ? 'salva' : 'salvo'}` })
      reset(form.values)
      close()
    } catch (error) {
      const details =
        isApiError(error) && error.code === 'ERR_VALIDATION' ? (error.details as Record<string, string>) : {}
      const first = Object.keys(spec.fields)[0] as string
      if (isApiError(error) && error.status === 409) form.setErrors({ [first]: sentence(error) })
      else if (Object.keys(details).length > 0) form.setErrors(details)
      else notify({ tone: 'neg', title: sentence(error) })
    } finally {
      setBusy(false)
    }
  }
  return (
    <FormDrawer
      opened={opened}
      onClose={close}
      onSave={save}
      title={isNew ? `${spec.gender === 'f' ? 'Nova' : 'Novo'} ${word}` : `Editar ${word}`}
      changed={form.changed.length}
      busy={busy}
      size={480}
    >
      {!isNew && row.isPending && <SkeletonRows kind="card" rows={3} />}
      {row.isError && <LoadError text={sentence(row.error)} retry={() => void row.refetch()} />}
      {(isNew || row.data) &&
        Object.entries(spec.fields).map(([key, field], index) => (
          <FieldInput
            key={key}
            field={field}
            value={form.values[key]}
            error={form.errors[key]}
            autoFocus={index === 0}
            onChange={(value) => form.set(key, value)}
          />
        ))}
    </FormDrawer>
  )
}
