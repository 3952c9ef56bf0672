import { TextInput } from '@mantine/core'
import type { ReactElement, ReactNode } from 'react'
import { FormDrawer } from '#web/ui/layout/FormDrawer.tsx'

/** Drawer for something new in the lab: name and further fields. */
export function NewDrawer(props: {
  title: string
  sub: string
  avatar: ReactElement
  form: {
    values: { name: string }
    errors: { name?: string | undefined }
    changed: readonly unknown[]
    set: (field: 'name', value: string) => void
  }
  label: string
  description?: string
  saveLabel: string
  busy: boolean
  onSave: () => void
  onClose: () => void
  children: ReactNode
}) {
  const { form, label, description, children, ...drawer } = props
  return (
    <FormDrawer opened size={480} changed={form.changed.length} {...drawer}>
      <TextInput
        label={label}
        required
        data-autofocus
        value={form.values.name}
        error={form.errors.name}
        description={description}
        onChange={(event) => form.set('name', event.currentTarget.value)}
      />
      {children}
    </FormDrawer>
  )
}
